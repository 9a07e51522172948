/*
 * slot_places - where in a work-item's slot each record lies (probe_abi.h).
 *
 * Behind all that may come before it on any way to it; in a loop each iteration has the same number
 * of words. So words ascend on every way, ways that exclude each other share words, and the places
 * are constants, or such a constant and a multiple of a loop's iteration: nothing has to be kept
 * from one record to the next. Words that some way leaves unwritten are cleared at the beginning.
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

/* Make the counters that words in loops need. Moves the builder. */
void slot_places_begin(struct insertion *in);

/* Clear what may stay unwritten, at the builder, where the work-item's state is ready. */
void slot_places_clear(struct insertion *in);

/* The word at which the record of a point in `loop` (-1: none) begins, at the builder: 64 bits. */
LLVMValueRef slot_places_word(struct insertion *in, uint32_t point, int32_t loop);

/* Words that the record has. */
uint32_t slot_places_room(const struct slot_places *p, uint32_t point);

/* How many words of probe_abi.h a work-item of a kernel can make. */

/*
 * Whether the record of a point, which records `loop` (-1: none), may have to be WORD_WIDE even
 * if its address has at most 48 bits.
 */
bool slot_words_may_be_wide(const struct insertion *in, uint32_t point, int32_t loop);

/*
 * Fill the kernel's item_words and least_words: item_words is a bound of what a work-item writes
 * where addresses have at most 48 bits, as slot_places lays it out, or 0 when there is no bound or
 * it is above PROBE_MAX_SLOT_WORDS; least_words what is on the shortest way, and once in each loop
 * or as often as constants allow. Fills the bounds of loops. Returns 0 or ERR_NOMEM.
 */
int slot_words_fill(struct insertion *in, struct err *err);

#endif
