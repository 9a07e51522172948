/* SPDX-License-Identifier: Apache-2.0 */
#include "build_options.h"
#include "err.h"
#include "str.h"

#include "cmocka_all.h"

#include <stdio.h>
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
		const char *options, *version, *words, *standard;
	} rows[] = {
		{ "", NULL, "-cl-std=CL1.2|", NULL },
		{ "", "3.0", "-cl-std=CL1.2|", NULL },
		{ "", "1.1", "-cl-std=CL1.1|", NULL },
		{ "-cl-std=CL2.0 -DX", "1.2", "-cl-std=CL2.0|-DX|", NULL },
		{ "-D X=2 -DY", NULL, "-D|X=2|-DY|-cl-std=CL1.2|", NULL },
		{ "-D -O2", NULL, "-D|-O2|-cl-std=CL1.2|", NULL },
		{ "-I inc -Isrc", NULL, "-I|inc|-Isrc|-cl-std=CL1.2|", NULL },
		{ "-cl-fast-relaxed-math -w", NULL, "-cl-fast-relaxed-math|-cl-std=CL1.2|", NULL },
		{ "-g -O3 -cl-opt-disable -Werror", NULL, "-cl-std=CL1.2|", NULL },
		{ "-cl-nv-maxrregcount 32 -cl-nv-verbose -DA", NULL, "-DA|-cl-std=CL1.2|", NULL },
		{ "-cl-nv-maxrregcount=32", NULL, "-cl-std=CL1.2|", NULL },
		{ "-x spir -spir-std=1.2", NULL, "-cl-std=CL1.2|", NULL },
		{ "-s a.cl -DA", NULL, "-DA|-cl-std=CL1.2|", NULL },
		{ "-cl-kernel-arg-info", NULL, "-cl-std=CL1.2|", NULL },
		{ "-Werror=x -Wno-y -pedantic-errors", NULL, "-cl-std=CL1.2|", NULL },
		/* The device's own word for the language comes before the program's. */
		{ "-cl-std=CL2.0 -DX", "3.0", "-DX|-cl-std=CL3.0|", "-cl-std=CL3.0" },
		{ "", "1.1", "-cl-std=CL3.0|", "-cl-std=CL3.0" },
		/* Read in the text itself. */
		{ "-include x.h -DA", NULL, "-DA|-cl-std=CL1.2|", NULL },
	};
	struct str joined = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct word_list l;

		word_list_init(&l);
		assert_int_equal(build_options_append(&l, rows[i].options, rows[i].version,
		                                      rows[i].standard, NULL),
		                 0);
		join(&l, &joined);
		assert_string_equal(joined.text, rows[i].words);
		word_list_release(&l);
	}
	str_release(&joined);
}

/* What loads code, writes files, reads more options or is nobody's: clang gets none of it. */
static void an_option_that_is_not_in_the_table_is_refused_by_name(void **state)
{
	static const char *const options[] = {
		"-fplugin=./x.so",
		"-fpass-plugin=./x.so",
		"-Xclang -load -Xclang ./x.so",
		"-Xpreprocessor -DX",
		"--serialize-diagnostics x",
		"-ftime-trace",
		"-fmodules-cache-path=x",
		"-mllvm -debug",
		"-Wp,-DX",
		"-no-such-option",
		"--config x",
		"-B.",
		"@options",
		"x.cl",
		"-",
		"''",
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		char text[128], name[128];
		struct err err = { 0 };
		struct word_list l;

		snprintf(name, sizeof(name), "'%.*s'", (int)strcspn(options[i], " "), options[i]);
		snprintf(text, sizeof(text), "-DA %s", options[i]);
		word_list_init(&l);
		assert_int_equal(build_options_append(&l, text, NULL, NULL, &err), ERR_UNSUPPORTED);
		if (strcmp(options[i], "''") != 0)
			assert_non_null(strstr(err.msg, name));
		word_list_release(&l);
	}
}

static void the_names_and_headers_that_options_give_are_found(void **state)
{
	static const char options[] =
		"-DA=1 -D B(x)=x -UC -U D -include a.h -I inc -include 'b c.h'";
	struct word_list names, headers;
	struct str joined = { 0 };

	word_list_init(&names);
	word_list_init(&headers);
	assert_int_equal(build_options_macros(&names, options, NULL), 0);
	assert_int_equal(build_options_includes(&headers, options, NULL), 0);
	join(&names, &joined);
	assert_string_equal(joined.text, "A|B|C|D|");
	join(&headers, &joined);
	assert_string_equal(joined.text, "a.h|b c.h|");
	str_release(&joined);
	word_list_release(&names);
	word_list_release(&headers);
}

static void an_option_without_its_word_is_refused_by_name(void **state)
{
	struct word_list l;
	struct err err = { 0 };

	word_list_init(&l);
	assert_int_equal(build_options_append(&l, "-DA -I", NULL, NULL, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "'-I'"));
	word_list_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_cut_as_a_shell_cuts_them),
		cmocka_unit_test(options_reach_clang_by_the_table),
		cmocka_unit_test(an_option_that_is_not_in_the_table_is_refused_by_name),
		cmocka_unit_test(the_names_and_headers_that_options_give_are_found),
		cmocka_unit_test(an_option_without_its_word_is_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
