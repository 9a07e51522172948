/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_variables.h"

#include "gpu_module.h"

static bool find(const struct gpu_module *m, void *code, const char *name, CUdeviceptr *address,
                 size_t *bytes)
{
	const struct cuda_real *real = cuda_real();

	*address = 0;
	*bytes = 0;
	if (!m->is_library)
		return real->cuModuleGetGlobal_v2(address, bytes, code, name) == CUDA_SUCCESS;
	return (real->cuLibraryGetGlobal &&
	        real->cuLibraryGetGlobal(address, bytes, code, name) == CUDA_SUCCESS) ||
	       (real->cuLibraryGetManaged &&
	        real->cuLibraryGetManaged(address, bytes, code, name) == CUDA_SUCCESS);
}

bool gpu_variables_copy(const struct gpu_module *m, CUstream stream, enum variables_way way)
{
	char *const *names = m->outline.variables.data;
	bool is_good = true;

	for (size_t i = 0; m->twin && i < m->outline.variables.count; i++) {
		CUdeviceptr original, twin;
		size_t bytes, twin_bytes;

		if (!find(m, m->original, names[i], &original, &bytes) ||
		    !find(m, m->twin, names[i], &twin, &twin_bytes))
			continue;
		bytes = bytes < twin_bytes ? bytes : twin_bytes;
		if (way == VARIABLES_TO_ORIGINAL)
			is_good &= !cuda_real()->cuMemcpyDtoDAsync_v2(original, twin, bytes, stream);
		else
			is_good &= !cuda_real()->cuMemcpyDtoDAsync_v2(twin, original, bytes, stream);
	}
	return is_good;
}
