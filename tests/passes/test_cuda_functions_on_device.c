/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that CUDA device code calls, lowered and run on a device, against what they are by
 * definition: on edges of each type (zeros, denormals, infinities, what is no number, ends of
 * integers) and on random bits.
 *
 * argv: lower_cuda. Exits 77 when there is no device.
 */
#include "cuda_definitions.h"
#include "cuda_inputs.h"
#include "cuda_lowered.h"

#include "cl_device.h"
#include "err.h"
#include "str.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 2048, TEXT_LIMIT_BYTES = 1 << 22 };

static const char *lower_cuda;
static struct cl_device device;

static const char *ir_type(char letter)
{
	switch (letter) {
	case 'f':
		return "float";
	case 'd':
		return "double";
	case 'h':
		return "i16";
	case 'i':
		return "i32";
	default:
		return "i64";
	}
}

static unsigned bits_of(char letter)
{
	return letter == 'h' ? 16 : letter == 'i' || letter == 'f' ? 32 : 64;
}

static void put(struct str *text, const char *what)
{
	struct err err = { 0 };

	assert_int_equal(str_append(text, what, strlen(what), &err), 0);
}

#define PUT(text, ...)                                                                             \
	do {                                                                                       \
		struct err put_err = { 0 };                                                        \
		assert_int_equal(str_printf(text, &put_err, __VA_ARGS__), 0);                      \
	} while (0)

/* %a<i> from the bits that lie at in[i * ITEMS + id]. */
static void put_argument(struct str *t, unsigned i, char letter)
{
	PUT(t, "  %%o%u = add i64 %%id, %u\n", i, i * ITEMS);
	PUT(t, "  %%p%u = getelementptr i64, i64 addrspace(1)* %%in, i64 %%o%u\n", i, i);
	PUT(t, "  %%l%u = load i64, i64 addrspace(1)* %%p%u\n", i, i);
	if (bits_of(letter) == 64)
		PUT(t, "  %%t%u = add i64 %%l%u, 0\n", i, i);
	else
		PUT(t, "  %%t%u = trunc i64 %%l%u to i%u\n", i, i, bits_of(letter));
	PUT(t, "  %%a%u = bitcast i%u %%t%u to %s\n", i, bits_of(letter), i, ir_type(letter));
}

/* out[row * ITEMS + id] = the bits of what the function gives. */
static void put_call(struct str *t, unsigned row, const struct cuda_definition *f)
{
	unsigned bits = bits_of(f->result);

	PUT(t, "  %%r%u = call %s @%s(", row, ir_type(f->result), f->name);
	for (unsigned i = 0; f->parameters[i]; i++)
		PUT(t, "%s%s %%a%u", i ? ", " : "", ir_type(f->parameters[i]), i);
	PUT(t, ")\n  %%b%u = bitcast %s %%r%u to i%u\n", row, ir_type(f->result), row, bits);
	if (bits == 64)
		PUT(t, "  %%z%u = add i64 %%b%u, 0\n", row, row);
	else
		PUT(t, "  %%z%u = zext i%u %%b%u to i64\n", row, bits, row);
	PUT(t, "  %%i%u = add i64 %%id, %u\n", row, row * ITEMS);
	PUT(t, "  %%q%u = getelementptr i64, i64 addrspace(1)* %%out, i64 %%i%u\n", row, row);
	PUT(t, "  store i64 %%z%u, i64 addrspace(1)* %%q%u\n", row, row);
}

static void put_declaration(struct str *t, const struct cuda_definition *f)
{
	PUT(t, "declare %s @%s(", ir_type(f->result), f->name);
	for (unsigned i = 0; f->parameters[i]; i++)
		PUT(t, "%s%s", i ? ", " : "", ir_type(f->parameters[i]));
	put(t, ")\n");
}

/* A kernel of all functions with those parameters; how many they are. */
static unsigned put_kernel(struct str *t, const char *parameters)
{
	unsigned rows = 0;

	PUT(t,
	    "define spir_kernel void @k_%s(i64 addrspace(1)* %%in, i64 addrspace(1)* %%out)"
	    " !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2"
	    " !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {\n"
	    "  %%id = call spir_func i64 @_Z13get_global_idj(i32 0)\n",
	    parameters);
	for (unsigned i = 0; parameters[i]; i++)
		put_argument(t, i, parameters[i]);
	for (size_t i = 0; i < cuda_definition_count; i++)
		if (!strcmp(cuda_definitions[i].parameters, parameters))
			put_call(t, rows++, &cuda_definitions[i]);
	put(t, "  ret void\n}\n");
	return rows;
}

