/*
 * cuda_words - CUDA's words in place of OpenCL's, of recordings of CUDA programs.
 *
 * Our sentences are written once, in OpenCL's words; cuda_words.c has the pairs. Names and source
 * of a program may contain these words too: cuda_words_copy() leaves what is between two
 * CUDA_WORDS_QUOTE unchanged; other functions must not get such text.
 */
#ifndef CUDA_WORDS_H
#define CUDA_WORDS_H

#include <stdbool.h>

struct err;
struct recording;

/* Whether a CUDA program was recorded: its kernels are C++, came as PTX, have CUDA's local memory,
 * or a source that ends in .cu. */
bool cuda_words_wanted(const struct recording *r);

enum { CUDA_WORDS_BYTES = 1024 };

/* `text` with CUDA's words in `buffer` where the recording is of CUDA, else `text` itself; also
 * when the buffer is too small. */
const char *cuda_words(char buffer[CUDA_WORDS_BYTES], const struct recording *r, const char *text);

/* Text between two of these is copied unchanged, without them. */
#define CUDA_WORDS_QUOTE "\037"

/* As cuda_words(), in a new string without quotes; free(). NULL with ERR_NOMEM. */
char *cuda_words_copy(const struct recording *r, const char *text, struct err *err);

/* CUDA's word for `opencl` if the recording is of a CUDA program and there is one, else
 * `opencl`. Static storage. */
const char *cuda_word(const struct recording *r, const char *opencl);

/* cuda_words() whatever was recorded. */
const char *cuda_words_put(char buffer[CUDA_WORDS_BYTES], const char *text);

#endif
