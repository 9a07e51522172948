/*
 * cuda_source - finds the source of a program that came as bitcode: the compiled file named in
 * debug information, or the file of a kernel, if it exists.
 *
 * A program built by `warpline nvcc` carries bitcode. What only its source shows (source_facts.h)
 * is read from where the source was when the program was built; if it is gone, or is not CUDA by
 * its name, it is left out.
 */
#ifndef CUDA_SOURCE_H
#define CUDA_SOURCE_H

#include "settings.h"

#include <stdbool.h>

struct err;
struct program;

struct cuda_source {
	struct settings settings; /* of the part, except for the source, its name and its options */
	char *path, *name, *options;
	char *folder; /* where the compiler was started; "": not known */
};

/*
 * Find the source of the kernels of a program that was CUDA and came as `part`, a file of IR, while
 * they still have source positions. Fills *s, to be released with cuda_source_release(); it is all
 * zero when there is no source. Returns 0 or ERR_NOMEM.
 */
int cuda_source_find(struct cuda_source *s, const struct program *p, const struct settings *part,
                     struct err *err);
void cuda_source_release(struct cuda_source *s);

/* Whether a source was found. */
bool cuda_source_is_there(const struct cuda_source *s);

#endif
