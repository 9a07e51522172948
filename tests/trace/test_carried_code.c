/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code in a comment comes back byte by byte, for each length; what is no such comment carries none,
 * and a damaged one is refused.
 */
#include "carried_code.h"
#include "err.h"
#include "str.h"

#include "cmocka_all.h"

#include <string.h>

#define FIRST "// options: -x\n"
#define REST  "kernel void k() {}\n"
/* The digits of a whole line. */
#define WHOLE_LINE "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static int find(const char *text, size_t length, struct str *code)
{
	struct err err = { 0 };

	str_init(code, 1 << 16);
	return carried_code_find(text, length, code, &err);
}

static void make(struct str *text, const unsigned char *code, size_t length)
{
	struct err err = { 0 };

	str_init(text, 1 << 16);
	assert_int_equal(str_append(text, FIRST, strlen(FIRST), &err), 0);
	assert_int_equal(carried_code_append(text, code, length, &err), 0);
	assert_int_equal(str_append(text, REST, strlen(REST), &err), 0);
}

static void what_a_text_carries_comes_back(void **state)
{
	unsigned char code[256];

	for (size_t i = 0; i < sizeof(code); i++)
		code[i] = (unsigned char)(255 - i * 7);
	for (size_t length = 0; length <= sizeof(code); length++) {
		struct str text, back;

		make(&text, code, length);
		assert_int_equal(find(text.text, text.length, &back), 1);
		assert_int_equal(back.length, length);
		if (length)
			assert_memory_equal(back.text, code, length);
		str_release(&back);
		str_release(&text);
	}
}

static void the_alphabet_is_that_of_base64(void **state)
{
	struct str text;

	make(&text, (const unsigned char *)"\0\x10\x83\xfb\xff", 5);
	assert_non_null(strstr(text.text, "\nABCD+/8=\n*/\n"));
	str_release(&text);
}

static void other_texts_carry_nothing(void **state)
{
	static const char *const texts[] = { "", "\n", FIRST, FIRST REST,
		                             "/* warpline: made of this code\n*/\n" };
	struct str code;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(find(texts[i], strlen(texts[i]), &code), 0);
		str_release(&code);
	}
}

static void a_damaged_comment_is_refused(void **state)
{
	static const char *const bodies[] = {
		"ABC\n*/\n",      "AB?D\n*/\n", "AB=D\n*/\n", "A===\n*/\n", "\n*/\n",
		"AB==ABCD\n*/\n", "ABCD*/\n",   "ABCD\n",     "ABCD",       WHOLE_LINE "ABCD\n*/\n"
	};
	struct str text, code;
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		str_init(&text, 1 << 10);
		assert_true(str_printf(&text, &err, FIRST "/* warpline: made of this code\n%s",
		                       bodies[i]) >= 0);
		assert_int_equal(find(text.text, text.length, &code), ERR_FORMAT);
		str_release(&code);
		str_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_text_carries_comes_back),
		cmocka_unit_test(the_alphabet_is_that_of_base64),
		cmocka_unit_test(other_texts_carry_nothing),
		cmocka_unit_test(a_damaged_comment_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
