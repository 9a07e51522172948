/*
 * warp_former - forms warp instructions from the events of a warp's lanes (SEMANTICS 2).
 *
 * The candidates at each step are the next events of all lanes. The least of them in the order of
 * loop_path_compare() is executed, for all lanes at the same position. Lanes at a barrier wait
 * until all unfinished lanes of the warp are at one, and pass together. Fences and prefetches take
 * part in the order but give no step.
 *
 * Lanes at the same position form a front. Fronts are kept on a stack with the least on top. A warp
 * that has not diverged is a single front; its time is proportional to its lanes.
 *
 * Without jumps the result is that of a stack that reconverges at immediate post-dominators (Fung
 * 2007). With break, continue and return it is that of a GPU stack with instructions for these:
 * they remove lanes, and no other lanes are separated. A stack of post-dominators alone would keep
 * lanes apart beyond the join of a branch that contains such a jump in a nested branch. One
 * difference remains: an access in a branch that leaves its loop, or before a return in an `else`.
 * Its site is not part of the loop, or comes after all others. So the access is executed at that
 * position, once for all lanes, whereas the stack executes it whenever a lane leaves.
 */
#ifndef WARP_FORMER_H
#define WARP_FORMER_H

#include "item_events.h"
#include "kernel_table.h"

enum {
	WARP_LANES_MAX = 128,        /* of a GPU's warps */
	LARGE_WARP_LANES_MAX = 1024, /* of large warps */
};

struct err;
struct loop_level;
struct warp_former;

/* One warp instruction: an access or a barrier. Lanes ascend. */
struct warp_step {
	uint32_t site;
	uint32_t lane_count;                    /* active lanes; 0: the warp has ended */
	uint32_t bytes;                         /* of the widest access */
	bool is_mixed;                          /* widths differ: sizes[] holds them */
	uint16_t lane[LARGE_WARP_LANES_MAX];    /* of the warp */
	uint64_t address[LARGE_WARP_LANES_MAX]; /* of active lane i, as recorded */
	uint64_t sizes[LARGE_WARP_LANES_MAX];
};

/* Returns whether exactly the first 2^k lanes are active: a step of a tree reduction, or one lane
 * that works for the group. No other order of the work-items makes such an access denser. */
static inline bool warp_step_is_dense(const struct warp_step *s)
{
	return s->lane_count && s->lane[s->lane_count - 1] + 1u == s->lane_count &&
	       !(s->lane_count & (s->lane_count - 1));
}

/*
 * Accesses of more bytes are refused. The cost to replay an access grows with its lines, and a
 * replay should take time in proportion to the recording's accesses: the limit is 512 lines of 128
 * bytes. A GPU's lanes access at most 16 bytes at a time; only copies of very large structs are
 * wider.
 */
#define WARP_ACCESS_LIMIT_BYTES (64u << 10)

/* `table` must have passed its check and is borrowed until warp_former_free(). Returns 0 or
 * ERR_NOMEM. */
int warp_former_create(struct warp_former **out, const struct kernel_table *table, struct err *err);

/* Free. NULL is allowed. */
void warp_former_free(struct warp_former *f);

/*
 * Begin a warp of `lanes` (1..LARGE_WARP_LANES_MAX) work-items from `first_item` on. The group,
 * whose events may be packed, is borrowed until the warp's last step. Memory: an expander for each
 * lane whose events are packed or not in memory. Returns 0; ERR_FORMAT for events that contradict
 * the table ("work-item 5, event 17: ..."); ERR_LIMIT for an access that is too wide; ERR_NOMEM;
 * what expander_start() returns. All of these can also come from warp_former_next().
 */
int warp_former_start(struct warp_former *f, const struct group_items *items, uint32_t first_item,
                      uint32_t lanes, struct err *err);

/* Fill *step with the next warp instruction; lane_count is 0 at the end. Returns as
 * warp_former_start() does. */
int warp_former_next(struct warp_former *f, struct warp_step *step, struct err *err);

/*
 * The position of the last step in its loops: loop_path_levels() levels of the table, for
 * loop_path_compare(); borrowed until the next step. Valid only after warp_former_keep_path(f,
 * true), which makes each step copy them.
 */
void warp_former_keep_path(struct warp_former *f, bool keeps_path);
const struct loop_level *warp_former_path(const struct warp_former *f);

#endif
