/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_module_file.h"

#include "cuda_error.h"
#include "cuda_module.h"
#include "cuda_module_private.h"
#include "cuda_notice.h"
#include "device_image.h"
#include "err.h"
#include "file.h"
#include "str.h"

#include <string.h>

#define FILE_LIMIT_BYTES (1u << 30)

/* A loaded module of code of a known length. */
static int load(const void *code, size_t length, struct cuda_module **out)
{
	struct cuda_module *m = cuda_module_create(code, length);
	int rc = m ? cuda_module_load(m) : (int)cudaErrorMemoryAllocation;

	if (rc)
		cuda_module_free(m);
	*out = rc ? NULL : m;
	return rc;
}

/* Only the code itself says how long it is: find it in the image, and keep that. */
int cuda_module_from_memory(const void *image, struct cuda_module **out)
{
	struct device_image code;
	struct err err = { 0 };
	int rc = device_image_init(&code, image, 0, &err);

	*out = NULL;
	if (rc == 0 && code.kind == DEVICE_IMAGE_CUDA) {
		rc = load(image, strlen(image) + 1, out);
	} else if (rc == 0) {
		rc = load(code.text.text, code.text.length, out);
	} else {
		cuda_notice("CUDA module: %s", err.msg);
		rc = rc == ERR_UNSUPPORTED ? (int)cudaErrorNoKernelImageForDevice
		                           : (int)cudaErrorInvalidKernelImage;
	}
	device_image_release(&code);
	return rc;
}

int cuda_module_from_file(const char *path, struct cuda_module **out)
{
	struct str text;
	struct err err = { 0 };
	int rc;

	*out = NULL;
	str_init(&text, FILE_LIMIT_BYTES);
	if (file_read(path, &text, &err) < 0 || !text.length) {
		cuda_notice("CUDA module: %s", err.code ? err.msg : "an empty file");
		rc = cudaErrorFileNotFound;
	} else {
		rc = load(text.text, text.length, out);
	}
	str_release(&text);
	return rc;
}

int cuda_module_find_function(struct cuda_module *m, const char *name, struct cuda_function **out)
{
	int rc = cuda_module_load(m);

	if (rc)
		return rc;
	if (!module_table_kernel(&m->table, name))
		return cudaErrorSymbolNotFound;
	*out = cuda_module_function(m, name);
	return *out ? cudaSuccess : (int)cudaErrorMemoryAllocation;
}
