/* SPDX-License-Identifier: Apache-2.0 */
#include "macro_probe.h"

#include "array.h"
#include "door.h"
#include "err.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL            "warpline_macros"
#define FOUND             "warpline_found"
#define END               "warpline end\n"
#define LIMIT_BYTES       (64u << 20)
#define FIRST_BYTES       (64u << 10)
#define LIMIT_ARGUMENTS   1000
#define LIMIT_NAMES_BYTES (64u << 10)

/* A line of the names. */
struct question {
	const char *name;
	int length;             /* of the name */
	int argument_count;     /* that it is to be called with; -1: it is not */
	const char *expression; /* NULL: it is a name */
	int expression_length;
};

/* The next line in *at; false at the end. */
static bool next_question(const char **at, struct question *q)
{
	const char *line = *at;
	size_t length = strcspn(line, "\n");

	if (!*line)
		return false;
	*at = line + length + (line[length] == '\n');
	*q = (struct question){ .name = line, .argument_count = -1 };
	q->length = (int)strcspn(line, "(=\n");
	if (line[q->length] == '(')
		q->argument_count = (int)strtol(line + q->length + 1, NULL, 10);
	if (line[q->length] == '=') {
		q->expression = line + q->length + 1;
		q->expression_length = (int)length - q->length - 1;
	}
	return true;
}

/* One name is enough to find something. */
static int append_tests(struct str *text, const char *names, struct err *err)
{
	struct question q;
	int rc = 0;

	while (rc == 0 && next_question(&names, &q))
		if (!q.expression)
			rc = str_printf(text, err, "#ifdef %.*s\n#define " FOUND "\n#endif\n",
			                q.length, q.name);
	return rc;
}

static bool has_expression(const char *names)
{
	return strchr(names, '=');
}

int macro_probe_append(struct str *text, const char *names, struct err *err)
{
	int rc = str_printf(text, err, has_expression(names) ? "\n#define " FOUND "\n" : "\n");

	if (rc == 0 && !has_expression(names))
		rc = append_tests(text, names, err);
	return rc ? rc
	          : str_printf(text, err,
	                       "#ifdef " FOUND "\n__kernel void " KERNEL "(void)\n{\n}\n#endif\n");
}

/* Whether the list "a;b;c" has the kernel. */
static bool has_kernel(const char *names)
{
	const char *found = strstr(names, KERNEL);
	size_t length = strlen(KERNEL);

	return found && (found == names || found[-1] == ';') &&
	       (!found[length] || found[length] == ';');
}

bool macro_probe_has_found(cl_program program)
{
	const struct opencl_real *real = opencl_real();
	char *names = NULL;
	size_t bytes = 0;
	cl_kernel kernel;
	cl_int rc;
	bool is_found = false;

	if (real->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes) == CL_SUCCESS)
		names = array_alloc(bytes + 1, 1, "kernel names", NULL);
	if (names && real->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL) ==
	                     CL_SUCCESS) {
		is_found = has_kernel(names);
	} else {
		/* A driver of OpenCL 1.1 does not list them. */
		kernel = real->clCreateKernel(program, KERNEL, &rc);
		is_found = kernel;
		if (kernel)
			real->clReleaseKernel(kernel);
	}
	free(names);
	return is_found;
}

/* NAME and what it becomes, as parts of a string. */
static int append_answer(struct str *text, const struct question *q, struct err *err)
{
	int rc = str_printf(text, err, "#ifdef %.*s\n\"%.*s \" warpline_string(%.*s) \"\\n\"\n",
	                    q->length, q->name, q->length, q->name, q->length, q->name);

	if (rc == 0 && q->argument_count >= 0 && q->argument_count <= LIMIT_ARGUMENTS) {
		rc = str_printf(text, err, "\"%.*s(%d \" warpline_string(%.*s(", q->length, q->name,
		                q->argument_count, q->length, q->name);
		for (int i = 0; rc == 0 && i < q->argument_count; i++)
			rc = str_printf(text, err, "%swarpline_%d", i ? ", " : "", i);
		if (rc == 0)
			rc = str_printf(text, err, ")) \"\\n\"\n");
	}
	return rc ? rc : str_printf(text, err, "#endif\n");
}

/* The string of all answers, and the values of the expressions. */
static int append_answers(struct str *text, const char *names, struct err *err)
{
	const char *at = names;
	struct question q;
	int rc = str_printf(text, err,
	                    "#define warpline_quote(...) #__VA_ARGS__\n"
	                    "#define warpline_string(...) warpline_quote(__VA_ARGS__)\n"
	                    "__constant char warpline_answers[] =\n");

	while (rc == 0 && next_question(&at, &q))
		if (!q.expression)
			rc = append_answer(text, &q, err);
	if (rc == 0)
		rc = str_printf(text, err,
		                "\"warpline end\\n\";\n__constant char warpline_values[] = { ");
	for (at = names; rc == 0 && next_question(&at, &q);)
		if (q.expression)
			rc = str_printf(text, err, "'0' + (%.*s), ", q.expression_length,
			                q.expression);
	return rc ? rc : str_printf(text, err, "0 };\n");
}

