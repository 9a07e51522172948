/* SPDX-License-Identifier: Apache-2.0 */
#include "device_memory.h"

#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HOST_ALIGNMENT 4096

/* Returns the index of an address in the list, or the one where it would be inserted. Called with
 * the lock held. */
static size_t place_of(const struct cuda_core *c, uintptr_t address)
{
	const struct cuda_allocation *list = c->allocations.data;
	size_t low = 0, high = c->allocations.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the allocation that contains an address, or NULL. Called with the lock held. */
static struct cuda_allocation *holder_of(struct cuda_core *c, uintptr_t address)
{
	struct cuda_allocation *list = c->allocations.data;
	size_t place = place_of(c, address);

	if (!place || address - list[place - 1].address >= list[place - 1].bytes)
		return NULL;
	return &list[place - 1];
}

static bool add(struct cuda_allocation allocation)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_allocation *list;
	size_t place;

	pthread_mutex_lock(&c->lock);
	allocation.id = ++c->next_id;
	place = place_of(c, allocation.address);
	if (array_push(&c->allocations, 1, NULL)) {
		list = c->allocations.data;
		memmove(&list[place + 1], &list[place],
		        (c->allocations.count - 1 - place) * sizeof(*list));
		list[place] = allocation;
		c->used_bytes += allocation.bytes;
		pthread_mutex_unlock(&c->lock);
		return true;
	}
	pthread_mutex_unlock(&c->lock);
	return false;
}

/* Remove an allocation from the list. Called with the lock held. */
static void take_out(struct cuda_core *c, struct cuda_allocation *at)
{
	struct cuda_allocation *list = c->allocations.data;
	size_t place = (size_t)(at - list);

	c->used_bytes -= at->bytes;
	memmove(at, at + 1, (c->allocations.count - 1 - place) * sizeof(*list));
	c->allocations.count--;
}

static void release(const struct cuda_core *c, const struct cuda_allocation *a)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are compared as numbers */
	void *memory = (void *)a->address;

	if (a->kind == CUDA_MEMORY_REGISTERED)
		return;
	if (a->is_plain)
		free(memory);
	else
		clSVMFree(c->context, memory);
}

static void *take_memory(const struct cuda_core *c, struct cuda_allocation *a)
{
	cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
	void *memory;

	if (a->kind == CUDA_MEMORY_HOST && !c->is_fine) {
		a->is_plain = true;
		return posix_memalign(&memory, HOST_ALIGNMENT, a->bytes) ? NULL : memory;
	}
	if (a->is_shared)
		flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
	return clSVMAlloc(c->context, flags, a->bytes, 0);
}

static int alloc(struct cuda_allocation a, void **out)
{
	struct cuda_core *c = cuda_core();
	void *memory;

	*out = NULL;
	if (c->status || !a.bytes)
		return c->status;
	if (a.is_shared && !c->is_fine && a.kind != CUDA_MEMORY_HOST) {
		cuda_notice("the OpenCL device has no fine-grain shared memory: no managed memory");
		return cudaErrorNotSupported;
	}
	if (a.bytes > c->memory_bytes)
		return cudaErrorMemoryAllocation;
	memory = take_memory(c, &a);
	if (!memory)
		return cudaErrorMemoryAllocation;
	a.address = (uintptr_t)memory;
	if (!add(a)) {
		release(c, &a);
		return cudaErrorMemoryAllocation;
	}
	*out = memory;
	return cudaSuccess;
}

int cuda_memory_alloc(enum cuda_memory_kind kind, size_t bytes, unsigned flags, void **out)
{
	const struct cuda_allocation a = { .bytes = bytes,
		                           .kind = kind,
		                           .flags = flags,
		                           .is_shared = kind != CUDA_MEMORY_DEVICE };

	return alloc(a, out);
}

int cuda_memory_alloc_symbol(bool is_managed, size_t bytes, void **out)
{
	const struct cuda_allocation a = { .bytes = bytes,
		                           .kind = CUDA_MEMORY_SYMBOL,
		                           .is_shared = is_managed };

	return alloc(a, out);
}

