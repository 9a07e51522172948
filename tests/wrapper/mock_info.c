/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_calls.h"
#include "mock_driver.h"

#include <string.h>

static cl_int answer(const void *value, size_t size, size_t param_value_size, void *param_value,
                     size_t *param_value_size_ret)
{
	if (param_value && param_value_size < size)
		return CL_INVALID_VALUE;
	if (param_value)
		memcpy(param_value, value, size);
	if (param_value_size_ret)
		*param_value_size_ret = size;
	return CL_SUCCESS;
}

#define ANSWER(value, size)                                                                        \
	LEAVE(answer(value, size, param_value_size, param_value, param_value_size_ret))

cl_int mock_clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret)
{
	const struct object *o = (struct object *)event;
	cl_uint refs = (cl_uint)o->handles;

	ENTER
	mock_check(event, EVENT);
	if (param_name == CL_EVENT_REFERENCE_COUNT)
		ANSWER(&refs, sizeof(refs));
	if (param_name == CL_EVENT_COMMAND_QUEUE)
		ANSWER(&o->queue, sizeof(o->queue));
	if (param_name == CL_EVENT_COMMAND_TYPE)
		ANSWER(&o->type, sizeof(o->type));
	if (o->status <= CL_COMPLETE)
		mock_after(o);
	ANSWER(&o->status, sizeof(cl_int));
}

cl_int mock_clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret)
{
	cl_ulong time = param_name;

	ENTER
	ANSWER(&time, sizeof(time));
}

cl_int mock_clGetPlatformInfo(cl_platform_id p, cl_platform_info param_name,
                              size_t param_value_size, void *param_value,
                              size_t *param_value_size_ret)
{
	ENTER
	ANSWER("Mock", 5);
}

cl_int mock_clGetDeviceInfo(cl_device_id d, cl_device_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret)
{
	static const size_t sizes[3] = { 1024, 1024, 1024 };
	static const cl_name_version versions[] = { { CL_MAKE_VERSION(1, 0, 0), "cl_khr_fp64" },
		                                    { CL_MAKE_VERSION(0, 9, 0),
		                                      "cl_khr_command_buffer" } };
	void *the_platform = d ? ((struct object *)d)->owner : mock_platforms;
	cl_ulong wide = MOCK_DEVICE_BYTES;
	cl_uint bits = 64, units = 2;
	cl_ulong type = mock_device_type(d);

	ENTER
	switch (param_name) {
	case CL_DEVICE_MAX_WORK_ITEM_SIZES:
		ANSWER(sizes, sizeof(sizes));
	case CL_DEVICE_PLATFORM:
		ANSWER(&the_platform, sizeof(the_platform));
	case CL_DEVICE_ADDRESS_BITS:
		ANSWER(&bits, sizeof(bits));
	case CL_DEVICE_MAX_COMPUTE_UNITS:
		ANSWER(&units, sizeof(units));
	case CL_DEVICE_TYPE:
		ANSWER(&type, sizeof(type));
	case CL_DEVICE_LOCAL_MEM_SIZE:
	case CL_DEVICE_GLOBAL_MEM_SIZE:
	case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
		ANSWER(&wide, sizeof(wide));
	case CL_DEVICE_EXTENSIONS:
		ANSWER("cl_khr_fp64", sizeof("cl_khr_fp64"));
	case CL_DEVICE_EXTENSIONS_WITH_VERSION:
		ANSWER(versions, sizeof(versions));
	default:
		ANSWER("1.2", 4);
	}
}

cl_int mock_clGetContextInfo(cl_context context, cl_context_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret)
{
	const struct object *o = (struct object *)context;
	const void *device = &mock_devices[o->dispatch == &mock_platforms[1]];
	cl_uint one = 1, refs = (cl_uint)o->refs; /* with its objects', as drivers count */

	ENTER
	mock_check(context, CONTEXT);
	if (param_name == CL_CONTEXT_REFERENCE_COUNT)
		ANSWER(&refs, sizeof(refs));
	if (param_name == CL_CONTEXT_NUM_DEVICES)
		ANSWER(&one, sizeof(one));
	ANSWER((const void *)&device, sizeof(device));
}

