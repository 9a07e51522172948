/* SPDX-License-Identifier: Apache-2.0 */
#include "program_state.h"

#include "array.h"
#include "binary_store.h"
#include "carried_code.h"
#include "err.h"
#include "opencl.h"
#include "opencl_session.h"
#include "program_build.h"
#include "program_code.h"
#include "session.h"
#include "str.h"
#include "sub_device.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* Detach the state of a handle that is now another program's. Returns it for freeing unless a
 * kernel holds it. */
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

/* Begin to know a program that has one code for all devices, whose reference is taken. With NULL
 * the program stays unknown. */
static void program_state_remember_one(struct session *s, cl_program handle,
                                       struct program_code *code)
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

/* Replace the codes that the program was created from, for calls that change them later. Takes
 * ownership of the codes. */
static void program_state_remake(struct session *s, cl_program handle, struct device_codes *made)
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

/* Count a new reference of the application's. */
static void program_state_retain(struct session *s, cl_program handle)
{
	struct program_state *state;

	session_lock(s);
	state = handle_map_get(&opencl_session(s)->programs, handle);
	if (state)
		state->app_refs++;
	session_unlock(s);
}

/* Remove a state without references from the map. Returns it if the caller has to free it, else
 * NULL. */
static struct program_state *forget(struct session *s, struct program_state *state)
{
	if (state->app_refs || state->kernel_refs)
		return NULL;
	if (state->is_named)
		(void)handle_map_remove(&opencl_session(s)->programs, state->handle);
	return state;
}

static void program_state_release(struct session *s, cl_program handle)
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

/* Returns the present build with a reference, created if needed. Called with the session's lock
 * held. */
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

/* The hooks that create, retain and release programs. */

#define SPIRV_MAGIC 0x07230203u

/* Join the program's strings; a length of 0 means up to the NUL. NULL: out of memory. */
static struct shared_text *join(cl_uint count, const char **strings, const size_t *lengths)
{
	struct shared_text *joined = NULL;
	struct str text;
	bool is_good = true;

	str_init(&text, SIZE_MAX / 4);
	for (cl_uint i = 0; is_good && i < count; i++) {
		size_t part = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);

		is_good = str_append(&text, strings[i], part, NULL) == 0;
	}
	if (is_good)
		joined = shared_text_create(text.text, text.length);
	str_release(&text);
	return joined;
}

static struct program_code *of_bytes(const char *origin, enum code_kind kind, const void *bytes,
                                     size_t length)
{
	struct shared_text *text = shared_text_create(bytes, length);
	struct program_code *code = text ? program_code_of(origin, kind, text) : NULL;

	shared_text_release(text);
	return code;
}

/* Returns the code of a text: the text or, from Warpline's CUDA libraries, the code that it
 * carries. */
static struct program_code *code_of_text(struct shared_text *text)
{
	struct program_code *code = NULL;
	struct err err = { 0 };
	struct str carried;
	int found;

	str_init(&carried, SIZE_MAX / 4);
	found = carried_code_find(text->bytes, text->length, &carried, &err);
	if (!found)
		code = program_code_of("source", CODE_SOURCE, text);
	else if (found > 0)
		code = of_bytes("binary", CODE_BITCODE, carried.text, carried.length);
	else
		code = program_code_refused("source", "%s", err.msg);
	str_release(&carried);
	return code;
}

cl_program CL_API_CALL hook_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                      const char **strings, const size_t *lengths,
                                                      cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clCreateProgramWithSource(context, count, strings,
	                                                              lengths, errcode_ret);
	struct shared_text *text;

	if (!s || !program)
		return program;
	text = join(count, strings, lengths);
	if (text)
		program_state_remember_one(s, program, code_of_text(text));
	shared_text_release(text);
	return program;
}

static bool begins_with(const unsigned char *bytes, size_t length, uint32_t magic)
{
	uint32_t begin;

	if (length < sizeof(begin))
		return false;
	memcpy(&begin, bytes, sizeof(begin));
	return begin == magic || begin == __builtin_bswap32(magic);
}

/* Whether it is LLVM bitcode, bare or in a wrapper. */
static bool is_bitcode(const unsigned char *bytes, size_t length)
{
	return begins_with(bytes, length, 0xdec04342u) || begins_with(bytes, length, 0x0b17c0deu);
}

/* Returns the code that a binary was made from, as far as it is known. */
static struct program_code *code_of_binary(struct session *s, const unsigned char *bytes,
                                           size_t length)
{
	struct program_code *code = binary_store_find(s, bytes, length);

	if (code)
		return code;
	if (is_bitcode(bytes, length))
		return of_bytes("binary", CODE_BITCODE, bytes, length);
	if (begins_with(bytes, length, SPIRV_MAGIC))
		return of_bytes("binary", CODE_SPIRV, bytes, length);
	return program_code_refused(
		"binary", "made from a binary whose source is not known: no recorded "
			  "program got it from the driver; if the application keeps binaries, "
			  "let it build them again");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_program CL_API_CALL hook_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                      const cl_device_id *device_list,
                                                      const size_t *lengths,
                                                      const unsigned char **binaries,
                                                      cl_int *binary_status, cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clCreateProgramWithBinary(
		context, num_devices, device_list, lengths, binaries, binary_status, errcode_ret);
	struct device_codes codes;

	if (!s || !program)
		return program;
	device_codes_init(&codes);
	for (cl_uint i = 0; i < num_devices; i++) {
		struct program_code *code = code_of_binary(s, binaries[i], lengths[i]);

		if (code)
			(void)device_codes_set(
				&codes, sub_device_of_program(program, device_list[i]), code);
		program_code_release(code);
	}
	program_state_remember(s, program, &codes);
	return program;
}