int cuda_memory_register(void *memory, size_t bytes, unsigned flags)
{
	const struct cuda_allocation a = { .address = (uintptr_t)memory,
		                           .bytes = bytes,
		                           .kind = CUDA_MEMORY_REGISTERED,
		                           .flags = flags,
		                           .is_shared = true };
	struct cuda_core *c = cuda_core();
	struct cuda_allocation known;

	if (c->status)
		return c->status;
	if (!memory || !bytes)
		return cudaErrorInvalidValue;
	if (!c->is_the_host)
		return cudaErrorNotSupported;
	if (cuda_memory_find(memory, &known))
		return cudaErrorHostMemoryAlreadyRegistered;
	return add(a) ? cudaSuccess : cudaErrorMemoryAllocation;
}

int cuda_memory_free(void *memory, unsigned kinds)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_allocation *at, copy;
	int rc;

	pthread_mutex_lock(&c->lock);
	at = holder_of(c, (uintptr_t)memory);
	if (!at || at->address != (uintptr_t)memory || !(kinds & 1u << at->kind)) {
		pthread_mutex_unlock(&c->lock);
		return cudaErrorInvalidValue;
	}
	copy = *at;
	pthread_mutex_unlock(&c->lock);
	rc = cuda_stream_wait_all();
	pthread_mutex_lock(&c->lock);
	at = holder_of(c, (uintptr_t)memory);
	if (at && at->id == copy.id)
		take_out(c, at);
	else
		at = NULL; /* another thread was faster */
	pthread_mutex_unlock(&c->lock);
	if (at)
		release(c, &copy);
	return at ? rc : cudaErrorInvalidValue;
}

bool cuda_memory_find(const void *memory, struct cuda_allocation *out)
{
	struct cuda_core *c = cuda_core_unopened();
	const struct cuda_allocation *at;

	pthread_mutex_lock(&c->lock);
	at = holder_of(c, (uintptr_t)memory);
	if (at)
		*out = *at;
	pthread_mutex_unlock(&c->lock);
	return at != NULL;
}

bool cuda_memory_holds(const void *memory, size_t bytes)
{
	struct cuda_allocation a;

	return cuda_memory_find(memory, &a) && bytes <= a.bytes - ((uintptr_t)memory - a.address);
}

void cuda_memory_free_all(void)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_allocation *list;

	pthread_mutex_lock(&c->lock);
	list = c->allocations.data;
	for (size_t i = c->allocations.count; i-- > 0;) {
		struct cuda_allocation copy = list[i];

		if (copy.kind == CUDA_MEMORY_SYMBOL)
			continue;
		take_out(c, &list[i]);
		release(c, &copy);
	}
	pthread_mutex_unlock(&c->lock);
}

size_t cuda_memory_used(void)
{
	struct cuda_core *c = cuda_core_unopened();
	size_t used;

	pthread_mutex_lock(&c->lock);
	used = c->used_bytes;
	pthread_mutex_unlock(&c->lock);
	return used;
}

size_t cuda_memory_list(void **out, size_t limit)
{
	struct cuda_core *c = cuda_core_unopened();
	const struct cuda_allocation *list;
	size_t count = 0;

	pthread_mutex_lock(&c->lock);
	list = c->allocations.data;
	for (size_t i = 0; i < c->allocations.count && count < limit; i++)
		if (list[i].kind != CUDA_MEMORY_REGISTERED && !list[i].is_plain)
			memcpy(&out[count++], &list[i].address, sizeof(*out));
	pthread_mutex_unlock(&c->lock);
	return count;
}

enum {
	POOL_LAST_INT = 3,  /* 1 to 3: ways in which memory may be reused */
	POOL_THRESHOLD = 4, /* bytes to keep */
	POOL_RESERVED = 5,  /* bytes now, at most */
	POOL_RESERVED_HIGH = 6,
	POOL_USED = 7,
	POOL_USED_HIGH = 8,
};

struct cuda_pool {
	int may_reuse[POOL_LAST_INT];
	uint64_t threshold;
};

static struct cuda_pool make(void)
{
	return (struct cuda_pool){ { 1, 1, 1 }, 0 };
}

struct cuda_pool *cuda_pool_default(void)
{
	static struct cuda_pool pool = { { 1, 1, 1 }, 0 };

	return &pool;
}