cl_int mock_clGetMemObjectInfo(cl_mem mem, cl_mem_info param_name, size_t param_value_size,
                               void *param_value, size_t *param_value_size_ret)
{
	const struct object *o = (struct object *)mem;
	cl_uint refs = (cl_uint)o->handles;
	cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
	void *none = NULL;

	ENTER
	mock_check(mem, BUFFER);
	switch (param_name) {
	case CL_MEM_REFERENCE_COUNT:
		ANSWER(&refs, sizeof(refs));
	case CL_MEM_SIZE:
		ANSWER(&o->size, sizeof(o->size));
	case CL_MEM_TYPE:
		ANSWER(&type, sizeof(type));
	default: /* CL_MEM_HOST_PTR */
		ANSWER((const void *)&none, sizeof(none));
	}
}

cl_int mock_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret)
{
	const struct object *o = (struct object *)queue;
	bool is_second = o->dispatch == &mock_platforms[1];
	void *handle = param_name == CL_QUEUE_DEVICE ? &mock_devices[is_second] : o->owner;
	cl_uint refs = (cl_uint)o->handles;

	ENTER
	mock_check(queue, QUEUE);
	if (param_name == CL_QUEUE_REFERENCE_COUNT)
		ANSWER(&refs, sizeof(refs));
	if (param_name == CL_QUEUE_PROPERTIES)
		ANSWER(&o->properties, sizeof(o->properties));
	ANSWER(&handle, sizeof(handle));
}

cl_int mock_clGetProgramInfo(cl_program program, cl_program_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret)
{
	const struct object *o = (struct object *)program;
	bool is_second = o->dispatch == &mock_platforms[1];
	void *handle = param_name == CL_PROGRAM_DEVICES ? &mock_devices[is_second] : o->owner;
	cl_uint one = 1, refs = (cl_uint)o->handles;

	ENTER
	mock_check(program, PROGRAM);
	if (param_name == CL_PROGRAM_REFERENCE_COUNT)
		ANSWER(&refs, sizeof(refs));
	if (param_name == CL_PROGRAM_NUM_DEVICES)
		ANSWER(&one, sizeof(one));
	if (param_name == CL_PROGRAM_KERNEL_NAMES)
		ANSWER(MOCK_KERNELS, sizeof(MOCK_KERNELS));
	ANSWER(&handle, sizeof(handle));
}

cl_int mock_clGetProgramBuildInfo(cl_program program, cl_device_id d,
                                  cl_program_build_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
	ENTER
	ANSWER("log", 4);
}

cl_int mock_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret)
{
	struct object *o = (struct object *)kernel;
	cl_uint count = 1, refs = (cl_uint)o->handles;

	ENTER
	mock_check(kernel, KERNEL);
	switch (param_name) {
	case CL_KERNEL_FUNCTION_NAME:
		ANSWER(o->name, strlen(o->name) + 1);
	case CL_KERNEL_REFERENCE_COUNT:
		ANSWER(&refs, sizeof(refs));
	case CL_KERNEL_NUM_ARGS:
		ANSWER(&count, sizeof(count));
	case CL_KERNEL_PROGRAM:
		ANSWER(&o->owner, sizeof(o->owner));
	default: /* CL_KERNEL_CONTEXT */
		ANSWER(&o->owner->owner, sizeof(o->owner));
	}
}

cl_int mock_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id d,
                                     cl_kernel_work_group_info param_name, size_t param_value_size,
                                     void *param_value, size_t *param_value_size_ret)
{
	static const size_t most[3] = { 256, 0, 0 }, required[3] = { 0, 0, 0 };
	cl_ulong local = MOCK_LOCAL_BYTES;

	ENTER
	mock_check(kernel, KERNEL);
	if (((struct object *)kernel)->owner->is_probed)
		local += MOCK_PROBED_LOCAL_BYTES;
	switch (param_name) {
	case CL_KERNEL_WORK_GROUP_SIZE:
		ANSWER(most, sizeof(most[0]));
	case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		ANSWER(required, sizeof(required));
	default: /* CL_KERNEL_LOCAL_MEM_SIZE */
		ANSWER(&local, sizeof(local));
	}
}
