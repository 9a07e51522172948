/*
 * cuda_source - the text of a program that came as bitcode: the file that was compiled, as debug
 * information names it, or that of a kernel, if it is there.
 *
 * A program built by `warpline nvcc` carries bitcode. What only its source shows (source_facts.h)
 * is read from where it was when it was built; if it is there no more, or not CUDA by its name,
 * then that is left out.
 */
#ifndef CUDA_SOURCE_H
#define CUDA_SOURCE_H

#include "settings.h"

#include <stdbool.h>

struct err;
struct program;

struct cuda_source {
	struct settings settings; /* of the part, but for its text, the text's name and options */
	char *path, *name, *options;
	char *folder; /* in which the compiler was started; "": not known */
};

/*
 * Find the text of the kernels of a program that was CUDA and came as `part`, a file of IR, while
 * they still have places. *s gets it, to be released with cuda_source_release(), or is all zero.
 * Returns 0 or ERR_NOMEM.
 */
int cuda_source_find(struct cuda_source *s, const struct program *p, const struct settings *part,
                     struct err *err);
void cuda_source_release(struct cuda_source *s);

/* Whether source was found. */
bool cuda_source_is_there(const struct cuda_source *s);

#endif
