/*
 * warp_sort - warp instructions of an imported trace, in the order in which a recording is
 * written: by launch, group and warp; those of a warp keep their order.
 *
 * What exceeds the given memory is sorted and written to an unnamed temporary file, whose sorted
 * pieces are then merged: memory does not grow with the trace.
 */
#ifndef WARP_SORT_H
#define WARP_SORT_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct warp_sort;

enum { WARP_LANES = 32 };

#define WARP_SORT_ROOM_BYTES ((size_t)64 << 20)

struct warp_request {
	uint64_t group; /* linear */
	uint32_t launch;
	uint32_t warp;                  /* of the group */
	uint32_t site;                  /* in the caller's numbering */
	uint32_t mask;                  /* lanes that access; 0: a barrier of all lanes */
	uint64_t addresses[WARP_LANES]; /* of the lanes in the mask; the others are 0 */
};

/* `room_bytes` of memory; WARP_SORT_ROOM_BYTES but in tests. Returns 0 or ERR_NOMEM. Free with
 * warp_sort_free(). */
int warp_sort_create(struct warp_sort **out, size_t room_bytes, struct err *err);

/* Free. NULL is allowed. */
void warp_sort_free(struct warp_sort *s);

/* Add one. Returns 0, ERR_IO (the temporary file) or ERR_LIMIT (more than 4096 pieces). */
int warp_sort_add(struct warp_sort *s, const struct warp_request *r, struct err *err);

/* All are added: what follows is warp_sort_peek(). Returns 0, ERR_IO, ERR_NOMEM. */
int warp_sort_finish(struct warp_sort *s, struct err *err);

/* The next in order, NULL after the last; borrowed until warp_sort_next(). */
const struct warp_request *warp_sort_peek(const struct warp_sort *s);

/* Pass it. Returns 0 or ERR_IO. */
int warp_sort_next(struct warp_sort *s, struct err *err);

#endif
