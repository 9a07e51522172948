/* SPDX-License-Identifier: Apache-2.0 */
#include "build_options.h"
#include "err.h"
#include "str.h"

#include "cmocka_all.h"

#include <string.h>

/* The words with a '|' after each. */
static void join(const struct word_list *l, struct str *out)
{
	str_release(out);
	str_init(out, 4096);
	assert_int_equal(str_printf(out, NULL, "%s", ""), 0);
	for (size_t i = 0; i < word_list_count(l); i++)
		assert_int_equal(str_printf(out, NULL, "%s|", word_list_at(l, i)), 0);
}

static void texts_are_cut_as_a_shell_cuts_them(void **state)
{
	static const struct {
		const char *text, *words; /* NULL: refused */
	} rows[] = {
		{ "", "" },
		{ " \t\n ", "" },
		{ "-DA=1", "-DA=1|" },
		{ "  -DA  -I inc ", "-DA|-I|inc|" },
		{ "-DA='x y' b", "-DA=x y|b|" },
		{ "\"-DS=a b\"", "-DS=a b|" },
		{ "-DS=\"a \\\"b\\\" c\"", "-DS=a \"b\" c|" },
		{ "-DS=\\\"q\\\"", "-DS=\"q\"|" },
		{ "'it''s' \"\"", "its||" },
		{ "''", "|" },
		{ "a\\ b", "a b|" },
		{ "'a\\b'", "a\\b|" },
		{ "\"a\\b\"", "a\\b|" },
		{ "a\\\nb", "ab|" },
		{ "'\"' \"'\"", "\"|'|" },
		{ "'open", NULL },
		{ "\"open", NULL },
		{ "end\\", NULL },
		{ "\"end\\", NULL },
	};
	struct str joined = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct word_list l;
		struct err err = { 0 };
		int ret;

		word_list_init(&l);
		ret = word_list_split(&l, rows[i].text, &err);
		join(&l, &joined);
		if (rows[i].words)
			assert_string_equal(joined.text, rows[i].words);
		assert_int_equal(ret, rows[i].words ? 0 : ERR_USAGE);
		word_list_release(&l);
	}
	str_release(&joined);
}

static void options_reach_clang_by_the_table(void **state)
{
	static const struct {
		const char *options, *version, *words;
	} rows[] = {
		{ "", NULL, "-cl-std=CL1.2|" },
		{ "", "3.0", "-cl-std=CL1.2|" },
		{ "", "1.1", "-cl-std=CL1.1|" },
		{ "-cl-std=CL2.0 -DX", "1.2", "-cl-std=CL2.0|-DX|" },
		{ "-D X=2 -DY", NULL, "-D|X=2|-DY|-cl-std=CL1.2|" },
		{ "-D -O2", NULL, "-D|-O2|-cl-std=CL1.2|" },
		{ "-I inc -Isrc", NULL, "-I|inc|-Isrc|-cl-std=CL1.2|" },
		{ "-cl-fast-relaxed-math -w", NULL, "-cl-fast-relaxed-math|-w|-cl-std=CL1.2|" },
		{ "-g -O3 -cl-opt-disable -Werror", NULL, "-cl-std=CL1.2|" },
		{ "-cl-nv-maxrregcount 32 -cl-nv-verbose -DA", NULL, "-DA|-cl-std=CL1.2|" },
		{ "-cl-nv-maxrregcount=32", NULL, "-cl-std=CL1.2|" },
		{ "-x spir -spir-std=1.2", NULL, "-cl-std=CL1.2|" },
		{ "-s a.cl -DA", NULL, "-DA|-cl-std=CL1.2|" },
		{ "-cl-kernel-arg-info", NULL, "-cl-std=CL1.2|" },
		{ "-fno-such", NULL, "-fno-such|-cl-std=CL1.2|" },
	};
	struct str joined = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct word_list l;

		word_list_init(&l);
		assert_int_equal(build_options_append(&l, rows[i].options, rows[i].version, NULL),
		                 0);
		join(&l, &joined);
		assert_string_equal(joined.text, rows[i].words);
		word_list_release(&l);
	}
	str_release(&joined);
}

static void an_option_without_its_word_is_refused_by_name(void **state)
{
	struct word_list l;
	struct err err = { 0 };

	word_list_init(&l);
	assert_int_equal(build_options_append(&l, "-DA -I", NULL, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "'-I'"));
	word_list_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_cut_as_a_shell_cuts_them),
		cmocka_unit_test(options_reach_clang_by_the_table),
		cmocka_unit_test(an_option_without_its_word_is_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
