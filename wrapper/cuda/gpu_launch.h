/*
 * gpu_launch - a launch of the application, from its call to its line in the recording.
 *
 * It runs in slices, in the application's stream, and the application's call waits for it. Unlike
 * in OpenCL that is safe: a stream only waits for work that calls enqueued before, so waiting
 * always ends; a wait for an event that is not recorded yet returns at once. The order of streams,
 * events, their times and the default stream's rules therefore remain the driver's. The exceptions
 * are streams that wait for the program itself and kernels that do, which must not be selected.
 *
 * A launch that cannot be recorded runs unmodified, and the recording says why.
 */
#ifndef GPU_LAUNCH_H
#define GPU_LAUNCH_H

#include "cuda_driver.h"
#include "gpu_module.h"
#include "launch_wish.h"
#include "session_memory.h"

#include <stdbool.h>
#include <stddef.h>

struct cuda_launch_attribute;
struct cuda_launch_config;
struct err;
struct group_selection;

/* The call; all borrowed. */
struct gpu_request {
	CUfunction function;
	unsigned groups[3], items[3];
	unsigned shared_bytes;
	CUstream stream;
	void **values, **extra;
	bool is_cooperative;                     /* by cuLaunchCooperativeKernel() */
	const struct cuda_launch_config *config; /* by cuLaunchKernelEx(), or NULL */
};

struct gpu_job {
	struct session *session;
	const struct gpu_request *request;
	struct gpu_function *function; /* a reference to its module */
	bool is_kernel;                /* the request names a CUkernel */
	struct gpu_line line;
	CUdevice device;
	CUcontext context;
	CUfunction shadow;
	struct launch_shape shape;
	const struct group_selection *selection; /* groups to record; NULL: all */
	bool is_whole;                           /* its groups wait for each other: one slice */
	bool is_repeatable;                      /* a slice may be run again from a snapshot */
	struct job_argument *arguments;          /* of the table */
	struct launch_wish wish;                 /* its number and its line */
};

/* The application's own launch; the variables of its module, if it has any, are copied before and
 * after. */
CUresult gpu_launch_original(const struct gpu_request *request, const struct gpu_module *m);

/* Launch `groups` groups of the shadow instead, with the address of its records as the last value.
 */
CUresult gpu_launch_shadow(const struct gpu_job *job, const uint64_t groups[3],
                           CUdeviceptr records);

/* Note which allocation an argument of the job points into. */
void gpu_launch_identify(const struct gpu_job *job, size_t argument, uint64_t address);

/*
 * Run a recordable job: its effects take place once, its line is completed. *code is for the
 * application. False: nothing has run, for the reason in *why.
 */
bool gpu_launch_run(struct gpu_job *job, CUresult *code, struct err *why);

/*
 * gpu_attributes - what the attributes of a launch mean for running it in slices.
 */

/* The attribute for which a launch cannot run in slices, static; NULL: none. `config` may be NULL.
 */
const char *gpu_attributes_refused(const struct cuda_launch_config *config);

/* Whether they require all groups to run at once. */
bool gpu_attributes_are_cooperative(const struct cuda_launch_config *config);

/* Copy those that a slice gets to `out`, which has room for all. Returns their number. */
unsigned gpu_attributes_pass(const struct cuda_launch_config *config,
                             struct cuda_launch_attribute *out);

#endif
