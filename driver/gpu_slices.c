/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_slices.h"

#include "array.h"
#include "err.h"
#include "gpu_engine.h"
#include "gpu_launch.h"
#include "gpu_session.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1e6

/* The function that stands for the request's in attributes: they are of functions, not of kernels.
 */
static CUfunction original_of(const struct gpu_job *job)
{
	CUfunction function = NULL;

	if (!job->is_kernel)
		return job->request->function;
	if (cuda_real()->cuKernelGetFunction(&function, (CUkernel)(void *)job->request->function))
		return NULL;
	return function;
}

/* What the application has set of its kernel is set of the twin. */
static void copy_attributes(const struct gpu_job *job)
{
	static const int settable[] = { CUDA_FUNCTION_MAX_DYNAMIC_SHARED, CUDA_FUNCTION_CARVEOUT };
	const struct cuda_real *real = cuda_real();
	CUfunction original = original_of(job);

	for (size_t i = 0; original && i < sizeof(settable) / sizeof(settable[0]); i++) {
		int value, own;

		if (!real->cuFuncGetAttribute(&value, settable[i], original) &&
		    !real->cuFuncGetAttribute(&own, settable[i], job->twin) && value != own)
			(void)real->cuFuncSetAttribute(job->twin, settable[i], value);
	}
}

static int check_group(const struct gpu_job *job, struct err *err)
{
	const uint64_t *local = job->shape.local;
	uint64_t items = local[0] * local[1] * local[2];
	int most = 0;

	if (!cuda_real()->cuFuncGetAttribute(&most, CUDA_FUNCTION_MAX_ITEMS, job->twin) &&
	    items > (uint64_t)most)
		return err_set(err, ERR_DEVICE,
		               "a group of %llu work-items: instrumented, the kernel takes %d",
		               (unsigned long long)items, most);
	return 0;
}

int gpu_slices_init(struct gpu_slices *run, const struct gpu_job *job, struct err *err)
{
	*run = (struct gpu_slices){ .job = job };
	run->layout = slice_layout_of(job->line.table, &job->shape, job->selection != NULL, false);
	run->slots =
		array_alloc(run->layout.argument_count, sizeof(*run->slots), "argument slots", err);
	if (!run->slots)
		return ERR_NOMEM;
	for (unsigned i = 0; i < GPU_SLICES_AT_WORK; i++) {
		run->differences[i] = array_alloc(run->layout.difference_count,
		                                  sizeof(*run->differences[i]), "differences", err);
		if (!run->differences[i])
			return ERR_NOMEM;
	}
	run->buffer = gpu_engine_take(job->session, job->context);
	if (!run->buffer)
		return err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	copy_attributes(job);
	return check_group(job, err);
}

void gpu_slices_release(struct gpu_slices *run)
{
	for (unsigned i = 0; i < GPU_SLICES_AT_WORK; i++) {
		free(run->records[i].bytes);
		free(run->differences[i]);
	}
	slice_host_release(&run->host);
	free(run->slots);
	gpu_engine_give(run->job->session, run->job->context, run->job->device, run->buffer);
	memset(run, 0, sizeof(*run));
}

/* Write what the kernel reads, in the order of the stream. */
static CUresult prepare(struct gpu_slices *run, const struct slice *slice)
{
	const struct cuda_real *real = cuda_real();
	const struct gpu_job *job = run->job;
	CUdeviceptr to = run->buffer->memory;
	CUresult rc;

	if (slice_host_fill(&run->host, &run->layout, &job->shape, job->selection, slice) < 0)
		return CUDA_ERROR_OUT_OF_MEMORY;
	rc = real->cuMemcpyHtoDAsync_v2(to, run->host.bytes, slice->places_offset,
	                                job->request->stream);
	if (rc == CUDA_SUCCESS && slice->tables_bytes)
		rc = real->cuMemcpyHtoDAsync_v2(to + slice->tables_offset,
		                                run->host.bytes + slice->places_offset,
		                                slice->tables_bytes, job->request->stream);
	return rc;
}

