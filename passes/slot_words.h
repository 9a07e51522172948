/*
 * slot_words - how many words of probe_abi.h a work-item of a kernel can make.
 */
#ifndef SLOT_WORDS_H
#define SLOT_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct insertion;

/* Words of the record of a point, whose address has at most 48 bits. */
uint32_t slot_words_of_point(const struct insertion *in, uint32_t site);

/*
 * Fill the kernel's item_words and least_words: item_words is the most on any way through the
 * kernel, or 0 when that has no bound or is above PROBE_MAX_SLOT_WORDS; least_words the least on
 * any way that passes each loop with records once. Count mode: 2 for each site. 0 or ERR_NOMEM.
 */
int slot_words_fill(const struct insertion *in, bool counts_only, struct err *err);

#endif
