/*
 * mock_calls - how a call of the mock driver begins and ends, and its calls that answer questions.
 */
#ifndef MOCK_CALLS_H
#define MOCK_CALLS_H

#include "mock_objects.h"

/* Every call begins with this: false when it is the one to fail; else mock_lock is then held. */
bool mock_enter(const char *name);

#define ENTER                                                                                      \
	if (!mock_enter(__func__ + 5))                                                             \
		return CL_OUT_OF_RESOURCES;
#define ENTER_OBJECT                                                                               \
	if (!mock_enter(__func__ + 5)) {                                                           \
		if (errcode_ret)                                                                   \
			*errcode_ret = CL_OUT_OF_RESOURCES;                                        \
		return NULL;                                                                       \
	}
#define LEAVE(value)                                                                               \
	do {                                                                                       \
		pthread_mutex_unlock(&mock_lock);                                                  \
		return value;                                                                      \
	} while (0)

cl_int mock_clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret);
cl_int mock_clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret);
cl_int mock_clGetPlatformInfo(cl_platform_id p, cl_platform_info param_name,
                              size_t param_value_size, void *param_value,
                              size_t *param_value_size_ret);
cl_int mock_clGetDeviceInfo(cl_device_id d, cl_device_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret);
cl_int mock_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret);
cl_int mock_clGetProgramInfo(cl_program program, cl_program_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret);
cl_int mock_clGetProgramBuildInfo(cl_program program, cl_device_id d,
                                  cl_program_build_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret);
cl_int mock_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret);
cl_int mock_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id d,
                                     cl_kernel_work_group_info param_name, size_t param_value_size,
                                     void *param_value, size_t *param_value_size_ret);

#endif
