/*
 * engine - the recorder's own objects on a device of a context: a queue, two buffers for records
 * and a few tiny kernels.
 *
 * Shared by the launches of one context and device. The queue and the buffers serve one job at a
 * time.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "array.h"
#include "launch_shape.h"
#include "opencl.h"
#include "own_objects.h"
#include "slice_plan.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;
struct session;

/*
 * direct_room - memory for the records of small launches that run in the application's own queues
 * (direct_launch).
 *
 * Where host and device share memory (fine-grained SVM buffers), each launch has a piece of it and
 * copies nothing. Elsewhere the launches of an in-order queue use one buffer one after the other,
 * since each copies its records to the host before the next begins; a launch in an out-of-order
 * queue has its own buffer.
 */

#define DIRECT_ROOMS      16
#define DIRECT_ROOM_BYTES ((size_t)256 << 10) /* maximum for one launch */
#define DIRECT_ALL_BYTES  ((size_t)32 << 20)  /* maximum for all unfinished launches */
#define DIRECT_SLABS      (DIRECT_ALL_BYTES / DIRECT_ROOM_BYTES)
#define DIRECT_CLASSES    9 /* sizes of pieces: DIRECT_ROOM_BYTES, halved down to 1 KiB */
/* A buffer, and the queue that uses it. */
struct direct_buffer {
	cl_mem mem;             /* NULL: none, or being created */
	cl_command_queue queue; /* in-order queue whose launches use it; NULL: one launch uses it */
	unsigned users;         /* unfinished launches */
	pthread_mutex_t sequence; /* held while the commands of a launch are enqueued */
};

/* The rooms of one context and device. */
struct direct_rooms {
	pthread_mutex_t lock;
	cl_context context;
	bool has_shared; /* launches get pieces of shared memory */
	struct direct_buffer buffers[DIRECT_ROOMS];
	void *slabs[DIRECT_SLABS];
	size_t slab_count;
	void *idle[DIRECT_CLASSES]; /* pieces, each beginning with the address of the next */
	size_t bytes;               /* in use */
	struct array left;          /* of void *: direct_room_leave() */
};

/* The room of a launch: a buffer or a piece. */
struct direct_room {
	struct direct_buffer *buffer;
	void *piece;
	size_t bytes;
};

/*
 * Take a room of `bytes`, at most DIRECT_ROOM_BYTES, until direct_room_give(). `queue` is the
 * launch's queue if that is in order, else NULL. False when all rooms are in use or the driver
 * refuses.
 */
bool direct_room_take(struct direct_rooms *r, struct direct_room *room, cl_command_queue queue,
                      size_t bytes);

void direct_room_give(struct direct_rooms *r, struct direct_room *room);

/*
 * Give up the room of a launch whose commands may still run, with the heap memory that they read
 * (NULL: none). Takes ownership of that memory: both are kept until direct_rooms_release().
 */
void direct_room_leave(struct direct_rooms *r, struct direct_room *room, void *read);

/* The local size that the device chose for a global size. */
struct chosen_local {
	uint32_t dimensions;
	uint64_t global[3], local[3];
};

/* The needs of an earlier launch of a kernel. The table identifies the kernel and is never read. */
struct engine_lesson {
	const void *table;
	struct slice_needs needs;
};

#define ENGINE_CHOICES 64
#define ENGINE_LESSONS 64
#define ENGINE_BUFFERS 2
struct engine_buffer {
	cl_mem mem;
	uint64_t bytes;
};

struct engine {
	atomic_uint refs;
	struct engine *next; /* of the same context */
	cl_context context;
	cl_device_id device;
	bool is_inline;         /* runs commands inside the application's calls: device_info.h */
	bool is_immediate;      /* runs them in the call that enqueues them: device_info.h */
	bool has_unit_local;    /* a NULL local size means 1x1x1 */
	cl_command_queue queue; /* profiling, in order */
	cl_program program;     /* of the tiny kernels */
	cl_kernel tail;         /* does nothing; stands for a launch in the application's queue */
	uint32_t units;         /* compute units of the device, >= 1 */
	struct engine_buffer
		buffers[ENGINE_BUFFERS]; /* for records; created when a job needs them */
	struct direct_rooms rooms;       /* of small launches */
	uint64_t max_buffer_bytes;       /* maximum of one buffer */
	atomic_int argument_time;        /* enum argument_time of its driver */
	atomic_bool is_width_known;      /* has_wide_addresses is valid, and stays */
	bool has_wide_addresses;         /* buffers lie beyond 2^48 */
	size_t choice_count;             /* of choices[], under the session's lock */
	struct chosen_local choices[ENGINE_CHOICES];
	pthread_mutex_t lesson_lock; /* of: */
	struct engine_lesson lessons[ENGINE_LESSONS];
};

/*
 * Returns the engine for a device of a context, with a reference for the caller; created if needed,
 * which compiles a program. NULL with *err set when the driver refuses.
 */
struct engine *engine_get(struct session *s, cl_context context, cl_device_id device,
                          struct err *err);

/* Drop a reference; the last one releases the driver's objects. No lock may be held. */
void engine_release(struct engine *e);

/*
 * Make buffer `which` at least `bytes` large if possible; it may remain smaller. Its contents are
 * lost. Returns 0 or ERR_DEVICE.
 */
int engine_reserve(struct engine *e, unsigned which, uint64_t bytes, struct err *err);

/*
 * Begin a new plan with the needs of an earlier launch of the kernel in groups of this size.
 * Without one, begin small where loops may write much, because an overflow costs more than a small
 * slice. Returns whether there was one.
 */
bool engine_recall(struct engine *e, const struct kernel_table *table, struct slice_plan *plan);

/* Keep the needs of a launch of the kernel for the next one. */
void engine_learn(struct engine *e, const struct kernel_table *table,
                  const struct slice_needs *needs);

/* Release buffer `which`. */
void engine_release_buffer(struct engine *e, unsigned which);

/* Whether device addresses have more than 48 bits. The first call runs a kernel on our queue. */
bool engine_is_wide(struct engine *e);

/*
 * Fill shape->local with the local size that the device chooses for shape->global when the
 * application gives none. Once per global size this runs a kernel on a separate queue and waits for
 * it, but for no command of the application's or of ours. Returns 0 or ERR_DEVICE.
 */
int engine_choose_local(struct engine *e, struct session *s, struct launch_shape *shape,
                        struct err *err);

/* A context in which the application can launch, because it holds the context or queues of it. */
struct context_state {
	uint32_t app_refs;    /* the application's own references */
	uint32_t queue_count; /* queues of the application */
	struct engine *engines;
	struct own_objects own;
};

/* Free a state and release its engines. NULL is allowed. No lock may be held. */
void context_state_free(void *context_state);

/* Remove the state from the map if the application can launch in the context no more; else return
 * NULL. Called with the session's lock held. The caller frees it before the driver's objects are
 * released. */
struct context_state *context_state_take_unused(struct session *s, cl_context context);

#endif
