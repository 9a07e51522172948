/*
 * ptx_items - iterates over the items at the outermost level of PTX source: functions, variables
 * and directives.
 */
#ifndef PTX_ITEMS_H
#define PTX_ITEMS_H

#include "ptx_variable.h"

#define PTX_PARAMETERS_MOST      4096
#define PTX_PARAMETER_BYTES_MOST (1u << 20)

/* The head of a function: everything before its body. */
struct ptx_head {
	struct ptx_word name;
	size_t line;
	bool is_entry, has_body;
	size_t first_parameter; /* index in ptx_items.parameters: results first */
	uint32_t parameter_count, result_count;
	uint64_t max_threads[3], required_threads[3]; /* 0: not given */
	uint64_t min_groups;
};

enum ptx_item_kind {
	PTX_ITEM_END,
	PTX_ITEM_FUNCTION, /* `head`; the scan is after the opening brace of its body, if any */
	PTX_ITEM_VARIABLE, /* `variable` */
	PTX_ITEM_OTHER,    /* a directive: the scan is after it */
	PTX_ITEM_STRAY,    /* not a directive: this token */
};

struct ptx_item {
	enum ptx_item_kind kind;
	struct ptx_token first; /* its directive; for .address_size the number */
	struct ptx_head head;
	struct ptx_variable variable;
};

struct ptx_items {
	struct array parameters;  /* struct ptx_variable */
	struct array initials;    /* struct ptx_initial */
	uint64_t address_bits;    /* of the last .address_size; 64 before the first */
	struct ptx_variable list; /* the common part of a list of variables */
	bool is_in_list;
	bool leaves_initials; /* set by the caller: initial values are not kept */
};

void ptx_items_init(struct ptx_items *x);
void ptx_items_release(struct ptx_items *x);

/* Read the next item. Returns 0, ERR_FORMAT with its line, ERR_LIMIT or ERR_NOMEM. */
int ptx_items_next(struct ptx_items *x, struct ptx_scan *s, struct ptx_item *item);

/* Returns the i-th parameter of a function, results counted first. */
const struct ptx_variable *ptx_items_parameter(const struct ptx_items *x,
                                               const struct ptx_head *head, uint32_t i);

#endif
