/* SPDX-License-Identifier: Apache-2.0 */
/* Rows as CSV, NDJSON and text. */
#include "cmocka_all.h"
#include "err.h"
#include "random.h"
#include "table.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct cell_column list[] = {
	{ "n", "", "", CELL_NUMBER },
	{ "at", "", "", CELL_ADDRESS },
	{ "rate", "", "", CELL_REAL },
	{ "word", "", "", CELL_TEXT },
};

/* Two rows as a format writes them, on the heap. */
static char *write_rows(const struct table_format *format, const char *word, size_t rows)
{
	const struct cell first[] = { cell_number(7), cell_number(255), cell_real(0.25),
		                      cell_text(word) };
	const struct cell second[] = { cell_none(), cell_none(), cell_none(), cell_none() };
	struct table w = { .count = 4, .format = format };
	struct err err = { 0 };
	char *text = NULL;
	size_t length = 0;

	for (uint32_t i = 0; i < 4; i++)
		w.shown[i] = &list[i];
	w.out = open_memstream(&text, &length);
	assert_non_null(w.out);
	if (format->begin)
		assert_int_equal(format->begin(&w, &err), 0);
	for (size_t i = 0; i < rows; i++)
		assert_int_equal(format->row(&w, i % 2 ? second : first, &err), 0);
	assert_int_equal(format->end(&w, &err), 0);
	table_release(&w);
	fclose(w.out);
	return text;
}

static void csv_is_quoted_where_it_must_be(void **state)
{
	/* RFC 4180, 2.5 to 2.7: fields with commas, quotes and line breaks, and quotes doubled. */
	static const struct {
		const char *word, *field;
	} rows[] = { { "plain", "plain" },   { "a b", "a b" },
		     { "a,b", "\"a,b\"" },   { "say \"x\"", "\"say \"\"x\"\"\"" },
		     { "a\nb", "\"a\nb\"" }, { "", "" },
		     { "\r", "\"\r\"" } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = write_rows(&table_as_csv, rows[i].word, 2), expected[128];

		snprintf(expected, sizeof(expected), "n,at,rate,word\n7,0xff,0.25,%s\n,,,\n",
		         rows[i].field);
		assert_string_equal(text, expected);
		free(text);
	}
}

static void every_line_of_ndjson_is_an_object(void **state)
{
	char *text = write_rows(&table_as_json, "a\"\\\n\x7f\xc2\x85", 2);

	(void)state;
	assert_string_equal(text, "{\"n\":7,\"at\":\"0xff\",\"rate\":0.25,\"word\":"
	                          "\"a\\\"\\\\\\u000a\\u007f\\u0085\"}\n"
	                          "{\"n\":null,\"at\":null,\"rate\":null,\"word\":null}\n");
	free(text);
}

/* jansson refuses what is no UTF-8. */
static void any_bytes_become_a_json_text(void **state)
{
	struct random r = { 3 };

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char word[12] = { 0 }, *text;
		json_t *root;

		for (size_t i = 0; i + 1 < sizeof(word); i++) {
			/* Mostly bytes that begin or go on with characters of several bytes. */
			uint32_t byte = random_below(&r, 3) ? 0x80 + random_below(&r, 128)
			                                    : random_below(&r, 256);

			word[i] = (char)byte;
		}
		text = write_rows(&table_as_json, word, 1);
		root = json_loads(text, 0, NULL);
		if (!root)
			fail_msg("seed 3, round %d: %s", round, text);
		json_decref(root);
		free(text);
	}
}

static void characters_of_utf_8_stay(void **state)
{
	char *text =
		write_rows(&table_as_json, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xed\xa0\x80", 1);

	(void)state;
	/* The last one is half of a pair of UTF-16, which is no character. */
	assert_non_null(
		strstr(text, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\\ufffd\\ufffd\\ufffd\""));
	free(text);
}

static void text_stands_in_columns(void **state)
{
	char *text = write_rows(&table_as_text, "a\033b", 2);

	(void)state;
	assert_string_equal(text, "n    at  rate  word\n"
	                          "7  0xff  0.25  a\\x1bb\n"
	                          "-     -     -  -\n");
	free(text);
}

static void many_rows_are_all_there(void **state)
{
	char *text = write_rows(&table_as_text, "x", 3 * TABLE_TEXT_ROWS + 1);
	size_t lines = 0;

	(void)state;
	for (const char *at = text; *at; at++)
		lines += *at == '\n';
	assert_int_equal(lines, 3 * TABLE_TEXT_ROWS + 2);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_quoted_where_it_must_be),
		cmocka_unit_test(every_line_of_ndjson_is_an_object),
		cmocka_unit_test(any_bytes_become_a_json_text),
		cmocka_unit_test(characters_of_utf_8_stay),
		cmocka_unit_test(text_stands_in_columns),
		cmocka_unit_test(many_rows_are_all_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
