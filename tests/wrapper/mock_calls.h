/*
 * mock_calls - the mock driver's calls, one for each row of opencl_api.def, and how a call begins
 * and ends.
 *
 * A call that no file of the mock has is in mock_rows.c and refuses:
 * CL_INVALID_OPERATION or NULL.
 */
#ifndef MOCK_CALLS_H
#define MOCK_CALLS_H

#include "mock_objects.h"

#define MOCK_PLATFORMS 2

/* One device in each platform. */
extern struct object mock_platforms[MOCK_PLATFORMS], mock_devices[MOCK_PLATFORMS];

/* Of which types a device is. */
cl_ulong mock_device_type(const void *device);

/* Every call begins with this: false when it is the one to fail; else the lock is then held. */
bool mock_enter(const char *name);

#define ENTER                                                                                      \
	if (!mock_enter(__func__ + 5))                                                             \
		return CL_OUT_OF_RESOURCES;
#define ENTER_OBJECT                                                                               \
	if (!mock_enter(__func__ + 5)) {                                                           \
		if (errcode_ret)                                                                   \
			*errcode_ret = CL_OUT_OF_RESOURCES;                                        \
		return NULL;                                                                       \
	}                                                                                          \
	if (errcode_ret)                                                                           \
		*errcode_ret = CL_SUCCESS;
#define LEAVE(value)                                                                               \
	do {                                                                                       \
		__typeof__(value) value_left = (value); /* made while the lock is held */          \
                                                                                                   \
		mock_let_go();                                                                     \
		return value_left;                                                                 \
	} while (0)

#define CL_API(type, name, params, args) type CL_API_CALL mock_##name params;
#define CL_EXT                           CL_API
#include "opencl_api.def"

#endif
