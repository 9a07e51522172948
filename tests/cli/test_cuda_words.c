/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's words in sentences that are written in OpenCL's. */
#include "cmocka_all.h"

#include "cuda_words.h"
#include "recording.h"

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
	char door[] = "text", ptx[] = "ptx", symbol[] = "_Z1fv";
	struct recorded_kernel kernel = { .door = door };
	struct recording r = { .kernels = &kernel, .kernel_count = 1 };
	char buffer[CUDA_WORDS_BYTES];

	assert_string_equal(cuda_words(buffer, &r, "a group"), "a group");
	kernel.table.symbol = symbol;
	assert_string_equal(cuda_words(buffer, &r, "a group"), "a block");
	kernel.table.symbol = NULL;
	kernel.table.has_local_bytes = true;
	assert_true(cuda_words_wanted(&r));
	kernel.table.has_local_bytes = false;
	kernel.door = ptx;
	assert_true(cuda_words_wanted(&r));
	r.kernel_count = 0;
	assert_false(cuda_words_wanted(&r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_words_are_replaced),
		cmocka_unit_test(what_does_not_fit_stays),
		cmocka_unit_test(only_recordings_of_cuda_have_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
