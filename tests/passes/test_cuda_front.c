/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_front.h"

#include "err.h"
#include "settings.h"
#include "str.h"
#include "word_list.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/* What clang gets of some options, behind what it always gets and before the headers. */
static void check_options(const char *options, const char *expected)
{
	struct settings s = { .source = "a.cu", .options = options };
	struct word_list words;
	struct err err = { 0 };
	struct str text;
	bool is_ours = false;

	word_list_init(&words);
	str_init(&text, 1 << 16);
	assert_int_equal(cuda_front_options(&words, &s, &err), 0);
	for (size_t i = 0; i < word_list_count(&words); i++) {
		const char *word = word_list_at(&words, i);

		is_ours |= !strncmp(word, "--cuda-gpu-arch", 15);
		if (!strcmp(word, "-nocudainc"))
			break;
		if (is_ours)
			assert_int_equal(
				str_printf(&text, &err, "%s%s", text.length ? " " : "", word), 0);
	}
	assert_string_equal(text.text, expected);
	str_release(&text);
	word_list_release(&words);
}

static void options_of_nvcc_become_those_of_clang(void **state)
{
	static const struct {
		const char *options, *expected;
	} rows[] = {
		{ "", "--cuda-gpu-arch=sm_75 -std=gnu++17" },
		{ NULL, "--cuda-gpu-arch=sm_75 -std=gnu++17" },
		{ "-arch=sm_80 -std=c++14", "--cuda-gpu-arch=sm_80 -std=c++14" },
		{ "-arch sm_61 --std c++11", "--cuda-gpu-arch=sm_61 -std=c++11" },
		{ "--gpu-architecture=compute_70", "--cuda-gpu-arch=sm_70 -std=gnu++17" },
		/* the newest of several, as far as this clang knows it */
		{ "-gencode arch=compute_52,code=sm_52 -gencode=arch=compute_70,code=sm_70",
		  "--cuda-gpu-arch=sm_70 -std=gnu++17" },
		{ "-arch=sm_100", "--cuda-gpu-arch=sm_90 -std=gnu++17" },
		{ "-arch=sm_20", "--cuda-gpu-arch=sm_35 -std=gnu++17" },
		{ "-DA=1 -D B -U C -Iinc -I 'two words' -isystem s",
		  "--cuda-gpu-arch=sm_75 -std=gnu++17 -DA=1 -D B -U C -Iinc -I two words -isystem "
		  "s" },
		{ "--pre-include h.h", "--cuda-gpu-arch=sm_75 -std=gnu++17 -include h.h" },
		{ "-O3 -Xcompiler -fopenmp -o x --use_fast_math -lineinfo",
		  "--cuda-gpu-arch=sm_75 -std=gnu++17" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_options(rows[i].options, rows[i].expected);
}

static bool has_word(const struct word_list *words, const char *word)
{
	for (size_t i = 0; i < word_list_count(words); i++)
		if (!strcmp(word_list_at(words, i), word))
			return true;
	return false;
}

static void headers_are_ours_or_a_toolkits(void **state)
{
	struct settings s = { .source = "a.cu", .options = "" };
	struct word_list words;
	struct err err = { 0 };

	setenv("WARPLINE_CUDA_INCLUDE", "/some/where", 1);
	word_list_init(&words);
	assert_int_equal(cuda_front_options(&words, &s, &err), 0);
	assert_true(has_word(&words, "/some/where"));
	assert_true(has_word(&words, "-nocudainc"));
	word_list_release(&words);

	s.options = "--cuda-path=/tool/kit";
	word_list_init(&words);
	assert_int_equal(cuda_front_options(&words, &s, &err), 0);
	assert_true(has_word(&words, "--cuda-path=/tool/kit"));
	assert_false(has_word(&words, "-nocudainc"));
	word_list_release(&words);
}

static void a_word_that_is_missing_is_told(void **state)
{
	struct settings s = { .source = "a.cu", .options = "-DX -arch" };
	struct word_list words;
	struct err err = { 0 };

	word_list_init(&words);
	assert_int_equal(cuda_front_options(&words, &s, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "-arch"));
	word_list_release(&words);
}

static void cuda_is_known_by_its_name(void **state)
{
	assert_true(cuda_front_is_source("a.cu"));
	assert_true(cuda_front_is_source("/b.c/a.cuh"));
	assert_false(cuda_front_is_source("a.cu.cl"));
	assert_false(cuda_front_is_source("cu"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_of_nvcc_become_those_of_clang),
		cmocka_unit_test(headers_are_ours_or_a_toolkits),
		cmocka_unit_test(a_word_that_is_missing_is_told),
		cmocka_unit_test(cuda_is_known_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
