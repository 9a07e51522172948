/*
 * launch_capture - a launch as the application requests it, and whether the recorder runs it. If
 * so, it becomes a job that needs nothing from the application any more.
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

/* A call of clEnqueueNDRangeKernel() or clEnqueueTask(), or a launch of a command buffer. Owns
 * nothing; lives as long as the call. */
struct launch_request {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_uint work_dim;
	const size_t *offset, *global, *local;
	cl_uint wait_count;
	const cl_event *wait_list;
	cl_event *event;
	bool is_task;
	const struct kernel_state
		*then; /* state of the kernel when it was recorded; NULL: its present state */
};

/* Where it runs. */
struct launch_place {
	cl_context context;
	cl_device_id device;
};

/* Find the place. False: the driver does not know the queue or the kernel, or their contexts
 * differ. */
bool launch_check_place(const struct launch_request *request, struct launch_place *place);

/* Why a launch is not recorded: a reason, or it was not selected, or it exceeded a limit
 * (wish.quota). */
struct launch_refusal {
	bool is_recordable; /* its line can be written: the fields below are set */
	bool is_unselected;
	struct launch_wish wish; /* of the shape that the application meant */
	char reason[256];        /* "" when the driver is expected to refuse the call */
};

/* Whether a launch is so small that its line is written when it is done. */
bool launch_shape_is_brief(const struct launch_shape *shape);

/*
 * Capture everything of a request that the application may change once the call returns. NULL with
 * *refusal filled when the driver is to run the launch unmodified.
 */
struct launch_job *launch_job_capture(struct session *s, const struct launch_request *request,
                                      struct launch_refusal *refusal);

/*
 * Fill *refusal with what the recording says of a request if the driver runs it; its reason is why
 * the recorder could not have run it, or "". True: the kernel is selected and, as far as can be
 * known in advance, the launch would be recorded.
 */
bool launch_job_describe(struct session *s, const struct launch_request *request,
                         struct launch_refusal *refusal);

/* Retain again what launch_job_release_objects() released, while the application is still in its
 * call. False: not all could be retained. */
bool launch_job_retain_objects(struct launch_job *job, cl_kernel original);

/*
 * Enqueue a launch, recorded if that is possible and it is selected; else the driver runs it and
 * the recording names it. Returns the driver's code; the event, if requested, is the application's.
 */
cl_int launch_enqueue(const struct launch_request *request);

/* Write the line and the fate of a launch that the driver has accepted, or will not run. */
void launch_refusal_record(struct session *s, struct launch_refusal *refusal);

/*
 * local_choice - the local size of a launch without one.
 *
 * A driver with clGetKernelSuggestedLocalWorkSizeKHR() or the function of that name with INTEL is
 * asked about the kernel itself. Others run a kernel of the recorder's own, if the answer for it is
 * likely to be the same.
 */

/*
 * Fill shape->local with what the driver would choose for the request; *shape has its other sizes.
 * Returns 0, or ERR_DEVICE when that is not known: the driver must then run the launch.
 */
int local_choice_find(struct engine *e, struct session *s, const struct launch_request *request,
                      struct launch_shape *shape, struct err *err);

/*
 * Shrink the local size that a driver chose to at most --max-group work-items or, without that
 * option and on a CPU, to 1,024, the maximum of GPUs. It still divides the global size. A size
 * stays if it could only be divided into groups that leave most of a warp empty.
 */
void local_choice_limit(const struct engine *e, const struct session *s,
                        struct launch_shape *shape);

#endif
