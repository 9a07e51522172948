/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of made data (pages.h) as texts. */
#include "cmocka_all.h"
#include "err.h"
#include "html_assets.h"
#include "pages.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_BYTES_MAX = 2000000 };

/* A page; freed by the caller. */
static char *page_of(enum page_kind kind, size_t *length)
{
	static struct made_page m;
	struct err err = { 0 };
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	assert_non_null(out);
	assert_int_equal(made_page_init(&m, kind, &err), 0);
	assert_int_equal(html_page_write(&m.page, out, &err), 0);
	assert_int_equal(fclose(out), 0);
	made_page_release(&m);
	return text;
}

/* The page's data, as the script gets it. */
static json_t *data_of(const char *page)
{
	static const char before[] = "<script type=application/json id=data>";
	const char *begin = strstr(page, before), *end;
	json_t *value;

	assert_non_null(begin);
	begin += strlen(before);
	end = strstr(begin, "</script>");
	assert_non_null(end);
	value = json_loadb(begin, (size_t)(end - begin), 0, NULL);
	assert_non_null(value);
	return value;
}

static void the_same_data_makes_the_same_bytes(void **state)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		size_t once_length, again_length;
		char *once = page_of((enum page_kind)kind, &once_length);
		char *again = page_of((enum page_kind)kind, &again_length);

		assert_int_equal(once_length, again_length);
		assert_memory_equal(once, again, once_length);
		free(once);
		free(again);
	}
}

static void ten_thousand_launches_stay_under_two_megabytes(void **state)
{
	size_t length;
	char *page = page_of(PAGE_MANY, &length);

	print_message("%zu bytes\n", length);
	assert_true(length < MANY_BYTES_MAX);
	free(page);
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

/* The part of a page from an id on to the end of its table. */
static char *table_of(const char *page, const char *id)
{
	char begin[64];
	const char *at, *end;

	snprintf(begin, sizeof(begin), "<table id=%s", id);
	at = strstr(page, begin);
	assert_non_null(at);
	end = strstr(at, "</table>");
	assert_non_null(end);
	return strndup(at, (size_t)(end - at));
}

/* 10,000 launches in turn of 4 kernels: runs of 32 make 4 * 79 = 316 rows, runs of 16 would make
 * 628, more than 500. */
static void many_launches_are_added_up_by_kernel(void **state)
{
	size_t length;
	char *page = page_of(PAGE_MANY, &length), *table = table_of(page, "launch-table");

	assert_int_equal(count_of(table, "<tr><th"), 316);
	assert_non_null(strstr(page, "a row is up to 32 successive launches"));
	/* Launch i has the number 2 i + 1: the first 32 of kernel 0 are i = 0, 4, ..., 124. */
	assert_non_null(strstr(table, "<tr><th scope=row>1\xe2\x80\x93"
	                              "249 (32)<td class=t>matmul"));
	free(table);
	free(page);
}

static void few_launches_have_a_row_each_and_are_not_repeated_as_data(void **state)
{
	size_t length;
	char *page = page_of(PAGE_PLAIN, &length), *table = table_of(page, "launch-table");
	json_t *data = data_of(page);

	assert_int_equal(count_of(table, "<tr><th"), 12);
	assert_true(json_is_null(json_object_get(data, "launches")));
	/* i = 1: 2,000 reads and 125 writes of kernel 1, 7 of 100 miss, 128 bytes each. */
	assert_non_null(strstr(table, "<tr><th scope=row>3<td class=t>scale<td>2,125<td>1.00<td>140"
	                              "<td>7.0%<td>17,920<td>80,000"));
	json_decref(data);
	free(table);
	free(page);
}

static void the_data_of_many_launches_is_whole(void **state)
{
	/* Of launch i = 1: 2,000 reads and 125 writes of kernel 1, 7 of 100 reads miss, a lane
	 * each. */
	static const struct {
		const char *name;
		json_int_t second;
	} lists[] = { { "number", 3 },    { "kernel", 1 },    { "requests", 2125 },
		      { "reads", 2000 },  { "misses", 140 },  { "lanes", 2125 },
		      { "moved", 17920 }, { "cycles", 80000 } };
	size_t length;
	char *page = page_of(PAGE_MANY, &length);
	json_t *data = data_of(page), *launches = json_object_get(data, "launches");
	json_t *values = json_object_get(launches, "values"), *column;
	size_t i;

	for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
		json_t *list = json_object_get(values, lists[k].name);

		assert_int_equal(json_array_size(list), 10000);
		assert_int_equal(json_integer_value(json_array_get(list, 1)), lists[k].second);
	}
	assert_int_equal(json_object_size(values), sizeof(lists) / sizeof(lists[0]));
	/* As many columns as the table has, of lists that there are. */
	assert_int_equal(json_array_size(json_object_get(launches, "columns")), 8);
	json_array_foreach(json_object_get(launches, "columns"), i,
	                   column) for (size_t k = 1; k < json_array_size(column); k++)
		assert_non_null(
			json_object_get(values, json_string_value(json_array_get(column, k))));
	json_decref(data);
	free(page);
}

