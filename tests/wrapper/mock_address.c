/* SPDX-License-Identifier: Apache-2.0 */
/* Where the functions of the mock's extensions are. */
#include "mock_calls.h"

#include <string.h>

/* The second platform has no command buffers. */
void *mock_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
	typedef void (*any_function)(void);
	static const struct {
		const char *name;
		any_function function;
	} rows[] = {
#define CL_EXT(type, name, params, args) { #name, (any_function)mock_##name },
#include "opencl_api.def"
		/* of a later revision than our headers know */
		{ "clCommandSVMMemcpyKHR", (any_function)mock_clCommandCopyBufferKHR },
	};
	void *address = NULL;

	if (!mock_enter("clGetExtensionFunctionAddressForPlatform"))
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name))
			memcpy((void *)&address, (const void *)&rows[i].function, sizeof(address));
	if ((void *)platform == &mock_platforms[1] && strstr(name, "Command"))
		address = NULL;
	LEAVE(address);
}

void *mock_clGetExtensionFunctionAddress(const char *name)
{
	return mock_clGetExtensionFunctionAddressForPlatform((cl_platform_id)mock_platforms, name);
}