int cuda_pool_create(struct cuda_pool **out)
{
	*out = malloc(sizeof(**out));
	if (!*out)
		return cudaErrorMemoryAllocation;
	**out = make();
	return cudaSuccess;
}

int cuda_pool_free(struct cuda_pool *pool)
{
	if (!pool)
		return cudaErrorInvalidValue;
	if (pool != cuda_pool_default())
		free(pool);
	return cudaSuccess;
}

int cuda_pool_set(struct cuda_pool *pool, int attribute, const void *value)
{
	struct cuda_core *c = cuda_core_unopened();
	int rc = cudaSuccess;

	if (!pool || !value)
		return cudaErrorInvalidValue;
	pthread_mutex_lock(&c->lock);
	if (attribute >= 1 && attribute <= POOL_LAST_INT)
		memcpy(&pool->may_reuse[attribute - 1], value, sizeof(int));
	else if (attribute == POOL_THRESHOLD)
		memcpy(&pool->threshold, value, sizeof(pool->threshold));
	else if (attribute != POOL_RESERVED_HIGH && attribute != POOL_USED_HIGH)
		rc = cudaErrorInvalidValue;
	pthread_mutex_unlock(&c->lock);
	return rc;
}

int cuda_pool_get(const struct cuda_pool *pool, int attribute, void *value)
{
	uint64_t used = cuda_memory_used();
	struct cuda_core *c = cuda_core_unopened();
	int rc = cudaSuccess;

	if (!pool || !value)
		return cudaErrorInvalidValue;
	pthread_mutex_lock(&c->lock);
	if (attribute >= 1 && attribute <= POOL_LAST_INT)
		memcpy(value, &pool->may_reuse[attribute - 1], sizeof(int));
	else if (attribute == POOL_THRESHOLD)
		memcpy(value, &pool->threshold, sizeof(pool->threshold));
	else if (attribute >= POOL_RESERVED && attribute <= POOL_USED_HIGH)
		memcpy(value, &used, sizeof(used));
	else
		rc = cudaErrorInvalidValue;
	pthread_mutex_unlock(&c->lock);
	return rc;
}

struct cuda_copy cuda_copy_line(void *to, const void *from, size_t bytes, int kind)
{
	return (struct cuda_copy){
		.to = to, .from = from, .width = bytes, .height = 1, .depth = 1, .kind = kind
	};
}

/* Returns the bytes from the first row to the end of the last; 0 on overflow. */
static size_t extent(size_t width, size_t height, size_t depth, size_t pitch, size_t slice)
{
	size_t rows, slices, sum;

	if (__builtin_mul_overflow(pitch, height - 1, &rows) ||
	    __builtin_mul_overflow(slice, depth - 1, &slices) ||
	    __builtin_add_overflow(rows, slices, &sum) || __builtin_add_overflow(sum, width, &sum))
		return 0;
	return sum;
}

/* Check one side of a copy: device memory must be allocated, host memory may be any. */
static int check_side(const void *memory, size_t bytes, bool must_be_known)
{
	struct cuda_allocation a;

	if (!memory || !bytes)
		return cudaErrorInvalidValue;
	if (!cuda_memory_find(memory, &a))
		return must_be_known ? cudaErrorInvalidValue : cudaSuccess;
	return bytes <= a.bytes - ((uintptr_t)memory - a.address) ? cudaSuccess
	                                                          : cudaErrorInvalidValue;
}

static int check_copy(const struct cuda_copy *c)
{
	size_t to = extent(c->width, c->height, c->depth, c->to_pitch, c->to_slice);
	size_t from = extent(c->width, c->height, c->depth, c->from_pitch, c->from_slice);
	bool is_to_device =
		c->kind == CUDA_COPY_HOST_TO_DEVICE || c->kind == CUDA_COPY_DEVICE_TO_DEVICE;
	bool is_from_device =
		c->kind == CUDA_COPY_DEVICE_TO_HOST || c->kind == CUDA_COPY_DEVICE_TO_DEVICE;
	int rc;

	if (c->kind < CUDA_COPY_HOST_TO_HOST || c->kind > CUDA_COPY_DEFAULT)
		return cudaErrorInvalidMemcpyDirection;
	if ((c->height > 1 || c->depth > 1) && (c->width > c->to_pitch || c->width > c->from_pitch))
		return cudaErrorInvalidPitchValue;
	rc = check_side(c->to, to, is_to_device);
	return rc ? rc : check_side(c->from, from, is_from_device);
}

