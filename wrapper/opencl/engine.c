/* SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"

#include "device_info.h"
#include "err.h"
#include "kernel_table.h"
#include "opencl_session.h"
#include "own_objects.h"

#include <stdlib.h>
#include <string.h>

static void direct_rooms_init(struct direct_rooms *r, cl_context context, cl_device_id device)
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

/* Release the memory; no launch may be using it. */
static void direct_rooms_release(struct direct_rooms *r)
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

/* Count the bytes of a launch. False: they exceed the limit. */
static bool account(struct direct_rooms *r, size_t bytes)
{
	bool has_room;

	pthread_mutex_lock(&r->lock);
	has_room = r->bytes + bytes <= DIRECT_ALL_BYTES;
	r->bytes += has_room ? bytes : 0;
	pthread_mutex_unlock(&r->lock);
	return has_room;
}

/* Returns the queue's own buffer or else an unused one, preferably one that has memory. Called with
 * the lock held. */
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

/* Returns the class of the smallest pieces of at least `bytes`; class 0 has the largest. */
static unsigned class_of(size_t bytes)
{
	unsigned class = 0;

	while (class + 1 < DIRECT_CLASSES && bytes <= DIRECT_ROOM_BYTES >> (class + 1))
		class ++;
	return class;
}

/* Allocate a slab, which is one piece of class 0. */
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

/* Remove an idle piece of a class, cut from a larger one if needed; NULL: no memory. Called with
 * the lock held. */
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
		*left = read; /* if this fails, it leaks: the commands may still use it */
	pthread_mutex_unlock(&r->lock);
	*room = (struct direct_room){ .bytes = 0 };
}

/* Buffers for records have at most this part of the device's memory. */
#define MEMORY_SHARE 8

#define MIN_BUFFER_BYTES 2048u

/* Below the limits of probe_abi.h. */
#define ABI_LIMIT_BYTES (UINT64_C(1) << 34)

#define WIDE_BITS 48

static const char tiny_source[] =
	"__kernel void warpline_tail(void)\n"
	"{\n"
	"}\n"
	"__kernel void warpline_shape(__global ulong *size)\n"
	"{\n"
	"    if (get_global_id(0) == 0 && get_global_id(1) == 0 && get_global_id(2) == 0) {\n"
	"        size[0] = get_local_size(0);\n"
	"        size[1] = get_local_size(1);\n"
	"        size[2] = get_local_size(2);\n"
	"    }\n"
	"}\n"
	"__kernel void warpline_address(__global ulong *out)\n"
	"{\n"
	"    out[0] = (ulong)out;\n"
	"}\n"
	"__kernel void warpline_keep(__global ulong *out, ulong value)\n"
	"{\n"
	"    out[0] = value;\n"
	"}\n";

/* Count the objects that live as long as the engine as created (1) or released (-1). */
static void count_objects(const struct engine *e, int more)
{
	if (e->queue)
		own_objects_change(e->context, OWN_QUEUE, more);
	if (e->program)
		own_objects_change(e->context, OWN_PROGRAM, more);
	if (e->tail)
		own_objects_change(e->context, OWN_KERNEL, more);
}

static int create_objects(struct engine *e, struct err *err)
{
	const struct opencl_real *real = opencl_real();
	const char *text = tiny_source;
	cl_int rc = CL_SUCCESS;

	e->queue =
		real->clCreateCommandQueue(e->context, e->device, CL_QUEUE_PROFILING_ENABLE, &rc);
	if (!e->queue)
		e->queue = real->clCreateCommandQueue(e->context, e->device, 0, &rc);
	if (e->queue)
		e->program = real->clCreateProgramWithSource(e->context, 1, &text, NULL, &rc);
	if (e->program)
		rc = real->clBuildProgram(e->program, 1, &e->device, "", NULL, NULL);
	if (e->program && rc == CL_SUCCESS)
		e->tail = real->clCreateKernel(e->program, "warpline_tail", &rc);
	count_objects(e, 1);
	if (!e->tail)
		return err_set(err, ERR_DEVICE,
		               "the device gives the recorder no queue and no kernel: %d", rc);
	return 0;
}

static struct engine *create(cl_context context, cl_device_id device, struct err *err)
{
	struct engine *e = calloc(1, sizeof(*e));
	uint64_t share = device_info_number(device, CL_DEVICE_GLOBAL_MEM_SIZE) / MEMORY_SHARE;
	uint64_t most = device_info_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
	struct runtime runtime;

