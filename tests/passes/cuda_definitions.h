/* cuda_definitions - functions of CUDA and what they are, in C: cuda_functions.def as a table. */
#ifndef CUDA_DEFINITIONS_H
#define CUDA_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CUDA_DEFINITION_ARGUMENTS = 4 };

struct cuda_definition {
	const char *name;
	const char *parameters; /* letters */
	int tolerance;
	char result; /* a letter */
};

extern const struct cuda_definition cuda_definitions[];
extern const size_t cuda_definition_count;

/* The bits of the result of function `number` on the bits of its arguments. */
uint64_t cuda_definition_evaluate(size_t number, const uint64_t *arguments);

/* Whether a result is the expected one: what is no number is any; numbers within the tolerance. */
bool cuda_definition_fits(const struct cuda_definition *f, uint64_t result, uint64_t expected);

#endif
