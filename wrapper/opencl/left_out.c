/* SPDX-License-Identifier: Apache-2.0 */
#include "left_out.h"

#include "clock.h"
#include "kernel_state.h"
#include "launch_check.h"
#include "opencl_session.h"
#include "program_build.h"
#include "str.h"
#include "work_clock.h"

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
	state = handle_map_get(&opencl_session(s)->kernels, kernel);
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
	uint64_t since = clock_now_ns();
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
	uint64_t age = atomic_load_explicit(&opencl_session(s)->handle_age, memory_order_acquire);
	struct launch_tally *tally;

	if (known->kernel == r->kernel && known->queue == r->queue && known->handle_age == age)
		return known->tally;
	tally = look_up(s, r);
	if (tally)
		*known = (struct known_launch){ age, r->kernel, r->queue, tally };
	return tally;
}

bool left_out_decide(struct session *s, const struct launch_request *r, struct launch_wish *w)
{
	if (!s->has_selection && !atomic_load_explicit(&s->has_unmodified, memory_order_relaxed))
		return false;
	*w = (struct launch_wish){ .tally = find(s, r) };
	return w->tally && launch_wish_is_out(s, w);
}
