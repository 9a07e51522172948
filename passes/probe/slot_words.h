/*
 * slot_words - how many words of probe_abi.h a work-item of a kernel can make.
 */
#ifndef SLOT_WORDS_H
#define SLOT_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct insertion;

/*
 * Whether the record of a point, which tells of `loop` (-1: none), may have to be WORD_WIDE even
 * if its address has at most 48 bits.
 */
bool slot_words_may_be_wide(const struct insertion *in, uint32_t point, int32_t loop);

/* Words that the record of a site, or the entry of a loop of the flow, takes at most; 0: no record.
 */
uint32_t slot_words_of_site(const struct insertion *in, uint32_t site);
uint32_t slot_words_of_entry(const struct insertion *in, uint32_t loop);

/*
 * Fill the kernel's item_words and least_words: item_words is a bound of what a work-item writes
 * where addresses have at most 48 bits, as slot_places lays it out, or 0 when there is none or it
 * is above PROBE_MAX_SLOT_WORDS; least_words what is on the shortest way, and once in each loop or
 * as often as constants tell. Fills the bounds of loops. Returns 0 or
 * ERR_NOMEM.
 */
int slot_words_fill(struct insertion *in, struct err *err);

#endif
