/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel reads and writes images and a buffer: the images' accesses are told, not recorded. */
#include "behaviour.h"

#include <stdio.h>

static const char source[] = "kernel void brighten(read_only image2d_t in, write_only image2d_t "
			     "out, sampler_t sampler,\n"
			     "                     global uint *sums)\n"
			     "{\n"
			     "	int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
			     "	uint4 value = read_imageui(in, sampler, at);\n"
			     "	write_imageui(out, at, value + 1);\n"
			     "	sums[at.y * 16 + at.x] = value.x + value.y;\n"
			     "}\n";

static cl_mem make_image(const struct host *h, cl_uchar *texels)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc shape = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		                      .image_width = 16,
		                      .image_height = 16 };
	cl_int status;
	cl_mem image = clCreateImage(
		h->context, texels ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_WRITE_ONLY,
		&format, &shape, texels, &status);

	host_check(status, "clCreateImage");
	return image;
}

static void print_image(const struct host *h, cl_mem image)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 16, 16, 1 };
	cl_uchar texels[16 * 16 * 4];
	unsigned sum = 0;

	host_check(clEnqueueReadImage(h->queue, image, CL_TRUE, origin, region, 0, 0, texels, 0,
	                              NULL, NULL),
	           "clEnqueueReadImage");
	for (size_t i = 0; i < sizeof(texels); i++)
		sum = sum * 31 + texels[i];
	printf("image: %u\n", sum);
}

int main(void)
{
	const size_t items[2] = { 16, 16 };
	cl_uchar texels[16 * 16 * 4];
	struct host h;
	cl_sampler sampler;
	cl_program program;
	cl_kernel kernel;
	cl_mem in, out, sums;
	cl_bool has_images = CL_FALSE;
	cl_int status;

	host_open(&h);
	clGetDeviceInfo(h.device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has_images), &has_images, NULL);
	if (!has_images)
		host_skip("no images");
	for (size_t i = 0; i < sizeof(texels); i++)
		texels[i] = (cl_uchar)(i * 7);
	program = host_build(&h, source, NULL);
	kernel = host_kernel(program, "brighten");
	in = make_image(&h, texels);
	out = make_image(&h, NULL);
	sums = host_buffer(&h, 256, 0);
	sampler = clCreateSampler(h.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST,
	                          &status);
	host_check(status, "clCreateSampler");
	host_set_mem(kernel, 0, in);
	host_set_mem(kernel, 1, out);
	host_check(clSetKernelArg(kernel, 2, sizeof(sampler), (const void *)&sampler),
	           "clSetKernelArg");
	host_set_mem(kernel, 3, sums);
	host_check(clEnqueueNDRangeKernel(h.queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL),
	           "clEnqueueNDRangeKernel");
	host_print(&h, "sums", sums, 256);
	print_image(&h, out);
	clReleaseSampler(sampler);
	clReleaseMemObject(in);
	clReleaseMemObject(out);
	clReleaseMemObject(sums);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	host_close(&h);
	return 0;
}
