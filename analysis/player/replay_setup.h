/*
 * replay_setup - a replay that is ready to be made: the GPU, the order, and which reads go another
 * way.
 */
#ifndef REPLAY_SETUP_H
#define REPLAY_SETUP_H

#include "bypass_list.h"
#include "gpu.h"
#include "reorder_config.h"
#include "replay.h"

#include <stdint.h>

/* It stays where it is: `options` points into it. */
struct replay_setup {
	struct gpu gpu;
	struct replay_options options;
	struct reorder_config reorder; /* of options, where there is one */
	struct bypass_list bypass;     /* of options */
	uint32_t *registers;           /* that a work-item needs, of each kernel; 0: not known */
};

/* Free what it owns. Accepts a zeroed struct. */
void replay_setup_release(struct replay_setup *s);

#endif
