/* SPDX-License-Identifier: Apache-2.0 */
#include "line_names.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

enum { BITS_AT_FIRST = 6, BITS_MAX = 31 };

void line_names_release(struct line_names *n)
{
	free(n->names);
	free(n->chains);
	*n = (struct line_names){ 0 };
}

void line_names_clear(struct line_names *n)
{
	if (n->limit)
		memset(n->chains, 0, 2 * (size_t)n->capacity * sizeof(*n->chains));
	n->count = n->limit = n->free = 0;
}

/* The chain of a line: the top bits of a product with 2^64 / golden ratio (Knuth, 6.4). */
static uint32_t *chain_of(struct line_names *n, uint64_t line)
{
	return &n->chains[line * UINT64_C(0x9e3779b97f4a7c15) >> n->shift];
}

static void chain(struct line_names *n, uint32_t number)
{
	uint32_t *first = chain_of(n, line_names_line(n, number));

	n->names[number].next = *first;
	*first = number + 1;
}

/* Twice as many names and chains. */
static bool grow(struct line_names *n)
{
	uint32_t bits = n->chains ? 64 - n->shift + 1 : BITS_AT_FIRST;
	size_t count = (size_t)1 << bits;
	struct line_name *names = NULL;
	uint32_t *chains = NULL;

	if (bits <= BITS_MAX)
		chains = array_alloc(count, sizeof(*chains), "numbers of lines", NULL);
	if (chains)
		names = realloc(n->names, count / 2 * sizeof(*names));
	if (!names) {
		free(chains);
		n->is_failed = true;
		return false;
	}
	free(n->chains);
	n->names = names;
	n->chains = chains;
	n->shift = 64 - bits;
	n->capacity = (uint32_t)(count / 2);
	for (uint32_t i = 0; i < n->limit; i++) /* all are in use: else there was no need */
		chain(n, i);
	return true;
}

uint32_t line_names_add(struct line_names *n, uint64_t line)
{
	uint32_t number = n->free - 1;

	if (n->is_failed)
		return LINE_NAMES_NONE;
	if (n->free) {
		n->free = n->names[number].next;
	} else {
		if (n->limit == n->capacity && !grow(n))
			return LINE_NAMES_NONE;
		number = n->limit++;
	}
	n->names[number].line = line + 1;
	n->count++;
	chain(n, number);
	return number;
}

void line_names_remove(struct line_names *n, uint32_t number)
{
	uint32_t *at = chain_of(n, line_names_line(n, number));

	while (*at != number + 1)
		at = &n->names[*at - 1].next;
	*at = n->names[number].next;
	n->names[number].line = 0;
	n->names[number].next = n->free;
	n->free = number + 1;
	n->count--;
}
