/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_run.h"

#include "array.h"
#include "err.h"
#include "launch_job.h"
#include "launch_kit.h"

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

static int make_differences(struct slice_run *run, struct err *err)
{
	for (unsigned i = 0; i < ENGINE_BUFFERS; i++) {
		run->differences[i] = array_alloc(run->layout.difference_count,
		                                  sizeof(*run->differences[i]), "differences", err);
		if (!run->differences[i])
			return ERR_NOMEM;
	}
	return 0;
}

int slice_run_init(struct slice_run *run, const struct launch_job *job, struct err *err)
{
	cl_int rc = CL_SUCCESS;

	*run = (struct slice_run){ .job = job };
	run->layout = slice_layout_of(job->shadow.table, &job->shape, job->selection != NULL,
	                              engine_is_wide(job->engine));
	run->slots = array_alloc(job->value_count, sizeof(*run->slots), "argument slots", err);
	if (!run->slots || make_differences(run, err))
		return ERR_NOMEM;
	run->kit = launch_kits_take(program_build_kits(job->build), job->shadow.program,
	                            job->shadow.table, err);
	if (!run->kit)
		return ERR_DEVICE;
	run->kernel = run->kit->kernel;
	rc = kernel_run_arguments(job, run->kernel);
	if (rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE,
		               "the instrumented kernel does not take the arguments: %d", rc);
	return check_group(run, err);
}

void slice_run_release(struct slice_run *run)
{
	for (unsigned i = 0; i < ENGINE_BUFFERS; i++) {
		slice_run_unmap(run, i);
		free(run->differences[i]);
	}
	if (run->kit)
		launch_kits_give(program_build_kits(run->job->build), run->kit);
	slice_host_release(&run->host);
	free(run->slots);
	memset(run, 0, sizeof(*run));
}

static void note_times(struct slice_run *run, const struct kernel_times *times)
{
	if (!run->times.start)
		run->times.start = times->start;
	run->times.end = times->end;
	run->busy_ns += times->end - times->start;
}

/* Write what the kernel reads and pass the buffer to the kernel. Returns the driver's code. */
static cl_int prepare(struct slice_run *run, cl_mem mem, const struct slice *slice)
{
	const struct opencl_real *real = opencl_real();
	cl_int rc;

	if (slice_host_fill(&run->host, &run->layout, &run->job->shape, run->job->selection, slice))
		return CL_OUT_OF_HOST_MEMORY;
	rc = real->clEnqueueWriteBuffer(run->job->engine->queue, mem, CL_TRUE, 0,
	                                slice->places_offset, run->host.bytes, 0, NULL, NULL);
	if (rc == CL_SUCCESS && slice->tables_bytes)
		rc = real->clEnqueueWriteBuffer(
			run->job->engine->queue, mem, CL_TRUE, slice->tables_offset,
			slice->tables_bytes, run->host.bytes + slice->places_offset, 0, NULL, NULL);
	if (rc == CL_SUCCESS)
		rc = real->clSetKernelArg(run->kernel, run->job->value_count, sizeof(mem),
		                          (const void *)&mem);
	return rc;
}

enum slice_outcome slice_run_groups(struct slice_run *run, unsigned which,
                                    const struct slice *slice, cl_int *code)
{
	const struct engine *e = run->job->engine;
	size_t slots_bytes = run->job->value_count * sizeof(*run->slots);
	cl_mem mem = e->buffers[which].mem;
	struct kernel_times times;
	struct kernel_range range;
	bool has_started;

	*code = prepare(run, mem, slice);
	if (*code != CL_SUCCESS)
		return SLICE_NOT_STARTED;
	slice_box_range(&slice->box, &run->job->shape, range.offset, range.global);
	*code = kernel_run_range(run->job, run->kernel, &range, &has_started, &times);
	if (*code != CL_SUCCESS)
		return has_started ? SLICE_BROKEN : SLICE_NOT_STARTED;
	note_times(run, &times);
	*code = opencl_real()->clEnqueueReadBuffer(e->queue, mem, CL_TRUE, 0,
	                                           slice_layout_told_bytes(&run->layout),
	                                           run->host.bytes, 0, NULL, NULL);
	if (*code != CL_SUCCESS)
		return SLICE_UNREAD;
	memcpy(&run->header, run->host.bytes, sizeof(run->header));
	memcpy(run->slots, run->host.bytes + PROBE_ARGUMENTS_OFFSET, slots_bytes);
	memcpy(run->differences[which],
	       run->host.bytes + PROBE_ARGUMENTS_OFFSET +
	               run->layout.argument_count * sizeof(uint64_t),
	       run->layout.difference_count * sizeof(uint64_t));
	run->record_bytes += slice_run_bytes(run, slice);
	return SLICE_DONE;
}

uint32_t slice_run_used(const struct slice_run *run, const struct slice *slice)
{
	return slice_host_used(&run->header, slice);
}

uint64_t slice_run_bytes(const struct slice_run *run, const struct slice *slice)
{
	return slice_layout_record_bytes(&run->layout, slice, slice_run_used(run, slice));
}

bool slice_run_overflowed(const struct slice_run *run)
{
	return slice_host_lost(&run->header) > 0;
}

uint64_t slice_run_lost(const struct slice_run *run)
{
	return slice_host_lost(&run->header);
}

const void *slice_run_map(struct slice_run *run, unsigned which, const struct slice *slice,
                          struct err *err)
{
	const struct engine *e = run->job->engine;
	cl_int rc = CL_SUCCESS;

	run->records[which] = opencl_real()->clEnqueueMapBuffer(
		e->queue, e->buffers[which].mem, CL_TRUE, CL_MAP_READ, slice->places_offset,
		slice_run_bytes(run, slice), 0, NULL, NULL, &rc);
	if (!run->records[which])
		err_set(err, ERR_DEVICE, "the records cannot be read from the device: %d", rc);
	return run->records[which];
}

void slice_run_unmap(struct slice_run *run, unsigned which)
{
	const struct engine *e;

	if (!run->records[which])
		return;
	e = run->job->engine;
	(void)opencl_real()->clEnqueueUnmapMemObject(e->queue, e->buffers[which].mem,
	                                             run->records[which], 0, NULL, NULL);
	run->records[which] = NULL;
}
