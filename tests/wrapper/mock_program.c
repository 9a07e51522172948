/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and kernels of the mock. */
#include "mock_calls.h"
#include "mock_driver.h"

#include <stdio.h>
#include <string.h>

static char built_with[64];

const char *mock_driver_built_with(void)
{
	return built_with;
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
static struct object *make_program(cl_context context)
{
	mock_check(context, CONTEXT);
	return mock_make(PROGRAM, (struct object *)context);
}

cl_program mock_clCreateProgramWithSource(cl_context context, cl_uint n, const char **s,
                                          const size_t *l, cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	o = make_program(context);
	o->is_probed = !strncmp(s[0], MOCK_PROBED, strlen(MOCK_PROBED));
	o->is_wrong = strstr(s[0], MOCK_WRONG);
	LEAVE((cl_program)o);
}

cl_program mock_clCreateProgramWithBinary(cl_context context, cl_uint n, const cl_device_id *d,
                                          const size_t *l, const unsigned char **b, cl_int *status,
                                          cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	o = make_program(context);
	o->is_probed = true;
	LEAVE((cl_program)o);
}

cl_int mock_clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                           void(CL_CALLBACK *f)(cl_program, void *), void *u)
{
	ENTER
	mock_check(p, PROGRAM);
	if (((struct object *)p)->is_probed)
		snprintf(built_with, sizeof(built_with), "%s", o ? o : "");
	LEAVE(((struct object *)p)->is_wrong ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS);
}

cl_int mock_clCompileProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                             cl_uint headers, const cl_program *h, const char **names,
                             void(CL_CALLBACK *f)(cl_program, void *), void *u)
{
	ENTER
	mock_check(p, PROGRAM);
	LEAVE(CL_SUCCESS);
}

cl_program mock_clLinkProgram(cl_context context, cl_uint n, const cl_device_id *d, const char *o,
                              cl_uint inputs, const cl_program *input,
                              void(CL_CALLBACK *f)(cl_program, void *), void *u,
                              cl_int *errcode_ret)
{
	ENTER_OBJECT
	for (cl_uint i = 0; i < inputs; i++)
		mock_check(input[i], PROGRAM);
	LEAVE((cl_program)make_program(context));
}

/* NOLINTEND(readability-function-size) */

static struct object *make_kernel(cl_program program, const char *name)
{
	struct object *o;

	mock_check(program, PROGRAM);
	o = mock_make(KERNEL, (struct object *)program);
	strncpy(o->name, name, sizeof(o->name) - 1);
	return o;
}

cl_kernel mock_clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE((cl_kernel)make_kernel(program, name));
}

cl_int mock_clCreateKernelsInProgram(cl_program program, cl_uint n, cl_kernel *kernels,
                                     cl_uint *count)
{
	ENTER
	if (count)
		*count = 2;
	if (kernels && n < 2)
		LEAVE(CL_INVALID_VALUE);
	if (kernels) {
		kernels[0] = (cl_kernel)make_kernel(program, "update");
		kernels[1] = (cl_kernel)make_kernel(program, "other");
	}
	LEAVE(CL_SUCCESS);
}

cl_kernel mock_clCloneKernel(cl_kernel kernel, cl_int *errcode_ret)
{
	struct object *from = (struct object *)kernel, *o;

	ENTER_OBJECT
	mock_check(kernel, KERNEL);
	o = mock_make(KERNEL, from->owner);
	memcpy(o->name, from->name, sizeof(o->name));
	memcpy(o->values, from->values, sizeof(o->values));
	LEAVE((cl_kernel)o);
}

cl_int mock_clSetKernelArg(cl_kernel kernel, cl_uint i, size_t size, const void *value)
{
	ENTER
	mock_check(kernel, KERNEL);
	if (i >= MOST_ARGUMENTS || size > 8)
		LEAVE(CL_INVALID_ARG_INDEX);
	memcpy(((struct object *)kernel)->values[i], value, size);
	LEAVE(CL_SUCCESS);
}
