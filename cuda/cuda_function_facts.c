/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_function_facts.h"

#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"

enum { REGISTERS_SAID = 32, ATTRIBUTE_DYNAMIC = 8, ATTRIBUTE_CARVEOUT = 9, ATTRIBUTE_LAST = 15 };

void cuda_function_facts_get(const struct cuda_function *f, struct cuda_function_facts *facts)
{
	const struct cuda_gpu *gpu = &cuda_core()->gpu;
	const struct kernel_entry *k = f->entry;
	size_t limit = f->dynamic_limit_bytes;

	if (!limit && k->static_shared_bytes < CUDA_GROUP_SHARED_BYTES)
		limit = CUDA_GROUP_SHARED_BYTES - k->static_shared_bytes;
	*facts = (struct cuda_function_facts){
		.static_shared_bytes = k->static_shared_bytes,
		.constant_bytes = k->constant_bytes,
		.local_bytes = k->local_bytes,
		.max_items = k->max_threads ? (int)k->max_threads : CUDA_GROUP_ITEMS,
		.registers = REGISTERS_SAID,
		.architecture = gpu->major * 10 + gpu->minor,
		.max_dynamic_bytes = (int)limit,
	};
}

int cuda_function_facts_set(struct cuda_function *f, int attribute, int value)
{
	struct cuda_core *c = cuda_core();
	int rc = cudaSuccess;

	pthread_mutex_lock(&c->lock);
	if (attribute == ATTRIBUTE_DYNAMIC) {
		if (value < 0 ||
		    (size_t)value + f->entry->static_shared_bytes > c->gpu.group_shared_bytes)
			rc = cudaErrorInvalidValue;
		else
			f->dynamic_limit_bytes = (size_t)value;
	} else if (attribute == ATTRIBUTE_CARVEOUT) {
		f->carveout = value;
	} else if (attribute < 0 || attribute > ATTRIBUTE_LAST) {
		rc = cudaErrorInvalidValue;
	}
	pthread_mutex_unlock(&c->lock);
	return rc;
}
