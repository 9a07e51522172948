/*
 * l1_setup - the settings of an L1 besides the GPU (private to this room).
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
	const struct l1_observer *observer; /* NULL: none */
	uint64_t horizon_cycles;            /* with `below`: no answer arrives sooner (request.h) */
	bool is_telling_victims;            /* send MESSAGE_VICTIM below */
	bool is_unclassified; /* no observer: misses are not classified, except `sector` */
	uint32_t sm;          /* number of the SM, part of the seed of random policies */
};

#endif