	if (!e) {
		err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
		return NULL;
	}
	atomic_init(&e->refs, 1);
	direct_rooms_init(&e->rooms, context, device);
	pthread_mutex_init(&e->lesson_lock, NULL);
	e->context = context;
	e->device = device;
	e->max_buffer_bytes = most < share ? most : share;
	if (e->max_buffer_bytes > ABI_LIMIT_BYTES)
		e->max_buffer_bytes = ABI_LIMIT_BYTES;
	e->units = (uint32_t)device_info_number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
	e->units = e->units ? e->units : 1;
	runtime = runtime_of(device);
	e->is_inline = runtime.is_inline;
	e->is_immediate = runtime.is_immediate;
	e->has_unit_local = runtime.has_unit_local;
	if (create_objects(e, err) < 0) {
		engine_release(e);
		return NULL;
	}
	return e;
}

static struct engine *find(struct session *s, cl_context context, cl_device_id device)
{
	struct context_state *state = handle_map_get(&opencl_session(s)->contexts, context);
	struct engine *e = state ? state->engines : NULL;

	while (e && e->device != device)
		e = e->next;
	if (e)
		atomic_fetch_add(&e->refs, 1);
	return e;
}

struct engine *engine_get(struct session *s, cl_context context, cl_device_id device,
                          struct err *err)
{
	struct context_state *state;
	struct engine *e, *other;

	session_lock(s);
	e = find(s, context, device);
	session_unlock(s);
	if (e)
		return e;
	e = create(context, device, err);
	if (!e)
		return NULL;
	session_lock(s);
	other = find(s, context, device);
	state = handle_map_get(&opencl_session(s)->contexts, context);
	if (!other && state) {
		/* A context that the application has released keeps no engine: this one then lives
		 * as long as its launches. */
		e->next = state->engines;
		state->engines = e;
		atomic_fetch_add(&e->refs, 1);
	}
	session_unlock(s);
	if (other)
		engine_release(e);
	return other ? other : e;
}

void engine_release(struct engine *e)
{
	const struct opencl_real *real = opencl_real();

	if (!e || atomic_fetch_sub(&e->refs, 1) != 1)
		return;
	count_objects(e, -1);
	if (e->tail)
		real->clReleaseKernel(e->tail);
	if (e->program)
		real->clReleaseProgram(e->program);
	for (unsigned i = 0; i < ENGINE_BUFFERS; i++)
		engine_release_buffer(e, i);
	direct_rooms_release(&e->rooms);
	pthread_mutex_destroy(&e->lesson_lock);
	if (e->queue)
		real->clReleaseCommandQueue(e->queue);
	free(e);
}

static struct engine_lesson *lesson_at(struct engine *e, const void *table, uint32_t group_items)
{
	uint64_t hash = ((uint64_t)(uintptr_t)table + group_items) * UINT64_C(0x9e3779b97f4a7c15);

	return &e->lessons[(hash >> 32) % ENGINE_LESSONS];
}

bool engine_recall(struct engine *e, const struct kernel_table *table, struct slice_plan *plan)
{
	uint32_t items = plan->layout.group_items;
	struct engine_lesson lesson;
	bool is_known;

	pthread_mutex_lock(&e->lesson_lock);
	lesson = *lesson_at(e, table, items);
	pthread_mutex_unlock(&e->lesson_lock);
	is_known = lesson.table == table && lesson.needs.group_items == items;
	if (is_known)
		slice_plan_recall(plan, &lesson.needs);
	if (table->loop_count)
		slice_plan_begin_with(plan, e->units);
	return is_known;
}

void engine_learn(struct engine *e, const struct kernel_table *table,
                  const struct slice_needs *needs)
{
	if (!needs->group_chunks)
		return;
	pthread_mutex_lock(&e->lesson_lock);
	*lesson_at(e, table, needs->group_items) = (struct engine_lesson){ table, *needs };
	pthread_mutex_unlock(&e->lesson_lock);
}

void engine_release_buffer(struct engine *e, unsigned which)
{
	struct engine_buffer *b = &e->buffers[which];

	if (b->mem) {
		opencl_real()->clReleaseMemObject(b->mem);
		own_objects_change(e->context, OWN_BUFFER, -1);
	}
	*b = (struct engine_buffer){ 0 };
}

