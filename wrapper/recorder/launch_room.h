/*
 * launch_room - the device buffers that a launch uses: how large, and which of the two is next.
 *
 * The user's budget is split between the device's buffers; a small launch gets one small buffer. A
 * group that needs more gets all of it in one buffer, up to the device's limit where the budget is
 * less.
 */
#ifndef LAUNCH_ROOM_H
#define LAUNCH_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct device_ops;
struct err;
struct slice_plan;

struct launch_room {
	const struct device_ops *ops;
	void *device;
	uint32_t units; /* compute units that a slice keeps busy if the budget allows; or 0 */
	uint64_t budget_bytes;
	unsigned which;       /* buffer of the next slice */
	uint64_t usual_bytes; /* most of each buffer, but for one large group */
	bool is_single;       /* there is one buffer only */
};

/*
 * Reserve a first buffer for the plan and tell the plan of it. *r begins as the first four of its
 * fields. Returns 0 or ERR_DEVICE.
 */
int launch_room_open(struct launch_room *r, struct slice_plan *plan, struct err *err);

/* Bytes of the buffer that is next. */
uint64_t launch_room_bytes(const struct launch_room *r);

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
