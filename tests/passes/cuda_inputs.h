/* cuda_inputs - arguments for functions: the edges of their types in all combinations, then random
 * bits. The seed is printed. */
#ifndef CUDA_INPUTS_H
#define CUDA_INPUTS_H

#include <stddef.h>
#include <stdint.h>

/* in[argument * count + item], for parameters by letters: cuda_functions.def. */
void cuda_inputs_fill(uint64_t *in, const char *parameters, size_t count);

#endif
