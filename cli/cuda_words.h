/*
 * cuda_words - CUDA's words in place of OpenCL's, of recordings of CUDA programs.
 *
 * Sentences of ours are written once, in OpenCL's words; cuda_words.def has the pairs. What quotes
 * a program, its names or its source, is not to be passed through: it may have these words too.
 */
#ifndef CUDA_WORDS_H
#define CUDA_WORDS_H

#include <stdbool.h>

struct recording;

/* Whether a CUDA program was recorded: its kernels are C++, came as PTX, or have CUDA's local
 * memory. */
bool cuda_words_wanted(const struct recording *r);

enum { CUDA_WORDS_BYTES = 1024 };

/* `text` with CUDA's words in `buffer` where the recording is of CUDA, else `text` itself; also
 * when the buffer is too small. */
const char *cuda_words(char buffer[CUDA_WORDS_BYTES], const struct recording *r, const char *text);

/* The same whatever was recorded. */
const char *cuda_words_put(char buffer[CUDA_WORDS_BYTES], const char *text);

#endif
