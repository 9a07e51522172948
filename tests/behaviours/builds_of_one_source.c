/* SPDX-License-Identifier: Apache-2.0 */
/* One program built again and again: with other macros, with a callback, with a header beside the
 * program that changes and goes; not at all while it has kernels; and wrongly, with a log to read.
 */
#include "behaviour.h"

#include <stdio.h>
#include <string.h>

#define ITEMS  16
#define HEADER "builds_of_one_source.h"

static const char text[] = "#ifdef FROM_HEADER\n"
			   "#include \"" HEADER "\"\n"
			   "#endif\n"
			   "__kernel __attribute__((vec_type_hint(int)))\n"
			   "void set(__global uint *values)\n"
			   "{\n"
			   "	values[get_global_id(0)] = VALUE;\n"
			   "}\n";

static int callbacks;

static void CL_CALLBACK built(cl_program program, void *user_data)
{
	(void)program;
	callbacks += *(const int *)user_data;
}

static cl_kernel run(const struct host *h, cl_program program)
{
	cl_kernel kernel = host_kernel(program, "set");
	cl_mem mem = host_buffer(h, ITEMS, 0);

	host_set_mem(kernel, 0, mem);
	host_launch(h, kernel, ITEMS, 0);
	host_print(h, "set", mem, ITEMS);
	clReleaseMemObject(mem);
	return kernel;
}

/* Nobody needs the header any more once the program is built. */
static void build_and_remove(const struct host *h, cl_program program, const char *options)
{
	host_print_status("build", clBuildProgram(program, 1, &h->device, options, NULL, NULL));
	remove(HEADER);
	clReleaseKernel(run(h, program));
}

static void build_and_run(const struct host *h, cl_program program, const char *options)
{
	host_print_status("build", clBuildProgram(program, 1, &h->device, options, NULL, NULL));
	clReleaseKernel(run(h, program));
}

static void show_log(const struct host *h, cl_program program)
{
	size_t bytes = 0;
	cl_build_status status = CL_BUILD_NONE;

	host_check(clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes),
	           "clGetProgramBuildInfo");
	host_check(clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_STATUS,
	                                 sizeof(status), &status, NULL),
	           "clGetProgramBuildInfo");
	printf("status %d, %s log\n", (int)status, bytes > 1 ? "a" : "no");
}

static void write_header(const char *line)
{
	FILE *file = fopen(HEADER, "w");

	if (!file)
		host_skip("the current directory cannot be written");
	fputs(line, file);
	fclose(file);
}

int main(void)
{
	const char *source = text;
	int one = 1;
	cl_program program;
	cl_kernel kernel;
	struct host h;
	cl_int rc;

	host_open(&h);
	program = clCreateProgramWithSource(h.context, 1, &source, NULL, &rc);
	host_check(rc, "clCreateProgramWithSource");
	host_print_status("without its macro", clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	show_log(&h, program);
	build_and_run(&h, program, "-DVALUE=1");
	build_and_run(&h, program, "-D VALUE=2 -w -cl-mad-enable");
	build_and_run(&h, program, "-DVALUE=(1+2) -cl-std=CL1.2 -cl-fast-relaxed-math");
	host_check(clBuildProgram(program, 1, &h.device, "-DVALUE=4", built, &one),
	           "clBuildProgram");
	kernel = run(&h, program);
	printf("%d callback\n", callbacks);
	/* Refused, or not, as the driver has it; then with what it left. */
	host_print_status("build with a kernel",
	                  clBuildProgram(program, 1, &h.device, "-DVALUE=5", NULL, NULL));
	clReleaseKernel(run(&h, program));
	clReleaseKernel(kernel);
	write_header("#define VALUE 6\n");
	build_and_run(&h, program, "-I. -DFROM_HEADER");
	write_header("#define VALUE 7\n");
	build_and_remove(&h, program, "-I. -DFROM_HEADER");
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
