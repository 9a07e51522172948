/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the mock: buffers and their parts, images, pipes, samplers. */
#include "mock_calls.h"
#include "mock_driver.h"

#include <string.h>

/* A buffer; NULL with *errcode_ret set when the device is full. The lock is held. */
static cl_mem make_buffer(cl_context context, size_t size, const void *host, cl_int *errcode_ret)
{
	struct object *o;

	mock_check(context, CONTEXT);
	if (!mock_take_bytes(size)) {
		if (errcode_ret)
			*errcode_ret = CL_MEM_OBJECT_ALLOCATION_FAILURE;
		return NULL;
	}
	o = mock_make(BUFFER, (struct object *)context);
	o->bytes = mock_alloc(size);
	o->size = size;
	if (host)
		memcpy(o->bytes, host, size);
	return (cl_mem)o;
}

cl_mem mock_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                           cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_buffer(context, size, flags & CL_MEM_COPY_HOST_PTR ? host : NULL, errcode_ret));
}

cl_mem mock_clCreateBufferWithProperties(cl_context context, const cl_mem_properties *p,
                                         cl_mem_flags flags, size_t size, void *host,
                                         cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_buffer(context, size, flags & CL_MEM_COPY_HOST_PTR ? host : NULL, errcode_ret));
}

cl_mem mock_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                              const void *info, cl_int *errcode_ret)
{
	const cl_buffer_region *region = info;
	struct object *whole = (struct object *)buffer, *o;

	ENTER_OBJECT
	mock_check(buffer, BUFFER);
	o = mock_make(BUFFER, whole);
	o->bytes = whole->bytes + region->origin;
	o->size = region->size;
	LEAVE((cl_mem)o);
}

/* One byte for each of its texels will do. */
cl_mem mock_clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *f,
                          const cl_image_desc *d, void *host, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_buffer(context, d->image_width * (d->image_height ? d->image_height : 1), NULL,
	                  errcode_ret));
}

cl_mem mock_clCreateImageWithProperties(cl_context context, const cl_mem_properties *p,
                                        cl_mem_flags flags, const cl_image_format *f,
                                        const cl_image_desc *d, void *host, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_buffer(context, d->image_width, NULL, errcode_ret));
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
cl_mem mock_clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *f,
                            size_t width, size_t height, size_t pitch, void *host,
                            cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_buffer(context, width * height, NULL, errcode_ret));
}

cl_mem mock_clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *f,
                            size_t width, size_t height, size_t depth, size_t row_pitch,
                            size_t slice_pitch, void *host, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_buffer(context, width * height * depth, NULL, errcode_ret));
}
/* NOLINTEND(readability-function-size) */

cl_mem mock_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                         cl_uint packets, const cl_pipe_properties *p, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE(make_buffer(context, (size_t)packet_size * packets, NULL, errcode_ret));
}

cl_sampler mock_clCreateSampler(cl_context context, cl_bool n, cl_addressing_mode a,
                                cl_filter_mode f, cl_int *errcode_ret)
{
	ENTER_OBJECT
	mock_check(context, CONTEXT);
	LEAVE((cl_sampler)mock_make(SAMPLER, (struct object *)context));
}

cl_sampler mock_clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *p,
                                              cl_int *errcode_ret)
{
	ENTER_OBJECT
	mock_check(context, CONTEXT);
	LEAVE((cl_sampler)mock_make(SAMPLER, (struct object *)context));
}
