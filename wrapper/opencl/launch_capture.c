/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_capture.h"

#include "array.h"
#include "device_info.h"
#include "direct_launch.h"
#include "engine.h"
#include "err.h"
#include "held_objects.h"
#include "launch_job.h"
#include "launch_run.h"
#include "opencl_session.h"
#include "program_state.h"
#include "recorder.h"
#include "session.h"
#include "session_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool launch_check_place(const struct launch_request *r, struct launch_place *place)
{
	const struct opencl_real *real = opencl_real();
	cl_context of_kernel = NULL;

	return real->clGetCommandQueueInfo(r->queue, CL_QUEUE_CONTEXT, sizeof(place->context),
	                                   (void *)&place->context, NULL) == CL_SUCCESS &&
	       real->clGetCommandQueueInfo(r->queue, CL_QUEUE_DEVICE, sizeof(place->device),
	                                   (void *)&place->device, NULL) == CL_SUCCESS &&
	       real->clGetKernelInfo(r->kernel, CL_KERNEL_CONTEXT, sizeof(of_kernel),
	                             (void *)&of_kernel, NULL) == CL_SUCCESS &&
	       of_kernel == place->context;
}

/* Read the sizes. False: no device takes them. */
static bool read_shape(const struct launch_request *r, struct launch_shape *shape)
{
	if (r->work_dim < 1 || r->work_dim > 3 || !r->global)
		return false;
	*shape = (struct launch_shape){ .dimensions = r->work_dim };
	for (cl_uint i = 0; i < 3; i++) {
		bool is_used = i < r->work_dim;

		shape->global[i] = is_used ? r->global[i] : 1;
		shape->offset[i] = is_used && r->offset ? r->offset[i] : 0;
		shape->local[i] = is_used && r->local ? r->local[i] : 1;
		if (!shape->global[i] || !shape->local[i] ||
		    shape->offset[i] > SIZE_MAX - shape->global[i])
			return false;
	}
	return true;
}

/* Whether the device and the kernel take these sizes. */
static bool fits_device(const struct launch_request *r, const struct launch_shape *shape,
                        cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	size_t most[16] = { 0 }, required[3] = { 0 }, most_items = 0;
	uint64_t items = 1;

	if (real->clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(most), most,
	                          NULL) ||
	    real->clGetKernelWorkGroupInfo(r->kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
	                                   sizeof(most_items), &most_items, NULL) ||
	    real->clGetKernelWorkGroupInfo(r->kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
	                                   sizeof(required), required, NULL))
		return false;
	for (cl_uint i = 0; i < 3; i++) {
		if (i < r->work_dim && shape->local[i] > most[i])
			return false;
		if (required[0] && (!r->local || shape->local[i] != required[i]))
			return false;
		items *= shape->local[i];
	}
	return items <= most_items;
}

static bool has_local_memory(const struct launch_request *r, struct launch_job *job,
                             cl_device_id device)
{
	uint64_t there_is = device_info_number(device, CL_DEVICE_LOCAL_MEM_SIZE);
	cl_ulong bytes = 0;

	if (opencl_real()->clGetKernelWorkGroupInfo(r->kernel, device, CL_KERNEL_LOCAL_MEM_SIZE,
	                                            sizeof(bytes), &bytes, NULL))
		return false;
	job->local_bytes = bytes;
	return bytes <= there_is;
}

/*
 * Once job->shadow is known: set job->local_bytes from the kernel's table where that is more
 * accurate than the driver (kernel_table.h).
 */
static void launch_check_own_memory(struct launch_job *job)
{
	const struct kernel_table *facts = job->shadow.facts;
	uint64_t bytes;

	if (!facts || facts->argument_count != job->value_count)
		return;
	bytes = facts->local_bytes;
	for (cl_uint i = 0; i < job->value_count; i++)
		if (facts->arguments[i].space == SPACE_LOCAL && job->values[i].bytes)
			bytes += job->values[i].bytes - facts->is_local_exact;
	if (facts->is_local_exact || bytes > job->local_bytes)
		job->local_bytes = bytes;
}

