/*
 * launch_capture - whether a launch is one that we may take over, and its local size.
 *
 * A call that the driver would refuse must reach the driver as it is, so that
 * the application sees the driver's own error.
 */
#ifndef LAUNCH_CAPTURE_H
#define LAUNCH_CAPTURE_H

#include "launch_job.h"
#include "launch_shape.h"
#include "opencl.h"

#include <stdbool.h>

struct engine;
struct err;
struct launch_request;
struct session;

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
 * local_choice - the local size of a launch for which the application gives none.
 *
 * A driver with clGetKernelSuggestedLocalWorkSize (KHR, or INTEL's of that name) is asked about
 * this very kernel. The others are asked with a kernel of our own, which serves where the two may
 * be alike.
 */

/*
 * Fill shape->local with what the driver would choose for the request, of which shape has the rest.
 * Returns 0, or ERR_DEVICE when that is not known; the launch must then go to the driver as it is.
 */
int local_choice_find(struct engine *e, struct session *s, const struct launch_request *request,
                      struct launch_shape *shape, struct err *err);

/*
 * Make the local size that a driver chose smaller where its groups have more work-items than the
 * user wants (--max-group) or, unless he says so, on a processor, than GPUs take: 1,024. It divides
 * the global size. Left alone is what could only be cut into groups that leave most of a warp
 * empty.
 */
void local_choice_limit(const struct engine *e, const struct session *s,
                        struct launch_shape *shape);

#endif
