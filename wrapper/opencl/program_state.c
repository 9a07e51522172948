/* SPDX-License-Identifier: Apache-2.0 */
#include "program_state.h"

#include "opencl_session.h"
#include "program_build.h"
#include "program_code.h"
#include "program_notify.h"

#include <stdlib.h>

void program_state_free(void *program_state)
{
	struct program_state *state = program_state;

	if (!state)
		return;
	program_build_release(state->build);
	device_codes_release(&state->made);
	device_codes_release(&state->now);
	free(state);
}

/* The state of a handle that now is another program's; to be freed unless a kernel holds it. */
static struct program_state *displace(struct program_state *old)
{
	if (!old)
		return NULL;
	old->is_named = false;
	old->app_refs = 0;
	return old->kernel_refs ? NULL : old;
}

void program_state_remember(struct session *s, cl_program handle, struct device_codes *made)
{
	struct program_state *state = calloc(1, sizeof(*state));
	void *old = NULL;

	if (!state) {
		device_codes_release(made);
		return;
	}
	*state = (struct program_state){
		.handle = handle, .app_refs = 1, .is_named = true, .made = *made
	};
	device_codes_init(&state->now);
	session_lock(s);
	if (handle_map_put(&opencl_session(s)->programs, handle, state, &old, NULL) < 0)
		old = state;
	old = displace(old);
	session_unlock(s);
	program_state_free(old);
}

void program_state_remember_one(struct session *s, cl_program handle, struct program_code *code)
{
	struct device_codes made;

	device_codes_init(&made);
	if (code && device_codes_set(&made, NULL, code))
		program_state_remember(s, handle, &made);
	program_code_release(code);
}

const struct device_codes *program_state_codes(const struct program_state *state)
{
	return state->now.list.count ? &state->now : &state->made;
}

static const struct device_codes *codes_of(const struct program_state *state, enum code_stage stage)
{
	if (stage == CODES_PRESENT)
		return program_state_codes(state);
	return stage == CODES_MADE ? &state->made : &state->now;
}

bool program_state_copy_codes(struct session *s, cl_program handle, enum code_stage stage,
                              struct device_codes *out)
{
	struct program_state *state;
	bool is_copied = false;

	device_codes_init(out);
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state)
		is_copied = device_codes_copy(out, codes_of(state, stage));
	session_unlock(s);
	return is_copied;
}

void program_state_remake(struct session *s, cl_program handle, struct device_codes *made)
{
	struct program_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state) {
		struct device_codes before = state->made;

		state->made = *made;
		*made = before;
	}
	session_unlock(s);
	device_codes_release(made);
}

bool program_state_swap(struct session *s, cl_program handle, struct program_change *change)
{
	struct program_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state) {
		const struct program_change before = { state->now, state->build };

		state->now = change->now;
		state->build = change->build;
		*change = before;
	}
	session_unlock(s);
	return state;
}

void program_change_release(struct program_change *change)
{
	device_codes_release(&change->now);
	program_build_release(change->build);
	change->build = NULL;
}

void program_state_retain(struct session *s, cl_program handle)
{
	struct program_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state)
		state->app_refs++;
	session_unlock(s);
}

/* Out of the map when nobody holds it any more; the caller frees what comes back. */
static struct program_state *forget(struct session *s, struct program_state *state)
{
	if (state->app_refs || state->kernel_refs)
		return NULL;
	if (state->is_named)
		(void)handle_map_remove(&opencl_session(s)->programs, state->handle);
	return state;
}

void program_state_release(struct session *s, cl_program handle)
{
	struct program_state *state, *last = NULL;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state) {
		state->app_refs -= state->app_refs ? 1 : 0;
		last = forget(s, state);
	}
	session_unlock(s);
	program_state_free(last);
}

void program_state_drop_kernel(struct session *s, struct program_state *owner)
{
	struct program_state *last;

	session_lock(s);
	owner->kernel_refs--;
	last = forget(s, owner);
	session_unlock(s);
	program_state_free(last);
}

/* The present build with a reference, created if need be. The session's lock must be held. */
static struct program_build *present_build(struct program_state *state)
{
	if (!state->build)
		state->build = program_build_create(state);
	return state->build ? program_build_retain(state->build) : NULL;
}

void program_state_prepare(struct session *s, cl_program handle)
{
	struct program_build *build = NULL;
	struct program_state *state;

	if (program_notify_is_running())
		return;
	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state && device_codes_read_files(program_state_codes(state)))
		build = present_build(state);
	session_unlock(s);
	if (build)
		program_build_make(build, s);
	program_build_release(build);
}

struct program_build *program_state_build(struct session *s, cl_program handle,
                                          struct program_state **owner)
{
	struct program_build *build = NULL;
	struct program_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state)
		build = present_build(state);
	if (build)
		state->kernel_refs++;
	*owner = state;
	session_unlock(s);
	if (build && !program_notify_is_running())
		program_build_make(build, s);
	return build;
}
