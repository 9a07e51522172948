/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"

#include "array.h"
#include "engine.h"
#include "err.h"
#include "event.h"
#include "launch_job.h"
#include "svm_hold.h"

#include <stdlib.h>
#include <string.h>

/* Find the memory of an argument that the kernel may write. False: there is none. */
static bool find_written(const struct launch_job *job, cl_uint i, struct snapshot_buffer *b)
{
	const struct kernel_value *value = &job->values[i];
	const struct job_argument *a = &job->arguments[i];

	*b = (struct snapshot_buffer){ .argument = i, .bytes = (size_t)a->buffer_bytes };
	if (!job->shadow.table->arguments[i].is_written || !a->buffer_bytes)
		return false;
	if (value->pointer != POINTER_BY_NONE) {
		b->sort = value->pointer;
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): the recording has it as a number */
		b->shared = (void *)(uintptr_t)a->memory_address;
		return true;
	}
	b->original = kernel_value_handle(value);
	return b->original;
}

static bool has(const struct snapshot *shot, const struct snapshot_buffer *b)
{
	for (size_t i = 0; i < shot->count; i++)
		if (shot->buffers[i].original == b->original &&
		    shot->buffers[i].shared == b->shared)
			return true;
	return false;
}

/* Allocate memory for the copy. */
static int make_copy(const struct engine *e, struct snapshot_buffer *b, struct err *err)
{
	cl_int rc = CL_OUT_OF_RESOURCES;

	if (b->shared)
		b->shared_copy = shared_memory_alloc(e, b->sort, b->bytes);
	else
		b->copy = opencl_real()->clCreateBuffer(e->context, CL_MEM_READ_WRITE, b->bytes,
		                                        NULL, &rc);
	if (b->copy)
		own_objects_change(e->context, OWN_BUFFER, 1);
	if (b->copy || b->shared_copy)
		return 0;
	return err_set(err, ERR_DEVICE, "no device memory for a copy of %zu bytes: %d", b->bytes,
	               rc);
}

int snapshot_init(struct snapshot *shot, const struct launch_job *job, struct err *err)
{
	*shot = (struct snapshot){ .job = job };
	shot->buffers = array_alloc(job->value_count, sizeof(*shot->buffers), "snapshot", err);
	if (!shot->buffers)
		return ERR_NOMEM;
	for (cl_uint i = 0; i < job->value_count; i++) {
		struct snapshot_buffer b;

		if (!find_written(job, i, &b) || has(shot, &b))
			continue;
		if (make_copy(job->engine, &b, err) < 0)
			return ERR_DEVICE;
		shot->buffers[shot->count++] = b;
	}
	snapshot_invalidate(shot);
	return 0;
}

void snapshot_release(struct snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++) {
		const struct snapshot_buffer *b = &shot->buffers[i];

		if (b->copy) {
			opencl_real()->clReleaseMemObject(b->copy);
			own_objects_change(shot->job->engine->context, OWN_BUFFER, -1);
		}
		shared_memory_free(shot->job->engine->context, b->sort, b->shared_copy);
	}
	free(shot->buffers);
	*shot = (struct snapshot){ 0 };
}

static cl_int copy_shared(const struct snapshot_buffer *b, const struct engine *e, bool is_back)
{
	size_t begin = is_back ? 0 : b->stale_begin, end = is_back ? b->bytes : b->stale_end;
	unsigned char *theirs = (unsigned char *)b->shared + begin;
	unsigned char *ours = (unsigned char *)b->shared_copy + begin;

	return shared_memory_copy(e, b->sort, is_back ? theirs : ours, is_back ? ours : theirs,
	                          end - begin);
}

static int copy(const struct snapshot_buffer *b, const struct engine *e, bool is_back,
                struct err *err)
{
	size_t begin = is_back ? 0 : b->stale_begin, end = is_back ? b->bytes : b->stale_end;
	cl_int rc;

	if (begin >= end)
		return 0;
	rc = b->shared
	             ? copy_shared(b, e, is_back)
	             : opencl_real()->clEnqueueCopyBuffer(e->queue, is_back ? b->copy : b->original,
	                                                  is_back ? b->original : b->copy, begin,
	                                                  begin, end - begin, 0, NULL, NULL);
	if (rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE, "a buffer of %zu bytes cannot be copied: %d",
		               b->bytes, rc);
	return 0;
}

int snapshot_take(struct snapshot *shot, struct err *err)
{
	for (size_t i = 0; i < shot->count; i++) {
		struct snapshot_buffer *b = &shot->buffers[i];

		if (copy(b, shot->job->engine, false, err) < 0)
			return ERR_DEVICE;
		b->stale_begin = b->stale_end = 0;
	}
	return 0;
}

