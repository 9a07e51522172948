/*
 * cuda_front - how clang is called for device code of CUDA: language, target, headers, and what
 * of the options of nvcc or clang counts.
 *
 * Headers are our own, found beside this program or where WARPLINE_CUDA_INCLUDE says, unless an
 * option --cuda-path=DIR names a toolkit. They are the compiler's only ones for CUDA: none of the
 * toolkit's or clang's come with it.
 */
#ifndef CUDA_FRONT_H
#define CUDA_FRONT_H

#include <stdbool.h>

struct err;
struct settings;
struct word_list;

/* Whether a source is CUDA, by its name. */
bool cuda_front_is_source(const char *path);

/*
 * Append the options that say how the text is to be read, as front_end_options() does. Returns 0,
 * ERR_USAGE, ERR_NOMEM or ERR_LIMIT.
 */
int cuda_front_options(struct word_list *argv, const struct settings *s, struct err *err);

/* Append those that say what is to be made of it: bitcode on standard output. 0, ERR_NOMEM... */
int cuda_front_output(struct word_list *argv, struct err *err);

#endif
