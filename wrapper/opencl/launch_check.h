/*
 * launch_check - whether a launch is one that we may take over.
 *
 * A call that the driver would refuse must reach the driver as it is, so that
 * the application sees the driver's own error.
 */
#ifndef LAUNCH_CHECK_H
#define LAUNCH_CHECK_H

#include "launch_job.h"

/* Where it runs. */
struct launch_place {
	cl_context context;
	cl_device_id device;
};

/* Find it out. False: the driver does not know the queue or the kernel, or they are not of one
 * context. */
bool launch_check_place(const struct launch_request *request, struct launch_place *place);

/*
 * Check a request whose kernel and values are in *job. True: *place is set, and the job's shape
 * (local 1x1x1 when the application gave none) and local_bytes. Groups that are smaller at the end
 * of a dimension pass, since some drivers take them. False: let the driver judge.
 */
bool launch_check(const struct launch_request *request, struct launch_job *job,
                  struct launch_place *place);

/*
 * Once job->shadow is known: where the kernel's table tells its local memory better than the driver
 * (kernel_table.h), job->local_bytes are those.
 */
void launch_check_own_memory(struct launch_job *job);

#endif
