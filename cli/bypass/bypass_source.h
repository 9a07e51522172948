/*
 * bypass_source - a bypass list as what to change in the source: the lines, and what to write.
 *
 * For CUDA `__ldcg(&x)`, for OpenCL C `__builtin_nontemporal_load(&x)` where the compiler is made
 * of clang, and for NVIDIA's OpenCL a helper of inline assembly, which is printed too. `x` is the
 * expression of the site, as the recording has it. Nothing is changed.
 */
#ifndef BYPASS_SOURCE_H
#define BYPASS_SOURCE_H

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
 * Print the listing. Rules that matched nothing, or cannot be said in a source, are named on stderr
 * as `warpline bypass`. Returns 0; EXIT_UNMATCHED when there was such a rule; ERR_USAGE when a
 * site's place in the list is not the recording's; ERR_IO when any of it was lost; ERR_NOMEM.
 */
int bypass_source_write(const struct bypass_source_job *job, struct err *err);

#endif
