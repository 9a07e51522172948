/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "document.h"

#include <stdlib.h>
#include <string.h>

/* What jansson holds, by malloc's count of it. */
static size_t held_items, most_items;

static void *count_malloc(size_t bytes)
{
	held_items++;
	most_items = held_items > most_items ? held_items : most_items;
	return malloc(bytes);
}

static void count_free(void *item)
{
	held_items -= item != NULL;
	free(item);
}

static json_t *make_row(struct json_out *out, uint64_t number)
{
	const uint64_t size[3] = { number, 1, 2 };
	json_t *row = json_object();

	json_out_count(out, row, "index", number);
	json_out_text(out, row, "name", "a \"quoted\" name\nof two lines");
	json_out_real(out, row, "rate", 1.0 / (double)(number + 3));
	json_out_value(out, row, "size", json_out_size(out, size));
	json_out_value(out, row, "none", json_array());
	json_out_value(out, row, "empty", json_object());
	json_out_value(out, row, "null", json_null());
	return row;
}

/* The same text at once, of lists of so many rows. */
static char *make_whole(const uint64_t counts[2])
{
	static const char *const keys[] = { "first", "second" };
	struct json_out out = { 0 };
	json_t *root = make_row(&out, 7);
	char *text;

	for (size_t i = 0; i < 2; i++) {
		json_t *list = json_array();

		for (uint64_t k = 0; k < counts[i]; k++)
			json_out_append(&out, list, make_row(&out, k));
		json_out_value(&out, root, keys[i], list);
	}
	json_out_bool(&out, root, "end", true);
	assert_false(out.is_bad);
	text = json_dumps(root, JSON_OUT_FLAGS);
	json_decref(root);
	return text;
}

static void write_stream(FILE *file, const uint64_t counts[2])
{
	struct document d = { .file.stream = file };
	json_t *tail = json_object();

	document_begin(&d);
	document_items(&d, make_row(&d.out, 7));
	document_list(&d, "first");
	for (uint64_t k = 0; k < counts[0]; k++)
		document_item(&d, NULL, make_row(&d.out, k));
	document_close(&d);
	document_list(&d, "second");
	for (uint64_t k = 0; k < counts[1]; k++)
		document_item(&d, NULL, make_row(&d.out, k));
	document_close(&d);
	json_out_bool(&d.out, tail, "end", true);
	document_items(&d, tail);
	document_close(&d);
	assert_false(d.out.is_bad);
}

static void a_text_written_in_parts_is_that_of_the_whole(void **state)
{
	static const uint64_t counts[][2] = { { 0, 0 }, { 1, 0 }, { 0, 2 }, { 3, 1 }, { 20, 20 } };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		char *whole = make_whole(counts[i]), *text = NULL;
		size_t length = 0;
		FILE *file = open_memstream(&text, &length);

		assert_non_null(file);
		write_stream(file, counts[i]);
		fclose(file);
		assert_int_equal(length, strlen(whole) + 1);
		assert_int_equal(text[length - 1], '\n');
		assert_memory_equal(text, whole, length - 1);
		free(text);
		free(whole);
	}
}

static void no_control_character_is_written(void **state)
{
	static const char evil[] = "\x1b[2J\x7f\xc2\x80\xc2\x9f\xc2\xa0\xe2\x82\xac\b\xc2\x9b";
	static const char want[] =
		"\"\\u001B[2J\\u007f\\u0080\\u009f\xc2\xa0\xe2\x82\xac\\b\\u009b\"";
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	struct document d = { .file.stream = file };
	json_t *back;

	(void)state;
	document_begin(&d);
	document_item(&d, "evil", json_string(evil));
	document_close(&d);
	fclose(file);
	assert_non_null(strstr(text, want));
	back = json_loads(text, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(back, "evil")), evil);
	json_decref(back);
	free(text);
}

static void what_is_written_is_not_held(void **state)
{
	const uint64_t few[2] = { 2, 2 }, many[2] = { 10000, 10000 };
	FILE *nowhere = fopen("/dev/null", "w");
	size_t most, held;

	(void)state;
	assert_non_null(nowhere);
	write_stream(nowhere, few);
	most = most_items;
	held = held_items;
	write_stream(nowhere, many);
	assert_int_equal(most_items, most);
	assert_int_equal(held_items, held);
	fclose(nowhere);
}

static void a_value_that_there_was_no_memory_for_is_noticed(void **state)
{
	FILE *nowhere = fopen("/dev/null", "w");

	(void)state;
	assert_non_null(nowhere);
	for (int i = 0; i < 2; i++) {
		struct document d = { .file.stream = nowhere };

		document_begin(&d);
		if (i)
			document_items(&d, NULL);
		else
			document_item(&d, "row", NULL);
		assert_true(d.out.is_bad);
	}
	fclose(nowhere);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_written_in_parts_is_that_of_the_whole),
		cmocka_unit_test(no_control_character_is_written),
		cmocka_unit_test(what_is_written_is_not_held),
		cmocka_unit_test(a_value_that_there_was_no_memory_for_is_noticed),
	};

	json_set_alloc_funcs(count_malloc, count_free);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
