/* SPDX-License-Identifier: Apache-2.0 */
#include "build_options.h"
#include "err.h"
#include "str.h"

#include "cmocka_all.h"

static void only_what_changes_the_code_of_the_text_is_kept(void **state)
{
	static const struct {
		const char *options, *kept;
		unsigned version;
	} rows[] = {
		{ "", "", 120 },
		/* The text is what the preprocessor left. */
		{ "-D N=4 -DM -I here -Ithere -include x.h", "", 120 },
		{ "-cl-fast-relaxed-math -DN=1 -cl-mad-enable",
		  " -cl-fast-relaxed-math -cl-mad-enable", 120 },
		{ "-cl-std=CL1.1", " -cl-std=CL1.1", 120 },
		{ "-cl-std=CL2.0 -w", " -cl-std=CL2.0", 200 },
		{ "-cl-std=CL3.0", " -cl-std=CL3.0", 300 },
		{ "-cl-denorms-are-zero -D \"A B\"", " -cl-denorms-are-zero", 120 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned version = 0;
		struct str out;

		str_init(&out, 1 << 10);
		assert_int_equal(build_options_for_text(&out, rows[i].options, &version, NULL), 0);
		assert_string_equal(out.text ? out.text : "", rows[i].kept);
		assert_int_equal(version, rows[i].version);
		str_release(&out);
	}
}

static void a_quote_must_be_closed(void **state)
{
	struct err err = { 0 };
	unsigned version;
	struct str out;

	(void)state;
	str_init(&out, 1 << 10);
	assert_int_equal(build_options_for_text(&out, "-w -D \"A", &version, &err), ERR_USAGE);
	str_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_changes_the_code_of_the_text_is_kept),
		cmocka_unit_test(a_quote_must_be_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
