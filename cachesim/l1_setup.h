/*
 * l1_setup - what an L1 is given beside the GPU (private to this room).
 */
#ifndef L1_SETUP_H
#define L1_SETUP_H

#include <stdbool.h>
#include <stdint.h>

struct l1_observer;
struct outbox;

/* All borrowed until l1_free(). */
struct l1_setup {
	struct outbox *below;               /* NULL: a miss takes l1_hit_cycles + l2_cycles */
	const struct l1_observer *observer; /* NULL: nobody is told */
	uint64_t horizon_cycles;            /* with `below`: no answer comes sooner (request.h) */
	bool is_telling_victims;            /* MESSAGE_VICTIM is wanted below */
	bool is_unclassified; /* no observer: misses are not told by class, all but `sector` */
	uint32_t sm;          /* number of the SM: random policies draw by it */
};

#endif
