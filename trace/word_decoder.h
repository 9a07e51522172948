/*
 * word_decoder - turns a work-item's words in the device buffer (probe_abi.h) into its packed,
 * canonical events (event.h).
 *
 * The device's memory is not trusted: whatever the words are, no event names a site or loop that
 * the table does not have. It does not sort work-items or chunks, and does not read the table's
 * layout.
 */
#ifndef WORD_DECODER_H
#define WORD_DECODER_H

#include "kernel_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct array;
struct err;
struct word_decoder; /* for one launch and one thread */

/* Create a decoder for a kernel; the table is borrowed. Returns 0 or ERR_NOMEM. */
int word_decoder_create(struct word_decoder **out, const struct kernel_table *t, struct err *err);
void word_decoder_free(struct word_decoder *d);

/*
 * Count mode: from now on add the words' counts to the caller's sums[], one for each cell of the
 * table. Without this call such words are an error.
 */
void word_decoder_count_into(struct word_decoder *d, uint64_t *sums);

/*
 * Set the table's differences that the device reported for the following words; copied. Without
 * this call they are 0.
 */
void word_decoder_differences(struct word_decoder *d, const uint64_t *differences);

/*
 * Set whether the following words are of a group in the sample of local memory (probe_abi.h),
 * initially true: in other groups companions in local memory have no events. Returns whether this
 * changes anything.
 */
bool word_decoder_sample(struct word_decoder *d, bool is_in_sample);

/* Begin a work-item: no loop has been entered. */
void word_decoder_begin(struct word_decoder *d);

/*
 * Save the state of the current work-item and restore it later, so that words of others may come in
 * between. `state` has word_decoder_state_bytes() bytes, of any alignment; it may come from another
 * decoder of the same kernel.
 */
size_t word_decoder_state_bytes(const struct kernel_table *t);
void word_decoder_save(const struct word_decoder *d, unsigned char *state);
void word_decoder_load(struct word_decoder *d, const unsigned char *state);

/* Returns how many words of the last span were read, including a terminating 0. */
size_t word_decoder_used(const struct word_decoder *d);

/* Word w of `count` is words[w * step]. The first 0 ends the records; with gaps zeros are skipped.
 */
struct word_span {
	const uint64_t *words;
	size_t count;
	uint32_t step;
	bool has_gaps;
};

/*
 * Decode the slot or the next chunk of the current work-item. Appends to `out`, an array of struct
 * event. Returns 0; ERR_NOMEM, ERR_LIMIT; or ERR_FORMAT: an unknown word, a point that does not
 * exist, an impossible iteration, a companion without its leader, or a record that is cut off.
 * Events before the error stay in `out`; begin a work-item before continuing.
 */
int word_decoder_add(struct word_decoder *d, const struct word_span *span, struct array *out,
                     struct err *err);

/* The state of decoding one work-item's words: only word_decoder.c changes it, and only
 * word_recipe.c reads it besides. */
struct loop_state {
	uint64_t iteration; /* the last one in this activation; NO_ITERATION: none yet */
	uint64_t untold;    /* iterations from WORD_ADVANCE that are not added yet */
	uint64_t parent;    /* iteration of the enclosing loop in which it was entered */
	uint32_t high;      /* high half of the iteration in the events so far */
	bool is_pending;    /* entered, without an event yet */
};

/* What the usual word of a site needs. */
struct plain_site {
	struct loop_state *loop; /* innermost; NULL outside loops */
	uint32_t first, count;   /* the companions that come with it */
	bool is_plain;           /* one word is one event: its size, if any, is known */
	bool is_leader;
	bool is_sampled; /* in local memory: has events only in groups of the sample */
};

/* A companion (kernel_table.h), by the site that it comes after. */
struct word_companion {
	const struct companion *told;
	uint64_t distance; /* total, from the leader's address */
};

/* The last address of a leader, and its work-item. */
struct last_address {
	uint64_t address, item;
};

struct word_decoder {
	const struct kernel_table *table;
	struct loop_state *loops;
	struct plain_site *plain;          /* for each site */
	struct word_companion *companions; /* by what they come after, in order */
	struct last_address *last;         /* for each site */
	uint64_t item;                     /* number of work-items begun */
	uint32_t *path;                    /* enclosing loops, innermost first */
	bool is_outside_sample;            /* of groups */
	uint64_t *sums;                    /* NULL: not in count mode */
	/* State of word_decoder_add(): */
	const uint64_t *words;
	size_t at, count, step;
	struct array *out;
	struct err *err;
};

#endif
