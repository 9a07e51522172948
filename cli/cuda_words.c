/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_words.h"

#include "recording.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *opencl, *cuda;
} pairs[] = {
#define CUDA_WORD(opencl, cuda) { opencl, cuda },
#include "cuda_words.def"
#undef CUDA_WORD
};

bool cuda_words_wanted(const struct recording *r)
{
	for (size_t k = 0; k < r->kernel_count; k++) {
		const struct recorded_kernel *kernel = &r->kernels[k];

		if (kernel->table.symbol || kernel->table.has_local_bytes ||
		    (kernel->door && !strcmp(kernel->door, "ptx")))
			return true;
	}
	return false;
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* The pair whose words begin at `at`, or the number of pairs. */
static size_t find_pair(const char *text, const char *at)
{
	size_t i = 0;

	if (at > text && is_of_word(at[-1]))
		return sizeof(pairs) / sizeof(pairs[0]);
	for (; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		size_t length = strlen(pairs[i].opencl);

		if (!strncmp(at, pairs[i].opencl, length) && !is_of_word(at[length]))
			break;
	}
	return i;
}

const char *cuda_words_put(char buffer[CUDA_WORDS_BYTES], const char *text)
{
	size_t length = 0;

	for (const char *at = text; *at;) {
		size_t pair = find_pair(text, at);
		bool is_word = pair < sizeof(pairs) / sizeof(pairs[0]);
		const char *from = is_word ? pairs[pair].cuda : at;
		size_t bytes = is_word ? strlen(from) : 1;

		if (length + bytes >= CUDA_WORDS_BYTES)
			return text;
		memcpy(buffer + length, from, bytes);
		length += bytes;
		at += is_word ? strlen(pairs[pair].opencl) : 1;
	}
	buffer[length] = '\0';
	return buffer;
}

const char *cuda_words(char buffer[CUDA_WORDS_BYTES], const struct recording *r, const char *text)
{
	return cuda_words_wanted(r) ? cuda_words_put(buffer, text) : text;
}
