/*
 * slot_places - where in a work-item's slot each record is (probe_abi.h).
 *
 * After everything that may come before it on any path; in a loop each iteration has the same
 * number of words. So words ascend on every path, mutually exclusive paths share words, and
 * positions are constants, or a constant plus a multiple of a loop's iteration: no state is kept
 * between records. Words that some path leaves unwritten are cleared at the start.
 */
#ifndef SLOT_PLACES_H
#define SLOT_PLACES_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct err;
struct insertion;
struct slot_places;

/* Free. NULL is allowed. */
void slot_places_free(struct slot_places *p);

/* Create the counters that words in loops need. Moves the builder. */
void slot_places_begin(struct insertion *in);

/* Clear what may remain unwritten, at the builder, where the work-item's state must be ready. */
void slot_places_clear(struct insertion *in);

/*
 * The word where the record of a point in `loop` (-1: none) begins, built at the builder: 64 bits.
 */
LLVMValueRef slot_places_word(struct insertion *in, uint32_t point, int32_t loop);

/* The number of words of the record. */
uint32_t slot_places_room(const struct slot_places *p, uint32_t point);

/* How many words of probe_abi.h a work-item of a kernel can produce. */

/*
 * Whether the record of a point, which records `loop` (-1: none), may have to be WORD_WIDE even if
 * its address has at most 48 bits.
 */
bool slot_words_may_be_wide(const struct insertion *in, uint32_t point, int32_t loop);

/*
 * Fill the kernel's item_words and least_words. item_words is an upper bound of what a work-item
 * writes when addresses have at most 48 bits, as laid out by slot_places; 0 when there is no bound,
 * or it exceeds PROBE_MAX_SLOT_WORDS. least_words is what is on the shortest path, with each loop
 * once, or as often as constants allow. Fills the bounds of loops. Returns 0 or ERR_NOMEM.
 */
int slot_words_fill(struct insertion *in, struct err *err);

#endif