/* The whole program. With an expression there is always something to tell. */
static int write_program(struct str *text, const char *names, struct err *err)
{
	int rc = has_expression(names) ? str_printf(text, err, "#define " FOUND "\n")
	                               : append_tests(text, names, err);

	if (rc == 0)
		rc = str_printf(text, err, "#ifdef " FOUND "\n");
	if (rc == 0)
		rc = append_answers(text, names, err);
	return rc ? rc
	          : str_printf(text, err,
	                       "__kernel void " KERNEL "(__global char *out, uint bytes)\n"
	                       "{\n"
	                       "    uint at = 0;\n"
	                       "    for (uint i = 0; i + 1 < sizeof(warpline_answers); i++)\n"
	                       "        if (at < bytes)\n"
	                       "            out[at++] = warpline_answers[i];\n"
	                       "    for (uint i = 0; i < sizeof(warpline_values); i++)\n"
	                       "        if (at < bytes)\n"
	                       "            out[at++] = warpline_values[i];\n"
	                       "}\n"
	                       "#else\n"
	                       "__kernel void warpline_nothing(void)\n{\n}\n"
	                       "#endif\n");
}

/* What asking takes, in a context of its own. */
struct asking {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
};

static void release(const struct asking *a)
{
	const struct opencl_real *real = opencl_real();

	if (a->kernel)
		real->clReleaseKernel(a->kernel);
	if (a->program)
		real->clReleaseProgram(a->program);
	if (a->queue)
		real->clReleaseCommandQueue(a->queue);
	if (a->context)
		real->clReleaseContext(a->context);
}

/* Run the kernel with room for `bytes`, and read what it wrote. */
static cl_int run(const struct asking *a, cl_uint bytes, char *out)
{
	const struct opencl_real *real = opencl_real();
	const size_t one = 1;
	cl_int rc;
	cl_mem mem = real->clCreateBuffer(a->context, CL_MEM_WRITE_ONLY, bytes, NULL, &rc);

	if (!mem)
		return rc;
	rc = real->clSetKernelArg(a->kernel, 0, sizeof(mem), (const void *)&mem);
	if (rc == CL_SUCCESS)
		rc = real->clSetKernelArg(a->kernel, 1, sizeof(bytes), &bytes);
	if (rc == CL_SUCCESS)
		rc = real->clEnqueueNDRangeKernel(a->queue, a->kernel, 1, NULL, &one, &one, 0, NULL,
		                                  NULL);
	if (rc == CL_SUCCESS)
		rc = real->clEnqueueReadBuffer(a->queue, mem, CL_TRUE, 0, bytes, out, 0, NULL,
		                               NULL);
	if (rc == CL_SUCCESS)
		rc = real->clFinish(a->queue);
	real->clReleaseMemObject(mem);
	return rc;
}

/* Lines up to the end, then a digit for each expression. */
static int take_answers(const char *text, const char *names, struct str *answers, struct err *err)
{
	const char *end = strstr(text, END), *values;
	struct question q;
	int rc;

	if (!end)
		return err_set(err, ERR_DEVICE, "the device's answer has no end");
	values = end + strlen(END);
	rc = str_append(answers, text, (size_t)(end - text), err);
	while (rc == 0 && next_question(&names, &q)) {
		if (!q.expression)
			continue;
		if (!*values)
			return err_set(err, ERR_DEVICE, "the device's answer lacks a value");
		rc = str_printf(answers, err, "%.*s=%c\n", q.length, q.name, *values++);
	}
	return rc;
}

/* Room is doubled until there is an end. */
static int read_answers(const struct asking *a, const char *names, struct str *answers,
                        struct err *err)
{
	for (size_t bytes = FIRST_BYTES; bytes <= LIMIT_BYTES; bytes *= 2) {
		char *text = array_alloc(bytes + 1, 1, "the device's answer", err);
		cl_int failed;
		int rc = 0;
		bool is_whole;

		if (!text)
			return ERR_NOMEM;
		failed = run(a, (cl_uint)bytes, text);
		is_whole = strlen(text) < bytes;
		if (failed)
			rc = err_set(err, ERR_DEVICE, "the device does not run the question: %d",
			             failed);
		else if (is_whole)
			rc = take_answers(text, names, answers, err);
		free(text);
		if (rc < 0 || is_whole)
			return rc;
	}
	return err_set(err, ERR_LIMIT, "the device's answer has more than %u bytes", LIMIT_BYTES);
}

static int ask(struct asking *a, const char *options, const char *names, struct str *answers,
               struct err *err)
{
	const struct opencl_real *real = opencl_real();
	struct str text;
	cl_int failed;
	int rc;

	a->context = real->clCreateContext(NULL, 1, &a->device, NULL, NULL, &failed);
	if (a->context)
		a->queue = real->clCreateCommandQueue(a->context, a->device, 0, &failed);
	if (!a->queue)
		return err_set(err, ERR_DEVICE, "the device gives no queue: %d", failed);
	str_init(&text, LIMIT_BYTES);
	rc = write_program(&text, names, err);
	if (rc == 0)
		rc = door_build_text(a->context, a->device, &text, options, &a->program, err);
	str_release(&text);
	if (rc < 0 || !macro_probe_has_found(a->program))
		return rc;
	a->kernel = real->clCreateKernel(a->program, KERNEL, &failed);
	if (!a->kernel)
		return err_set(err, ERR_DEVICE, "the device makes no kernel: %d", failed);
	return read_answers(a, names, answers, err);
}

int macro_probe_ask(cl_device_id device, const char *options, const char *names,
                    struct str *answers, struct err *err)
{
	struct asking a = { .device = device };
	int rc = *names ? ask(&a, options, names, answers, err) : 0;

	release(&a);
	return rc;
}
