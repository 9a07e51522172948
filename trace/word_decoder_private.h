/*
 * word_decoder_private - the state of decoding one work-item's words, which
 * word_decoder.c changes and word_recipe.c reads.
 */
#ifndef WORD_DECODER_PRIVATE_H
#define WORD_DECODER_PRIVATE_H

#include "word_decoder.h"

#include <stdbool.h>

struct loop_state {
	uint64_t iteration; /* told last, in this activation; NO_ITERATION: none yet */
	uint64_t untold;    /* of WORD_ADVANCE */
	uint64_t parent;    /* iteration of the loop around in which it was entered */
	uint32_t high;      /* half of the iteration that the events have said */
	bool is_pending;    /* entered, and no event yet */
};

/* Of a site, what its usual word needs. */
struct plain_site {
	struct loop_state *loop; /* innermost; NULL outside loops */
	uint32_t first, count;   /* the companions that come with it */
	bool is_plain;           /* one word is an event: its size is known, if it has one */
	bool is_leader;
	bool is_sampled; /* in local memory: has events only in groups of the sample */
};

/* A companion (kernel_table.h), by what it comes after. */
struct word_companion {
	const struct companion *told;
	uint64_t distance; /* from the leader's address, all told */
};

/* The last address of a leader, and the work-item that it is of. */
struct last_address {
	uint64_t address, item;
};

struct word_decoder {
	const struct kernel_table *table;
	struct loop_state *loops;
	struct plain_site *plain;          /* for each site */
	struct word_companion *companions; /* by what they come after, in order */
	struct last_address *last;         /* for each site */
	uint64_t item;                     /* how many have begun */
	uint32_t *path;                    /* loops around one, innermost first */
	bool is_outside_sample;            /* of groups */
	uint64_t *sums;                    /* NULL: not in count mode */
	/* What word_decoder_add() is at: */
	const uint64_t *words;
	size_t at, count, step;
	struct array *out;
	struct err *err;
};

#endif