cl_int snapshot_enqueue(const struct snapshot *shot, cl_command_queue queue, cl_uint wait_count,
                        const cl_event *wait_list)
{
	cl_int rc = CL_SUCCESS;

	for (size_t i = 0; i < shot->count; i++)
		if (shot->buffers[i].shared)
			return CL_INVALID_OPERATION;
	for (size_t i = 0; i < shot->count && rc == CL_SUCCESS; i++)
		rc = opencl_real()->clEnqueueCopyBuffer(
			queue, shot->buffers[i].original, shot->buffers[i].copy, 0, 0,
			shot->buffers[i].bytes, i ? 0 : wait_count, i ? NULL : wait_list, NULL);
	return rc;
}

int snapshot_restore(const struct snapshot *shot, size_t *done, struct err *err)
{
	for (; *done < shot->count; ++*done)
		if (copy(&shot->buffers[*done], shot->job->engine, true, err) < 0)
			return ERR_DEVICE;
	return 0;
}

void snapshot_invalidate(struct snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++) {
		shot->buffers[i].stale_begin = 0;
		shot->buffers[i].stale_end = shot->buffers[i].bytes;
	}
}

/* Widen the stale range to include [begin, end). */
static void widen(struct snapshot_buffer *b, size_t begin, size_t end)
{
	bool is_fresh = b->stale_begin >= b->stale_end;

	if (is_fresh || begin < b->stale_begin)
		b->stale_begin = begin;
	if (is_fresh || end > b->stale_end)
		b->stale_end = end;
}

/* Note that bytes [begin, end) were written; they may lie in several buffers or in none. */
static void see_bytes(struct snapshot *shot, const uint64_t *slots, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < shot->count; i++) {
		struct snapshot_buffer *b = &shot->buffers[i];
		uint64_t base = b->shared ? (uintptr_t)b->shared : slots[b->argument];
		uint64_t from = begin > base ? begin - base : 0;
		uint64_t to = end > base ? end - base : 0;

		to = to < b->bytes ? to : b->bytes;
		if (from < to)
			widen(b, from, to);
	}
}

/* Extend a span by `count` - 1 strides at the end to which the stride points. */
static bool stretch(uint64_t *low, uint64_t *high, uint64_t count, uint64_t stride)
{
	bool goes_down = stride >> 63;
	uint64_t step = goes_down ? -stride : stride, way;

	if (__builtin_mul_overflow(count - 1, step, &way))
		return false;
	if (goes_down)
		return !__builtin_sub_overflow(*low, way, low);
	return !__builtin_add_overflow(*high, way, high);
}

/*
 * Find the span from the first to the last byte that a site event, a run or a grid wrote, which
 * begins with e followed by its parts. False when it has no bounds.
 */
static bool span_of(const struct event *e, uint32_t bytes, uint64_t *begin, uint64_t *end)
{
	bool is_bounded = true;

	*begin = *end = e[0].value;
	switch (e[0].point & EVENT_KIND_MASK) {
	case EVENT_RUN:
		is_bounded = stretch(begin, end, e[0].iteration, e[2].value);
		break;
	case EVENT_GRID:
		is_bounded = stretch(begin, end, e[0].iteration, e[2].value) &&
		             stretch(begin, end, e[1].iteration, e[3].value);
		break;
	default:
		break;
	}
	return is_bounded && !__builtin_add_overflow(*end, bytes, end);
}

/* Returns the number of events of the record at e, including e. */
static uint64_t event_parts(const struct event *e)
{
	switch (e->point & EVENT_KIND_MASK) {
	case EVENT_RUN:
		return 3;
	case EVENT_GRID:
		return 5;
	default:
		return 1;
	}
}

static bool is_write(const struct kernel_table *table, const struct event *e)
{
	uint32_t kind = e->point & EVENT_KIND_MASK, id = e->point & EVENT_ID_MASK;

	return (kind == EVENT_SITE || kind == EVENT_RUN || kind == EVENT_GRID) &&
	       id < table->site_count &&
	       (table->sites[id].kind == SITE_WRITE || table->sites[id].kind == SITE_ATOMIC);
}

void snapshot_note_writes(struct snapshot *shot, const struct group_events *g,
                          const uint64_t *slots)
{
	const struct kernel_table *table = shot->job->shadow.table;
	uint64_t count = g->first[g->item_count], begin, end;

	for (uint64_t i = 0, parts; shot->count && i < count; i += parts) {
		const struct event *e = &g->events[i];
		uint32_t bytes;

		parts = event_parts(e);
		if (parts > count - i)
			break;
		if (!is_write(table, e))
			continue;
		bytes = table->sites[e->point & EVENT_ID_MASK].bytes;
		if (!bytes || !span_of(e, bytes, &begin, &end)) {
			snapshot_invalidate(shot);
			return;
		}
		see_bytes(shot, slots, begin, end);
	}
}

uint64_t snapshot_bytes(const struct snapshot *shot)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < shot->count; i++)
		bytes += shot->buffers[i].bytes;
	return bytes;
}
