/* SPDX-License-Identifier: Apache-2.0 */
/* Programs compiled apart, with headers from memory, and linked: one of them into two programs and
 * by way of a library, and compiled again in between. The kernel of the last link is made in its
 * callback, and everything is released before it runs. */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 32

static const char helper[] = "#include \"scale/factor.h\"\n"
			     "uint scaled(global uint *values, size_t i)\n"
			     "{\n"
			     "	return values[i] * FACTOR + OFFSET;\n"
			     "}\n";
static const char caller[] =
	"uint scaled(global uint *values, size_t i);\n"
	"kernel void scale(global uint *values)\n"
	"{\n"
	"	values[get_global_id(0)] = scaled(values, get_global_id(0)) + MORE;\n"
	"}\n";
static const char header[] = "#include \"offset.h\"\n#define FACTOR 3\n";
static const char inner[] = "#define OFFSET 5\n";

static cl_kernel kernel_of_callback;

static cl_program make(const struct host *h, const char *text)
{
	cl_int rc;
	cl_program program = clCreateProgramWithSource(h->context, 1, &text, NULL, &rc);

	host_check(rc, "clCreateProgramWithSource");
	return program;
}

static void compile_helper(const struct host *h, cl_program program)
{
	static const char *names[] = { "scale/factor.h", "scale/offset.h" };
	cl_program headers[2] = { make(h, header), make(h, inner) };

	host_print_status("compile with headers", clCompileProgram(program, 1, &h->device, NULL, 2,
	                                                           headers, names, NULL, NULL));
	clReleaseProgram(headers[0]);
	clReleaseProgram(headers[1]);
}

static cl_program link_two(const struct host *h, cl_program one, cl_program two,
                           const char *options, void(CL_CALLBACK *callback)(cl_program, void *))
{
	cl_program programs[2] = { one, two };
	cl_int rc = CL_SUCCESS;
	cl_program linked = clLinkProgram(h->context, 1, &h->device, options, two ? 2 : 1, programs,
	                                  callback, NULL, &rc);

	host_print_status("link", rc);
	return linked;
}

static void run(const struct host *h, cl_kernel kernel)
{
	cl_mem mem = host_buffer(h, ITEMS, 1);

	host_set_mem(kernel, 0, mem);
	host_launch(h, kernel, ITEMS, 0);
	host_print(h, "scaled", mem, ITEMS);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
}

static void CL_CALLBACK linked(cl_program program, void *user_data)
{
	cl_int rc;

	(void)user_data;
	kernel_of_callback = clCreateKernel(program, "scale", &rc);
	host_print_status("kernel in the callback", rc);
}

int main(void)
{
	struct host h;
	cl_program helping, calling, library, first, second;

	host_open(&h);
	helping = make(&h, helper);
	calling = make(&h, caller);
	compile_helper(&h, helping);
	host_print_status("compile", clCompileProgram(calling, 0, NULL, "-D MORE=100", 0, NULL,
	                                              NULL, NULL, NULL));
	first = link_two(&h, calling, helping, "", NULL);
	library = link_two(&h, helping, NULL, "-create-library", NULL);
	/* The first program stays as it was linked. */
	host_print_status("compile again", clCompileProgram(calling, 0, NULL, "-D MORE=200", 0,
	                                                    NULL, NULL, NULL, NULL));
	second = link_two(&h, calling, library, "", linked);
	run(&h, host_kernel(first, "scale"));
	clReleaseProgram(helping);
	clReleaseProgram(calling);
	clReleaseProgram(library);
	clReleaseProgram(first);
	clReleaseProgram(second);
	run(&h, kernel_of_callback);
	host_close(&h);
	return 0;
}
