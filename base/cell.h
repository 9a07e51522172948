/*
 * cell - one value of a table: a count, a share or an average, an address, a string, or nothing.
 * The column knows the type; the cell does not.
 */
#ifndef CELL_H
#define CELL_H

#include <stdbool.h>
#include <stdint.h>

enum cell_type {
	CELL_NUMBER,
	CELL_ADDRESS, /* a number that is written in hexadecimal */
	CELL_REAL,    /* a share of 1, or an average */
	CELL_TEXT,    /* a string that lives as long as the table's data */
	CELL_PASSING, /* a string that is valid until the next row */
	CELL_CODE,    /* source text, or a place in it */
	CELL_FIGURE,  /* a string in the place of a number, "8-15" */
	CELL_SHARE,   /* a percentage */
	CELL_MARKUP,  /* HTML, which is not escaped; of pages alone */
};

struct cell_column {
	const char *name;
	const char *unit; /* "" for none */
	const char *help; /* NULL: a counter, which cachesim/counters.def explains */
	enum cell_type type;
};

struct cell {
	union {
		uint64_t number;
		double real;
		const char *text;
		char *owned; /* a string that was copied */
	};
	bool is_none; /* the cell is empty */
};

static inline struct cell cell_number(uint64_t number)
{
	return (struct cell){ .number = number };
}

static inline struct cell cell_real(double real)
{
	return (struct cell){ .real = real };
}

/* 100 * part / whole; nothing if the whole is 0. */
static inline struct cell cell_share(uint64_t part, uint64_t whole)
{
	return (struct cell){ .real = whole ? 100.0 * (double)part / (double)whole : 0,
		              .is_none = !whole };
}

/* part / whole; nothing if the whole is 0. */
static inline struct cell cell_ratio(uint64_t part, uint64_t whole)
{
	return (struct cell){ .real = whole ? (double)part / (double)whole : 0, .is_none = !whole };
}

/* An empty cell for NULL. */
static inline struct cell cell_text(const char *text)
{
	return (struct cell){ .text = text, .is_none = !text };
}

static inline struct cell cell_none(void)
{
	return (struct cell){ .is_none = true };
}

/* A number; an empty cell for -1. */
static inline struct cell cell_index(int64_t index)
{
	return (struct cell){ .number = (uint64_t)index, .is_none = index < 0 };
}

static inline bool cell_type_is_text(enum cell_type type)
{
	return type >= CELL_TEXT && type <= CELL_FIGURE;
}

#endif
