/*
 * word_decoder - from the words that a work-item left in the device buffer (probe_abi.h) to its
 * packed events (event.h), canonical.
 *
 * The device's memory is not trusted: whatever the words are, no event names a site or loop that
 * the table does not have. Does not sort work-items or chunks, nor look at the table's layout.
 */
#ifndef WORD_DECODER_H
#define WORD_DECODER_H

#include "kernel_table.h"

#include <stddef.h>
#include <stdint.h>

struct array;
struct err;
struct word_decoder; /* for one launch and one thread */

/* Make one for a kernel; the table is borrowed. Returns 0 or ERR_NOMEM. */
int word_decoder_create(struct word_decoder **out, const struct kernel_table *t, struct err *err);
void word_decoder_free(struct word_decoder *d);

/*
 * Count mode: from now on add what the words count to sums[cell], of the caller, one for each cell
 * of the table. Without this such words are an error.
 */
void word_decoder_count_into(struct word_decoder *d, uint64_t *sums);

/*
 * What the device told of the differences that the table counts, for the words to come; they are
 * read at once. Without this they are 0.
 */
void word_decoder_differences(struct word_decoder *d, const uint64_t *differences);

/*
 * Whether the words to come are of a group in the sample of local memory (probe_abi.h): elsewhere
 * companions in local memory have no events. At first they are. Returns whether that is new.
 */
bool word_decoder_sample(struct word_decoder *d, bool is_in_sample);

/* A work-item begins: no loop has been entered. */
void word_decoder_begin(struct word_decoder *d);

/*
 * What is known of the current work-item, into `state` and back: so that others may come between
 * its words. word_decoder_state_bytes() of them, anywhere; from a decoder of the same kernel.
 */
size_t word_decoder_state_bytes(const struct kernel_table *t);
void word_decoder_save(const struct word_decoder *d, unsigned char *state);
void word_decoder_load(struct word_decoder *d, const unsigned char *state);

/* Words of the last span that were looked at, a 0 that ended it included. */
size_t word_decoder_used(const struct word_decoder *d);

/* Word w of `count` is words[w * step]. The first 0 ends the records; with gaps it is passed over.
 */
struct word_span {
	const uint64_t *words;
	size_t count;
	uint32_t step;
	bool has_gaps;
};

/*
 * Take the place or a chunk of the current work-item, in their order. Appends to `out`, an array of
 * struct event. Returns 0; ERR_NOMEM, ERR_LIMIT; or ERR_FORMAT: an unknown word, a point that there
 * is not, an iteration that cannot be, a companion without its leader, or a record that the end
 * cuts. What came before that stays in `out`; begin anew before going on.
 */
int word_decoder_add(struct word_decoder *d, const struct word_span *span, struct array *out,
                     struct err *err);

#endif
