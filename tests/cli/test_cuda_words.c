/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's words in sentences that are written in OpenCL's. */
#include "cmocka_all.h"

#include "cuda_words.h"
#include "recording.h"

#include <stdlib.h>
#include <string.h>

static void whole_words_are_replaced(void **state)
{
	static const struct {
		const char *opencl, *cuda;
	} rows[] = {
		{ "", "" },
		{ "let neighbouring work-items access", "let neighbouring threads access" },
		{ "the work-items' range; groups' work", "the threads' range; blocks' work" },
		{ "keep it in local memory, a work-group's",
		  "keep it in shared memory, a block's" },
		{ "for each work-item", "for each thread" },
		{ "regroup grouped subgroups group_id sub-group",
		  "regroup grouped subgroups group_id sub-group" },
		{ "locally, local", "locally, local" },
		{ "as a vector (uchar4, vload4)", "as a vector (uchar4, short2)" },
	};
	char buffer[CUDA_WORDS_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(cuda_words_put(buffer, rows[i].opencl), rows[i].cuda);
}

/* 200 times 6 bytes are more than there is room for. */
static void what_does_not_fit_stays(void **state)
{
	char text[200 * 6 + 1] = "", buffer[CUDA_WORDS_BYTES];

	for (size_t i = 0; i < 200; i++)
		memcpy(text + 6 * i, "group ", 7);
	assert_ptr_equal(cuda_words_put(buffer, text), text);
}

static void only_recordings_of_cuda_have_them(void **state)
{
	char door[] = "text", ptx[] = "ptx", symbol[] = "_Z1fv", source[] = "src/a.cu";
	struct site site = { .kind = SITE_READ };
	struct recorded_kernel kernel = { .door = door };
	struct recording r = { .kernels = &kernel, .kernel_count = 1 };
	char buffer[CUDA_WORDS_BYTES];

	assert_string_equal(cuda_words(buffer, &r, "a group"), "a group");
	kernel.table.symbol = symbol;
	assert_string_equal(cuda_words(buffer, &r, "a group"), "a block");
	kernel.table.symbol = NULL;
	kernel.table.is_local_exact = true;
	assert_true(cuda_words_wanted(&r));
	kernel.table.is_local_exact = false;
	kernel.table.sites = &site;
	kernel.table.site_count = 1;
	assert_false(cuda_words_wanted(&r));
	site.place.file = source;
	assert_true(cuda_words_wanted(&r));
	kernel.table.site_count = 0;
	kernel.door = ptx;
	assert_true(cuda_words_wanted(&r));
	r.kernel_count = 0;
	assert_false(cuda_words_wanted(&r));
}

/* A kernel may be called "group". */
static void what_is_quoted_stays(void **state)
{
	struct recorded_kernel kernel = { .table.is_local_exact = true };
	struct recording r = { .kernels = &kernel, .kernel_count = 1 };
	char *text = cuda_words_copy(
		&r, "reads " CUDA_WORDS_QUOTE "group [work-item]" CUDA_WORDS_QUOTE " of each group",
		NULL);

	assert_string_equal(text, "reads group [work-item] of each block");
	free(text);
	(void)state;
	r.kernel_count = 0;
	text = cuda_words_copy(&r, "a group, " CUDA_WORDS_QUOTE "group" CUDA_WORDS_QUOTE, NULL);
	assert_string_equal(text, "a group, group");
	free(text);
}

static void a_word_is_of_the_recordings_language(void **state)
{
	struct recorded_kernel kernel = { .table.is_local_exact = true };
	struct recording r = { .kernels = &kernel, .kernel_count = 1 };

	(void)state;
	assert_string_equal(cuda_word(&r, "local memory"), "shared memory");
	assert_string_equal(cuda_word(&r, "misses"), "misses");
	r.kernel_count = 0;
	assert_string_equal(cuda_word(&r, "local memory"), "local memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_words_are_replaced),
		cmocka_unit_test(what_does_not_fit_stays),
		cmocka_unit_test(only_recordings_of_cuda_have_them),
		cmocka_unit_test(what_is_quoted_stays),
		cmocka_unit_test(a_word_is_of_the_recordings_language),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
