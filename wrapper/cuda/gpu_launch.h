/*
 * gpu_launch - a launch of the application, from the call to its line in the recording.
 *
 * It runs in slices in the application's stream, and the application's call waits for it. Unlike in
 * OpenCL this is safe: a stream waits only for work that was enqueued before, so waiting always
 * ends; a wait for an event that is not recorded yet returns at once. Order, events, times and the
 * rules of the default stream therefore remain the driver's. The exceptions are streams and kernels
 * that wait for the program itself: such kernels must not be selected.
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

/* The application's call. Everything is borrowed. */
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
	bool is_whole;                  /* its groups wait for each other: run as one slice */
	bool is_repeatable;             /* a slice may be run again from a snapshot */
	struct job_argument *arguments; /* argument_count of the table */
	struct launch_wish wish;        /* its number and its line */
};

/* Run the application's own launch. Its module's variables, if any, are copied before and after. */
CUresult gpu_launch_original(const struct gpu_request *request, const struct gpu_module *m);

/* Launch `groups` groups of the shadow, with the address of the records as its last argument.
 */
CUresult gpu_launch_shadow(const struct gpu_job *job, const uint64_t groups[3],
                           CUdeviceptr records);

/* Note the allocation that an argument of the job points into. */
void gpu_launch_identify(const struct gpu_job *job, size_t argument, uint64_t address);

/*
 * Run a recordable job: its effects take place once and its line is completed. *code is for the
 * application. False: nothing has run, for the reason in *why.
 */
bool gpu_launch_run(struct gpu_job *job, CUresult *code, struct err *why);

/*
 * gpu_attributes - what the attributes of a launch mean for running it in slices.
 */

/* Returns the name (static) of an attribute with which a launch cannot run in slices, or NULL.
 * `config` may be NULL.
 */
const char *gpu_attributes_refused(const struct cuda_launch_config *config);

/* Whether the attributes require all groups to run at once. */
bool gpu_attributes_are_cooperative(const struct cuda_launch_config *config);

/* Copy the attributes of a slice to `out`, which has room for all. Returns their number. */
unsigned gpu_attributes_pass(const struct cuda_launch_config *config,
                             struct cuda_launch_attribute *out);

#endif
