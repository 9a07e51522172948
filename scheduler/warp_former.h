/*
 * warp_former - the events of a warp's lanes become warp instructions (SEMANTICS 2).
 *
 * At each step the candidates are each lane's next event; the least of them in
 * the order of loop_path_compare() goes, with all lanes that stand at the same
 * place. Lanes at a barrier wait until all unfinished lanes of the warp are at
 * one, and pass together. Fences and prefetches take part in the order and give
 * no step.
 *
 * Lanes that stand at the same place are one front; fronts lie on a stack with
 * the least on top. A warp that has not diverged is one front, and costs time
 * in proportion to its lanes, nothing more.
 *
 * Without jumps this is what a stack does that joins at immediate post-dominators
 * (Fung 2007). With break, continue and return it is what the stack of a GPU does
 * that has instructions for them: they take lanes away and keep nobody apart; a
 * stack of post-dominators alone would keep lanes apart beyond the join of a branch
 * that holds such a jump in a branch of its own. What differs is where an access
 * stands that is in a branch that leaves its loop, or before a return in an `else`:
 * its site is no part of the loop, or comes after all others, and so it is done
 * then, once for all lanes, where the stack does it when a lane leaves.
 */
#ifndef WARP_FORMER_H
#define WARP_FORMER_H

#include "item_events.h"
#include "kernel_table.h"

enum {
	WARP_LANES_MAX = 128,        /* of a GPU's warps */
	LARGE_WARP_LANES_MAX = 1024, /* of what can be formed: large warps have more lanes */
};

struct err;
struct loop_level;
struct warp_former;

/* One warp instruction: an access or a barrier. Lanes ascend. */
struct warp_step {
	uint32_t site;
	uint32_t lane_count;                    /* active lanes; 0: the warp is done */
	uint32_t bytes;                         /* of the widest access */
	bool is_mixed;                          /* widths differ: sizes[] holds them */
	uint16_t lane[LARGE_WARP_LANES_MAX];    /* of the warp */
	uint64_t address[LARGE_WARP_LANES_MAX]; /* of active lane i, as recorded */
	uint64_t sizes[LARGE_WARP_LANES_MAX];
};

/* Whether only the first 1, 2, 4, ... lanes are active: a step of a sum by halves, or of one lane
 * for the group, which no other order of the work-items makes denser. */
static inline bool warp_step_is_dense(const struct warp_step *s)
{
	return s->lane_count && s->lane[s->lane_count - 1] + 1u == s->lane_count &&
	       !(s->lane_count & (s->lane_count - 1));
}

/*
 * An access of more bytes is refused. What one costs to replay grows with its lines, and is to be
 * in proportion to a recording's number of accesses: 512 lines of 128 bytes at most. A GPU's lanes
 * access 16 bytes at a time; only copies of very large structs come as more.
 */
#define WARP_ACCESS_LIMIT_BYTES (64u << 10)

/* `table` is borrowed until warp_former_free() and has passed its check. Returns 0 or ERR_NOMEM. */
int warp_former_create(struct warp_former **out, const struct kernel_table *table, struct err *err);

/* Free. NULL is allowed. */
void warp_former_free(struct warp_former *f);

/*
 * Begin a warp: `lanes` (1..LARGE_WARP_LANES_MAX) work-items from `first_item` on; the group, whose
 * events may be packed, is borrowed until the warp's last step. Returns 0; ERR_NOMEM; ERR_FORMAT
 * for events that contradict the table ("work-item 5, event 17: ..."); what expander_start() does.
 * So does warp_former_next(). Memory: for each lane whose events are packed, or are not in memory,
 * an expander.
 */
int warp_former_start(struct warp_former *f, const struct group_items *items, uint32_t first_item,
                      uint32_t lanes, struct err *err);

/* The next warp instruction, or lane_count 0. ERR_LIMIT for an access that is too wide. */
int warp_former_next(struct warp_former *f, struct warp_step *step, struct err *err);

/*
 * Where the last step stood in its loops: loop_path_levels() of the table, for loop_path_compare();
 * borrowed until the next step. Only after warp_former_keep_path(f, true), which copies them at
 * each step.
 */
void warp_former_keep_path(struct warp_former *f, bool keeps_path);
const struct loop_level *warp_former_path(const struct warp_former *f);

#endif
