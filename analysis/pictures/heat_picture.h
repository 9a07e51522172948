/*
 * heat_picture - the heat map of a replay: counts requests and misses of L1's sets, or lanes of
 * instructions and requests, by row and time.
 */
#ifndef HEAT_PICTURE_H
#define HEAT_PICTURE_H

#include "l1_observer.h"
#include "player.h"
#include "plot_heat.h"

#include <stdbool.h>

struct err;

enum { HEAT_COLUMNS = 240, HEAT_ROWS = 256, HEAT_KERNELS = 1024 };

/* The planes for sets, whose row i is for sets from i << set_shift on, and for warps, whose row i
 * is for i + 1 lanes. */
enum { HEAT_SET_REQUESTS, HEAT_SET_READS, HEAT_SET_MISSES, HEAT_SET_PLANES };
enum { HEAT_WARP_INSTRUCTIONS, HEAT_WARP_REQUESTS, HEAT_WARP_PLANES };

struct heat_picture {
	struct player player; /* with the results of the replay */
	struct plot_heat heat;
	uint32_t set_shift;
	bool is_by_kernel; /* columns are kernels, at most HEAT_KERNELS - 1, then all others
	                    * together
	                    */
	/* During the replay of a launch. */
	struct l1_observer observer;
	uint32_t kernel; /* its column */
};

/*
 * Replay the launches of `player`, of which the caller sets all except the observers, and count. A
 * column is `window` cycles, or more if there would be more than HEAT_COLUMNS; for sets it may be a
 * kernel. Release in every case. Returns 0, ERR_NOMEM or as player_play(). For columns of time
 * there should be one launch, since the time of each launch begins at 0.
 */
int heat_picture_sets(struct heat_picture *p, const struct player *player, uint64_t window,
                      bool is_by_kernel, struct err *err);
int heat_picture_warps(struct heat_picture *p, const struct player *player, uint64_t window,
                       struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void heat_picture_release(struct heat_picture *p);

/* Returns the name of a column that is a kernel. Borrowed from the recording, or static. */
const char *heat_picture_kernel(const struct heat_picture *p, uint32_t column);

/* Returns the row with the largest sum of a plane, and gets that sum; 0: the plane is empty. */
uint32_t heat_picture_fullest_row(const struct heat_picture *p, uint32_t plane, uint64_t *sum);

/* Returns the average number of lanes in a plane of warps. */
double heat_picture_lanes(const struct heat_picture *p, uint32_t plane);

#endif
