/*
 * guide_trial - a site's addresses in a sample, and what would have told them; private to trace/.
 *
 * Two looks at the same sample: the first finds which sites are irregular, and their mates; the
 * second counts how large the differences to each guess are.
 */
#ifndef GUIDE_TRIAL_H
#define GUIDE_TRIAL_H

#include "event.h"
#include "model_track.h"

#include <stddef.h>

#define GUIDE_NEAR    8            /* accesses before one that are looked at for its mate */
#define GUIDE_LENGTHS ((size_t)65) /* of differences, in bits */
#define GUIDE_MATES   4            /* mates of a site that are counted */

struct kernel_table;

enum guide_guess { GUESS_OWN, GUESS_ANCHOR, GUESS_MATE, GUESS_COUNT };

struct guide_access {
	uint32_t site;
	uint64_t address;
};

/* A site whose address changed by a power of two times this one's, `hits` times. */
struct guide_mate {
	uint32_t site;
	int32_t shift;
	uint32_t hits;
};

struct guide_trial {
	struct model_track track;
	uint64_t address; /* the last one */
	uint64_t least;   /* of all */
	uint32_t count, misses;
	bool is_irregular;
	struct guide_mate mates[GUIDE_MATES], mate; /* `mate` is the best one; hits 0: none */
	struct guide_access before[GUIDE_NEAR];     /* what came before `address` */
	size_t before_count;
	uint64_t own, other; /* as in struct model_site */
	/* how many differences, by sign, need so many bits */
	uint32_t differences[GUESS_COUNT][2][GUIDE_LENGTHS];
};

struct guide_trials {
	struct guide_trial *sites;
	const struct kernel_table *table;
	uint32_t item; /* of the sample, from 1 */
};

void guide_trials_begin(struct guide_trials *all);

/* First look at the events of a work-item. */
void guide_trials_look(struct guide_trials *all, const struct event *events, uint64_t count);

/* After the first look: returns whether any site is irregular. */
bool guide_trials_settle(struct guide_trials *all);

/* Second look. */
void guide_trials_guess(struct guide_trials *all, const struct event *events, uint64_t count);

/* Bits that the differences to a guess take: the entropy of their signs and lengths, and their
 * digits. */
double guide_trial_bits(const struct guide_trial *trial, enum guide_guess guess);

/*
 * The code of the width that differences to the anchor should have at least. Where a few are
 * shorter than most, it costs less to write zeros than to tell where they are.
 */
unsigned guide_trial_width(const struct guide_trial *trial);

#endif
