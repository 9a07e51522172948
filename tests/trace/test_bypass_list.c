/* SPDX-License-Identifier: Apache-2.0 */
/* Bypass lists of a command line and of a file: what is read, what is refused, what is written. */
#include "cmocka_all.h"

#include "bypass_list.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define FIRST    "warpline bypass 1\n"

static const char EXPECTED[] = "expected site:N, line:N, argument:NAME, buffer:N, warps:PI, "
			       "address:0xHEX or all";

/* The list as a file; free it. */
static char *written(const struct bypass_list *list)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	assert_int_equal(bypass_list_write(list, out, NULL), 0);
	fclose(out);
	return text;
}

static int read_text(struct bypass_list *list, const char *text, size_t length, struct err *err)
{
	char *own = malloc(length + 1); /* of this size: a read past its end is seen */
	int ret;

	memcpy(own, text, length);
	own[length] = '\0';
	ret = bypass_list_read_text(list, "L", own, length, err);
	free(own);
	return ret;
}

/* --- a command line's --------------------------------------------------------------------------
 */

static void lists_of_a_command_line_are_read(void **state)
{
	static const struct {
		const char *text, *file;
	} rows[] = {
		{ "none", FIRST },
		{ "all", FIRST "all\n" },
		{ "site:4,argument:B,warps:3", FIRST "site 4\nargument B\nwarps 3\n" },
		{ "line:12,buffer:0,all", FIRST "line 12\nbuffer 0\nall\n" },
		{ "argument:a:b", FIRST "argument a:b\n" },
		{ "argument:a b", FIRST "argument \"a b\"\n" },
		{ "address:0x10000080,address:16", FIRST "address 0x10000080\naddress 0x10\n" },
		{ "address:0xffffffffffffffff", FIRST "address 0xffffffffffffffff\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bypass_list list = { 0 };
		char *text;

		assert_int_equal(bypass_list_load(&list, rows[i].text, NULL), 0);
		text = written(&list);
		assert_string_equal(text, rows[i].file);
		free(text);
		bypass_list_release(&list);
	}
}

static void other_texts_are_refused(void **state)
{
	static const struct {
		const char *text, *shown, *message;
	} rows[] = {
		{ "", "''", NULL },
		{ "site:1,", "''", NULL },
		{ "sites:1", "'sites:1'", NULL },
		{ "a/b:1", "'a/b:1'", NULL },
		{ "site", "'site'", NULL },
		{ "site:", "'site:'", NULL },
		{ "all:", "'all:'", NULL },
		{ "all,none", "'none'", NULL },
		{ "line:x,site:1", NULL, "line: 'x' is not a number" },
		{ "site:-1", NULL, "site: '-1' is not a number" },
		{ "warps:4294967296", NULL, "warps: 4294967296 is outside 0..4294967295" },
		{ "address:0x10000000000000000", NULL,
		  "address: 0x10000000000000000 is outside 0..18446744073709551615" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bypass_list list = { 0 };
		struct err err = { 0 };
		char message[256];

		assert_int_equal(bypass_list_parse(&list, rows[i].text, &err), ERR_USAGE);
		snprintf(message, sizeof(message), "%s: %s", rows[i].shown, EXPECTED);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : message);
		bypass_list_release(&list);
	}
}

/* What does not begin like a list is the name of a file. */
static void what_is_no_list_is_a_file(void **state)
{
	static const char *const rows[] = { "bypass.txt", "site", "all.list", "warps,2" };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bypass_list list = { 0 };
		struct err err = { 0 };

		assert_int_equal(bypass_list_load(&list, rows[i], &err), ERR_IO);
		assert_non_null(strstr(err.msg, rows[i]));
		bypass_list_release(&list);
	}
}

/* --- a file's ----------------------------------------------------------------------------------
 */

