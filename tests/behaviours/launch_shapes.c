/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shapes that launches have: no local size, offsets, three dimensions, a single work-item,
 * nothing at all, a required size; each work-item writes what it is told of its place.
 */
#include "behaviour.h"

#include <stdio.h>

#define MOST 512

static const char source[] =
	"#define AT(d) (get_global_id(d) - get_global_offset(d))\n"
	"void tell(global uint *out)\n"
	"{\n"
	"	size_t i = AT(0) + get_global_size(0) * (AT(1) + get_global_size(1) * AT(2));\n"
	"	uint v = get_work_dim();\n"
	"	for (uint d = 0; d < 3; d++)\n"
	"		v = ((((((v * 7 + get_global_id(d)) * 7 + get_local_id(d)) * 7 + "
	"get_group_id(d))\n"
	"		        * 7 + get_local_size(d)) * 7 + get_num_groups(d)) * 7 + "
	"get_global_size(d))\n"
	"		        * 7 + get_global_offset(d);\n"
	"	out[i] = v;\n"
	"}\n"
	"kernel void shape(global uint *out) { tell(out); }\n"
	"kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global uint *out)\n"
	"{\n"
	"	tell(out);\n"
	"}\n";

struct shape {
	const char *name, *kernel;
	cl_uint dimensions;
	size_t offset[3], global[3], local[3]; /* local 0: NULL */
};

/* One access a work-item: 256 + 7 + 512 + 60 + 105 + 1 + 0 + 64 + 0 = 1005. */
static const struct shape shapes[] = {
	{ "no local size", "shape", 1, { 0 }, { 256, 1, 1 }, { 0 } },
	{ "a prime", "shape", 1, { 0 }, { 7, 1, 1 }, { 0 } },
	{ "no local size of three", "shape", 3, { 1, 2, 3 }, { 16, 8, 4 }, { 0 } },
	{ "offset", "shape", 2, { 100, 7, 0 }, { 12, 5, 1 }, { 4, 5, 1 } },
	{ "three dimensions", "shape", 3, { 0, 9, 1 }, { 3, 5, 7 }, { 3, 1, 7 } },
	{ "one", "shape", 1, { 5 }, { 1, 1, 1 }, { 1, 1, 1 } },
	{ "nothing", "shape", 1, { 0 }, { 0, 1, 1 }, { 0 } },
	{ "required", "required", 2, { 0 }, { 16, 4, 1 }, { 4, 2, 1 } },
	{ "not the required", "required", 2, { 0 }, { 16, 4, 1 }, { 2, 4, 1 } },
};

static void try_shape(const struct host *h, cl_program program, const struct shape *s, cl_mem out)
{
	cl_kernel kernel = host_kernel(program, s->kernel);
	cl_uint zero = 0;
	cl_event event = NULL;
	cl_int rc, status = 1;

	host_check(clEnqueueFillBuffer(h->queue, out, &zero, sizeof(zero), 0, MOST * sizeof(zero),
	                               0, NULL, NULL),
	           "clEnqueueFillBuffer");
	host_set_mem(kernel, 0, out);
	rc = clEnqueueNDRangeKernel(h->queue, kernel, s->dimensions, s->offset, s->global,
	                            s->local[0] ? s->local : NULL, 0, NULL, &event);
	host_print_status(s->name, rc);
	if (event) {
		host_check(clWaitForEvents(1, &event), "clWaitForEvents");
		host_check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		                          &status, NULL),
		           "clGetEventInfo");
		printf("status %d\n", status);
		clReleaseEvent(event);
	}
	host_print(h, s->name, out, MOST);
	clReleaseKernel(kernel);
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem out;

	host_open(&h);
	program = host_build(&h, source, NULL);
	out = host_buffer(&h, MOST, 0);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		try_shape(&h, program, &shapes[i], out);
	kernel = host_kernel(program, "shape");
	host_set_mem(kernel, 0, out);
	host_check(clEnqueueTask(h.queue, kernel, 0, NULL, NULL), "clEnqueueTask"); /* 1 access */
	host_print(&h, "task", out, MOST);
	clReleaseKernel(kernel);
	clReleaseMemObject(out);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
