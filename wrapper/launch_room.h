/*
 * launch_room - the device buffers that a launch uses: how large, and which of the two is next.
 *
 * The user's budget is split in two; a small launch gets one small buffer. A
 * group that needs more than half gets all of it in one buffer, up to
 * LAUNCH_ROOM_LIMIT_BYTES where the budget is less.
 */
#ifndef LAUNCH_ROOM_H
#define LAUNCH_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct err;
struct slice_plan;

/* Records of one group, and what they decode to, must lie in host memory: it is less where the host
 * has less than 8 GiB. */
#define LAUNCH_ROOM_LIMIT_BYTES (UINT64_C(256) << 20)

struct launch_room {
	struct engine *engine;
	unsigned which;       /* buffer of the next slice */
	uint64_t bytes;       /* wanted of each buffer */
	uint64_t usual_bytes; /* most of them, but for one large group */
	uint64_t budget_bytes;
	bool is_single; /* there is one buffer only */
};

/*
 * Reserve a first buffer for the plan and tell the plan of it. budget_bytes is the user's. Returns
 * 0 or ERR_DEVICE.
 */
int launch_room_open(struct launch_room *r, struct engine *engine, struct slice_plan *plan,
                     uint64_t budget_bytes, struct err *err);

/* Give up what is larger than usual. Accepts a zeroed struct. */
void launch_room_close(struct launch_room *r);

/* The buffer that is next as large as usual. False when it is already, or there is no more. */
bool launch_room_widen(struct launch_room *r, struct slice_plan *plan);

/* As much as one of two buffers may have, from now on: for slices that cannot be run again. */
void launch_room_fill(struct launch_room *r, struct slice_plan *plan);

/* A budget (--device-buffer) that should hold so many bytes of records of one group: a power of
 * two. 0: there is none. */
uint64_t launch_room_for(uint64_t bytes);

/* One buffer, twice as large; neither may be in use. False when that is too much. */
bool launch_room_grow(struct launch_room *r, struct slice_plan *plan);

/*
 * Bytes of a buffer that are enough to record the one group of a launch in rounds, and twice as
 * many after every 32 rounds: so that long groups do not run too often.
 */
uint64_t launch_room_of_rounds(const struct launch_room *r, uint32_t rounds);

/* Whether the other buffer is there for the plan's next slice, reserved if need be. */
bool launch_room_has_other(struct launch_room *r, const struct slice_plan *plan);

/* The other buffer is next. */
void launch_room_turn(struct launch_room *r);

#endif