/* Each of these is written as `same`, which is read as the same list again. */
static void lists_of_a_file_are_read_and_written(void **state)
{
	static const struct {
		const char *text, *same;
	} rows[] = {
		{ "warpline bypass 1", FIRST },
		{ FIRST "\n  # nothing\n\t\r\nall # of all\n", FIRST "all\n" },
		{ FIRST "all\nkernel *\nsite 1", FIRST "all\nsite 1\n" },
		{ FIRST "kernel mm\nsite 4\nkernel b\nsite 5\nkernel *\nsite 6\n",
		  FIRST "kernel mm\nsite 4\nkernel b\nsite 5\nkernel *\nsite 6\n" },
		{ FIRST "kernel mm\nkernel mm # again\nwarps 0\n", FIRST "kernel mm\nwarps 0\n" },
		{ FIRST "kernel \"*\"\nall\nkernel \"a\\u0020\\\"b\\\\\"\nall",
		  FIRST "kernel \"*\"\nall\nkernel \"a \\\"b\\\\\"\nall\n" },
		{ FIRST "site 4 at mm.cl:9:12 #1 # first\n", FIRST "site 4 at mm.cl:9:12 #1\n" },
		{ FIRST "site 4 at mm.cl:9:12 # 1\n", FIRST "site 4 at mm.cl:9:12\n" },
		{ FIRST "site 4 at mm.cl:9:12 #1st\n", FIRST "site 4 at mm.cl:9:12\n" },
		{ FIRST "site 4 at \"my mm.cl\":9:12 #2\n",
		  FIRST "site 4 at \"my mm.cl\":9:12 #2\n" },
		{ FIRST "site 4 at c:mm.cl:9:12\n", FIRST "site 4 at c:mm.cl:9:12\n" },
		{ FIRST "address 0x80\naddress 0x100 sm 3\n",
		  FIRST "address 0x80\naddress 0x100 sm 3\n" },
		{ FIRST "argument \"\"\nargument \"\\ud83d\\ude00\\u00e9\\u20ac\\/\"\n",
		  FIRST "argument \"\"\nargument \xf0\x9f\x98\x80\xc3\xa9\xe2\x82\xac/\n" },
		{ FIRST "argument \"a\\tb\\u0085\"\n", FIRST "argument \"a\\u0009b\\u0085\"\n" },
		{ FIRST "argument \"#\"\nargument a#\n", FIRST "argument \"#\"\nargument a#\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *texts[] = { rows[i].text, rows[i].same };

		for (size_t t = 0; t < COUNT(texts); t++) {
			struct bypass_list list = { 0 };
			struct err err = { 0 };
			char *text;

			if (read_text(&list, texts[t], strlen(texts[t]), &err))
				fail_msg("%s", err.msg);
			text = written(&list);
			assert_string_equal(text, rows[i].same);
			free(text);
			bypass_list_release(&list);
		}
	}
}

static void members_are_what_the_line_says(void **state)
{
	static const char text[] = FIRST "kernel mm\nsite 4 at \"my mm.cl\":9:12 #2\n"
					 "address 0x1000 sm 3\nkernel *\nargument B\n";
	struct bypass_list list = { 0 };

	(void)state;
	assert_int_equal(read_text(&list, text, sizeof(text) - 1, NULL), 0);
	assert_int_equal(list.count, 3);
	assert_int_equal(list.rules[0].kind, BYPASS_SITE);
	assert_string_equal(list.rules[0].kernel, "mm");
	assert_int_equal(list.rules[0].number, 4);
	assert_int_equal(list.rules[0].sm, -1);
	assert_null(list.rules[0].name);
	assert_string_equal(list.rules[0].place.file, "my mm.cl");
	assert_int_equal(list.rules[0].place.line, 9);
	assert_int_equal(list.rules[0].place.column, 12);
	assert_int_equal(list.rules[0].place.ordinal, 2);
	assert_int_equal(list.rules[1].number, 0x1000);
	assert_int_equal(list.rules[1].sm, 3);
	assert_null(list.rules[1].place.file);
	assert_null(list.rules[2].kernel);
	assert_string_equal(list.rules[2].name, "B");
	bypass_list_release(&list);
}

static void broken_files_are_refused(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *message;
	} rows[] = {
		{ "", ERR_FORMAT,
		  "L:1: not a bypass list: expected 'warpline bypass 1' in the first line" },
		{ "warpline bypass 1 ", ERR_VERSION,
		  "L:1: 'warpline bypass 1 ': this program reads 'warpline bypass 1'" },
		{ "warpline bypass 2\n", ERR_VERSION,
		  "L:1: 'warpline bypass 2': this program reads 'warpline bypass 1'" },
		{ FIRST "\nsite\n", ERR_FORMAT, "L:3: expected N after 'site'" },
		{ FIRST "site x\n", ERR_FORMAT, "L:2: site: 'x' is not a number" },
		{ FIRST "sites 1\n", ERR_FORMAT, "L:2: 'sites' is not a kind of rule" },
		{ FIRST "\"site\" 1\n", ERR_FORMAT, "L:2: 'site' is not a kind of rule" },
		{ FIRST "site 1 2\n", ERR_FORMAT, "L:2: '2': expected 'at FILE:LINE:COLUMN'" },
		{ FIRST "site 1 at\n", ERR_FORMAT, "L:2: expected FILE:LINE:COLUMN after 'at'" },
		{ FIRST "site 1 at a.cl:3\n", ERR_FORMAT,
		  "L:2: expected FILE:LINE:COLUMN after 'at'" },
		{ FIRST "site 1 at :3:4\n", ERR_FORMAT,
		  "L:2: expected FILE:LINE:COLUMN after 'at'" },
		{ FIRST "site 1 at \"a\"b:3:4\n", ERR_FORMAT,
		  "L:2: expected FILE:LINE:COLUMN after 'at'" },
		{ FIRST "site 1 at a:x:4\n", ERR_FORMAT, "L:2: line: 'x' is not a number" },
		{ FIRST "site 1 at a:3:4 #0\n", ERR_FORMAT,
		  "L:2: the order in its line: 0 is outside 1..4294967295" },
		{ FIRST "line 1 at a:3:4\n", ERR_FORMAT, "L:2: 'at' was not expected" },
		{ FIRST "all 1\n", ERR_FORMAT, "L:2: '1' was not expected" },
		{ FIRST "none\n", ERR_FORMAT, "L:2: 'none' is not a kind of rule" },
		{ FIRST "kernel\n", ERR_FORMAT, "L:2: expected the name of a kernel, or *" },
		{ FIRST "kernel a b\n", ERR_FORMAT, "L:2: 'b' was not expected" },
		{ FIRST "argument\n", ERR_FORMAT, "L:2: expected a name" },
		{ FIRST "argument \"a\n", ERR_FORMAT, "L:2: a quoted name is not a JSON string" },
		{ FIRST "argument \"\\x\"\n", ERR_FORMAT,
		  "L:2: a quoted name is not a JSON string" },
		{ FIRST "argument \"\\ud800\"\n", ERR_FORMAT,
		  "L:2: a quoted name is not a JSON string" },
		{ FIRST "argument \"\\u0000\"\n", ERR_FORMAT,
		  "L:2: a quoted name is not a JSON string" },
		{ FIRST "argument \"a\"b\n", ERR_FORMAT, "L:2: 'b' stands after a quoted name" },
		{ FIRST "address 0x80 3\n", ERR_FORMAT, "L:2: '3': expected 'sm N'" },
		{ FIRST "address 0x80 sm\n", ERR_FORMAT, "L:2: expected a number after 'sm'" },
		{ FIRST "address 0x80 sm x\n", ERR_FORMAT, "L:2: sm: 'x' is not a number" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bypass_list list = { 0 };
		struct err err = { 0 };

		assert_int_equal(read_text(&list, rows[i].text, strlen(rows[i].text), &err),
		                 rows[i].code);
		assert_string_equal(err.msg, rows[i].message);
		bypass_list_release(&list);
	}
}

static void a_nul_is_refused(void **state)
{
	static const char text[] = FIRST "all\0\n";
	struct bypass_list list = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(read_text(&list, text, sizeof(text) - 1, &err), ERR_FORMAT);
	assert_string_equal(err.msg, "L:2: a NUL character");
	bypass_list_release(&list);
}

/* However a file is cut, or one of its bytes changed: a list, or one of the codes. */
static void no_change_of_a_file_does_harm(void **state)
{
	static const char text[] = FIRST "kernel \"m\\u00e9\\ud83d\\ude00 \\\\\"\n"
					 "site 4 at \"my mm.cl\":9:12 #2 # c\naddress 0x1 sm 3\n"
					 "argument B\nall";
	char changed[sizeof(text)];

	(void)state;
	for (size_t at = 0; at < sizeof(text) - 1; at++) {
		for (int bit = -1; bit < 8; bit++) {
			size_t length = bit < 0 ? at : sizeof(text) - 1;
			struct bypass_list list = { 0 };
			struct err err = { 0 };
			int ret;

			memcpy(changed, text, sizeof(text));
			if (bit >= 0)
				changed[at] = (char)(changed[at] ^ 1 << bit);
			ret = read_text(&list, changed, length, &err);
			assert_true(!ret || ret == ERR_FORMAT || ret == ERR_VERSION);
			bypass_list_release(&list);
		}
	}
}

static void a_long_name_is_refused(void **state)
{
	char text[BYPASS_NAME_MAX + 64] = "argument:";
	struct bypass_list list = { 0 };
	struct err err = { 0 };

	(void)state;
	memset(text + strlen(text), 'a', BYPASS_NAME_MAX);
	assert_int_equal(bypass_list_parse(&list, text, NULL), 0);
	assert_int_equal(strlen(list.rules[0].name), BYPASS_NAME_MAX);
	text[strlen(text)] = 'a';
	assert_int_equal(bypass_list_parse(&list, text, &err), ERR_LIMIT);
	bypass_list_release(&list);
}

static void there_are_at_most_so_many_rules(void **state)
{
	char kernel[] = "k";
	const struct bypass_rule rule = { .kind = BYPASS_ADDRESS, .kernel = kernel, .sm = -1 };
	struct bypass_list list = { 0 };

	(void)state;
	for (size_t i = 0; i < BYPASS_RULES_MAX; i++)
		if (bypass_list_add(&list, &rule, NULL))
			fail_msg("rule %zu", i);
	assert_ptr_equal(list.rules[0].kernel, list.rules[BYPASS_RULES_MAX - 1].kernel);
	assert_int_equal(bypass_list_add(&list, &rule, NULL), ERR_LIMIT);
	bypass_list_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_a_command_line_are_read),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(what_is_no_list_is_a_file),
		cmocka_unit_test(lists_of_a_file_are_read_and_written),
		cmocka_unit_test(members_are_what_the_line_says),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(a_nul_is_refused),
		cmocka_unit_test(no_change_of_a_file_does_harm),
		cmocka_unit_test(a_long_name_is_refused),
		cmocka_unit_test(there_are_at_most_so_many_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
