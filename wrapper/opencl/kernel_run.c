/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_run.h"

#include "clock.h"
#include "engine.h"
#include "launch_job.h"
#include "recorder.h"
#include "session.h"
#include "svm_hold.h"

#include <string.h>

cl_int kernel_run_values(cl_kernel kernel, const struct kernel_value *values, cl_uint count,
                         const struct kernel_fact *facts)
{
	const struct opencl_real *real = opencl_real();
	cl_int rc = CL_SUCCESS;

	for (cl_uint i = 0; i < count && rc == CL_SUCCESS; i++) {
		const struct kernel_value *v = &values[i];
		void *pointer;

		if (v->pointer != POINTER_BY_NONE && v->data) {
			memcpy(&pointer, v->data, sizeof(pointer));
			rc = shared_memory_pass(v->pointer, kernel, i, pointer);
		} else {
			rc = real->clSetKernelArg(kernel, i, v->bytes, v->data);
		}
	}
	for (size_t i = 0; i < KERNEL_FACTS && rc == CL_SUCCESS; i++)
		if (facts[i].data)
			rc = shared_memory_tell(kernel, &facts[i]);
	return rc;
}

cl_int kernel_run_arguments(const struct launch_job *job, cl_kernel kernel)
{
	return kernel_run_values(kernel, job->values, job->value_count, job->facts);
}

void kernel_run_times(cl_event event, struct kernel_times *times)
{
	const struct opencl_real *real = opencl_real();

	*times = (struct kernel_times){ 0 };
	if (real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(times->start),
	                                  &times->start, NULL) ||
	    real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(times->end),
	                                  &times->end, NULL))
		*times = (struct kernel_times){ 0 };
}

/* Wait for all that is on our queue. What counts is how the kernel ended, if the driver says so. */
static cl_int wait_for(cl_command_queue queue, cl_event event)
{
	const struct opencl_real *real = opencl_real();
	cl_int status = CL_QUEUED, rc = CL_SUCCESS;

	for (int tries = 0; tries < 2; tries++) {
		rc = real->clFinish(queue);
		if (real->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		                         &status, NULL) == CL_SUCCESS &&
		    status <= CL_COMPLETE)
			return status;
		if (rc == CL_SUCCESS)
			return rc;
	}
	return rc;
}

cl_int kernel_run_range(const struct launch_job *job, cl_kernel kernel,
                        const struct kernel_range *range, bool *has_started,
                        struct kernel_times *times)
{
	const struct opencl_real *real = opencl_real();
	size_t offset[3], global[3], local[3];
	uint64_t since = clock_now_ns();
	cl_event event = NULL;
	cl_int rc;

	*has_started = false;
	for (int i = 0; i < 3; i++) {
		offset[i] = (size_t)range->offset[i];
		global[i] = (size_t)range->global[i];
		local[i] = (size_t)job->shape.local[i];
	}
	rc = real->clEnqueueNDRangeKernel(job->engine->queue, kernel, job->shape.dimensions, offset,
	                                  global, local, 0, NULL, &event);
	if (rc != CL_SUCCESS)
		return rc;
	*has_started = true;
	rc = wait_for(job->engine->queue, event);
	kernel_run_times(event, times);
	real->clReleaseEvent(event);
	if (times->end > times->start)
		recorder_worked(job->session->recorder, RECORDER_KERNELS,
		                times->end - times->start);
	if (times->end > times->start)
		work_clock_part(job->session, RECORDER_DRIVER, since, times->end - times->start);
	return rc;
}

/* Set the arguments and run the job's whole range; as kernel_run_range(). */
static cl_int run_whole(const struct launch_job *job, cl_kernel kernel, bool *has_started,
                        struct kernel_times *times)
{
	cl_int rc = kernel_run_arguments(job, kernel);
	struct kernel_range all;

	*has_started = false;
	if (rc != CL_SUCCESS)
		return rc;
	memcpy(all.offset, job->shape.offset, sizeof(all.offset));
	memcpy(all.global, job->shape.global, sizeof(all.global));
	return kernel_run_range(job, kernel, &all, has_started, times);
}

cl_int kernel_run_shadow(const struct launch_job *job, bool *has_started,
                         struct kernel_times *times)
{
	cl_int rc = CL_SUCCESS;
	cl_kernel kernel =
		opencl_real()->clCreateKernel(job->shadow.program, job->shadow.table->name, &rc);

	*has_started = false;
	if (!kernel)
		return rc;
	rc = run_whole(job, kernel, has_started, times);
	opencl_real()->clReleaseKernel(kernel);
	return rc;
}

cl_int kernel_run_clone(cl_kernel kernel, const char *name, cl_kernel *clone)
{
	const struct opencl_real *real = opencl_real();
	cl_program program = NULL;
	cl_int rc = real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program),
	                                  (void *)&program, NULL);

	*clone = rc == CL_SUCCESS ? real->clCreateKernel(program, name, &rc) : NULL;
	return rc;
}

cl_int kernel_run_original(const struct launch_job *job, struct kernel_times *times)
{
	cl_kernel clone;
	bool has_started;
	/* A clone, since the application may be setting new arguments on its own. */
	cl_int rc = kernel_run_clone(job->original, job->shadow.table->name, &clone);

	if (rc == CL_SUCCESS)
		rc = run_whole(job, clone, &has_started, times);
	if (clone)
		opencl_real()->clReleaseKernel(clone);
	return rc;
}
