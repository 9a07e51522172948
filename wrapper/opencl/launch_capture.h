/*
 * launch_capture - a launch as the application asks for it, and whether the recorder runs it: then
 * it becomes a job that needs nothing of the application any more.
 *
 * A call that the driver would refuse must reach the driver unchanged, so that the application sees
 * the driver's own error.
 */
#ifndef LAUNCH_CAPTURE_H
#define LAUNCH_CAPTURE_H

#include "launch_job.h"
#include "launch_shape.h"
#include "launch_wish.h"
#include "opencl.h"

#include <stdbool.h>

struct engine;
struct err;
struct kernel_state;
struct session;

/* A call of clEnqueueNDRangeKernel() or clEnqueueTask(), unchanged, or a launch of a command
 * buffer. Owns nothing; lives as long as the call. */
struct launch_request {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_uint work_dim;
	const size_t *offset, *global, *local;
	cl_uint wait_count;
	const cl_event *wait_list;
	cl_event *event;
	bool is_task;
	const struct kernel_state *then; /* the kernel when it was recorded; NULL: as it is now */
};

/* Where it runs. */
struct launch_place {
	cl_context context;
	cl_device_id device;
};

/* Find the place. False: the driver does not know the queue or the kernel, or their contexts
 * differ. */
bool launch_check_place(const struct launch_request *request, struct launch_place *place);

/* Why a launch is not recorded, or that it was not selected, or exceeded a limit (`quota`). */
struct launch_refusal {
	bool is_recordable; /* its line can be written: the fields below are set */
	bool is_unselected;
	struct launch_wish wish; /* of the shape that the application meant */
	char reason[256];        /* "" when the driver is expected to refuse the call */
};

/* Whether a launch is so short that it gets its line when it is done. */
bool launch_shape_is_brief(const struct launch_shape *shape);

/*
 * Capture a request: everything that the application may change once the call returns. NULL with
 * *refusal filled when the launch is to go to the driver unmodified.
 */
struct launch_job *launch_job_capture(struct session *s, const struct launch_request *request,
                                      struct launch_refusal *refusal);

/*
 * Fill *refusal with what the recording would say of a request that the driver is to run: the
 * reason is why the recorder could not have run it, or "". True: the kernel is selected and, as far
 * as can be known beforehand, the launch would be recorded.
 */
bool launch_job_describe(struct session *s, const struct launch_request *request,
                         struct launch_refusal *refusal);

/* Retain what launch_job_release_objects() gave back, while the application is still in its call.
 * False: not all. */
bool launch_job_retain_objects(struct launch_job *job, cl_kernel original);

/*
 * Enqueue a launch: recorded if possible and selected, else by the driver and named in the
 * recording. Returns the driver's code; the event, if one is asked for, is the application's.
 */
cl_int launch_enqueue(const struct launch_request *request);

/* Write the line and the fate of a launch that the driver has accepted, or will not run. */
void launch_refusal_record(struct session *s, struct launch_refusal *refusal);

/*
 * local_choice - the local size of a launch for which the application gives none.
 *
 * A driver with clGetKernelSuggestedLocalWorkSize (KHR, or INTEL's of that name) is asked about
 * this very kernel. Others are asked with a kernel of the recorder's own where its answer may be
 * the same.
 */

/*
 * Fill shape->local with what the driver would choose for the request, whose other sizes are in
 * shape. Returns 0, or ERR_DEVICE when that is not known; the driver must then run the launch.
 */
int local_choice_find(struct engine *e, struct session *s, const struct launch_request *request,
                      struct launch_shape *shape, struct err *err);

/*
 * Shrink the local size that a driver chose to at most --max-group work-items or, without that
 * option and on a CPU, to 1,024, the most that GPUs take. It still divides the global size. A size
 * that could only be cut into groups that leave most of a warp empty stays.
 */
void local_choice_limit(const struct engine *e, const struct session *s,
                        struct launch_shape *shape);

#endif
