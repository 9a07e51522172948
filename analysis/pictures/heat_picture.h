/*
 * heat_picture - what happens in each row at each time of a replay: requests and misses of L1's
 * sets, or lanes of instructions and requests; counted in the planes of a heat map.
 */
#ifndef HEAT_PICTURE_H
#define HEAT_PICTURE_H

#include "l1_observer.h"
#include "player.h"
#include "plot_heat.h"

#include <stdbool.h>

struct err;

enum { HEAT_COLUMNS = 240, HEAT_ROWS = 256, HEAT_KERNELS = 1024 };

/* The planes of sets, whose row i is of sets i << set_shift and up, and those of warps, whose row i
 * is of i + 1 lanes. */
enum { HEAT_SET_REQUESTS, HEAT_SET_READS, HEAT_SET_MISSES, HEAT_SET_PLANES };
enum { HEAT_WARP_INSTRUCTIONS, HEAT_WARP_REQUESTS, HEAT_WARP_PLANES };

struct heat_picture {
	struct player player; /* what was replayed */
	struct plot_heat heat;
	uint32_t set_shift;
	bool is_by_kernel; /* columns are kernels, up to HEAT_KERNELS - 1, then all others together
	                    */
	/* While a launch is replayed. */
	struct l1_observer observer;
	uint32_t kernel; /* its column */
};

/*
 * Replay the launches of `player`, all of which is set but the observers, and count. A column is
 * `window` cycles, or more where there would be more than HEAT_COLUMNS; or, of sets, a kernel.
 * Release in every case. Returns 0, ERR_NOMEM or as player_play(). The player's launches of sets by
 * time, and of warps, should be one: the time of each begins at 0.
 */
int heat_picture_sets(struct heat_picture *p, const struct player *player, uint64_t window,
                      bool is_by_kernel, struct err *err);
int heat_picture_warps(struct heat_picture *p, const struct player *player, uint64_t window,
                       struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void heat_picture_release(struct heat_picture *p);

/* The name of a column that is a kernel. Borrowed from the recording, or static. */
const char *heat_picture_kernel(const struct heat_picture *p, uint32_t column);

/* The row with the largest sum of a plane, and that sum; 0: the plane is empty. */
uint32_t heat_picture_fullest_row(const struct heat_picture *p, uint32_t plane, uint64_t *sum);

/* The average number of lanes in a plane of warps. */
double heat_picture_lanes(const struct heat_picture *p, uint32_t plane);

#endif
