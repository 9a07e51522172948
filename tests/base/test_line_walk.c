/* SPDX-License-Identifier: Apache-2.0 */
#include "line_walk.h"

#include "cmocka_all.h"

#include <string.h>

/* Walk over `text`: "[first][second]". */
static void walk(const char *text, size_t length, char out[128])
{
	struct line_walk w = line_walk_begin(text, length);
	size_t used = 0, number = 0;
	struct line line;

	while (line_walk_next(&w, &line)) {
		assert_int_equal(w.number, ++number);
		assert_true(line.text >= text && line.text + line.length <= text + length);
		out[used++] = '[';
		memcpy(out + used, line.text, line.length);
		used += line.length;
		out[used++] = ']';
	}
	out[used] = '\0';
	assert_false(line_walk_next(&w, &line));
}

static void lines_end_as_a_compiler_says(void **state)
{
	static const struct {
		const char *text, *lines;
	} rows[] = {
		{ "", "" },
		{ "a", "[a]" },
		{ "\n", "[]" },
		{ "\r", "[]" },
		{ "\r\n", "[]" },
		{ "\n\r", "[][]" },
		{ "\n\n\n", "[][][]" },
		{ "\nkernel", "[][kernel]" },
		{ "a\nb", "[a][b]" },
		{ "a\nb\n", "[a][b]" },
		{ "a\r\nb\r\n", "[a][b]" },
		{ "a\rb\rc", "[a][b][c]" },
		{ "a\r\r\nb", "[a][][b]" },
		{ "a \t\n b", "[a \t][ b]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[128];

		walk(rows[i].text, strlen(rows[i].text), out);
		assert_string_equal(out, rows[i].lines);
	}
}

/* What follows the given length is not looked at, were it the LF of a CR LF. */
static void nothing_is_read_past_the_end(void **state)
{
	char out[128];

	(void)state;
	walk("a\r\nb", 2, out);
	assert_string_equal(out, "[a]");
	walk("ab\n", 1, out);
	assert_string_equal(out, "[a]");
	walk(NULL, 0, out);
	assert_string_equal(out, "");
}

static void a_nul_is_a_character_like_others(void **state)
{
	struct line_walk w = line_walk_begin("a\0b\nc", 5);
	struct line line;

	(void)state;
	assert_true(line_walk_next(&w, &line));
	assert_int_equal(line.length, 3);
	assert_memory_equal(line.text, "a\0b", 3);
	assert_true(line_walk_next(&w, &line));
	assert_int_equal(line.length, 1);
}

/* All strings of up to 7 of these characters, beside a count by the definition: an end is a LF, or
 * a CR that no LF follows; a line is what lies between two of them, or is left at the end. */
static void every_short_string_has_the_lines_of_the_definition(void **state)
{
	static const char characters[] = "\n\ra";

	(void)state;
	for (size_t length = 0, all = 1; length <= 7; length++, all *= 3)
		for (size_t n = 0; n < all; n++) {
			char text[8] = "", out[128];
			size_t lines = 0, brackets = 0, rest = n;

			for (size_t i = 0; i < length; i++, rest /= 3)
				text[i] = characters[rest % 3];
			for (size_t i = 0; i < length; i++)
				lines +=
					text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n');
			lines += length && text[length - 1] == 'a';
			walk(text, length, out);
			for (const char *at = out; *at; at++)
				brackets += *at == '[';
			assert_int_equal(brackets, lines);
		}
}

static void blanks_are_trimmed_at_both_ends(void **state)
{
	static const struct {
		const char *text, *trimmed;
	} rows[] = {
		{ "", "" },
		{ " \t ", "" },
		{ "\ta b \t", "a b" },
		{ "a", "a" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct line line = { rows[i].text, strlen(rows[i].text) };

		line_trim(&line);
		assert_int_equal(line.length, strlen(rows[i].trimmed));
		assert_memory_equal(line.text, rows[i].trimmed, line.length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_as_a_compiler_says),
		cmocka_unit_test(nothing_is_read_past_the_end),
		cmocka_unit_test(a_nul_is_a_character_like_others),
		cmocka_unit_test(every_short_string_has_the_lines_of_the_definition),
		cmocka_unit_test(blanks_are_trimmed_at_both_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