/*
 * Check a request whose kernel and values are in *job. True: *place is set, and the job's shape
 * (local 1x1x1 when the application gave none) and local_bytes. Groups that are smaller at the end
 * of a dimension pass, since some drivers accept them. False: let the driver judge.
 */
static bool launch_check(const struct launch_request *request, struct launch_job *job,
                         struct launch_place *place)
{
	if (!launch_check_place(request, place) || !read_shape(request, &job->shape) ||
	    !fits_device(request, &job->shape, place->device) ||
	    !has_local_memory(request, job, place->device))
		return false;
	for (cl_uint i = 0; i < job->value_count; i++)
		if (!job->values[i].is_set)
			return false;
	return (!request->wait_count) == (!request->wait_list);
}

/* Whether a launch of this shape has groups that are smaller at the end of a dimension. */
static bool uneven_groups_are_in(const struct launch_shape *shape)
{
	for (int d = 0; d < 3; d++)
		if (shape->global[d] % shape->local[d])
			return true;
	return false;
}

/* Whether the device takes such groups: OpenCL 3.0 has a query; devices of 2.x do. */
static bool device_takes(cl_device_id device)
{
	cl_bool is_so = CL_FALSE;
	char *version;
	bool is_2;

	if (opencl_real()->clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
	                                   sizeof(is_so), &is_so, NULL) == CL_SUCCESS)
		return is_so;
	version = device_info_text(device, CL_DEVICE_VERSION, NULL);
	is_2 = version && strncmp(version, "OpenCL 2.", strlen("OpenCL 2.")) == 0;
	free(version);
	return is_2;
}

/* Returns the options of the kernel's program, on the heap, or NULL. */
static char *options_of(cl_kernel kernel, cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	cl_program program = NULL;
	size_t bytes = 0;
	char *options = NULL;

	if (real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), (void *)&program,
	                          NULL) ||
	    real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, 0, NULL, &bytes))
		return NULL;
	options = array_alloc(bytes + 1, 1, "build options", NULL);
	if (options && real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, bytes,
	                                           options, NULL)) {
		free(options);
		options = NULL;
	}
	return options;
}

/*
 * Whether the driver certainly takes such groups for this kernel on this device: the device and the
 * program's build options must be of OpenCL 2.0 or later, and neither may have opted out.
 */
static bool uneven_groups_are_taken(cl_kernel kernel, cl_device_id device)
{
	char *options = device_takes(device) ? options_of(kernel, device) : NULL;
	const char *standard = options ? strstr(options, "-cl-std=CL") : NULL;
	bool is_new = standard && (standard[strlen("-cl-std=CL")] == '2' ||
	                           standard[strlen("-cl-std=CL")] == '3');

	if (is_new && strstr(options, "-cl-uniform-work-group-size"))
		is_new = false;
	free(options);
	return is_new;
}

/* Group size that every GPU takes, and the size of a warp (half of one on some AMD GPUs). */
#define GPU_ITEMS 1024

#define WARP_ITEMS 32

/* Ask the driver about the application's own kernel and queue. */
static bool ask_driver(const struct launch_request *r, struct launch_shape *shape)
{
	const struct opencl_ext *ext = opencl_ext_of(r->queue);
	size_t local[3] = { 1, 1, 1 };
	cl_int rc = CL_INVALID_OPERATION;

	if (ext->clGetKernelSuggestedLocalWorkSizeKHR)
		rc = ext->clGetKernelSuggestedLocalWorkSizeKHR(r->queue, r->kernel, r->work_dim,
		                                               r->offset, r->global, local);
	else if (ext->clGetKernelSuggestedLocalWorkSizeINTEL)
		rc = ext->clGetKernelSuggestedLocalWorkSizeINTEL(r->queue, r->kernel, r->work_dim,
		                                                 r->offset, r->global, local);
	if (rc != CL_SUCCESS)
		return false;
	for (cl_uint d = 0; d < r->work_dim && d < 3; d++) {
		if (!local[d])
			return false;
		shape->local[d] = local[d];
	}
	return true;
}

