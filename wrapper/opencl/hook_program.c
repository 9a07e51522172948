/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as they are made, and how long they live. */
#include "binary_store.h"
#include "opencl.h"
#include "program_code.h"
#include "program_state.h"
#include "session.h"
#include "str.h"
#include "sub_device.h"

#include <stdint.h>
#include <string.h>

#define SPIRV_MAGIC 0x07230203u

/* The program's strings as one text; a length of 0 means up to the NUL. NULL: out of memory. */
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
		program_state_remember_one(s, program,
		                           program_code_of("source", CODE_SOURCE, text));
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

/* LLVM's bitcode, bare or with a wrapper around it. */
static bool is_bitcode(const unsigned char *bytes, size_t length)
{
	return begins_with(bytes, length, 0xdec04342u) || begins_with(bytes, length, 0x0b17c0deu);
}

static struct program_code *of_bytes(const char *origin, enum code_kind kind,
                                     const unsigned char *bytes, size_t length)
{
	struct shared_text *text = shared_text_create(bytes, length);
	struct program_code *code = text ? program_code_of(origin, kind, text) : NULL;

	shared_text_release(text);
	return code;
}

/* What a binary was made from, as far as anybody can tell. */
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
		"binary", "made from a binary of which the source is not known: no recorded "
			  "program got it from the driver; if the application keeps binaries, "
			  "have it make them anew");
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
			program_code_refused("builtin",
		                             "built into the device: there is no code of it"));
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
			program_code_refused("il", "made from an intermediate language that is "
		                                   "not SPIR-V"));
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
