/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_module.h"

#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_stream.h"
#include "device_memory.h"
#include "launch_notice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER_LIMIT 4096

static size_t product(const unsigned sizes[3])
{
	return (size_t)sizes[0] * sizes[1] * sizes[2];
}

static int check_sizes(const struct cuda_launch *l)
{
	for (int i = 0; i < 3; i++)
		if (!l->grid[i] || !l->group[i])
			return cudaErrorInvalidConfiguration;
	if (l->group[0] > CUDA_GROUP_ITEMS || l->group[1] > CUDA_GROUP_ITEMS ||
	    l->group[2] > CUDA_GROUP_ITEMS_Z || product(l->group) > CUDA_GROUP_ITEMS)
		return cudaErrorInvalidConfiguration;
	if (l->grid[0] > CUDA_GRID_X || l->grid[1] > CUDA_GRID_YZ || l->grid[2] > CUDA_GRID_YZ)
		return cudaErrorInvalidConfiguration;
	return cudaSuccess;
}

/* Check a launch against the properties of its kernel, which must be loaded. */
static int check_needs(const struct cuda_launch *l)
{
	const struct cuda_function *f = l->function;
	const struct cuda_gpu *gpu = &cuda_core()->gpu;
	size_t limit = f->dynamic_limit_bytes
	                       ? f->dynamic_limit_bytes + f->entry->static_shared_bytes
	                       : (size_t)CUDA_GROUP_SHARED_BYTES;

	if (f->entry->max_threads && product(l->group) > f->entry->max_threads)
		return cudaErrorLaunchOutOfResources;
	if (l->shared_bytes > limit || f->entry->static_shared_bytes > limit - l->shared_bytes)
		return cudaErrorInvalidValue;
	if (f->entry->param_count && !l->params && !l->buffer)
		return cudaErrorInvalidValue;
	if (l->is_cooperative &&
	    product(l->grid) >
	            (size_t)cuda_gpu_groups(gpu, product(l->group),
	                                    f->entry->static_shared_bytes + l->shared_bytes) *
	                    gpu->gpu.sm_count)
		return cudaErrorCooperativeLaunchTooLarge;
	return cudaSuccess;
}

/* Returns the address of a part of a parameter; NULL when the buffer ends before it. */
static const char *part_of(const struct cuda_launch *l, const struct kernel_part *part)
{
	const struct kernel_param *param = &l->function->entry->params[part->param];
	size_t at = param->offset + part->offset;

	if (l->params)
		return (const char *)l->params[part->param] + part->offset;
	if (at > l->buffer_bytes || part->bytes > l->buffer_bytes - at)
		return NULL;
	return (const char *)l->buffer + at;
}

static cl_int set_part(cl_kernel kernel, cl_uint index, const struct kernel_part *part,
                       const char *value)
{
	void *pointer;

	if (!part->is_pointer)
		return clSetKernelArg(kernel, index, part->bytes, value);
	memcpy(&pointer, value, sizeof(pointer));
	return clSetKernelArgSVMPointer(kernel, index, pointer);
}

static cl_int set_hidden(const struct cuda_launch *l, cl_kernel kernel, cl_uint index,
                         const struct kernel_hidden *hidden)
{
	if (hidden->is_dynamic_shared)
		return clSetKernelArg(kernel, index, l->shared_bytes + 1, NULL);
	return clSetKernelArgSVMPointer(kernel, index,
	                                cuda_module_memory(l->function->module, hidden->symbol));
}

/* Called with the order lock held. */
static int set_arguments(const struct cuda_launch *l, cl_kernel kernel)
{
	const struct kernel_entry *k = l->function->entry;
	cl_int code = CL_SUCCESS;
	cl_uint index = 0;

	for (size_t i = 0; code == CL_SUCCESS && i < k->part_count; i++) {
		const char *value = part_of(l, &k->parts[i]);

		if (!value)
			return cudaErrorInvalidValue;
		code = set_part(kernel, index++, &k->parts[i], value);
	}
	for (size_t i = 0; code == CL_SUCCESS && i < k->hidden_count; i++)
		code = set_hidden(l, kernel, index++, &k->hidden[i]);
	return code == CL_SUCCESS ? cudaSuccess : (int)cudaErrorInvalidValue;
}

