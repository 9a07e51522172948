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

#include <stdint.h>

struct err;
struct insertion;
struct slot_places;

/*
 * Lay out a kernel whose nodes with records are passed a known number of times, into in->places;
 * *words gets how many words a slot has. More than PROBE_MAX_SLOT_WORDS, or none: in->places stays
 * NULL. Returns 0 or ERR_NOMEM.
 */
int slot_places_find(struct insertion *in, uint64_t *words, struct err *err);

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

#endif
