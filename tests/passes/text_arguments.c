/* SPDX-License-Identifier: Apache-2.0 */
#include "text_arguments.h"

#include <stdlib.h>
#include <string.h>

enum { IMAGE_WIDTH = 32, IMAGE_HEIGHT = 16, IMAGE_DEPTH = 4, LOCAL_BYTES = 4096 };

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 24;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Numbers that are neither huge nor NaN where they are floating point, else any bits. */
static void fill(unsigned char *to, const char *type, uint64_t *state)
{
	for (size_t i = 0; i < TEXT_ARGUMENTS_BYTES; i += 8) {
		uint64_t r = next_random(state) ^ next_random(state) << 30;
		float f[2] = { (float)(int)(r & 0xffff) / 4096.0f - 8.0f,
			       (float)(int)(r >> 16 & 0xffff) / 4096.0f - 8.0f };
		double d = (double)f[0] + (double)f[1] / 1e6;

		if (begins(type, "float"))
			memcpy(to + i, f, 8);
		else if (begins(type, "double"))
			memcpy(to + i, &d, 8);
		else if (begins(type, "half"))
			r &= 0xbfffbfffbfffbfffu;
		if (!begins(type, "float") && !begins(type, "double"))
			memcpy(to + i, &r, 8);
	}
}

static bool set_buffer(struct text_arguments *a, const struct cl_device *d, cl_kernel kernel,
                       cl_uint i, const void *bytes)
{
	cl_int code;

	a->bytes[i] = TEXT_ARGUMENTS_BYTES;
	a->memory[i] = clCreateBuffer(d->context, CL_MEM_READ_WRITE, a->bytes[i], NULL, &code);
	return code == CL_SUCCESS &&
	       clEnqueueWriteBuffer(d->queue, a->memory[i], CL_TRUE, 0, a->bytes[i], bytes, 0, NULL,
	                            NULL) == CL_SUCCESS &&
	       clSetKernelArg(kernel, i, sizeof(cl_mem), &a->memory[i]) == CL_SUCCESS;
}

/* "image2d_t", "image3d_t", "image1d_t", "image2d_array_t" */
static bool set_image(struct text_arguments *a, const struct cl_device *d, cl_kernel kernel,
                      cl_uint i, const char *type, const void *bytes)
{
	const cl_image_format format = { CL_RGBA, CL_FLOAT };
	cl_image_desc shape = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		                .image_width = IMAGE_WIDTH,
		                .image_height = IMAGE_HEIGHT };
	size_t origin[3] = { 0 }, region[3] = { IMAGE_WIDTH, IMAGE_HEIGHT, 1 };
	cl_int code;

	if (begins(type, "image3d")) {
		shape.image_type = CL_MEM_OBJECT_IMAGE3D;
		shape.image_depth = region[2] = IMAGE_DEPTH;
	} else if (begins(type, "image1d")) {
		shape.image_type = CL_MEM_OBJECT_IMAGE1D;
		shape.image_height = 0;
		region[1] = 1;
	}
	a->memory[i] = clCreateImage(d->context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);
	return code == CL_SUCCESS &&
	       clEnqueueWriteImage(d->queue, a->memory[i], CL_TRUE, origin, region, 0, 0, bytes, 0,
	                           NULL, NULL) == CL_SUCCESS &&
	       clSetKernelArg(kernel, i, sizeof(cl_mem), &a->memory[i]) == CL_SUCCESS;
}

static size_t scalar_bytes(const char *type)
{
	static const struct {
		const char *name;
		size_t bytes;
	} rows[] = {
		{ "char", 1 }, { "uchar", 1 }, { "short", 2 }, { "ushort", 2 }, { "int", 4 },
		{ "uint", 4 }, { "long", 8 },  { "ulong", 8 }, { "float", 4 },  { "double", 8 }
	};
	size_t length = strcspn(type, "0123456789"), lanes = strtoul(type + length, NULL, 10);

	if (lanes == 3)
		lanes = 4;
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
		if (strlen(rows[r].name) == length && begins(type, rows[r].name))
			return rows[r].bytes * (lanes ? lanes : 1);
	return 0;
}

