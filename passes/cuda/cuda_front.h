/*
 * cuda_front - the options with which clang compiles CUDA device code: language, target, headers,
 * and which options of nvcc or clang count.
 *
 * The headers are our own, found beside this program or where WARPLINE_CUDA_INCLUDE says, unless an
 * option --cuda-path=DIR names a toolkit. They are the only ones used for CUDA: those of the
 * toolkit and of clang are left out.
 */
#ifndef CUDA_FRONT_H
#define CUDA_FRONT_H

#include <stdbool.h>

struct err;
struct settings;
struct word_list;

/* Whether a file is a CUDA source, by its name. */
bool cuda_front_is_source(const char *path);

/*
 * Append the options that say how to read the source, like front_end_options(). Returns 0,
 * ERR_USAGE, ERR_NOMEM or ERR_LIMIT.
 */
int cuda_front_options(struct word_list *argv, const struct settings *s, struct err *err);

/* Append the options that say what to write: bitcode on standard output. Returns 0, ERR_NOMEM or
 * ERR_LIMIT. */
int cuda_front_output(struct word_list *argv, struct err *err);

#endif
