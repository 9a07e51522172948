/*
 * direct_room - memory for the records of small launches that run in the application's own queues
 * (direct_launch).
 *
 * Where host and device share memory (fine-grained buffers of SVM) each launch has a piece of it,
 * and there is nothing to copy. Elsewhere the launches of a queue that is in order use one buffer
 * after each other, as each copies its records to the host before the next begins; a launch in any
 * other queue has a buffer alone.
 */
#ifndef DIRECT_ROOM_H
#define DIRECT_ROOM_H

#include "array.h"
#include "opencl.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIRECT_ROOMS      16
#define DIRECT_ROOM_BYTES ((size_t)256 << 10) /* most that a launch may have */
#define DIRECT_ALL_BYTES  ((size_t)32 << 20)  /* that launches may have which are not done */
#define DIRECT_SLABS      (DIRECT_ALL_BYTES / DIRECT_ROOM_BYTES)
#define DIRECT_CLASSES    9 /* sizes of pieces: DIRECT_ROOM_BYTES, and halves down to 1 KiB */

/* A buffer, and the queue that uses it. */
struct direct_buffer {
	cl_mem mem;               /* NULL: none, or being made */
	cl_command_queue queue;   /* in order, whose launches use it; NULL: one launch does */
	unsigned users;           /* launches that are not done with it */
	pthread_mutex_t sequence; /* held while the commands of a launch are enqueued */
};

/* Of one context and device. */
struct direct_rooms {
	pthread_mutex_t lock;
	cl_context context;
	bool has_shared; /* pieces */
	struct direct_buffer buffers[DIRECT_ROOMS];
	void *slabs[DIRECT_SLABS];
	size_t slab_count;
	void *idle[DIRECT_CLASSES]; /* pieces, each naming the next at its beginning */
	size_t bytes;               /* taken by launches */
	struct array left;          /* of void *: direct_room_leave() */
};

/* What a launch has: one of both. */
struct direct_room {
	struct direct_buffer *buffer;
	void *piece;
	size_t bytes;
};

void direct_rooms_init(struct direct_rooms *r, cl_context context, cl_device_id device);

/* Release the memory; no launch may be under way. */
void direct_rooms_release(struct direct_rooms *r);

/*
 * Take a room of `bytes`, at most DIRECT_ROOM_BYTES, until direct_room_give(). `queue` is one that
 * is in order, or NULL. False when there is none to be had: all are in use, or the driver refuses.
 */
bool direct_room_take(struct direct_rooms *r, struct direct_room *room, cl_command_queue queue,
                      size_t bytes);
void direct_room_give(struct direct_rooms *r, struct direct_room *room);

/*
 * The same of a launch some of whose commands may still be under way, with the memory on the heap
 * that these read (NULL: none), which is taken over: both are kept until direct_rooms_release().
 */
void direct_room_leave(struct direct_rooms *r, struct direct_room *room, void *read);

#endif