/* Nothing of a hostile recording is markup: all of the page's tags are those of a page without. */
static void hostile_texts_add_no_element(void **state)
{
	size_t length;
	char *page = page_of(PAGE_HOSTILE, &length);

	assert_int_equal(count_of(page, "<script"), html_chart_js.bytes ? 3 : 2);
	assert_int_equal(count_of(page, "</script"), html_chart_js.bytes ? 3 : 2);
	assert_int_equal(count_of(page, "<h1"), 1);
	assert_int_equal(count_of(page, "<img"), 0);
	assert_int_equal(count_of(page, "<!--"), 0);
	assert_int_equal(count_of(page, "</style"), 1);
	assert_int_equal(count_of(page, "\xe2\x80\xa8"), 0);
	assert_int_equal(count_of(page, "\xff"), 0);
	assert_true(count_of(page, "&lt;/script&gt;&lt;script&gt;document.title=") > 20);
	json_decref(data_of(page));
	free(page);
}

static void pages_name_no_place_of_this_machine(void **state)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		size_t length;
		char *page = page_of((enum page_kind)kind, &length);

		assert_null(strstr(page, "/home/"));
		assert_null(strstr(page, SOURCE_DIR));
		assert_null(strstr(page, "/tmp/"));
		free(page);
	}
}

static void the_policy_allows_what_was_built_in_and_nothing_else(void **state)
{
	size_t length;
	char *page = page_of(PAGE_PLAIN, &length), policy[512];

	snprintf(
		policy, sizeof(policy),
		"<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src "
		"'sha256-%s'; script-src 'sha256-%s'%s%s%s; base-uri 'none'; form-action 'none'\">",
		html_page_css.digest, html_page_js.digest, html_chart_js.bytes ? " 'sha256-" : "",
		html_chart_js.bytes ? html_chart_js.digest : "", html_chart_js.bytes ? "'" : "");
	assert_non_null(strstr(page, policy));
	assert_int_equal(count_of(page, " style="), 0);
	assert_int_equal(count_of(page, " onclick="), 0);
	assert_int_equal(count_of(page, "Permission is hereby granted"),
	                 html_chart_js.bytes ? 1 : 0);
	free(page);
}

/* 30,000 lines of which one in the middle is accessed: those near it, and two gaps. */
static void long_sources_are_shown_near_accesses(void **state)
{
	static struct made_page m;
	enum { LONG_LINES = 30000, LONG_BYTES = 2 * LONG_LINES };
	struct err err = { 0 };
	char *text = NULL, *table, *source = malloc(LONG_BYTES + 1);
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(source);
	for (size_t i = 0; i < LONG_LINES; i++)
		memcpy(source + 2 * i, "x\n", 3);
	assert_int_equal(made_page_init(&m, PAGE_PLAIN, &err), 0);
	source_text_release(&m.data.sources[0]);
	source_text_make(&m.data.sources[0], "sources/program-0000.cl", source, LONG_BYTES);
	m.data.line_count = 1;
	m.data.lines[0].line = 15000;
	assert_int_equal(html_page_write(&m.page, out, &err), 0);
	assert_int_equal(fclose(out), 0);
	table = table_of(text, "source-0");
	assert_int_equal(count_of(table, "class=line>"), 13);
	assert_non_null(strstr(table, "\xe2\x80\xa6 14,993 lines without accesses"));
	assert_non_null(strstr(table, "\xe2\x80\xa6 14,994 lines without accesses"));
	assert_non_null(strstr(table, "&nbsp;15000<td class=n data-l=requests>956,250"));
	made_page_release(&m);
	free(table);
	free(text);
	free(source);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_data_makes_the_same_bytes),
		cmocka_unit_test(ten_thousand_launches_stay_under_two_megabytes),
		cmocka_unit_test(many_launches_are_added_up_by_kernel),
		cmocka_unit_test(few_launches_have_a_row_each_and_are_not_repeated_as_data),
		cmocka_unit_test(the_data_of_many_launches_is_whole),
		cmocka_unit_test(hostile_texts_add_no_element),
		cmocka_unit_test(pages_name_no_place_of_this_machine),
		cmocka_unit_test(the_policy_allows_what_was_built_in_and_nothing_else),
		cmocka_unit_test(long_sources_are_shown_near_accesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
