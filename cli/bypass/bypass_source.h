/*
 * bypass_source - how to change a program's source for a bypass list: the lines, and what to write.
 *
 * For CUDA `__ldcg(&x)`, for OpenCL C `__builtin_nontemporal_load(&x)` if the compiler is made of
 * clang, and for NVIDIA's OpenCL a helper of inline assembly, which is printed too. `x` is the
 * expression of the site in the recording. No file is changed.
 */
#ifndef BYPASS_SOURCE_H
#define BYPASS_SOURCE_H

#include <stdint.h>
#include <stdio.h>

struct bypass_list;
struct err;
struct recording;

struct bypass_source_job {
	FILE *out;
	const struct bypass_list *list;
	const struct recording *recording;
};

/*
 * Print the listing. Rules that name no read, or that no source can express, are named on stderr as
 * `warpline bypass`. Returns 0; EXIT_UNMATCHED when there was such a rule; ERR_USAGE when a site's
 * place in the list differs from the recording's; ERR_IO when output was lost; ERR_NOMEM.
 */
int bypass_source_write(const struct bypass_source_job *job, struct err *err);

enum { BYPASS_TYPE_BYTES = 16 };

/* The name of the OpenCL C scalar or vector type that `pointer` ("const __global float4 *") points
 * to, if it has that size; otherwise "". In `name`, which is returned. */
const char *bypass_source_type(const char *pointer, uint32_t bytes, char name[BYPASS_TYPE_BYTES]);

#endif
