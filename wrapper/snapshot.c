/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"

#include "array.h"
#include "engine.h"
#include "err.h"
#include "group_events.h"
#include "launch_job.h"

#include <stdlib.h>
#include <string.h>

/* The buffer of an argument that the kernel may write, or NULL. */
static cl_mem written_buffer(const struct launch_job *job, cl_uint i)
{
	const struct kernel_value *value = &job->values[i];
	cl_mem mem = NULL;

	if (job->shadow.table->arguments[i].is_written && job->arguments[i].held == HELD_MEMORY &&
	    job->arguments[i].buffer_bytes && value->data && value->bytes == sizeof(mem))
		memcpy(&mem, value->data, sizeof(mem));
	return mem;
}

static bool has(const struct snapshot *shot, cl_mem mem)
{
	for (size_t i = 0; i < shot->count; i++)
		if (shot->buffers[i].original == mem)
			return true;
	return false;
}

int snapshot_init(struct snapshot *shot, const struct launch_job *job, struct err *err)
{
	*shot = (struct snapshot){ .job = job };
	shot->buffers = array_alloc(job->value_count, sizeof(*shot->buffers), "snapshot", err);
	if (!shot->buffers)
		return ERR_NOMEM;
	for (cl_uint i = 0; i < job->value_count; i++) {
		struct snapshot_buffer *b = &shot->buffers[shot->count];
		cl_int rc = CL_SUCCESS;

		b->original = written_buffer(job, i);
		b->bytes = (size_t)job->arguments[i].buffer_bytes;
		if (!b->original || has(shot, b->original))
			continue;
		b->copy = opencl_real()->clCreateBuffer(job->engine->context, CL_MEM_READ_WRITE,
		                                        b->bytes, NULL, &rc);
		if (!b->copy)
			return err_set(err, ERR_DEVICE,
			               "no device memory for a copy of %zu bytes: %d", b->bytes,
			               rc);
		b->argument = i;
		shot->count++;
	}
	snapshot_forget(shot);
	return 0;
}

void snapshot_release(struct snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++)
		opencl_real()->clReleaseMemObject(shot->buffers[i].copy);
	free(shot->buffers);
	*shot = (struct snapshot){ 0 };
}

static int copy(const struct snapshot_buffer *b, cl_command_queue queue, bool is_back,
                struct err *err)
{
	size_t begin = is_back ? 0 : b->stale_begin, end = is_back ? b->bytes : b->stale_end;
	cl_int rc;

	if (begin >= end)
		return 0;
	rc = opencl_real()->clEnqueueCopyBuffer(queue, is_back ? b->copy : b->original,
	                                        is_back ? b->original : b->copy, begin, begin,
	                                        end - begin, 0, NULL, NULL);
	if (rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE, "a buffer of %zu bytes cannot be copied: %d",
		               b->bytes, rc);
	return 0;
}

int snapshot_take(struct snapshot *shot, struct err *err)
{
	for (size_t i = 0; i < shot->count; i++) {
		struct snapshot_buffer *b = &shot->buffers[i];

		if (copy(b, shot->job->engine->queue, false, err) < 0)
			return ERR_DEVICE;
		b->stale_begin = b->stale_end = 0;
	}
	return 0;
}

int snapshot_restore(const struct snapshot *shot, size_t *done, struct err *err)
{
	for (; *done < shot->count; ++*done)
		if (copy(&shot->buffers[*done], shot->job->engine->queue, true, err) < 0)
			return ERR_DEVICE;
	return 0;
}

void snapshot_forget(struct snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++) {
		shot->buffers[i].stale_begin = 0;
		shot->buffers[i].stale_end = shot->buffers[i].bytes;
	}
}

/* Widen what is stale by [begin, end). */
static void widen(struct snapshot_buffer *b, size_t begin, size_t end)
{
	bool is_fresh = b->stale_begin >= b->stale_end;

	if (is_fresh || begin < b->stale_begin)
		b->stale_begin = begin;
	if (is_fresh || end > b->stale_end)
		b->stale_end = end;
}

/* Bytes [address, address + bytes) were written; they may be in several buffers, or in none. */
static void see_write(struct snapshot *shot, const uint64_t *slots, uint64_t address,
                      uint32_t bytes)
{
	for (size_t i = 0; i < shot->count; i++) {
		struct snapshot_buffer *b = &shot->buffers[i];
		uint64_t base = slots[b->argument];

		if (address >= base && address - base < b->bytes)
			widen(b, address - base,
			      bytes < b->bytes - (address - base) ? address - base + bytes
			                                          : b->bytes);
		else if (address < base && base - address < bytes)
			widen(b, 0,
			      bytes - (base - address) < b->bytes ? bytes - (base - address)
			                                          : b->bytes);
	}
}

void snapshot_see(struct snapshot *shot, const struct group_events *g, const uint64_t *slots)
{
	const struct kernel_table *table = shot->job->shadow.table;

	if (!shot->count)
		return;
	for (uint64_t i = 0; i < g->first[g->item_count]; i++) {
		const struct event *e = &g->events[i];
		uint32_t id = e->point & EVENT_ID_MASK;

		if ((e->point & EVENT_KIND_MASK) != EVENT_SITE || id >= table->site_count ||
		    (table->sites[id].kind != SITE_WRITE && table->sites[id].kind != SITE_ATOMIC))
			continue;
		if (!table->sites[id].bytes) {
			snapshot_forget(shot);
			return;
		}
		see_write(shot, slots, e->value, table->sites[id].bytes);
	}
}