static bool set_number(cl_kernel kernel, cl_uint i, const char *type, uint64_t random)
{
	unsigned char bytes[256];
	size_t size = scalar_bytes(type);
	float f = (float)(random % 7) + 0.25f;
	double d = (double)f;

	memset(bytes, 0, sizeof(bytes));
	for (size_t at = 0; at < size; at += begins(type, "float") ? 4 : 8) {
		if (begins(type, "float"))
			memcpy(bytes + at, &f, sizeof(f));
		else if (begins(type, "double"))
			memcpy(bytes + at, &d, sizeof(d));
		else
			bytes[at] = (unsigned char)(random % 5 + 2);
	}
	if (size)
		return clSetKernelArg(kernel, i, size, bytes) == CL_SUCCESS;
	/* A struct: of the size that the runtime takes; some take any that is large enough. */
	memset(bytes, 1, sizeof(bytes));
	for (size = sizeof(bytes); size; size--)
		if (clSetKernelArg(kernel, i, size, bytes) == CL_SUCCESS)
			return true;
	return false;
}

static bool set_sampler(struct text_arguments *a, const struct cl_device *d, cl_kernel kernel,
                        cl_uint i)
{
	cl_int code;

	if (!a->sampler)
		a->sampler = clCreateSampler(d->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
		                             CL_FILTER_NEAREST, &code);
	return a->sampler &&
	       clSetKernelArg(kernel, i, sizeof(cl_sampler), &a->sampler) == CL_SUCCESS;
}

static bool set(struct text_arguments *a, const struct cl_device *d, cl_kernel model,
                cl_kernel kernel, cl_uint i, uint64_t *state)
{
	static unsigned char bytes[TEXT_ARGUMENTS_BYTES];
	cl_kernel_arg_address_qualifier space;
	char type[128] = "";

	if (clGetKernelArgInfo(model, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space,
	                       NULL) != CL_SUCCESS ||
	    clGetKernelArgInfo(model, i, CL_KERNEL_ARG_TYPE_NAME, sizeof(type), type, NULL) !=
	            CL_SUCCESS)
		return false;
	if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
		return clSetKernelArg(kernel, i, LOCAL_BYTES, NULL) == CL_SUCCESS;
	fill(bytes, begins(type, "image") ? "float" : type, state);
	if (begins(type, "image"))
		return set_image(a, d, kernel, i, type, bytes);
	if (begins(type, "sampler"))
		return set_sampler(a, d, kernel, i);
	if (strchr(type, '*'))
		return set_buffer(a, d, kernel, i, bytes);
	return set_number(kernel, i, type, next_random(state));
}

bool text_arguments_init(struct text_arguments *a, const struct cl_device *d, cl_kernel model,
                         cl_kernel kernel, uint64_t seed)
{
	memset(a, 0, sizeof(*a));
	if (clGetKernelInfo(model, CL_KERNEL_NUM_ARGS, sizeof(a->count), &a->count, NULL) !=
	            CL_SUCCESS ||
	    a->count > TEXT_ARGUMENTS_MAX)
		return false;
	for (cl_uint i = 0; i < a->count; i++)
		if (!set(a, d, model, kernel, i, &seed))
			return false;
	return true;
}

void text_arguments_release(struct text_arguments *a)
{
	for (cl_uint i = 0; i < a->count && i < TEXT_ARGUMENTS_MAX; i++)
		if (a->memory[i])
			clReleaseMemObject(a->memory[i]);
	if (a->sampler)
		clReleaseSampler(a->sampler);
	memset(a, 0, sizeof(*a));
}

size_t text_arguments_read(const struct text_arguments *a, const struct cl_device *d, cl_uint i,
                           void *out)
{
	size_t origin[3] = { 0 }, region[3] = { IMAGE_WIDTH, IMAGE_HEIGHT, 1 }, bytes = 0;

	if (!a->memory[i])
		return 0;
	if (a->bytes[i])
		return clEnqueueReadBuffer(d->queue, a->memory[i], CL_TRUE, 0, a->bytes[i], out, 0,
		                           NULL, NULL) == CL_SUCCESS
		               ? a->bytes[i]
		               : 0;
	clGetImageInfo(a->memory[i], CL_IMAGE_HEIGHT, sizeof(bytes), &bytes, NULL);
	region[1] = bytes ? bytes : 1;
	bytes = IMAGE_WIDTH * region[1] * 4 * sizeof(float);
	return clEnqueueReadImage(d->queue, a->memory[i], CL_TRUE, origin, region, 0, 0, out, 0,
	                          NULL, NULL) == CL_SUCCESS
	               ? bytes
	               : 0;
}
