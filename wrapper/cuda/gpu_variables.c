/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_variables.h"

#include "gpu_module.h"

#define TRIES                                                                                      \
	3 /* a failure that lasts is one of the context, and of the application's next call        \
	   */

static CUresult ask(bool is_library, void *code, const char *name, CUdeviceptr *address,
                    size_t *bytes)
{
	const struct cuda_real *real = cuda_real();
	CUresult rc;

	if (!is_library)
		return real->cuModuleGetGlobal_v2(address, bytes, code, name);
	rc = real->cuLibraryGetGlobal(address, bytes, code, name);
	if (rc == CUDA_ERROR_NOT_FOUND && real->cuLibraryGetManaged)
		rc = real->cuLibraryGetManaged(address, bytes, code, name);
	return rc;
}

static CUresult find(bool is_library, void *code, const char *name, CUdeviceptr *address,
                     size_t *bytes)
{
	CUresult rc = CUDA_ERROR_UNKNOWN;

	for (int i = 0; i < TRIES && rc != CUDA_SUCCESS && rc != CUDA_ERROR_NOT_FOUND; i++)
		rc = ask(is_library, code, name, address, bytes);
	return rc;
}

static bool copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	for (int i = 0; i < TRIES; i++)
		if (cuda_real()->cuMemcpyDtoDAsync_v2(to, from, bytes, stream) == CUDA_SUCCESS)
			return true;
	return false;
}

/* One variable; one that either has no name for is not to be copied. */
static bool copy_variable(const struct gpu_module *m, const char *name, CUstream stream,
                          enum variables_way way)
{
	CUdeviceptr original, twin;
	size_t bytes, twin_bytes;
	CUresult rc = find(m->is_library, m->original, name, &original, &bytes);

	if (rc == CUDA_SUCCESS)
		rc = find(m->is_library, m->twin, name, &twin, &twin_bytes);
	if (rc != CUDA_SUCCESS)
		return rc == CUDA_ERROR_NOT_FOUND;
	bytes = bytes < twin_bytes ? bytes : twin_bytes;
	return way == VARIABLES_TO_ORIGINAL ? copy(original, twin, bytes, stream)
	                                    : copy(twin, original, bytes, stream);
}

bool gpu_variables_copy(const struct gpu_module *m, CUstream stream, enum variables_way way)
{
	char *const *names = m->outline.variables.data;
	bool is_good = true;

	for (size_t i = 0; m->twin && i < m->outline.variables.count; i++)
		is_good &= copy_variable(m, names[i], stream, way);
	return is_good;
}