static cl_program build(const char *parameters, unsigned *rows)
{
	cl_program program;
	struct str text;

	str_init(&text, TEXT_LIMIT_BYTES);
	put(&text, "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-"
	           "v256:256-v512:512-v1024:1024\"\ntarget triple = \"spir64-unknown-unknown\"\n"
	           "declare spir_func i64 @_Z13get_global_idj(i32) nounwind readnone\n");
	for (size_t i = 0; i < cuda_definition_count; i++)
		if (!strcmp(cuda_definitions[i].parameters, parameters))
			put_declaration(&text, &cuda_definitions[i]);
	*rows = put_kernel(&text, parameters);
	put(&text, "!0 = !{i32 1, i32 1}\n!1 = !{!\"none\", !\"none\"}\n"
	           "!2 = !{!\"long*\", !\"long*\"}\n!3 = !{!\"\", !\"\"}\n");
	program = cuda_lowered_build(&device, lower_cuda, text.text, text.length);
	str_release(&text);
	return program;
}

/* Run them all; out[row * ITEMS + item]. */
static void run(const char *parameters, const uint64_t *in, uint64_t *out, size_t *rows)
{
	size_t offset[2] = { 0, 0 }, global[2] = { ITEMS, 1 }, local[2] = { 64, 1 };
	unsigned count = 0;
	cl_program program = build(parameters, &count);
	cl_mem from = cl_device_buffer(&device, in, strlen(parameters) * ITEMS * 8);
	cl_mem to = cl_device_buffer(&device, NULL, (size_t)count * ITEMS * 8);
	char name[16];
	cl_kernel kernel;
	cl_int code;

	snprintf(name, sizeof(name), "k_%s", parameters);
	kernel = clCreateKernel(program, name, &code);
	assert_int_equal(code, CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(from), &from), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(to), &to), CL_SUCCESS);
	cl_device_launch(&device, kernel, offset, global, local);
	cl_device_read(&device, to, out, (size_t)count * ITEMS * 8);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(from);
	clReleaseMemObject(to);
	*rows = count;
}

static unsigned check(const struct cuda_definition *f, const uint64_t *in, const uint64_t *out)
{
	unsigned wrong = 0;

	for (size_t item = 0; item < ITEMS; item++) {
		uint64_t arguments[CUDA_DEFINITION_ARGUMENTS] = { 0 }, expected;

		for (unsigned i = 0; f->parameters[i]; i++)
			arguments[i] = in[(size_t)i * ITEMS + item];
		expected = cuda_definition_evaluate((size_t)(f - cuda_definitions), arguments);
		if (cuda_definition_fits(f, out[item], expected))
			continue;
		if (wrong++ < 3)
			fprintf(stderr,
			        "%s(%#llx, %#llx, %#llx) is %#llx, expected %#llx within %d\n",
			        f->name, (unsigned long long)arguments[0],
			        (unsigned long long)arguments[1], (unsigned long long)arguments[2],
			        (unsigned long long)out[item], (unsigned long long)expected,
			        f->tolerance);
	}
	return wrong;
}

static void functions_are_as_defined(void **state)
{
	const char *parameters = *state;
	size_t count = strlen(parameters), rows, row = 0;
	uint64_t *in = calloc(count * ITEMS, sizeof(*in));
	uint64_t *out = calloc(cuda_definition_count * ITEMS, sizeof(*out));
	unsigned wrong = 0;

	assert_non_null(in);
	assert_non_null(out);
	cuda_inputs_fill(in, parameters, ITEMS);
	run(parameters, in, out, &rows);
	for (size_t i = 0; i < cuda_definition_count; i++)
		if (!strcmp(cuda_definitions[i].parameters, parameters))
			wrong += check(&cuda_definitions[i], in, out + row++ * ITEMS);
	free(in);
	free(out);
	assert_int_equal(row, rows);
	assert_int_equal(wrong, 0);
}

#define OF(name, letters)                                                                          \
	{ "functions_of_" name "_are_as_defined", functions_are_as_defined, NULL, NULL, letters }

int main(int argc, char **argv)
{
	static char f[] = "f", ff[] = "ff", fff[] = "fff", fi[] = "fi", d[] = "d", dd[] = "dd",
		    ddd[] = "ddd", di[] = "di", i[] = "i", ii[] = "ii", iii[] = "iii", l[] = "l",
		    ll[] = "ll", li[] = "li", h[] = "h";
	const struct CMUnitTest tests[] = {
		OF("a_float", f),         OF("two_floats", ff),  OF("three_floats", fff),
		OF("float_int", fi),      OF("a_double", d),     OF("two_doubles", dd),
		OF("three_doubles", ddd), OF("double_int", di),  OF("an_int", i),
		OF("two_ints", ii),       OF("three_ints", iii), OF("a_long", l),
		OF("two_longs", ll),      OF("long_int", li),    OF("a_half", h),
	};
	int failed;

	if (argc != 2) {
		fprintf(stderr, "usage: test_cuda_functions_on_device LOWER_CUDA\n");
		return 2;
	}
	lower_cuda = argv[1];
	if (!cl_device_init(&device)) {
		fprintf(stderr, "there is no OpenCL device\n");
		return 77;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	cl_device_release(&device);
	return failed;
}
