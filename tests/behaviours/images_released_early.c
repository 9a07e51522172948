/* SPDX-License-Identifier: Apache-2.0 */
/* An image, and what else a launch needs, is released while it is pending, behind an event of the
 * program. Once: with a hundred launches POCL 3.1 by itself reads other texels in a run of twenty.
 */
#include "behaviour.h"

#include <stdio.h>

#define ITEMS 64

static const char source[] =
	"kernel void add_texel(read_only image2d_t in, sampler_t how, global uint *out)\n"
	"{\n"
	"	uint i = get_global_id(0);\n"
	"	out[i] += read_imageui(in, how, (int2)(i, 0)).x;\n"
	"}\n";

/* A row of texels, all of the value. */
static cl_mem make_image(const struct host *h, cl_uint value)
{
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		                     .image_width = ITEMS,
		                     .image_height = 1 };
	cl_uint texels[ITEMS];
	cl_mem image;
	cl_int status;

	for (int i = 0; i < ITEMS; i++)
		texels[i] = value;
	image = clCreateImage(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc,
	                      texels, &status);
	if (status == CL_INVALID_OPERATION || status == CL_IMAGE_FORMAT_NOT_SUPPORTED)
		host_skip("there are no such images");
	host_check(status, "clCreateImage");
	return image;
}

/* Launch with a new image and sampler, which are released at once. */
static void launch(const struct host *h, cl_kernel kernel, cl_uint value, const cl_event *gate)
{
	const size_t items = ITEMS, group = 16;
	cl_mem image = make_image(h, value);
	cl_sampler sampler;
	cl_int status;

	sampler =
		clCreateSampler(h->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status);
	host_check(status, "clCreateSampler");
	host_set_mem(kernel, 0, image);
	host_check(clSetKernelArg(kernel, 1, sizeof(sampler), (const void *)&sampler),
	           "clSetKernelArg");
	host_check(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, &group, gate ? 1 : 0,
	                                  gate, NULL),
	           "clEnqueueNDRangeKernel");
	host_check(clReleaseMemObject(image), "clReleaseMemObject");
	host_check(clReleaseSampler(sampler), "clReleaseSampler");
}

int main(void)
{
	struct host h;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer;
	cl_event gate;
	cl_int status;

	host_open(&h);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "add_texel");
	buffer = host_buffer(&h, ITEMS, 1000);
	host_set_mem(kernel, 2, buffer);
	gate = clCreateUserEvent(h.context, &status);
	host_check(status, "clCreateUserEvent");
	launch(&h, kernel, 7, &gate);
	host_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	host_check(clReleaseEvent(gate), "clReleaseEvent");
	host_print(&h, "behind an event", buffer, ITEMS);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(buffer);
	host_close(&h);
	return 0;
}
