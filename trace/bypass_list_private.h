/*
 * bypass_list_private - what the two ways of writing a bypass list share (for bypass_list*.c only).
 */
#ifndef BYPASS_LIST_PRIVATE_H
#define BYPASS_LIST_PRIVATE_H

#include "bypass_list.h"

#include <stdbool.h>

struct bypass_kind_row {
	const char *word, *number; /* as bypass_kinds.def has them */
};

extern const struct bypass_kind_row bypass_kind_rows[];
extern const size_t bypass_kind_count;

/* The kind whose word is text[0..length); bypass_kind_count: none. */
size_t bypass_kind_find(const char *text, size_t length);

/* The number of a rule whose kind has one. Returns 0 or ERR_USAGE. */
int bypass_rule_set_number(struct bypass_rule *rule, const char *text, struct err *err);

#endif
