/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_words.h"

#include "array.h"
#include "recording.h"

#include <ctype.h>
#include <string.h>

/* Whole words; of two with a common beginning the longer comes first. */
static const struct {
	const char *opencl, *cuda;
} pairs[] = {
	{ "vload4", "short2" },
	{ "work-items", "threads" },
	{ "work-item", "thread" },
	{ "work-groups", "blocks" },
	{ "work-group", "block" },
	{ "groups", "blocks" },
	{ "group", "block" },
	{ "local memory", "shared memory" },
	{ "local array", "shared array" },
	{ "local accesses", "shared accesses" },
	{ "local instructions", "shared instructions" },
};

/* A kernel that is extern "C" is recognised by its source file. */
static bool is_of_cuda_file(const struct kernel_table *t)
{
	const char *file = t->site_count ? t->sites[0].place.file : NULL;
	const char *ending = file ? strrchr(file, '.') : NULL;

	return ending && (!strcmp(ending, ".cu") || !strcmp(ending, ".cuh"));
}

bool cuda_words_wanted(const struct recording *r)
{
	for (size_t k = 0; k < r->kernel_count; k++) {
		const struct recorded_kernel *kernel = &r->kernels[k];

		if (kernel->table.symbol || kernel->table.is_local_exact ||
		    is_of_cuda_file(&kernel->table) ||
		    (kernel->door && !strcmp(kernel->door, "ptx")))
			return true;
	}
	return false;
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Returns the pair whose words begin at `at`, or the number of pairs. */
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

/* Copy the text, with CUDA's words or without them. Returns false if it needs more than `room`
 * bytes. */
static bool put(char *buffer, size_t room, const char *text, bool is_cuda)
{
	bool is_quoted = false;
	size_t length = 0;

	for (const char *at = text; *at;) {
		size_t pair = is_cuda && !is_quoted ? find_pair(text, at)
		                                    : sizeof(pairs) / sizeof(pairs[0]);
		bool is_word = pair < sizeof(pairs) / sizeof(pairs[0]);
		bool is_quote = *at == *CUDA_WORDS_QUOTE;
		const char *from = is_word ? pairs[pair].cuda : at;
		size_t bytes = is_word ? strlen(from) : !is_quote;

		if (length + bytes >= room)
			return false;
		memcpy(buffer + length, from, bytes);
		length += bytes;
		is_quoted = is_quoted != is_quote;
		at += is_word ? strlen(pairs[pair].opencl) : 1;
	}
	buffer[length] = '\0';
	return true;
}

const char *cuda_words_put(char buffer[CUDA_WORDS_BYTES], const char *text)
{
	return put(buffer, CUDA_WORDS_BYTES, text, true) ? buffer : text;
}

const char *cuda_words(char buffer[CUDA_WORDS_BYTES], const struct recording *r, const char *text)
{
	return cuda_words_wanted(r) ? cuda_words_put(buffer, text) : text;
}

char *cuda_words_copy(const struct recording *r, const char *text, struct err *err)
{
	size_t room = 2 * strlen(text) + 1; /* no word becomes twice as long */
	char *copy = array_alloc(room, 1, "a sentence", err);

	if (copy)
		put(copy, room, text, cuda_words_wanted(r));
	return copy;
}

const char *cuda_word(const struct recording *r, const char *opencl)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (!strcmp(pairs[i].opencl, opencl) && cuda_words_wanted(r))
			return pairs[i].cuda;
	return opencl;
}
