/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "bypass_list.h"
#include "err.h"
#include "recording.h"
#include "recording_writer.h"
#include "trace_scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char mm[] = "mm", word[] = "app", file[] = "sources/program-0000.cl";

static void fill(struct bypass_list *list)
{
	const struct bypass_rule site = { .kind = BYPASS_SITE,
		                          .kernel = mm,
		                          .number = 4,
		                          .sm = -1,
		                          .place = { file, 9, 12, 1 } };
	const struct bypass_rule warps = { .kind = BYPASS_WARPS, .number = 3, .sm = -1 };
	struct err err = { 0 };

	assert_int_equal(bypass_list_add(list, &warps, &err), 0);
	assert_int_equal(bypass_list_add(list, &site, &err), 0);
}

static void check_rules(const struct bypass_list *list)
{
	assert_int_equal(list->count, 2);
	assert_int_equal(list->rules[0].kind, BYPASS_WARPS);
	assert_int_equal(list->rules[0].number, 3);
	assert_null(list->rules[0].kernel);
	assert_string_equal(list->rules[1].kernel, "mm");
	assert_int_equal(list->rules[1].number, 4);
	assert_string_equal(list->rules[1].place.file, file);
	assert_int_equal(list->rules[1].place.ordinal, 1);
}

static void lists_that_are_kept_are_read_as_they_were(void **state)
{
	struct bypass_list list = { 0 }, kept = { 0 }, none = { 0 };
	char *command[] = { word, NULL };
	struct recording_writer *w = NULL;
	struct recording *r = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	const char *path;

	scratch_make(&dir);
	path = scratch_path(&dir, "rec");
	fill(&list);
	assert_int_equal(recording_writer_create(&w, path, "t", command, &err), 0);
	assert_int_equal(recording_writer_list(w, "bypass", &list, &err), 0);
	assert_int_equal(recording_writer_end(w, &err), 0);
	recording_writer_close(w);
	assert_int_equal(recording_open(&r, path, &err), 0);
	assert_string_equal(r->bypass.file, "bypass.txt");
	assert_int_equal(r->bypass.rules, 2);
	assert_null(r->applied.file);
	assert_int_equal(recording_read_list(r, &r->bypass, &kept, &err), 0);
	check_rules(&kept);
	assert_int_equal(recording_read_list(r, &r->applied, &none, &err), 0);
	assert_int_equal(none.count, 0);
	recording_close(r);
	bypass_list_release(&kept);
	bypass_list_release(&list);
	scratch_remove(&dir);
}

#define FIRST(version)                                                                             \
	"{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":" version            \
	",\"endian\":\"little\",\"tool_version\":\"t\",\"command\":[]}\n"
#define KEPT(type, path) "{\"type\":\"" type "\",\"file\":\"" path "\",\"rules\":1}\n"

/* Sums are wanted from version 4 on, so that a line of a list without one is refused there too. */
static void lines_of_lists_that_cannot_be_are_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ FIRST("3") KEPT("bypass", "bypass.txt"),
		  "a bypass list in a recording before version 5" },
		{ FIRST("3") KEPT("applied", "applied.txt"),
		  "a bypass list in a recording before version 5" },
		{ FIRST("8"), "expected 2 to 7" },
		{ FIRST("5"), "expected a sum" },
		{ FIRST("6"), "expected a sum" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r = NULL;
		struct err err = { 0 };

		assert_int_not_equal(
			recording_parse(&r, "r", rows[i].text, strlen(rows[i].text), &err), 0);
		assert_non_null(strstr(err.msg, rows[i].why));
	}
}

static void a_second_list_is_refused(void **state)
{
	struct bypass_list list = { 0 };
	char *command[] = { word, NULL };
	struct recording_writer *w = NULL;
	struct recording *r = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };

	scratch_make(&dir);
	fill(&list);
	assert_int_equal(recording_writer_create(&w, scratch_path(&dir, "rec"), "t", command, &err),
	                 0);
	assert_int_equal(recording_writer_list(w, "bypass", &list, &err), 0);
	assert_int_equal(recording_writer_list(w, "bypass", &list, &err), 0);
	recording_writer_close(w);
	assert_int_equal(recording_open(&r, scratch_path(&dir, "rec"), &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "a second one"));
	bypass_list_release(&list);
	scratch_remove(&dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_that_are_kept_are_read_as_they_were),
		cmocka_unit_test(lines_of_lists_that_cannot_be_are_refused),
		cmocka_unit_test(a_second_list_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
