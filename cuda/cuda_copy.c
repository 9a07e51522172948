/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_copy.h"

#include "cuda_allocation.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_stream.h"

#include <stdint.h>

struct cuda_copy cuda_copy_line(void *to, const void *from, size_t bytes, int kind)
{
	return (struct cuda_copy){
		.to = to, .from = from, .width = bytes, .height = 1, .depth = 1, .kind = kind
	};
}

/* Bytes from the first to the last of all rows; 0 when they are more than there can be. */
static size_t extent(size_t width, size_t height, size_t depth, size_t pitch, size_t slice)
{
	size_t rows, slices, sum;

	if (__builtin_mul_overflow(pitch, height - 1, &rows) ||
	    __builtin_mul_overflow(slice, depth - 1, &slices) ||
	    __builtin_add_overflow(rows, slices, &sum) || __builtin_add_overflow(sum, width, &sum))
		return 0;
	return sum;
}

/* One side: on the device it must be allocated; memory of the host may be anything. */
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

/* Memory that may change or go away once the call has returned. */
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

/* Of a command with the result `rc`: give the stream its last event, and wait for it. */
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
	/* Rows that touch are one. */
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
