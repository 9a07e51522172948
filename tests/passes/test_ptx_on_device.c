/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs of a GPU's operations, read and run on a real device, beside their values as
 * ptx_steps.def has them from the manual: registers of 64 bits, and steps that each compute one of
 * three others. Every operation is a step at least once, on numbers at the borders too.
 *
 * argv: warpline-instrument, a seed, how the program comes in: `ptx`, or
 * `source` for CUDA C++, or the PTX that nvcc made of that source; `print` writes the source.
 * Exits 77 when there is no device.
 */
#include "cl_device.h"
#include "err.h"
#include "file.h"
#include "ptx_steps.h"
#include "str.h"
#include "subprocess.h"
#include "word_list.h"

#include "cmocka_all.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REGISTERS 16
#define WRITTEN   4 /* the others stay as they are: else all numbers become small */
#define ITEMS     64
#define STEPS     400 /* at most */

struct step {
	size_t row;
	unsigned from[3], to;
};

static struct cl_device device;
static const char *instrumenter, *input;
static uint64_t seed;
static struct step steps[STEPS];
static size_t step_count;
static uint64_t in[ITEMS][REGISTERS], out[ITEMS][STEPS];

static uint64_t random_word(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) ^ seed << 29;
}

/* Numbers of all sizes, and those where something happens. */
static uint64_t random_value(void)
{
	static const uint64_t borders[] = { 0,
		                            1,
		                            UINT64_MAX,
		                            0x80000000,
		                            0x7fffffff,
		                            0x8000000000000000,
		                            0x3f8000003f800000,
		                            0x7f8000007f800001,
		                            0xffffffffff800000,
		                            0x7ff0000000000000,
		                            0x4f0000004effffff,
		                            0x41dfffffffc00000,
		                            0x0000000100000001,
		                            0x3c003c003bff3c01 };

	switch (random_word() % 4) {
	case 0:
		return borders[random_word() % (sizeof(borders) / sizeof(borders[0]))];
	case 1: /* floats and doubles between 2^-15 and 2^16 */
		return (0x3800000038000000 + (random_word() & 0x0ffff8000fffffff)) |
		       (random_word() & 0x8000000080000000);
	case 2:
		return random_word() >> random_word() % 64;
	default:
		return random_word();
	}
}

static bool is_ptx(void)
{
	return !strcmp(input, "ptx");
}

/* Whether a row can be a step of the program. */
static bool is_there(size_t row)
{
	return (is_ptx() ? ptx_step_rows[row].ptx : ptx_step_rows[row].source) != NULL;
}

static void choose_step(struct step *s, size_t row, size_t number)
{
	s->row = row;
	/* Three different ones: what a compiler makes of a >> a is its own affair. */
	s->from[0] = (unsigned)(random_word() % REGISTERS);
	s->from[1] = (unsigned)(s->from[0] + 1 + random_word() % 7) % REGISTERS;
	s->from[2] = (unsigned)(s->from[0] + 8 + random_word() % 8) % REGISTERS;
	s->to = number % 4 ? REGISTERS : (unsigned)(random_word() % WRITTEN);
}

/* Each row once, in any order. */
static void choose_steps(void)
{
	assert_true(ptx_step_count <= STEPS);
	for (size_t i = 0; i < ptx_step_count; i++)
		if (is_there(i))
			choose_step(&steps[step_count++], i, i);
	for (size_t i = 0; i < step_count; i++) {
		size_t other = random_word() % step_count, row = steps[i].row;

		steps[i].row = steps[other].row;
		steps[other].row = row;
	}
	for (size_t i = 0; i < ITEMS; i++)
		for (unsigned k = 0; k < REGISTERS; k++)
			in[i][k] = random_value();
}

/* The result of a step of this kind, as 64 bits in %w. */
static const char *result_text(char kind)
{
	switch (kind) {
	case 'R':
		return "cvt.u64.u32 %w, %r;";
	case 'Q':
		return "mov.b64 %w, %q;";
	case 'F':
		return "mov.b32 %r, %u; testp.notanumber.f32 %p, %u; "
		       "@%p mov.u32 %r, 0x7fc00000; cvt.u64.u32 %w, %r;";
	case 'D':
		return "mov.b64 %w, %v; testp.notanumber.f64 %p, %v; "
		       "@%p mov.u64 %w, 0x7ff8000000000000;";
	default:
		return "selp.u64 %w, 1, 0, %p;";
	}
}

