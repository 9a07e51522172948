/*
 * cuda_words - CUDA's terms instead of OpenCL's, for recordings of CUDA programs.
 *
 * Sentences are written once, in OpenCL's terms; cuda_words.c has the pairs. Names and source of a
 * program may contain these words too: cuda_words_copy() leaves text between two CUDA_WORDS_QUOTE
 * unchanged; other functions must not get such text.
 */
#ifndef CUDA_WORDS_H
#define CUDA_WORDS_H

#include <stdbool.h>

struct err;
struct recording;

/* Whether a CUDA program was recorded: its kernels are C++, came as PTX, have CUDA's local memory,
 * or are from a source that ends in .cu. */
bool cuda_words_wanted(const struct recording *r);

enum { CUDA_WORDS_BYTES = 1024 };

/* Returns `text` with CUDA's terms in `buffer` if the recording is of CUDA and the buffer is large
 * enough, else `text` itself. */
const char *cuda_words(char buffer[CUDA_WORDS_BYTES], const struct recording *r, const char *text);

/* Text between two of these is copied unchanged, without them. */
#define CUDA_WORDS_QUOTE "\037"

/* As cuda_words(), in a new string without quotes, which the caller frees. NULL with ERR_NOMEM. */
char *cuda_words_copy(const struct recording *r, const char *text, struct err *err);

/* Returns CUDA's term for `opencl` if the recording is of a CUDA program and there is one, else
 * `opencl`. Static storage. */
const char *cuda_word(const struct recording *r, const char *opencl);

/* As cuda_words(), whatever was recorded. */
const char *cuda_words_put(char buffer[CUDA_WORDS_BYTES], const char *text);

#endif
