/* SPDX-License-Identifier: Apache-2.0 */
#include "source_names.h"

#include "cmocka_all.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* The names of a text, in the order in which they are met: "f(2)" for one that is called with two
 * arguments, "x?" for one that is tested. */
static void describe(const char *text, struct str *out)
{
	struct source_names n;

	source_names_init(&n);
	assert_int_equal(source_names_read(&n, text, strlen(text), NULL), 0);
	for (size_t i = 0; i < n.list.count; i++) {
		const struct source_name *name = source_names_at(&n, i);

		assert_ptr_equal(source_names_find(&n, name->text), name);
		assert_int_equal(str_printf(out, NULL, "%s%s", i ? " " : "", name->text), 0);
		if (name->argument_count >= 0)
			assert_int_equal(str_printf(out, NULL, "(%d)", name->argument_count), 0);
		if (name->is_tested)
			assert_int_equal(str_printf(out, NULL, "?"), 0);
	}
	source_names_release(&n);
}

static void names_are_found_as_the_preprocessor_finds_them(void **state)
{
	static const struct {
		const char *text, *names;
	} rows[] = {
		{ "", "" },
		{ "a b a _c1 $d", "a b _c1 $d" },
		{ "1x 0x1fUL 1e+5f 1.5p-3q 7", "" },
		{ "a.b->c", "a b c" },
		{ "\"a\" 'b' \"\\\"c\" d", "d" },
		{ "// a\nb /* c\n d */ e", "b e" },
		{ "\"//\" a", "a" },
		{ "/* never ends a", "" },
		{ "\"never ends a\nb", "b" },
		/* Lines that go on: within a word, a comment and a directive. */
		{ "ab\\\ncd // x \\\n y\ne", "abcd e" },
		{ "ab\\\r\ncd", "abcd" },
		{ "#if A \\\n && B\nC", "A? B? C" },
		{ "f(x, (y, z)) g() h (1)\ni(", "f(2) x y z g(0) h(1) i" },
		{ "f(\",\", ',', /* , */ 1)", "f(3)" },
		{ "f\n(1)", "f(1)" },
		{ "f(,)", "f(2)" },
		{ "f f(1, 2) f(1)", "f(2)" },
		{ "#define f(x, y) g(x)\nf(1)", "f(1) x y g(1)" },
		{ "#ifdef A\n#ifndef B\n# elif C + defined(D)\n#else E\n#endif",
		  "A? B? C? defined(1)? D? E" },
		{ " # if A\nB", "A? B" },
		{ "#include <a/b.h>\n#pragma c", "a b h c" },
		{ "a # if b", "a if b" },
		{ "#if f(\n1)\n", "f?" },
		{ "f(a\\\n, b)", "f(2) a b" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct str out;

		str_init(&out, 1 << 12);
		describe(rows[i].text, &out);
		assert_string_equal(out.text ? out.text : "", rows[i].names);
		str_release(&out);
	}
}

/* A text of nothing but beginnings of calls takes no time that grows with its square. */
static void calls_that_never_end_are_given_up(void **state)
{
	const size_t length = 1u << 20;
	char *text = malloc(length);
	struct source_names n;

	assert_non_null(text);
	for (size_t i = 0; i < length; i++)
		text[i] = i % 2 ? '(' : 'f';
	source_names_init(&n);
	assert_int_equal(source_names_read(&n, text, length, NULL), 0);
	assert_int_equal(n.list.count, 1);
	assert_int_equal(source_names_at(&n, 0)->argument_count, -1);
	source_names_release(&n);
	free(text);
}

static void a_string_that_is_watched_for_is_found(void **state)
{
	static const char text[] = "mark_a \"b\" \"x mark_c d\" \"mark_e\"";
	struct source_names n;

	source_names_init(&n);
	n.watched = "mark_";
	assert_int_equal(source_names_read(&n, text, strlen(text), NULL), 0);
	assert_string_equal(n.found, "mark_c d\"");
	source_names_release(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_as_the_preprocessor_finds_them),
		cmocka_unit_test(calls_that_never_end_are_given_up),
		cmocka_unit_test(a_string_that_is_watched_for_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