/* Whether memory may change or be freed once the call has returned. */
static bool is_pageable(const void *memory)
{
	struct cuda_allocation a;

	return !cuda_memory_find(memory, &a);
}

static cl_int enqueue_copy(const struct cuda_copy *c, cl_command_queue queue, cl_event *last)
{
	cl_int code = CL_SUCCESS;

	for (size_t z = 0; z < c->depth; z++) {
		for (size_t y = 0; code == CL_SUCCESS && y < c->height; y++) {
			bool is_last = z + 1 == c->depth && y + 1 == c->height;
			char *to = (char *)c->to + z * c->to_slice + y * c->to_pitch;
			const char *from =
				(const char *)c->from + z * c->from_slice + y * c->from_pitch;

			code = clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, c->width, 0, NULL,
			                          is_last ? last : NULL);
		}
	}
	return code;
}

static int wait_for(cl_event last)
{
	cl_int code = clWaitForEvents(1, &last);

	clReleaseEvent(last);
	if (code != CL_SUCCESS)
		cuda_stream_break(cudaErrorLaunchFailure);
	return code == CL_SUCCESS ? cudaSuccess : (int)cudaErrorLaunchFailure;
}

/* End a command with the result `rc`: give the stream its last event and, if requested, wait. */
static int end(struct cuda_stream *s, int rc, cl_event last, bool is_waited_for)
{
	is_waited_for = is_waited_for && rc == cudaSuccess && last;
	if (is_waited_for)
		clRetainEvent(last);
	cuda_stream_end(s, last);
	return is_waited_for ? wait_for(last) : rc;
}

int cuda_copy_run(const struct cuda_copy *copy, struct cuda_stream *s)
{
	struct cuda_copy c = *copy;
	cl_event last = NULL;
	bool is_waited_for;
	int rc;

	if (!c.width || !c.height || !c.depth)
		return cudaSuccess;
	/* Contiguous rows are one row. */
	if (c.height > 1 && c.to_pitch == c.width && c.from_pitch == c.width && c.depth == 1) {
		c.width *= c.height;
		c.height = 1;
	}
	rc = check_copy(&c);
	if (rc || c.to == c.from)
		return rc;
	is_waited_for = c.is_waited_for || is_pageable(c.to) || is_pageable(c.from);
	rc = cuda_stream_begin(s);
	if (rc)
		return rc;
	rc = cuda_core_error(enqueue_copy(&c, s->queue, &last));
	return end(s, rc, last, is_waited_for);
}

static cl_int enqueue_fill(const struct cuda_fill *f, cl_command_queue queue, cl_event *last)
{
	cl_int code = CL_SUCCESS;

	for (size_t z = 0; z < f->depth; z++) {
		for (size_t y = 0; code == CL_SUCCESS && y < f->height; y++) {
			bool is_last = z + 1 == f->depth && y + 1 == f->height;

			code = clEnqueueSVMMemFill(
				queue, (char *)f->to + z * f->slice + y * f->pitch, &f->value,
				f->value_bytes, f->width, 0, NULL, is_last ? last : NULL);
		}
	}
	return code;
}

int cuda_fill_run(const struct cuda_fill *fill, struct cuda_stream *s)
{
	struct cuda_fill f = *fill;
	cl_event last = NULL;
	int rc;

	if (!f.width || !f.height || !f.depth)
		return cudaSuccess;
	if (f.height > 1 && f.pitch == f.width && f.depth == 1) {
		f.width *= f.height;
		f.height = 1;
	}
	if ((f.height > 1 || f.depth > 1) && f.width > f.pitch)
		return cudaErrorInvalidPitchValue;
	rc = check_side(f.to, extent(f.width, f.height, f.depth, f.pitch, f.slice), true);
	if (rc)
		return rc;
	if ((uintptr_t)f.to % f.value_bytes || f.width % f.value_bytes)
		return cudaErrorInvalidValue;
	rc = cuda_stream_begin(s);
	if (rc)
		return rc;
	rc = cuda_core_error(enqueue_fill(&f, s->queue, &last));
	return end(s, rc, last, f.is_waited_for);
}
