/* SPDX-License-Identifier: Apache-2.0 */
#include "direct_room.h"

#include "device_info.h"
#include "own_objects.h"

#include <stdlib.h>
#include <string.h>

void direct_rooms_init(struct direct_rooms *r, cl_context context, cl_device_id device)
{
	uint64_t shared = device_info_number(device, CL_DEVICE_SVM_CAPABILITIES);

	memset(r, 0, sizeof(*r));
	r->context = context;
	array_init(&r->left, sizeof(void *), SIZE_MAX / sizeof(void *), "memory left to commands");
	r->has_shared = shared & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
	pthread_mutex_init(&r->lock, NULL);
	for (int i = 0; i < DIRECT_ROOMS; i++)
		pthread_mutex_init(&r->buffers[i].sequence, NULL);
}

void direct_rooms_release(struct direct_rooms *r)
{
	for (int i = 0; i < DIRECT_ROOMS; i++) {
		pthread_mutex_destroy(&r->buffers[i].sequence);
		if (!r->buffers[i].mem)
			continue;
		opencl_real()->clReleaseMemObject(r->buffers[i].mem);
		own_objects_change(r->context, OWN_BUFFER, -1);
	}
	for (size_t i = 0; i < r->slab_count; i++) {
		opencl_real()->clSVMFree(r->context, r->slabs[i]);
		own_objects_change(r->context, OWN_SHARED, -1);
	}
	for (size_t i = 0; i < r->left.count; i++)
		free(((void **)r->left.data)[i]);
	array_release(&r->left);
	pthread_mutex_destroy(&r->lock);
}

/* Account for the bytes of a launch, if that is not too much. */
static bool account(struct direct_rooms *r, size_t bytes)
{
	bool has_room;

	pthread_mutex_lock(&r->lock);
	has_room = r->bytes + bytes <= DIRECT_ALL_BYTES;
	r->bytes += has_room ? bytes : 0;
	pthread_mutex_unlock(&r->lock);
	return has_room;
}

/* The queue's own buffer, else one that nobody uses, one that is made first. The lock is held. */
static struct direct_buffer *choose(struct direct_rooms *r, cl_command_queue queue)
{
	struct direct_buffer *found = NULL;

	for (int i = 0; i < DIRECT_ROOMS; i++) {
		struct direct_buffer *b = &r->buffers[i];

		if (queue && b->mem && b->queue == queue)
			return b;
		if (!b->users && (!found || (!found->mem && b->mem)))
			found = b;
	}
	return found;
}

static struct direct_buffer *take_buffer(struct direct_rooms *r, cl_command_queue queue)
{
	struct direct_buffer *b;
	cl_mem mem = NULL;
	bool is_made;
	cl_int rc;

	pthread_mutex_lock(&r->lock);
	b = choose(r, queue);
	if (b) {
		b->users++;
		b->queue = queue;
	}
	is_made = b && b->mem;
	pthread_mutex_unlock(&r->lock);
	if (!b || is_made)
		return b;
	mem = opencl_real()->clCreateBuffer(r->context, CL_MEM_READ_WRITE, DIRECT_ROOM_BYTES, NULL,
	                                    &rc);
	if (mem)
		own_objects_change(r->context, OWN_BUFFER, 1);
	pthread_mutex_lock(&r->lock);
	b->mem = mem;
	b->users -= !mem;
	pthread_mutex_unlock(&r->lock);
	return mem ? b : NULL;
}

/* The smallest class of pieces that have so many bytes; 0 is the largest. */
static unsigned class_of(size_t bytes)
{
	unsigned class = 0;

	while (class + 1 < DIRECT_CLASSES && bytes <= DIRECT_ROOM_BYTES >> (class + 1))
		class ++;
	return class;
}

/* One more slab, which is a piece of class 0. */
static void *make_slab(struct direct_rooms *r)
{
	void *slab = opencl_real()->clSVMAlloc(
		r->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, DIRECT_ROOM_BYTES, 0);
	bool is_kept;

	if (!slab)
		return NULL;
	pthread_mutex_lock(&r->lock);
	is_kept = r->slab_count < DIRECT_SLABS;
	if (is_kept)
		r->slabs[r->slab_count++] = slab;
	pthread_mutex_unlock(&r->lock);
	if (is_kept)
		own_objects_change(r->context, OWN_SHARED, 1);
	else
		opencl_real()->clSVMFree(r->context, slab);
	return is_kept ? slab : NULL;
}

static void push(struct direct_rooms *r, unsigned class, void *piece)
{
	memcpy(piece, (void *)&r->idle[class], sizeof(void *));
	r->idle[class] = piece;
}

/* An idle piece of a class, cut from a larger one if need be; NULL: there is none. The lock is
 * held. */
static void *pop(struct direct_rooms *r, unsigned class)
{
	unsigned from = class;
	char *piece;

	while (from && !r->idle[from])
		from--;
	piece = r->idle[from];
	if (!piece)
		return NULL;
	memcpy((void *)&r->idle[from], piece, sizeof(void *));
	while (from < class) {
		from++;
		push(r, from, piece + (DIRECT_ROOM_BYTES >> from));
	}
	return piece;
}

static void *take_piece(struct direct_rooms *r, unsigned class)
{
	void *piece;

	pthread_mutex_lock(&r->lock);
	piece = pop(r, class);
	pthread_mutex_unlock(&r->lock);
	if (piece)
		return piece;
	piece = make_slab(r);
	if (!piece)
		return NULL;
	pthread_mutex_lock(&r->lock);
	push(r, 0, piece);
	piece = pop(r, class);
	pthread_mutex_unlock(&r->lock);
	return piece;
}

bool direct_room_take(struct direct_rooms *r, struct direct_room *room, cl_command_queue queue,
                      size_t bytes)
{
	*room = (struct direct_room){ .bytes = bytes };
	if (!account(r, bytes))
		return false;
	if (r->has_shared)
		room->piece = take_piece(r, class_of(bytes));
	else
		room->buffer = take_buffer(r, queue);
	if (room->piece || room->buffer)
		return true;
	direct_room_give(r, room);
	return false;
}

void direct_room_give(struct direct_rooms *r, struct direct_room *room)
{
	pthread_mutex_lock(&r->lock);
	if (room->buffer)
		room->buffer->users--;
	if (room->piece)
		push(r, class_of(room->bytes), room->piece);
	r->bytes -= room->bytes;
	pthread_mutex_unlock(&r->lock);
	*room = (struct direct_room){ .bytes = 0 };
}

void direct_room_leave(struct direct_rooms *r, struct direct_room *room, void *read)
{
	void **left;

	pthread_mutex_lock(&r->lock);
	left = read ? array_push(&r->left, 1, NULL) : NULL;
	if (left)
		*left = read; /* else nobody can say when it may be freed */
	pthread_mutex_unlock(&r->lock);
	*room = (struct direct_room){ .bytes = 0 };
}
