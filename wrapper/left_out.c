/* SPDX-License-Identifier: Apache-2.0 */
#include "left_out.h"

#include "group_selection.h"
#include "kernel_state.h"
#include "launch_check.h"
#include "program_build.h"
#include "recorder.h"
#include "session.h"
#include "str.h"
#include "work_clock.h"
#include "worker.h"

#include <stdlib.h>

/* What a thread knows of a kernel and a queue, as long as no handle has been given up since. */
struct known_launch {
	uint64_t handle_age;
	cl_kernel kernel;
	cl_command_queue queue;
	struct launch_tally *tally;
};

#define KNOWN_LAUNCHES 16

static _Thread_local struct known_launch known_launches[KNOWN_LAUNCHES];

static struct known_launch *known_at(cl_kernel kernel, cl_command_queue queue)
{
	uint64_t hash = (uint64_t)(uintptr_t)kernel + 3 * (uint64_t)(uintptr_t)queue;

	return &known_launches[(hash * UINT64_C(0x9e3779b97f4a7c15)) >> 60];
}
_Static_assert(KNOWN_LAUNCHES == 1 << (64 - 60), "the highest bits choose the place");

/* The build and the name of a kernel: a reference, and on the heap. */
static struct program_build *build_of(struct session *s, cl_kernel kernel, char **name)
{
	struct program_build *build = NULL;
	const struct kernel_state *state;

	session_lock(s);
	state = handle_map_get(&s->kernels, kernel);
	*name = state ? str_copy(state->name, NULL) : NULL;
	if (*name)
		build = program_build_retain(state->build);
	session_unlock(s);
	return build;
}

/* Whether the driver can run the kernel there: else there is to be no line of it. */
static bool is_runnable(const struct launch_request *r, cl_device_id *device)
{
	struct launch_place place;
	size_t most;

	if (!launch_check_place(r, &place))
		return false;
	*device = place.device;
	return opencl_real()->clGetKernelWorkGroupInfo(r->kernel, place.device,
	                                               CL_KERNEL_WORK_GROUP_SIZE, sizeof(most),
	                                               &most, NULL) == CL_SUCCESS;
}

static struct launch_tally *look_up(struct session *s, const struct launch_request *r)
{
	struct shadow_kernel shadow = { 0 };
	uint64_t since = work_clock_now();
	char *name = NULL;
	struct program_build *build = build_of(s, r->kernel, &name);
	cl_device_id device;

	if (build && is_runnable(r, &device))
		(void)program_build_kernel(build, s, name, device, &shadow);
	if (build)
		program_build_release(build);
	free(name);
	work_clock_end(s, since);
	return shadow.tally;
}

static struct launch_tally *find(struct session *s, const struct launch_request *r)
{
	struct known_launch *known = known_at(r->kernel, r->queue);
	uint64_t age = atomic_load_explicit(&s->handle_age, memory_order_acquire);
	struct launch_tally *tally;

	if (known->kernel == r->kernel && known->queue == r->queue && known->handle_age == age)
		return known->tally;
	tally = look_up(s, r);
	if (tally)
		*known = (struct known_launch){ age, r->kernel, r->queue, tally };
	return tally;
}

/* For recording_writer_take_if(): numbers that --launches leaves out. */
static bool is_outside(const void *launches, uint64_t number)
{
	return !group_selection_has(launches, number);
}

/* By the launch's number, of which every one takes its own. */
static bool is_left_out_by_number(struct session *s, struct left_out *out)
{
	enum quota_answer answer = QUOTA_NOT_ASKED;

	/* --skip counts only what has a number that is wanted: that is asked for elsewhere. */
	if (out->tally->is_selected && !s->quota.skip)
		answer = launch_quota_answer_to(&s->quota, &out->tally->left_out);
	if (answer != QUOTA_NOT_ASKED)
		out->reason = left_out_reason(answer);
	if (!out->tally->is_selected || answer != QUOTA_NOT_ASKED)
		out->number = recorder_take(s->recorder);
	else if (!recorder_take_if(s->recorder, is_outside, s->filter.launches, &out->number))
		return false;
	out->has_number = true;
	return true;
}

enum tally_reason left_out_reason(enum quota_answer answer)
{
	if (answer == QUOTA_PASSED_OVER)
		return TALLY_SKIP;
	return answer == QUOTA_FULL ? TALLY_MAX_LAUNCHES : TALLY_PER_KERNEL;
}

static bool is_left_out_by_quota(struct session *s, struct left_out *out)
{
	enum quota_answer answer = launch_quota_answer_to(&s->quota, &out->tally->left_out);

	out->is_passed_over = answer == QUOTA_PASSED_OVER;
	out->reason = left_out_reason(answer);
	return answer != QUOTA_NOT_ASKED;
}

bool left_out_decide(struct session *s, const struct launch_request *r, struct left_out *out)
{
	if (!s->has_selection && !atomic_load_explicit(&s->has_unmodified, memory_order_relaxed))
		return false;
	*out = (struct left_out){ .tally = find(s, r), .reason = TALLY_KERNEL };
	if (!out->tally)
		return false;
	if (s->filter.launches) {
		out->reason = out->tally->is_selected ? TALLY_LAUNCHES : TALLY_KERNEL;
		return is_left_out_by_number(s, out);
	}
	if (!out->tally->is_selected)
		return true;
	if (s->filter.groups)
		return false;
	if (launch_quota_is_set(&s->quota))
		return is_left_out_by_quota(s, out);
	out->reason = TALLY_UNMODIFIED;
	return out->tally->unmodified && atomic_load(&out->tally->own_lines) >= TALLY_OWN_LINES;
}

void left_out_count(struct session *s, struct launch_tally *tally, enum tally_reason reason,
                    uint64_t number)
{
	if (launch_tally_count(&s->tallies, tally, reason, number))
		worker_wake_at(s->worker, launch_tallies_due_ns(&s->tallies, work_clock_now()));
}

void left_out_settle(struct session *s, const struct left_out *out, bool has_run)
{
	if (!has_run && out->is_passed_over)
		launch_quota_take_back(&s->quota, out->tally->kernel_id, QUOTA_PASSED_OVER);
	/* A number that others have gone beyond stays. */
	if (out->has_number && (has_run || !recorder_take_back(s->recorder, out->number)))
		left_out_count(s, out->tally, out->reason, out->number);
	else if (has_run)
		left_out_count(s, out->tally, out->reason, recorder_take(s->recorder));
}
