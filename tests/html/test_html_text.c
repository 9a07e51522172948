/* SPDX-License-Identifier: Apache-2.0 */
#include "html_text.h"

#include "cmocka_all.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* What `write` writes of a text; freed by the caller. */
static char *written(void (*write)(FILE *, const char *), const char *text)
{
	char *result = NULL;
	size_t length;
	FILE *out = open_memstream(&result, &length);

	assert_non_null(out);
	write(out, text);
	assert_int_equal(fclose(out), 0);
	return result;
}

static void hostile_texts_become_harmless_content(void **state)
{
	static const struct {
		const char *text, *html;
	} rows[] = {
		{ "A[i] < n && p->x", "A[i] &lt; n &amp;&amp; p-&gt;x" },
		{ "</script><!--", "&lt;/script&gt;&lt;!--" },
		{ "\"'", "&quot;&#39;" },
		{ "tab\tline\n", "tab\tline\n" },
		{ "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		  "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "\x01\x1b[2J\x7f\r",
		  "&lt;U+0001&gt;&lt;U+001B&gt;[2J&lt;U+007F&gt;&lt;U+000D&gt;" },
		{ "\xe2\x80\xa8\xe2\x80\xae", "&lt;U+2028&gt;&lt;U+202E&gt;" },
		{ "\xf3\xa0\x80\x81", "&lt;U+E0001&gt;" },
		/* A lone byte, an overlong slash, half a surrogate pair, beyond the last code, cut
		   short: one U+FFFD for each byte. */
		{ "\xff.", "\xef\xbf\xbd." },
		{ "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xe2\x82<", "\xef\xbf\xbd\xef\xbf\xbd&lt;" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *html = written(html_string, rows[i].text);

		assert_string_equal(html, rows[i].html);
		free(html);
	}
}

/* Whatever the bytes are: valid JSON, with nothing in it that a script element could end at. */
static void any_bytes_become_a_json_string_that_a_script_may_hold(void **state)
{
	const char *named = getenv("SEED");
	uint64_t seed = named ? strtoull(named, NULL, 10) : 20261121;

	print_message("SEED=%" PRIu64 "\n", seed);
	for (int round = 0; round < 20000; round++) {
		char text[24] = "";
		char *html, *json;
		json_t *value;

		for (size_t i = 0; i + 1 < sizeof(text); i++) {
			static const char odd[] = "<>&\"'\\/!-\xe2\x80\xa8\xc2\x85\xff\x01";

			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
			text[i] = (char)(seed >> 60 < 12 ? odd[(seed >> 33) % (sizeof(odd) - 1)]
			                                 : (char)(seed >> 40));
		}
		json = written(html_json_string, text);
		html = written(html_string, text);
		value = json_loads(json, JSON_DECODE_ANY, NULL);
		assert_true(json_is_string(value));
		assert_null(strpbrk(json, "<>&"));
		assert_null(strpbrk(html, "<>\"'"));
		assert_null(strstr(json, "\xe2\x80\xa8"));
		json_decref(value);
		free(json);
		free(html);
	}
}

static void json_says_what_the_text_says(void **state)
{
	char *json = written(html_json_string, "a\"\\</script>\n\xe2\x80\xa8\xff\xc3\xa9");
	json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);

	assert_string_equal(json_string_value(value),
	                    "a\"\\</script>\n<U+2028>\xef\xbf\xbd\xc3\xa9");
	json_decref(value);
	free(json);
}

static void numbers_are_written_for_people(void **state)
{
	static const struct {
		uint64_t number;
		const char *count, *brief;
	} rows[] = {
		{ 0, "0", "0" },
		{ 999, "999", "999" },
		{ 1000, "1,000", "1.0k" },
		{ 1999, "1,999", "1.9k" },
		{ 12345, "12,345", "12k" },
		{ 999999, "999,999", "999k" },
		{ 1000000, "1,000,000", "1.0M" },
		{ UINT64_MAX, "18,446,744,073,709,551,615", "18E" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[128] = "";
		FILE *out = fmemopen(text, sizeof(text), "w");
		char expected[128];

		assert_non_null(out);
		html_count(out, rows[i].number);
		fputc(' ', out);
		html_short_count(out, rows[i].number);
		fputc(' ', out);
		html_share(out, rows[i].number, 0);
		html_share(out, 1, 8);
		html_ratio(out, 3, 2);
		fclose(out);
		snprintf(expected, sizeof(expected),
		         "%s %s \xe2\x80\x93"
		         "12.5%%1.50",
		         rows[i].count, rows[i].brief);
		assert_string_equal(text, expected);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_texts_become_harmless_content),
		cmocka_unit_test(any_bytes_become_a_json_string_that_a_script_may_hold),
		cmocka_unit_test(json_says_what_the_text_says),
		cmocka_unit_test(numbers_are_written_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