/* The kernel between two events. */
static CUresult launch(const struct gpu_slices *run, const struct slice *slice)
{
	const struct cuda_real *real = cuda_real();
	const struct gpu_buffer *b = run->buffer;
	CUstream stream = run->job->request->stream;
	CUresult rc;

	if (b->begin)
		(void)real->cuEventRecord(b->begin, stream);
	rc = gpu_launch_twin(run->job, slice->box.count, b->memory);
	if (rc == CUDA_SUCCESS && b->begin)
		(void)real->cuEventRecord(b->end, stream);
	return rc;
}

static void note_time(struct gpu_slices *run)
{
	float milliseconds = 0;

	if (run->buffer->begin &&
	    !cuda_real()->cuEventElapsedTime(&milliseconds, run->buffer->begin, run->buffer->end) &&
	    milliseconds > 0)
		run->busy_ns += (uint64_t)((double)milliseconds * NS_PER_MS);
}

static CUresult read_now(const struct gpu_slices *run, void *to, uint64_t offset, size_t bytes)
{
	const struct cuda_real *real = cuda_real();
	CUstream stream = run->job->request->stream;
	CUresult rc = real->cuMemcpyDtoHAsync_v2(to, run->buffer->memory + offset, bytes, stream);

	return rc ? rc : real->cuStreamSynchronize(stream);
}

static void take_told(struct gpu_slices *run, unsigned which)
{
	const unsigned char *values = run->host.bytes + PROBE_ARGUMENTS_OFFSET;
	size_t slots_bytes = run->layout.argument_count * sizeof(*run->slots);

	memcpy(&run->header, run->host.bytes, sizeof(run->header));
	memcpy(run->slots, values, slots_bytes);
	memcpy(run->differences[which], values + slots_bytes,
	       run->layout.difference_count * sizeof(uint64_t));
}

enum gpu_slice_outcome gpu_slices_run(struct gpu_slices *run, unsigned which,
                                      const struct slice *slice, CUresult *code)
{
	*code = prepare(run, slice);
	if (*code == CUDA_SUCCESS)
		*code = launch(run, slice);
	if (*code != CUDA_SUCCESS) {
		/* What was copied from here must have been read before it changes. */
		(void)cuda_real()->cuStreamSynchronize(run->job->request->stream);
		return GPU_SLICE_NOT_STARTED;
	}
	*code = cuda_real()->cuStreamSynchronize(run->job->request->stream);
	if (*code != CUDA_SUCCESS)
		return GPU_SLICE_BROKEN;
	note_time(run);
	*code = read_now(run, run->host.bytes, 0, slice_layout_told_bytes(&run->layout));
	if (*code != CUDA_SUCCESS)
		return GPU_SLICE_UNREAD;
	take_told(run, which);
	run->record_bytes += gpu_slices_bytes(run, slice);
	return GPU_SLICE_DONE;
}

uint64_t gpu_slices_bytes(const struct gpu_slices *run, const struct slice *slice)
{
	return slice_layout_record_bytes(&run->layout, slice, slice_host_used(&run->header, slice));
}

const void *gpu_slices_read(struct gpu_slices *run, unsigned which, const struct slice *slice,
                            struct err *err)
{
	uint64_t bytes = gpu_slices_bytes(run, slice);
	CUresult rc;

	if (bytes > run->records[which].size) {
		free(run->records[which].bytes);
		run->records[which].size = 0;
		run->records[which].bytes = array_alloc(bytes, 1, "records", err);
		if (!run->records[which].bytes)
			return NULL;
		run->records[which].size = bytes;
	}
	rc = read_now(run, run->records[which].bytes, slice->places_offset, bytes);
	if (rc == CUDA_SUCCESS)
		return run->records[which].bytes;
	err_set(err, ERR_DEVICE, "the records cannot be read from the device: %d", rc);
	return NULL;
}
