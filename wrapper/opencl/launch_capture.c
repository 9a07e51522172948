/* SPDX-License-Identifier: Apache-2.0 */
/* From a request of the application to a job that needs nothing of the application any more. */
#include "array.h"
#include "direct_launch.h"
#include "engine.h"
#include "err.h"
#include "launch_check.h"
#include "launch_job.h"
#include "launch_run.h"
#include "local_choice.h"
#include "memory_state.h"
#include "opencl_session.h"
#include "program_notify.h"
#include "recorder.h"
#include "session_memory.h"
#include "uneven_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work-items of a launch that may be small (recording_writer_is_small()). */
#define BRIEF_ITEMS (UINT64_C(1) << 15)

/* The kernel's values, build and name as the request means them. False: the kernel is not known. */
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

/* What is known of a pointer argument: its buffer. The session's lock must be held. */
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

/* Hold what the launch needs until it is done. False when the driver refuses, or memory ran out. */
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

/* Whether the user wants it; the refusal knows the answers, too. */
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
 * What there is to say of a launch whoever runs it, in the order in which the refusal learns it.
 * False: it is not one that we may take over. *err tells what only recording lacks.
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

/* Why the instrumented kernel cannot run it, in the refusal. True: it can. */
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

/* Whether we take it over. */
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
		         "the objects in its arguments cannot be held");
	return !*refusal->reason;
}

/* A job that knows the kernel's values, with the kernel's name; NULL with the reason. */
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

bool launch_job_hold(struct launch_job *job, cl_kernel original)
{
	return job->original || (hold(job->session, job) && retain_kernel(job, original));
}

void launch_job_free_later(struct launch_job *job)
{
	struct session *s = job->session;
	struct launch_job *first = atomic_load(&opencl_session(s)->done);

	do
		job->next = first;
	while (!atomic_compare_exchange_weak(&opencl_session(s)->done, &first, job));
}

void launch_job_free_done(struct session *s)
{
	struct launch_job *job = atomic_load_explicit(&opencl_session(s)->done,
	                                              memory_order_relaxed),
			  *next;

	if (!job)
		return;
	for (job = atomic_exchange(&opencl_session(s)->done, NULL); job; job = next) {
		next = job->next;
		launch_job_free(job);
	}
}

void launch_job_let_go(struct launch_job *job)
{
	held_objects_let_go(job->session, &job->held);
	job->original = NULL;
}

void launch_job_free(struct launch_job *job)
{
	const struct opencl_real *real = opencl_real();

	if (!job || !waiting_jobs_may_free(job))
		return;
	launch_job_let_go(job);
	if (job->head)
		real->clReleaseEvent(job->head);
	if (job->user_event)
		own_objects_release_event(job->engine->context, job->user_event);
	event_times_release(job->session, job->times);
	direct_launch_free(job);
	engine_release(job->engine);
	program_build_release(job->build);
	kernel_values_free(job->values, job->value_count);
	kernel_facts_release(job->facts);
	free(job->arguments);
	free(job);
}

void launch_job_lose(const struct launch_job *job, const char *why)
{
	struct launch_outcome outcome = launch_job_outcome(job);

	err_set(&outcome.trouble, ERR_DEVICE, "%s", why);
	launch_fate_write(&outcome);
}

struct launch_outcome launch_job_outcome(const struct launch_job *job)
{
	return (struct launch_outcome){ .recorder = job->session->recorder,
		                        .quota = &job->session->quota,
		                        .table = job->shadow.table,
		                        .arguments = job->arguments,
		                        .has_launch_id = launch_wish_has_id(&job->wish),
		                        .has_line = job->wish.has_line,
		                        .launch_id = (uint32_t)job->wish.number,
		                        .kernel_id = job->shadow.kernel_id,
		                        .shape = &job->shape,
		                        .local_bytes = job->local_bytes,
		                        .groups_selected = job->session->settings.groups };
}
