/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "record_options.h"

#include <stdlib.h>
#include <string.h>

/* gtx480 has 15 SMs: round robin gives SM s the groups s, s + 15, s + 30, ... */
static void the_groups_of_an_sm_become_every_15th(void **state)
{
	static const struct {
		const char *spec, *resolved;
	} rows[] = {
		{ "sm:0@gtx480", "0../15" },
		{ "sm:14@gtx480", "14../15" },
		{ "1..3,sm:2@gtx480,/4", "1..3,2../15,/4" },
		{ "sm:0@gtx480,sm:1@gtx480", "0../15,1../15" },
		{ "sm:1@" SOURCE_DIR "/gpus/gtx480.conf", "1../15" },
		{ "0..5/2", "0..5/2" },
		{ "", "" },
		{ "1,", "1," },
		{ ",1", ",1" },
		{ "nonsense", "nonsense" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		char *resolved = record_options_groups(rows[i].spec, "--groups", &err);

		if (!resolved)
			fail_msg("%s", err.msg);
		assert_string_equal(resolved, rows[i].resolved);
		free(resolved);
	}
}

static void what_is_no_sm_is_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *spec, *message;
	} rows[] = {
		{ "sm:", "'sm:': expected sm:S@GPU" },
		{ "sm:3", "'sm:3': expected sm:S@GPU" },
		{ "sm:3@", "expected sm:S@GPU" },
		{ "sm:@gtx480", "expected sm:S@GPU" },
		{ "sm:15@gtx480", "gtx480 has the SMs 0..14, not 15" },
		{ "sm:x@gtx480", "'x' is not a number" },
		{ "sm:0@nosuch", "unknown GPU 'nosuch'; there are: " },
		{ "sm:0@/nowhere/x.conf", "/nowhere/x.conf" },
		{ "1,sm:99@gtx480", "not 99" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		assert_null(record_options_groups(rows[i].spec, "--groups", &err));
		assert_int_equal(err.code, ERR_USAGE);
		if (strncmp(err.msg, "--groups: ", 10) != 0 || !strstr(err.msg, rows[i].message))
			fail_msg("'%s' gave '%s'", rows[i].spec, err.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_groups_of_an_sm_become_every_15th),
		cmocka_unit_test(what_is_no_sm_is_refused_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