static void write_ptx(struct str *text, struct err *err)
{
	int ret = str_printf(
		text, err,
		".version 8.0\n.target sm_70\n.address_size 64\n"
		".visible .entry steps(.param .u64 from, .param .u64 to)\n{\n"
		".local .align 8 .b8 room[16];\n"
		".reg .b64 %%R<%d>;\n.reg .b64 %%a, %%b, %%c, %%q, %%w, %%from, %%to, %%at;\n"
		".reg .b32 %%x, %%y, %%z, %%r, %%t;\n.reg .b16 %%k, %%l, %%m, %%n, %%s;\n"
		".reg .f32 %%f, %%g, %%h, %%u;\n.reg .f64 %%d, %%e, %%i, %%v;\n"
		".reg .pred %%p, %%o;\n"
		"ld.param.u64 %%from, [from];\nld.param.u64 %%to, [to];\n"
		"mov.u32 %%r, %%tid.x;\nmul.wide.u32 %%at, %%r, %d;\nadd.s64 %%from, %%from, "
		"%%at;\n"
		"mul.wide.u32 %%at, %%r, %d;\nadd.s64 %%to, %%to, %%at;\n",
		REGISTERS + 1, 8 * REGISTERS, 8 * STEPS);

	for (unsigned k = 0; !ret && k < REGISTERS; k++)
		ret = str_printf(text, err, "ld.global.u64 %%R%u, [%%from+%u];\n", k, 8 * k);
	for (unsigned i = 0; !ret && i < step_count; i++) {
		const struct ptx_step_row *row = &ptx_step_rows[steps[i].row];

		ret = str_printf(text, err,
		                 "mov.u64 %%a, %%R%u;\nmov.u64 %%b, %%R%u;\nmov.u64 %%c, %%R%u;\n"
		                 "mov.b64 {%%x, _}, %%a;\nmov.b64 {%%y, _}, %%b;\n"
		                 "mov.b64 {%%z, _}, %%c;\ncvt.u16.u32 %%k, %%x;\n"
		                 "cvt.u16.u32 %%l, %%y;\ncvt.u16.u32 %%m, %%z;\n"
		                 "mov.b32 %%f, %%x;\nmov.b32 %%g, %%y;\nmov.b32 %%h, %%z;\n"
		                 "mov.b64 %%d, %%a;\nmov.b64 %%e, %%b;\nmov.b64 %%i, %%c;\n"
		                 "%s\n%s\nmov.b64 %%R%u, %%w;\nst.global.u64 [%%to+%u], %%w;\n",
		                 steps[i].from[0], steps[i].from[1], steps[i].from[2], row->ptx,
		                 result_text(row->kind), steps[i].to, 8 * i);
	}
	if (!ret)
		ret = str_printf(text, err, "ret;\n}\n");
	assert_int_equal(ret, 0);
}

/* What kind of variable an expression goes into, and that as 64 bits. */
static const char *variable_text(char kind)
{
	switch (kind) {
	case 'R':
		return "unsigned v = %s; w = v;";
	case 'Q':
		return "w = %s;";
	case 'F':
		return "float v = %s; w = isnan(v) ? 0x7fc00000 : __float_as_uint(v);";
	case 'D':
		return "double v = %s; w = isnan(v) ? 0x7ff8000000000000 : "
		       "(unsigned long long)__double_as_longlong(v);";
	default:
		return "w = (%s) ? 1 : 0;";
	}
}

static int write_expression(struct str *text, const struct ptx_step_row *row, struct err *err)
{
	const char *form = variable_text(row->kind), *at = strstr(form, "%s");
	int ret = str_append(text, form, (size_t)(at - form), err);

	if (!ret)
		ret = str_append(text, row->source, strlen(row->source), err);
	return ret ? ret : str_append(text, at + 2, strlen(at + 2), err);
}

static void write_source(struct str *text, struct err *err)
{
	int ret = str_printf(text, err,
	                     "#include \"" PTX_SOURCE "\"\n"
	                     "extern \"C\" __global__ void steps(const word *from, word *to)\n{\n"
	                     "from += threadIdx.x * %d; to += threadIdx.x * %d; word w;\n",
	                     REGISTERS, STEPS);

	for (unsigned k = 0; !ret && k < REGISTERS; k++)
		ret = str_printf(text, err, "word R%u = from[%u];\n", k, k);
	for (unsigned i = 0; !ret && i < step_count; i++) {
		ret = str_printf(text, err,
		                 "{ word a = R%u, b = R%u, c = R%u; unsigned x = a, y = b, z = c; "
		                 "int sx = x, sy = y, sz = z; long long sa = a, sb = b;\n"
		                 "float f = __uint_as_float(x), g = __uint_as_float(y), "
		                 "h = __uint_as_float(z);\n"
		                 "double d = __longlong_as_double(a), e = __longlong_as_double(b), "
		                 "i = __longlong_as_double(c);\n",
		                 steps[i].from[0], steps[i].from[1], steps[i].from[2]);
		if (!ret)
			ret = write_expression(text, &ptx_step_rows[steps[i].row], err);
		if (!ret)
			ret = str_printf(text, err, " to[%u] = w; ", i);
		if (!ret && steps[i].to < REGISTERS)
			ret = str_printf(text, err, "R%u = w; ", steps[i].to);
		if (!ret)
			ret = str_printf(text, err, "}\n");
	}
	if (!ret)
		ret = str_printf(text, err, "}\n");
	assert_int_equal(ret, 0);
}

