/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_check.h"

#include "device_info.h"

bool launch_check_place(const struct launch_request *r, struct launch_place *place)
{
	const struct opencl_real *real = opencl_real();
	cl_context of_kernel = NULL;

	return real->clGetCommandQueueInfo(r->queue, CL_QUEUE_CONTEXT, sizeof(place->context),
	                                   (void *)&place->context, NULL) == CL_SUCCESS &&
	       real->clGetCommandQueueInfo(r->queue, CL_QUEUE_DEVICE, sizeof(place->device),
	                                   (void *)&place->device, NULL) == CL_SUCCESS &&
	       real->clGetKernelInfo(r->kernel, CL_KERNEL_CONTEXT, sizeof(of_kernel),
	                             (void *)&of_kernel, NULL) == CL_SUCCESS &&
	       of_kernel == place->context;
}

/* Sizes that make sense by themselves. */
static bool read_shape(const struct launch_request *r, struct launch_shape *shape)
{
	if (r->work_dim < 1 || r->work_dim > 3 || !r->global)
		return false;
	*shape = (struct launch_shape){ .dimensions = r->work_dim };
	for (cl_uint i = 0; i < 3; i++) {
		bool is_used = i < r->work_dim;

		shape->global[i] = is_used ? r->global[i] : 1;
		shape->offset[i] = is_used && r->offset ? r->offset[i] : 0;
		shape->local[i] = is_used && r->local ? r->local[i] : 1;
		if (!shape->global[i] || !shape->local[i] ||
		    shape->offset[i] > SIZE_MAX - shape->global[i])
			return false;
	}
	return true;
}

/* Sizes that the device and the kernel take. */
static bool fits_device(const struct launch_request *r, const struct launch_shape *shape,
                        cl_device_id device)
{
	const struct opencl_real *real = opencl_real();
	size_t most[16] = { 0 }, required[3] = { 0 }, most_items = 0;
	uint64_t items = 1;

	if (real->clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(most), most,
	                          NULL) ||
	    real->clGetKernelWorkGroupInfo(r->kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
	                                   sizeof(most_items), &most_items, NULL) ||
	    real->clGetKernelWorkGroupInfo(r->kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
	                                   sizeof(required), required, NULL))
		return false;
	for (cl_uint i = 0; i < 3; i++) {
		if (i < r->work_dim && shape->local[i] > most[i])
			return false;
		if (required[0] && (!r->local || shape->local[i] != required[i]))
			return false;
		items *= shape->local[i];
	}
	return items <= most_items;
}

static bool has_local_memory(const struct launch_request *r, struct launch_job *job,
                             cl_device_id device)
{
	uint64_t there_is = device_info_number(device, CL_DEVICE_LOCAL_MEM_SIZE);
	cl_ulong bytes = 0;

	if (opencl_real()->clGetKernelWorkGroupInfo(r->kernel, device, CL_KERNEL_LOCAL_MEM_SIZE,
	                                            sizeof(bytes), &bytes, NULL))
		return false;
	job->local_bytes = bytes;
	return bytes <= there_is;
}

void launch_check_own_memory(struct launch_job *job)
{
	const struct kernel_table *facts = job->shadow.facts;

	if (!facts || !facts->has_local_bytes || facts->argument_count != job->value_count)
		return;
	job->local_bytes = facts->local_bytes;
	for (cl_uint i = 0; i < job->value_count; i++)
		if (facts->arguments[i].space == SPACE_LOCAL && job->values[i].bytes)
			job->local_bytes += job->values[i].bytes - 1;
}

bool launch_check(const struct launch_request *request, struct launch_job *job,
                  struct launch_place *place)
{
	if (!launch_check_place(request, place) || !read_shape(request, &job->shape) ||
	    !fits_device(request, &job->shape, place->device) ||
	    !has_local_memory(request, job, place->device))
		return false;
	for (cl_uint i = 0; i < job->value_count; i++)
		if (!job->values[i].is_set)
			return false;
	return (!request->wait_count) == (!request->wait_list);
}