int engine_reserve(struct engine *e, unsigned which, uint64_t bytes, struct err *err)
{
	const struct opencl_real *real = opencl_real();
	struct engine_buffer *b = &e->buffers[which];
	cl_int rc = CL_SUCCESS;

	if (bytes > e->max_buffer_bytes)
		bytes = e->max_buffer_bytes;
	for (; bytes >= MIN_BUFFER_BYTES && bytes > b->bytes; bytes /= 2) {
		cl_mem mem = real->clCreateBuffer(e->context, CL_MEM_READ_WRITE, (size_t)bytes,
		                                  NULL, &rc);

		if (!mem)
			continue;
		engine_release_buffer(e, which);
		own_objects_change(e->context, OWN_BUFFER, 1);
		*b = (struct engine_buffer){ mem, bytes };
	}
	return b->mem ? 0 : err_set(err, ERR_DEVICE, "no device memory for records: %d", rc);
}

/* Run a tiny kernel on `queue` and read the three numbers that it may have written. */
static cl_int ask(struct engine *e, cl_command_queue queue, const char *name,
                  const struct launch_shape *shape, cl_ulong answer[3])
{
	const struct opencl_real *real = opencl_real();
	size_t global[3] = { shape->global[0], shape->global[1], shape->global[2] };
	size_t bytes = 3 * sizeof(*answer);
	cl_kernel kernel = NULL;
	cl_mem mem;
	cl_int rc;

	mem = real->clCreateBuffer(e->context, CL_MEM_READ_WRITE, bytes, NULL, &rc);
	if (mem)
		kernel = real->clCreateKernel(e->program, name, &rc);
	if (kernel)
		rc = real->clSetKernelArg(kernel, 0, sizeof(mem), (const void *)&mem);
	if (kernel && rc == CL_SUCCESS)
		rc = real->clEnqueueNDRangeKernel(queue, kernel, shape->dimensions, NULL, global,
		                                  NULL, 0, NULL, NULL);
	if (kernel && rc == CL_SUCCESS)
		rc = real->clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, bytes, answer, 0, NULL,
		                               NULL);
	if (kernel)
		real->clReleaseKernel(kernel);
	if (mem)
		real->clReleaseMemObject(mem);
	return rc;
}

bool engine_is_wide(struct engine *e)
{
	static const struct launch_shape one = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } };
	cl_ulong address[3] = { 0 };

	if (!atomic_load(&e->is_width_known) &&
	    ask(e, e->queue, "warpline_address", &one, address) == 0) {
		e->has_wide_addresses = address[0] >> WIDE_BITS != 0;
		atomic_store(&e->is_width_known, true);
	}
	return e->has_wide_addresses;
}

/* Ask on a queue of its own. */
static cl_int ask_local(struct engine *e, const struct launch_shape *shape, cl_ulong local[3])
{
	const struct opencl_real *real = opencl_real();
	cl_int rc = CL_SUCCESS;
	cl_command_queue queue = real->clCreateCommandQueue(e->context, e->device, 0, &rc);

	if (!queue)
		return rc;
	rc = ask(e, queue, "warpline_shape", shape, local);
	real->clReleaseCommandQueue(queue);
	return rc;
}

/* Returns an earlier answer. Called with the session's lock held. */
static const struct chosen_local *recall(const struct engine *e, const struct launch_shape *shape)
{
	for (size_t i = 0; i < e->choice_count; i++)
		if (e->choices[i].dimensions == shape->dimensions &&
		    memcmp(e->choices[i].global, shape->global, sizeof(shape->global)) == 0)
			return &e->choices[i];
	return NULL;
}

int engine_choose_local(struct engine *e, struct session *s, struct launch_shape *shape,
                        struct err *err)
{
	const struct chosen_local *known;
	cl_ulong local[3] = { 1, 1, 1 };
	cl_int rc;

	session_lock(s);
	known = recall(e, shape);
	if (known)
		memcpy(shape->local, known->local, sizeof(shape->local));
	session_unlock(s);
	if (known)
		return 0;
	rc = e->has_unit_local ? CL_SUCCESS : ask_local(e, shape, local);
	if (rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE,
		               "the device's choice of local size is not known: %d", rc);
	for (int i = 0; i < 3; i++)
		shape->local[i] = local[i];
	session_lock(s);
	if (e->choice_count < ENGINE_CHOICES && !recall(e, shape)) {
		struct chosen_local *choice = &e->choices[e->choice_count++];

		choice->dimensions = shape->dimensions;
		memcpy(choice->global, shape->global, sizeof(shape->global));
		memcpy(choice->local, shape->local, sizeof(shape->local));
	}
	session_unlock(s);
	return 0;
}
