/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "recorder_settings.h"

#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {
#define SETTING(kind, field, variable, fallback, text) variable,
#include "recorder_settings.def"
#undef SETTING
};

static int clear(void **state)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	return 0;
}

static void without_variables_there_are_the_defaults(void **state)
{
	struct recorder_settings s;
	struct err err = { 0 };

	setenv("WARPLINE_LAUNCHES", "", 1);
	assert_int_equal(recorder_settings_init(&s, &err), 0);
	assert_null(s.dir);
	assert_null(s.instrumenter);
	assert_null(s.kernel);
	assert_null(s.launches);
	assert_null(s.groups);
	assert_string_equal(s.spaces, "sample");
	assert_false(s.keep);
	assert_string_equal(s.records, "affine");
	assert_int_equal(s.buffer_bytes, 64 << 20);
	assert_false(s.skip || s.per_kernel || s.max_launches || s.max_bytes || s.duration_ns);
	assert_false(s.any_device || recorder_settings_has_flag("WARPLINE_ANY_DEVICE"));
	assert_int_equal(s.complaints.count, 0);
	recorder_settings_release(&s);
}

static void each_variable_is_read(void **state)
{
	struct recorder_settings s;
	struct err err = { 0 };

	setenv("WARPLINE_DIR", "d", 1);
	setenv("WARPLINE_KERNEL", "^a|b$", 1);
	setenv("WARPLINE_LAUNCHES", "2..", 1);
	setenv("WARPLINE_GROUPS", "0../15,3", 1);
	setenv("WARPLINE_RECORDS", "count", 1);
	setenv("WARPLINE_SPACES", "local,constant", 1);
	setenv("WARPLINE_BUFFER", "1m", 1);
	setenv("WARPLINE_SKIP", "0", 1);
	setenv("WARPLINE_PER_KERNEL", "3", 1);
	setenv("WARPLINE_MAX_LAUNCHES", "2k", 1);
	setenv("WARPLINE_MAX_BYTES", "10g", 1);
	setenv("WARPLINE_DURATION", "1.5", 1);
	setenv("WARPLINE_ANY_DEVICE", "1", 1);
	setenv("WARPLINE_KEEP", "1", 1);
	assert_int_equal(recorder_settings_init(&s, &err), 0);
	assert_string_equal(s.dir, "d");
	assert_string_equal(s.kernel, "^a|b$");
	assert_string_equal(s.launches, "2..");
	assert_string_equal(s.groups, "0../15,3");
	assert_string_equal(s.records, "count");
	assert_string_equal(s.spaces, "local,constant");
	assert_int_equal(s.buffer_bytes, 1 << 20);
	assert_int_equal(s.skip, 0);
	assert_int_equal(s.per_kernel, 3);
	assert_int_equal(s.max_launches, 2048);
	assert_true(s.max_bytes == UINT64_C(10) << 30);
	assert_int_equal(s.duration_ns, 1500000000);
	assert_true(s.any_device && recorder_settings_has_flag("WARPLINE_ANY_DEVICE"));
	assert_true(s.keep);
	assert_int_equal(s.complaints.count, 0);
	recorder_settings_release(&s);
	setenv("WARPLINE_KEEP", "0", 1);
	assert_int_equal(recorder_settings_init(&s, &err), 0);
	assert_false(s.keep);
	recorder_settings_release(&s);
}

static const struct {
	const char *variable, *value, *expected; /* part of the sentence */
} bad[] = {
	{ "WARPLINE_KERNEL", "a(", "POSIX extended regular expression, not 'a('" },
	{ "WARPLINE_LAUNCHES", "3..1", "ends before it begins" },
	{ "WARPLINE_GROUPS", "x", "'x' is not a number" },
	{ "WARPLINE_GROUPS", "sm:0@gtx480", "'sm:0@gtx480' is not a number" },
	{ "WARPLINE_RECORDS", "all", "'all' is not one of affine|raw|count|none" },
	{ "WARPLINE_RECORDS", "affin", "'affin' is not one of" },
	{ "WARPLINE_RECORDS", "affine|raw", "'affine|raw' is not one of" },
	{ "WARPLINE_SPACES", "lokal", "'lokal' is not one of constant,local,sample,global,all" },
	{ "WARPLINE_SPACES", "local,", "'' is not one of" },
	{ "WARPLINE_SPACES", "local,,constant", "'' is not one of" },
	{ "WARPLINE_BUFFER", "4095", "4095 is outside 4096..68719476736" },
	{ "WARPLINE_BUFFER", "65g", "is outside" },
	{ "WARPLINE_DIR", "a%d", "'%d' is not one of %p" },
	{ "WARPLINE_SKIP", "-1", "'-1' is not a number" },
	{ "WARPLINE_PER_KERNEL", "0", "0 is outside 1.." },
	{ "WARPLINE_MAX_LAUNCHES", "0", "0 is outside 1.." },
	{ "WARPLINE_MAX_BYTES", "1t", "'1t' is not a number" },
	{ "WARPLINE_DURATION", "1s", "'1s' is not a number of seconds" },
};

