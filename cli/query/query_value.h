/*
 * query_value - a cell of a table of `warpline query`: a count, a share or mean, an address, a
 * text, or nothing.
 *
 * Its type is that of its column and is not kept with it.
 */
#ifndef QUERY_VALUE_H
#define QUERY_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum query_type {
	QUERY_NUMBER,
	QUERY_ADDRESS, /* a number that is written in hexadecimal */
	QUERY_REAL,
	QUERY_TEXT,    /* good until the recording is closed */
	QUERY_PASSING, /* text that is good until the next row */
};

struct query_value {
	union {
		uint64_t number;
		double real;
		const char *text;
		char *owned; /* a text that was copied */
	};
	bool is_none; /* there is nothing in the cell */
};

static inline struct query_value query_number(uint64_t number)
{
	return (struct query_value){ .number = number };
}

static inline struct query_value query_real(double real)
{
	return (struct query_value){ .real = real };
}

/* NULL: nothing. */
static inline struct query_value query_text(const char *text)
{
	return (struct query_value){ .text = text, .is_none = !text };
}

static inline struct query_value query_none(void)
{
	return (struct query_value){ .is_none = true };
}

/* A number, or nothing for -1. */
static inline struct query_value query_index(int64_t index)
{
	return (struct query_value){ .number = (uint64_t)index, .is_none = index < 0 };
}

static inline bool query_type_is_text(enum query_type type)
{
	return type == QUERY_TEXT || type == QUERY_PASSING;
}

/* "number", "decimal", "text": what a column holds. Static storage. */
const char *query_type_name(enum query_type type);

/*
 * Which of two values comes first: < 0, 0, > 0. Numbers and reals compare exactly with each other,
 * texts byte by byte; nothing comes before everything. Both are texts, or neither is.
 */
int query_value_compare(const struct query_value *a, enum query_type of_a,
                        const struct query_value *b, enum query_type of_b);

/*
 * Read all of text[0..length-1] as a number: decimal with or without a point, or 0x hexadecimal,
 * and one of the suffixes k M G T (1000^n), Ki Mi Gi Ti (1024^n), % (1/100). *type becomes
 * QUERY_NUMBER or, with a point or %, QUERY_REAL. False: it is none, or above 2^64 - 1, or has more
 * than 15 digits and a point or %.
 */
bool query_value_parse(const char *text, size_t length, struct query_value *out,
                       enum query_type *type);

#endif