static bool is_written(void)
{
	return !strcmp(input, "source") || !strcmp(input, "print");
}

static void write_program(struct str *text, struct err *err)
{
	if (is_ptx())
		write_ptx(text, err);
	else if (is_written())
		write_source(text, err);
	else
		assert_int_equal(file_read(input, text, err), 0);
}

/* Have the instrumenter read the text; the code without probes in *code. */
static void translate(const struct str *text, struct str *code)
{
	char folder[] = "/tmp/ptx-on-device-XXXXXX", path[3][64];
	struct word_list words;
	struct str none, said;
	struct err err = { 0 };
	int status = 0;

	assert_non_null(mkdtemp(folder));
	snprintf(path[0], sizeof(path[0]), "%s/steps.%s", folder, is_written() ? "cu" : "ptx");
	snprintf(path[1], sizeof(path[1]), "%s/code", folder);
	snprintf(path[2], sizeof(path[2]), "%s/table", folder);
	assert_int_equal(file_write(path[0], text->text, text->length, &err), 0);
	word_list_init(&words);
	str_init(&none, 0);
	str_init(&said, 1u << 20);
	assert_int_equal(word_list_format(&words, &err, "%s", instrumenter), 0);
	assert_int_equal(word_list_format(&words, &err, "--source=%s", path[0]), 0);
	assert_int_equal(word_list_format(&words, &err, "--output=%s", path[1]), 0);
	assert_int_equal(word_list_format(&words, &err, "--table=%s", path[2]), 0);
	assert_int_equal(word_list_format(&words, &err, "--records=none"), 0);
	if (subprocess_run(word_list_argv(&words, &err), &none, &said, &said, &status, &err) ||
	    status)
		fail_msg("%d %s %s", status, err.msg, said.text);
	assert_int_equal(file_read(path[1], code, &err), 0);
	for (unsigned i = 0; i < 3; i++)
		unlink(path[i]);
	rmdir(folder);
	word_list_release(&words);
	str_release(&said);
}

static void launch(const struct str *code)
{
	cl_program program = cl_device_build_source(&device, code->text, "");
	cl_kernel kernel = clCreateKernel(program, "steps", NULL);
	cl_mem from = cl_device_buffer(&device, in, sizeof(in));
	cl_mem to = cl_device_buffer(&device, NULL, sizeof(out));
	size_t offset[2] = { 0 }, global[2] = { ITEMS, 1 }, local[2] = { ITEMS, 1 };

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(from), &from), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(to), &to), CL_SUCCESS);
	cl_device_launch(&device, kernel, offset, global, local);
	cl_device_read(&device, to, out, sizeof(out));
	clReleaseMemObject(from);
	clReleaseMemObject(to);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
}

static void every_step_computes_what_the_manual_says(void **state)
{
	struct str text, code;
	struct err err = { 0 };
	size_t wrong = 0;

	str_init(&text, 1u << 22);
	str_init(&code, 1u << 26);
	choose_steps();
	write_program(&text, &err);
	if (!strcmp(input, "print")) {
		puts(text.text);
		str_release(&text);
		return;
	}
	translate(&text, &code);
	launch(&code);
	for (size_t item = 0; item < ITEMS; item++)
		for (size_t i = 0; i < step_count; i++) {
			const struct ptx_step_row *row = &ptx_step_rows[steps[i].row];
			uint64_t v[3], want;

			for (unsigned k = 0; k < 3; k++)
				v[k] = in[item][steps[i].from[k]];
			want = row->value(v[0], v[1], v[2]);
			if (want != out[item][i] && ++wrong < 40)
				print_error("step %zu, item %zu: %s of %llx %llx %llx is %llx, "
				            "not %llx\n",
				            i, item, is_ptx() ? row->ptx : row->source,
				            (unsigned long long)v[0], (unsigned long long)v[1],
				            (unsigned long long)v[2], (unsigned long long)want,
				            (unsigned long long)out[item][i]);
			/* One wrong step does not make those behind it wrong. */
			if (steps[i].to < REGISTERS)
				in[item][steps[i].to] = out[item][i];
		}
	assert_int_equal(wrong, 0);
	str_release(&text);
	str_release(&code);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_step_computes_what_the_manual_says),
	};
	int failed;

	if (argc != 4) {
		fprintf(stderr,
		        "Usage: test_ptx_on_device INSTRUMENTER SEED ptx|source|print|FILE.ptx\n");
		return 2;
	}
	if (!cl_device_init(&device))
		return 77;
	instrumenter = argv[1];
	seed = strtoull(argv[2], NULL, 0);
	input = argv[3];
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	cl_device_release(&device);
	return failed;
}