cl_program CL_API_CALL hook_clCreateProgramWithBuiltInKernels(cl_context context,
                                                              cl_uint num_devices,
                                                              const cl_device_id *device_list,
                                                              const char *kernel_names,
                                                              cl_int *errcode_ret)
{
	struct session *s = session_current();
	cl_program program = opencl_real()->clCreateProgramWithBuiltInKernels(
		context, num_devices, device_list, kernel_names, errcode_ret);

	if (s && program)
		program_state_remember_one(
			s, program,
			program_code_refused("builtin", "built into the device: it has no code"));
	return program;
}

static void remember_il(cl_program program, const void *il, size_t length)
{
	struct session *s = session_current();

	if (!s || !program)
		return;
	if (begins_with(il, length, SPIRV_MAGIC))
		program_state_remember_one(s, program, of_bytes("il", CODE_SPIRV, il, length));
	else
		program_state_remember_one(
			s, program,
			program_code_refused("il", "made from an intermediate language other "
		                                   "than SPIR-V"));
}

cl_program CL_API_CALL hook_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                                  cl_int *errcode_ret)
{
	cl_program program = opencl_real()->clCreateProgramWithIL(context, il, length, errcode_ret);

	remember_il(program, il, length);
	return program;
}

cl_program CL_API_CALL hook_clCreateProgramWithILKHR(cl_context context, const void *il,
                                                     size_t length, cl_int *errcode_ret)
{
	cl_program program = opencl_ext_of((const void *)context)
	                             ->clCreateProgramWithILKHR(context, il, length, errcode_ret);

	remember_il(program, il, length);
	return program;
}

cl_int CL_API_CALL hook_clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                           size_t spec_size, const void *spec_value)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clSetProgramSpecializationConstant(program, spec_id, spec_size,
	                                                              spec_value);
	struct program_code *code = NULL;
	struct device_codes made;

	if (!s || rc != CL_SUCCESS)
		return rc;
	device_codes_init(&made);
	code = program_code_refused("il", "specialization constants of SPIR-V are not supported");
	if (code)
		(void)device_codes_set(&made, NULL, code);
	program_code_release(code);
	program_state_remake(s, program, &made);
	return rc;
}

cl_int CL_API_CALL hook_clRetainProgram(cl_program program)
{
	struct session *s = session_current();
	cl_int rc = opencl_real()->clRetainProgram(program);

	if (s && rc == CL_SUCCESS)
		program_state_retain(s, program);
	return rc;
}

cl_int CL_API_CALL hook_clReleaseProgram(cl_program program)
{
	struct session *s = session_current();

	if (s)
		program_state_release(s, program);
	return opencl_real()->clReleaseProgram(program);
}

/* Returns a property that is a list, which the caller frees; NULL when the driver reports none. */
static void *ask(cl_program program, cl_program_info name, size_t item_bytes, size_t *count)
{
	const struct opencl_real *real = opencl_real();
	size_t bytes = 0;
	void *list = NULL;

	if (real->clGetProgramInfo(program, name, 0, NULL, &bytes) == CL_SUCCESS)
		list = array_alloc(bytes / item_bytes, item_bytes, "program", NULL);
	if (list && real->clGetProgramInfo(program, name, bytes, list, NULL) != CL_SUCCESS) {
		free(list);
		list = NULL;
	}
	*count = list ? bytes / item_bytes : 0;
	return list;
}

/* Remember which code the binaries that the application got were made from. */
static void keep_binaries(struct session *s, cl_program program, unsigned char *const *binaries,
                          size_t binary_count)
{
	size_t size_count, device_count;
	size_t *sizes = ask(program, CL_PROGRAM_BINARY_SIZES, sizeof(*sizes), &size_count);
	cl_device_id *devices =
		ask(program, CL_PROGRAM_DEVICES, sizeof(cl_device_id), &device_count);
	struct device_codes codes;

	if (program_state_copy_codes(s, program, CODES_PRESENT, &codes))
		for (size_t i = 0; i < binary_count && i < size_count && i < device_count; i++) {
			const struct program_code *code = device_codes_find(&codes, devices[i]);

			if (code && binaries[i] && sizes[i])
				binary_store_keep(s, binaries[i], sizes[i], code);
		}
	device_codes_release(&codes);
	free(sizes);
	free(devices);
}

cl_int CL_API_CALL hook_clGetProgramInfo(cl_program program, cl_program_info param_name,
                                         size_t param_value_size, void *param_value,
                                         size_t *param_value_size_ret)
{
	struct session *s = session_current();
	size_t bytes = 0;
	cl_int rc = opencl_real()->clGetProgramInfo(program, param_name, param_value_size,
	                                            param_value, &bytes);

	if (param_value_size_ret && rc == CL_SUCCESS)
		*param_value_size_ret = bytes;
	if (s && rc == CL_SUCCESS && param_name == CL_PROGRAM_BINARIES && param_value)
		keep_binaries(s, program, param_value, bytes / sizeof(unsigned char *));
	return rc;
}