/* Whether the kernel takes groups that large: if not, the driver would have chosen another size. */
static bool is_taken(const struct engine *e, cl_kernel kernel, const struct launch_shape *shape)
{
	size_t most = 0;

	if (opencl_real()->clGetKernelWorkGroupInfo(kernel, e->device, CL_KERNEL_WORK_GROUP_SIZE,
	                                            sizeof(most), &most, NULL) != CL_SUCCESS)
		return true;
	return shape->local[0] * shape->local[1] * shape->local[2] <= most;
}

int local_choice_find(struct engine *e, struct session *s, const struct launch_request *request,
                      struct launch_shape *shape, struct err *err)
{
	if (ask_driver(request, shape))
		return 0;
	if (engine_choose_local(e, s, shape, err) < 0)
		return ERR_DEVICE;
	if (!is_taken(e, request->kernel, shape))
		return err_set(
			err, ERR_DEVICE,
			"the local size that the device chooses for this kernel is not known");
	return 0;
}

/* Maximum number of work-items of a group if the program gives no local size. */
static uint64_t most_items(const struct engine *e, const struct session *s)
{
	if (s->settings.max_group)
		return s->settings.max_group;
	return device_info_number(e->device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU ? GPU_ITEMS
	                                                                          : UINT64_MAX;
}

/* Returns the largest divisor of n that is at most `most` (> 0). */
static uint64_t divisor(uint64_t n, uint64_t most)
{
	while (n % most)
		most--;
	return most;
}

void local_choice_limit(const struct engine *e, const struct session *s, struct launch_shape *shape)
{
	uint64_t most = most_items(e, s), local[3], items = 1;

	for (int d = 0; d < 3; d++) {
		local[d] = shape->local[d];
		items *= local[d];
	}
	/* x last, because neighbours in a warp are neighbours in x. */
	for (int d = 2; d >= 0 && items > most; d--) {
		uint64_t others = items / local[d];

		local[d] = divisor(shape->global[d], others < most ? most / others : 1);
		items = others * local[d];
	}
	if (items > most || (items < WARP_ITEMS && items < most))
		return;
	for (int d = 0; d < 3; d++)
		shape->local[d] = local[d];
}

/* From a request to a job that needs nothing from the application any more. */

/* Maximum number of work-items of a launch that may be small (recording_writer_is_small()). */
#define BRIEF_ITEMS (UINT64_C(1) << 15)

/* Copy the kernel's values, build and name that the request means. False: the kernel is not known.
 */
static bool copy_kernel(struct session *s, const struct launch_request *r, struct launch_job *job,
                        char **name)
{
	const struct kernel_state *state;
	bool is_copied = false;

	session_lock(s);
	state = r->then ? r->then : handle_map_get(&opencl_session(s)->kernels, r->kernel);
	if (state) {
		job->build = program_build_retain(state->build);
		job->is_repeatable = true;
		job->value_count = state->value_count;
		job->values = calloc((size_t)state->value_count + 1, sizeof(*job->values));
		*name = strdup(state->name);
		is_copied = *name && job->values && !state->has_lost_facts &&
		            kernel_facts_copy(job->facts, state->facts) &&
		            kernel_values_copy(job->values, state->values, state->value_count);
	}
	session_unlock(s);
	return is_copied;
}

/* Fill in the buffer of a pointer argument. Called with the session's lock held. */
static void identify(struct session *s, const struct kernel_value *value, struct job_argument *a)
{
	const struct memory_state *memory = NULL;
	if (value->pointer != POINTER_BY_NONE) {
		session_memory_identify(s, (uint64_t)(uintptr_t)kernel_value_handle(value), a);
		return;
	}
	*a = (struct job_argument){ .buffer_id = -1, .has_pointer = kernel_value_handle(value) };
	memory = handle_map_get(&opencl_session(s)->memory, kernel_value_handle(value));
	if (memory && memory->is_buffer) {
		a->buffer_id = memory->buffer_id;
		a->buffer_bytes = memory->bytes;
	}
}

/* Retain what the launch needs until it is done. False: the driver refuses, or memory ran out. */
static bool hold(struct session *s, struct launch_job *job)
{
	const struct kernel_argument *known = job->shadow.table->arguments;

	for (cl_uint i = 0; i < job->value_count; i++)
		if (!held_objects_add_value(s, &job->held, &known[i], &job->values[i]))
			return false;
	for (size_t i = 0; i < KERNEL_FACTS; i++)
		if (!held_objects_add_fact(s, &job->held, &job->facts[i]))
			return false;
	return true;
}

static bool capture_arguments(struct session *s, struct launch_job *job, cl_command_queue queue)
{
	job->arguments = calloc((size_t)job->value_count + 1, sizeof(*job->arguments));
	if (!job->arguments)
		return false;
	session_lock(s);
	for (cl_uint i = 0; i < job->value_count; i++)
		identify(s, &job->values[i], &job->arguments[i]);
	session_unlock(s);
	job->is_repeatable =
		job->is_repeatable && launch_run_is_repeatable(job->shadow.table, job->arguments);
	direct_launch_prepare(job, queue);
	return (job->direct && !job->direct->is_gated) || hold(s, job);
}

bool launch_shape_is_brief(const struct launch_shape *shape)
{
	uint64_t items = shape->global[0];

	return items <= BRIEF_ITEMS && shape->global[1] <= BRIEF_ITEMS / items &&
	       shape->global[2] <= BRIEF_ITEMS / (items * shape->global[1]);
}

/* Whether the user wants it recorded; the refusal gets the answers, too. */
static bool is_wanted(struct session *s, struct launch_job *job, struct launch_refusal *refusal)
{
	struct launch_shape meant = refusal->wish.shape;
	bool is_wanted_now;

	if (!refusal->is_recordable)
		return job->wish.is_selected;
	is_wanted_now = launch_wish_ask(s, &job->wish, launch_shape_is_brief(&job->shape));
	job->selection = s->filter.groups;
	refusal->wish = job->wish;
	refusal->wish.shape = meant;
	if (job->wish.quota == QUOTA_ENDED)
		launch_quota_end(&s->quota, refusal->reason);
	return is_wanted_now;
}

/*
 * Fill in what the recording says of a launch, whoever runs it. False: the driver must run it. *err
 * says why it can be run but not recorded.
 */
static bool describe(struct session *s, const struct launch_request *r, const char *name,
                     struct launch_job *job, struct launch_refusal *refusal, struct err *err)
{
	struct launch_place place;

	if (!launch_check(r, job, &place)) {
		snprintf(refusal->reason, sizeof(refusal->reason),
		         "of sizes or arguments that the driver should refuse");
		return false;
	}
	job->engine = engine_get(s, place.context, place.device, err);
	if (!r->local && (!job->engine || local_choice_find(job->engine, s, r, &job->shape, err)))
		job->shape.local[0] = job->shape.local[1] = job->shape.local[2] = 1;
	if (!program_build_kernel(job->build, s, name, place.device, &job->shadow)) {
		snprintf(refusal->reason, sizeof(refusal->reason), "%.120s: %s", name,
		         program_notify_is_running()
		                 ? "first launched inside a callback of the driver's compiler"
		                 : "the recorder has no code of it for this device, or the "
		                   "recording is closed");
		return false;
	}
	launch_check_own_memory(job);
	refusal->wish.shape = job->shape;
	if (!r->local && job->engine && job->shadow.program)
		local_choice_limit(job->engine, s, &job->shape);
	refusal->is_recordable = launch_shape_check(&job->shape, err) == 0;
	refusal->wish.local_bytes = job->local_bytes;
	refusal->wish.kernel_id = job->shadow.kernel_id;
	refusal->wish.tally = job->shadow.tally;
	refusal->wish.is_selected = job->shadow.is_selected;
	refusal->wish.left_out_by = TALLY_KERNEL;
	job->wish = refusal->wish;
	job->wish.shape = job->shape;
	if (!uneven_groups_are_in(&job->shape) || uneven_groups_are_taken(r->kernel, place.device))
		return true;
	snprintf(refusal->reason, sizeof(refusal->reason),
	         "its last work-groups are smaller, which the driver should refuse");
	return false;
}

/* Whether the instrumented kernel can run it; the refusal gets the reason if not. */
static bool is_traceable(struct launch_job *job, struct launch_refusal *refusal,
                         const struct err *err)
{
	if (!job->shadow.program)
		snprintf(refusal->reason, sizeof(refusal->reason), "%s",
		         job->shadow.reason ? job->shadow.reason : "out of memory");
	else if (err->code)
		snprintf(refusal->reason, sizeof(refusal->reason), "%.255s", err->msg);
	else if (!shadow_kernel_takes(&job->shadow, job->shape.local))
		snprintf(refusal->reason, sizeof(refusal->reason),
		         "its work-groups are larger than the %zu work-items that the instrumented "
		         "kernel takes",
		         job->shadow.most_items);
	else if (job->shadow.table->argument_count != job->value_count)
		snprintf(refusal->reason, sizeof(refusal->reason),
		         "the instrumenter saw %zu arguments and the driver %u",
		         job->shadow.table->argument_count, job->value_count);
	return !*refusal->reason;
}

/* Whether the recorder runs it. */
static bool prepare(struct session *s, const struct launch_request *r, const char *name,
                    struct launch_job *job, struct launch_refusal *refusal)
{
	struct err err = { 0 };

	if (!describe(s, r, name, job, refusal, &err))
		return false;
	refusal->is_unselected = !is_wanted(s, job, refusal);
	if (refusal->is_unselected || refusal->wish.quota == QUOTA_ENDED)
		return false;
	if (!is_traceable(job, refusal, &err))
		return false;
	if (!capture_arguments(s, job, r->then ? NULL : r->queue))
		snprintf(refusal->reason, sizeof(refusal->reason),
		         "the objects in its arguments cannot be retained");
	return !*refusal->reason;
}

/* Create a job with the kernel's values, and get the kernel's name; NULL with the reason. */
static struct launch_job *begin_job(struct session *s, const struct launch_request *request,
                                    char **name, struct launch_refusal *refusal)
{
	struct launch_job *job = calloc(1, sizeof(*job));

	*name = NULL;
	*refusal = (struct launch_refusal){ .reason = "out of memory" };
	if (!job)
		return NULL;
	*refusal->reason = '\0';
	job->session = s;
	held_objects_init(&job->held);
	atomic_init(&job->awaited, 2);
	if (copy_kernel(s, request, job, name))
		return job;
	snprintf(refusal->reason, sizeof(refusal->reason),
	         "of a kernel that the recorder has not seen made");
	free(*name);
	launch_job_free(job);
	return NULL;
}

bool launch_job_describe(struct session *s, const struct launch_request *request,
                         struct launch_refusal *refusal)
{
	char *name;
	struct launch_job *job = begin_job(s, request, &name, refusal);
	struct err err = { 0 };
	bool is_good;

	if (!job)
		return false;
	is_good = describe(s, request, name, job, refusal, &err);
	refusal->is_unselected = refusal->is_recordable && !job->shadow.is_selected;
	is_good = is_good && !refusal->is_unselected && is_traceable(job, refusal, &err);
	free(name);
	launch_job_free(job);
	return is_good;
}

static bool retain_kernel(struct launch_job *job, cl_kernel kernel)
{
	if (!held_objects_add(job->session, &job->held, HELD_KERNEL, kernel))
		return false;
	job->original = kernel;
	return true;
}

struct launch_job *launch_job_capture(struct session *s, const struct launch_request *request,
                                      struct launch_refusal *refusal)
{
	char *name;
	struct launch_job *job = begin_job(s, request, &name, refusal);
	bool is_good;

	if (!job)
		return NULL;
	is_good = prepare(s, request, name, job, refusal);
	free(name);
	if (is_good &&
	    ((job->direct && !job->direct->is_gated) || retain_kernel(job, request->kernel)))
		return job;
	launch_job_free(job);
	return NULL;
}

bool launch_job_retain_objects(struct launch_job *job, cl_kernel original)
{
	return job->original || (hold(job->session, job) && retain_kernel(job, original));
}
