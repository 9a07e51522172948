/*
 * cuda_function_facts - what the interfaces tell of a kernel.
 *
 * Registers are not known: 32 is said, for programs that divide by them.
 */
#ifndef CUDA_FUNCTION_FACTS_H
#define CUDA_FUNCTION_FACTS_H

#include <stddef.h>

struct cuda_function;

struct cuda_function_facts {
	size_t static_shared_bytes, constant_bytes, local_bytes;
	int max_items, registers, architecture; /* 70 for 7.0 */
	int max_dynamic_bytes;
};

/* Of a loaded kernel. */
void cuda_function_facts_get(const struct cuda_function *f, struct cuda_function_facts *facts);

/* Set an attribute by the interfaces' number: 8 dynamic shared memory at most, 9 the carveout,
 * others up to 15 have no effect. Returns 0 or cudaErrorInvalidValue. */
int cuda_function_facts_set(struct cuda_function *f, int attribute, int value);

#endif