static void a_bad_variable_is_ignored_with_a_sentence(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct recorder_settings s, plain;
		struct err err = { 0 };
		const char *sentence;

		clear(NULL);
		assert_int_equal(recorder_settings_init(&plain, &err), 0);
		setenv(bad[i].variable, bad[i].value, 1);
		assert_int_equal(recorder_settings_init(&s, &err), 0);
		assert_int_equal(s.complaints.count, 1);
		sentence = ((char **)s.complaints.data)[0];
		if (!strstr(sentence, bad[i].variable) || !strstr(sentence, bad[i].expected))
			fail_msg("%s=%s: %s", bad[i].variable, bad[i].value, sentence);
		assert_string_equal(s.records, plain.records);
		assert_int_equal(s.buffer_bytes, plain.buffer_bytes);
		assert_null(s.kernel);
		assert_null(s.launches);
		assert_null(s.groups);
		assert_string_equal(s.spaces, plain.spaces);
		recorder_settings_release(&s);
		recorder_settings_release(&plain);
	}
}

static void a_check_says_what_the_reading_would(void **state)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(
			recorder_settings_check(bad[i].variable, bad[i].value, "--option", &err),
			ERR_USAGE);
		assert_non_null(strstr(err.msg, "--option: "));
		assert_non_null(strstr(err.msg, bad[i].expected));
	}
	assert_int_equal(recorder_settings_check("WARPLINE_GROUPS", "/4", "--groups", NULL), 0);
	assert_int_equal(recorder_settings_check("WARPLINE_SPACES", "local", "--spaces", NULL), 0);
	assert_int_equal(recorder_settings_check("WARPLINE_BUFFER", "64g", "--x", NULL), 0);
}

static int warnings;

static void count_warning(void *context, const char *variable, const char *nearest)
{
	static const struct {
		const char *variable, *nearest;
	} rows[] = {
		{ "WARPLINE_KERNELS", "WARPLINE_KERNEL" },
		{ "WARPLINE_MAXBYTES", "WARPLINE_MAX_BYTES" },
		{ "WARPLINE_GPUSS", "WARPLINE_GPUS" },
		{ "WARPLINE_UNHEARD_OF", NULL },
	};

	assert_ptr_equal(context, &warnings);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].variable, variable) != 0)
			continue;
		warnings++;
		if (rows[i].nearest)
			assert_string_equal(nearest, rows[i].nearest);
		else
			assert_null(nearest);
		return;
	}
	fail_msg("%s is told", variable);
}

static void unknown_variables_are_told_with_the_nearest_name(void **state)
{
	setenv("WARPLINE_KERNEL", "a", 1);
	setenv("WARPLINE_GPUS", "/gpus", 1);
	setenv("WARPLINE_GPU", "v100", 1);
	setenv("WARPLIN", "x", 1);
	recorder_settings_unknown(count_warning, &warnings);
	assert_int_equal(warnings, 0);
	setenv("WARPLINE_KERNELS", "a", 1);
	setenv("WARPLINE_MAXBYTES", "", 1);
	setenv("WARPLINE_GPUSS", "x=y", 1);
	setenv("WARPLINE_UNHEARD_OF", "1", 1);
	recorder_settings_unknown(count_warning, &warnings);
	assert_int_equal(warnings, 4);
	unsetenv("WARPLINE_KERNELS");
	unsetenv("WARPLINE_MAXBYTES");
	unsetenv("WARPLINE_GPUSS");
	unsetenv("WARPLINE_GPU");
	unsetenv("WARPLINE_UNHEARD_OF");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(without_variables_there_are_the_defaults, clear),
		cmocka_unit_test_setup(each_variable_is_read, clear),
		cmocka_unit_test_setup(a_bad_variable_is_ignored_with_a_sentence, clear),
		cmocka_unit_test_setup(a_check_says_what_the_reading_would, clear),
		cmocka_unit_test_setup(unknown_variables_are_told_with_the_nearest_name, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
