/*
 * kernel_run - a kernel object of ours, with a job's arguments, over the job's range or a part.
 *
 * On our own queue, waited for. Serves the instrumented kernel and, when that
 * cannot start, a clone of the application's own.
 */
#ifndef KERNEL_RUN_H
#define KERNEL_RUN_H

#include "kernel_state.h"
#include "opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct launch_job;

/* Device time of a run, ns; zeros when the driver does not say. */
struct kernel_times {
	cl_ulong start, end;
};

/* When a finished command ran; zeros when the driver does not say. */
void kernel_run_times(cl_event event, struct kernel_times *times);

/* Set all arguments and SVM facts that the application has set. Returns the driver's code. */
cl_int kernel_run_arguments(const struct launch_job *job, cl_kernel kernel);

/* The same of `count` values and KERNEL_FACTS facts that no job has. */
cl_int kernel_run_values(cl_kernel kernel, const struct kernel_value *values, cl_uint count,
                         const struct kernel_fact *facts);

/* Another kernel object of a kernel that has this name, without arguments: *clone, which the caller
 * releases, or NULL. Returns the driver's code. */
cl_int kernel_run_clone(cl_kernel kernel, const char *name, cl_kernel *clone);

/* Work-items to run, in the dimensions of the job's launch. */
struct kernel_range {
	uint64_t offset[3], global[3];
};

/*
 * Run a range and wait. Returns CL_SUCCESS, or the driver's code; *has_started is whether the
 * kernel may have had effects. *times is set on success.
 */
cl_int kernel_run_range(const struct launch_job *job, cl_kernel kernel,
                        const struct kernel_range *range, bool *has_started,
                        struct kernel_times *times);

/* Run the shadow kernel over the whole range without a buffer for records; as kernel_run_range().
 */
cl_int kernel_run_shadow(const struct launch_job *job, bool *has_started,
                         struct kernel_times *times);

/* Run a clone of the application's kernel, as the application would have. Returns its code. */
cl_int kernel_run_original(const struct launch_job *job, struct kernel_times *times);

#endif
