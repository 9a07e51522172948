/*
 * gpu_launch - a launch of the application, from its call to its line in the recording.
 *
 * It runs in the application's call, in its stream, in slices, and is waited for there. That is
 * possible in CUDA and not in OpenCL: what a stream waits for was put there before, by calls that
 * have returned, so waiting always ends; a wait for an event that was not recorded yet returns
 * at once. So the order of streams, events, their times and the default stream's rules are the
 * driver's, without anything of ours between. The exceptions are streams that wait for the program
 * itself and kernels that do, which must not be selected.
 *
 * What cannot be recorded runs as it is, and the recording says why.
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

/* The application's launch as it is, between copies of its module's variables where there are. */
CUresult gpu_launch_original(const struct gpu_request *request, const struct gpu_module *m);

/* `groups` groups of the shadow instead, with the address of its records as one more value. */
CUresult gpu_launch_shadow(const struct gpu_job *job, const uint64_t groups[3],
                           CUdeviceptr records);

/* What an address points into becomes what is known of the argument. */
void gpu_launch_identify(const struct gpu_job *job, size_t argument, uint64_t address);

/*
 * Run a job that is recordable: its effects take place once, its line is completed. False: nothing
 * has run, and *why says why. *code gets what the application gets.
 */
bool gpu_launch_run(struct gpu_job *job, CUresult *code, struct err *why);

/*
 * gpu_attributes - what the attributes of a launch mean for running it in slices.
 */

/* What a launch has that cannot run in slices, static; NULL: nothing. `config` may be NULL. */
const char *gpu_attributes_refused(const struct cuda_launch_config *config);

/* Whether they ask for all groups at a time. */
bool gpu_attributes_are_cooperative(const struct cuda_launch_config *config);

/* Copy those that a slice gets to `out`, which has room for all; returns how many. */
unsigned gpu_attributes_pass(const struct cuda_launch_config *config,
                             struct cuda_launch_attribute *out);

#endif
