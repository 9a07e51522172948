/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_run.h"

#include "array.h"
#include "engine.h"
#include "err.h"
#include "launch_job.h"

#include <stdlib.h>
#include <string.h>

/* Whether the instrumented kernel takes groups as large as the launch's. */
static int check_group(const struct slice_run *run, struct err *err)
{
	const struct launch_shape *shape = &run->job->shape;
	uint64_t items = shape->local[0] * shape->local[1] * shape->local[2];
	size_t most = 0;
	cl_int rc = opencl_real()->clGetKernelWorkGroupInfo(run->kernel, run->job->engine->device,
	                                                    CL_KERNEL_WORK_GROUP_SIZE, sizeof(most),
	                                                    &most, NULL);

	if (rc == CL_SUCCESS && items > most)
		return err_set(err, ERR_DEVICE,
		               "a group of %llu work-items: instrumented, the kernel takes %zu",
		               (unsigned long long)items, most);
	return 0;
}

int slice_run_init(struct slice_run *run, const struct launch_job *job, struct err *err)
{
	cl_int rc = CL_SUCCESS;

	*run = (struct slice_run){ .job = job };
	run->chunks_offset = sizeof(struct probe_header) + job->value_count * sizeof(*run->slots);
	run->chunks_offset = (run->chunks_offset + 15) / 16 * 16;
	run->slots = array_alloc(job->value_count, sizeof(*run->slots), "argument slots", err);
	run->host = array_alloc(run->chunks_offset, 1, "header", err);
	if (!run->slots || !run->host)
		return ERR_NOMEM;
	run->kernel =
		opencl_real()->clCreateKernel(job->shadow.program, job->shadow.table->name, &rc);
	if (run->kernel)
		rc = kernel_run_arguments(job, run->kernel);
	if (!run->kernel || rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE,
		               "the instrumented kernel does not take the arguments: %d", rc);
	return check_group(run, err);
}

void slice_run_release(struct slice_run *run)
{
	slice_run_unmap(run);
	if (run->kernel)
		opencl_real()->clReleaseKernel(run->kernel);
	free(run->host);
	free(run->slots);
	memset(run, 0, sizeof(*run));
}

uint64_t slice_run_room(const struct slice_run *run)
{
	uint64_t bytes = run->job->engine->buffer_bytes;
	uint64_t least = run->chunks_offset + sizeof(struct probe_chunk) + sizeof(struct event);

	return bytes >= least ? bytes - run->chunks_offset : 0;
}

/* The header of a slice and zeroed argument slots, into run->host. */
static void fill_header(struct slice_run *run, const struct slice *slice)
{
	struct probe_header header = {
		.abi_version = PROBE_ABI_VERSION,
		.chunk_count = slice->chunk_count,
		.chunk_words = slice->chunk_events,
		.slice_begin = slice->begin,

		.records_offset = run->chunks_offset,
		.argument_count = run->job->value_count,
	};

	memset(run->host, 0, run->chunks_offset);
	memcpy(run->host, &header, sizeof(header));
}

static void note_times(struct slice_run *run, const struct kernel_times *times)
{
	if (!run->times.start)
		run->times.start = times->start;
	run->times.end = times->end;
}

enum slice_outcome slice_run_groups(struct slice_run *run, const struct slice *slice, cl_int *code)
{
	const struct opencl_real *real = opencl_real();
	const struct engine *e = run->job->engine;
	struct kernel_times times;
	bool has_started;

	fill_header(run, slice);
	*code = real->clEnqueueWriteBuffer(e->queue, e->buffer, CL_TRUE, 0, run->chunks_offset,
	                                   run->host, 0, NULL, NULL);
	if (*code == CL_SUCCESS)
		*code = real->clSetKernelArg(run->kernel, run->job->value_count, sizeof(e->buffer),
		                             (const void *)&e->buffer);
	if (*code != CL_SUCCESS)
		return SLICE_NOT_STARTED;
	*code = kernel_run_range(run->job, run->kernel, &has_started, &times);
	if (*code != CL_SUCCESS)
		return has_started ? SLICE_BROKEN : SLICE_NOT_STARTED;
	note_times(run, &times);
	*code = real->clEnqueueReadBuffer(e->queue, e->buffer, CL_TRUE, 0, run->chunks_offset,
	                                  run->host, 0, NULL, NULL);
	if (*code != CL_SUCCESS)
		return SLICE_UNREAD;
	memcpy(&run->header, run->host, sizeof(run->header));
	/* The application's kernel may have run over it: these two say how much is read. */
	run->header.chunk_count = slice->chunk_count;
	run->header.chunk_words = slice->chunk_events;
	memcpy(run->slots, run->host + PROBE_ARGUMENTS_OFFSET,
	       run->job->value_count * sizeof(*run->slots));
	return SLICE_DONE;
}

uint32_t slice_run_used(const struct slice_run *run)
{
	return run->header.next_chunk < run->header.chunk_count ? run->header.next_chunk
	                                                        : run->header.chunk_count;
}

bool slice_run_overflowed(const struct slice_run *run)
{
	return run->header.lost_records || run->header.next_chunk > run->header.chunk_count;
}

uint64_t slice_run_lost(const struct slice_run *run)
{
	return (uint64_t)run->header.lost_high << 32 | run->header.lost_low;
}

const void *slice_run_map(struct slice_run *run, const struct slice *slice, struct err *err)
{
	const struct engine *e = run->job->engine;
	size_t bytes = slice_run_used(run) *
	               (sizeof(struct probe_chunk) + slice->chunk_events * sizeof(struct event));
	cl_int rc = CL_SUCCESS;

	run->chunks =
		opencl_real()->clEnqueueMapBuffer(e->queue, e->buffer, CL_TRUE, CL_MAP_READ,
	                                          run->chunks_offset, bytes, 0, NULL, NULL, &rc);
	if (!run->chunks)
		err_set(err, ERR_DEVICE, "the events cannot be read from the device: %d", rc);
	return run->chunks;
}

void slice_run_unmap(struct slice_run *run)
{
	const struct engine *e;

	if (!run->chunks)
		return;
	e = run->job->engine;
	(void)opencl_real()->clEnqueueUnmapMemObject(e->queue, e->buffer, run->chunks, 0, NULL,
	                                             NULL);
	run->chunks = NULL;
}
