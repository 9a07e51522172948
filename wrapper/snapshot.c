/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"

#include "array.h"
#include "engine.h"
#include "err.h"
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
		shot->count++;
	}
	return 0;
}

void snapshot_release(struct snapshot *shot)
{
	for (size_t i = 0; i < shot->count; i++)
		opencl_real()->clReleaseMemObject(shot->buffers[i].copy);
	free(shot->buffers);
	*shot = (struct snapshot){ 0 };
}

static int copy(const struct snapshot *shot, size_t i, bool is_back, struct err *err)
{
	const struct snapshot_buffer *b = &shot->buffers[i];
	cl_int rc = opencl_real()->clEnqueueCopyBuffer(
		shot->job->engine->queue, is_back ? b->copy : b->original,
		is_back ? b->original : b->copy, 0, 0, b->bytes, 0, NULL, NULL);

	if (rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE, "a buffer of %zu bytes cannot be copied: %d",
		               b->bytes, rc);
	return 0;
}

int snapshot_take(const struct snapshot *shot, struct err *err)
{
	for (size_t i = 0; i < shot->count; i++)
		if (copy(shot, i, false, err) < 0)
			return ERR_DEVICE;
	return 0;
}

int snapshot_restore(const struct snapshot *shot, size_t *done, struct err *err)
{
	for (; *done < shot->count; ++*done)
		if (copy(shot, *done, true, err) < 0)
			return ERR_DEVICE;
	return 0;
}