/* Memory may contain pointers, so the kernel may use all allocations. */
static void allow_all_memory(cl_kernel kernel)
{
	void **list = malloc(POINTER_LIMIT * sizeof(*list));
	size_t count = list ? cuda_memory_list(list, POINTER_LIMIT) : 0;

	if (count)
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, count * sizeof(*list),
		                    list);
	free(list);
}

/* Report to the recorder that a launch is missing although a GPU would have run it. Nothing is
 * reported if `why` is NULL: a GPU would not have run it. */
static void report_to_recorder(const struct cuda_launch *l, const char *why)
{
	cl_platform_id platform = NULL;
	char reason[512];
	launch_notice note;
	void *found = NULL;

	if (why && !clGetDeviceInfo(cuda_core()->device, CL_DEVICE_PLATFORM, sizeof(platform),
	                            &platform, NULL))
		found = clGetExtensionFunctionAddressForPlatform(platform, LAUNCH_NOTICE_NAME);
	if (!found)
		return;
	memcpy((void *)&note, (const void *)&found, sizeof(note));
	(void)snprintf(reason, sizeof(reason), "kernel %s cannot run: %s", l->function->name, why);
	note(reason);
}

/* A kernel may need local memory of our own, which CUDA's limits do not include. */
static void name_missing_memory(const struct cuda_launch *l, cl_kernel kernel)
{
	cl_device_id device = cuda_core()->device;
	size_t own = l->function->entry->static_shared_bytes + l->shared_bytes;
	cl_ulong needed = 0, there_is = 0;

	if (clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(needed),
	                             &needed, NULL) ||
	    clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(there_is), &there_is, NULL) ||
	    needed <= there_is || needed < own)
		return;
	cuda_notice("kernel %s cannot run: the OpenCL device has %llu bytes of local memory for a "
	            "work-group, which needs %zu, and Warpline %llu more for warps and barriers",
	            l->function->name, (unsigned long long)there_is, own,
	            (unsigned long long)needed - own);
	report_to_recorder(l, "the OpenCL device has too little local memory for a work-group");
}

/* Called with the order lock held. */
static int enqueue(const struct cuda_launch *l, cl_command_queue queue, cl_event *last)
{
	cl_kernel kernel = cuda_function_kernel(l->function);
	size_t global[3], local[3];
	cl_uint dimensions = 1;
	int rc = kernel ? set_arguments(l, kernel) : (int)cudaErrorInvalidDeviceFunction;

	if (rc)
		return rc;
	allow_all_memory(kernel);
	for (cl_uint i = 0; i < 3; i++) {
		local[i] = l->group[i];
		global[i] = local[i] * l->grid[i];
		dimensions = global[i] > 1 ? i + 1 : dimensions;
	}
	switch (clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL,
	                               last)) {
	case CL_SUCCESS:
		return cudaSuccess;
	case CL_INVALID_WORK_GROUP_SIZE:
	case CL_INVALID_WORK_ITEM_SIZE:
	case CL_INVALID_GLOBAL_WORK_SIZE:
		return cudaErrorInvalidConfiguration;
	case CL_OUT_OF_HOST_MEMORY:
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
		return cudaErrorMemoryAllocation;
	default:
		name_missing_memory(l, kernel);
		return cudaErrorLaunchOutOfResources;
	}
}

int cuda_launch_run(const struct cuda_launch *launch, struct cuda_stream *s)
{
	int rc = cuda_function_load(launch->function);
	cl_event last = NULL;

	if (rc != cudaSuccess)
		report_to_recorder(launch, cuda_function_refusal(launch->function));
	if (rc == cudaSuccess)
		rc = check_sizes(launch);
	if (rc == cudaSuccess)
		rc = check_needs(launch);
	if (rc == cudaSuccess)
		rc = cuda_stream_broken();
	if (rc)
		return rc;
	/* The kernel's output must follow the application's earlier output. */
	(void)fflush(stdout);
	rc = cuda_stream_begin(s);
	if (rc)
		return rc;
	rc = enqueue(launch, s->queue, &last);
	cuda_stream_end(s, last);
	if (rc == cudaSuccess)
		cuda_module_launched(launch->function->module);
	return rc;
}
