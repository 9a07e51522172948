/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include "cmocka_all.h"

#include <string.h>

static void characters_are_those_of_rfc_3629(void **state)
{
	static const struct {
		const char *text;
		size_t bytes;
		uint32_t code;
	} rows[] = {
		{ "a", 1, 'a' },
		{ "\x7f", 1, 0x7f },
		{ "\xc2\x80", 2, 0x80 },
		{ "\xdf\xbf", 2, 0x7ff },
		{ "\xe0\xa0\x80", 3, 0x800 },
		{ "\xed\x9f\xbf", 3, 0xd7ff },
		{ "\xee\x80\x80", 3, 0xe000 },
		{ "\xef\xbf\xbf", 3, 0xffff },
		{ "\xf0\x90\x80\x80", 4, 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
		{ "\x80", 0, 0 },     /* a continuation alone */
		{ "\xc0\x80", 0, 0 }, /* overlong */
		{ "\xc1\xbf", 0, 0 },
		{ "\xe0\x9f\xbf", 0, 0 },
		{ "\xf0\x8f\xbf\xbf", 0, 0 },
		{ "\xed\xa0\x80", 0, 0 },     /* a surrogate */
		{ "\xf4\x90\x80\x80", 0, 0 }, /* beyond the last */
		{ "\xf5\x80\x80\x80", 0, 0 },
		{ "\xff", 0, 0 },
		{ "\xc3", 0, 0 }, /* cut */
		{ "\xe2\x82", 0, 0 },
		{ "\xf0\x9f\x98", 0, 0 },
		{ "\xc3(", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t code = 0, again = 0;

		assert_int_equal(text_decode(rows[i].text, strlen(rows[i].text), &code),
		                 rows[i].bytes);
		assert_int_equal(text_decode_string(rows[i].text, &again), rows[i].bytes);
		if (rows[i].bytes) {
			assert_int_equal(code, rows[i].code);
			assert_int_equal(again, rows[i].code);
		}
	}
}

/* What follows `left` bytes is not read, were it what is lacking. */
static void nothing_is_read_past_what_is_left(void **state)
{
	uint32_t code;

	(void)state;
	assert_int_equal(text_decode("\xc3\xa9", 1, &code), 0);
	assert_int_equal(text_decode("\0", 1, &code), 1);
	assert_int_equal(code, 0);
	assert_int_equal(text_decode_string("", &code), 0);
}

/* Every code point, written by the definition, is read back; surrogates are not. */
static void every_code_point_is_read_back(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		unsigned char text[4] = { 0 };
		size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
		uint32_t got = 0, rest = code;
		size_t bytes;

		for (size_t i = length; i-- > 1; rest >>= 6)
			text[i] = (unsigned char)(0x80 | (rest & 0x3f));
		text[0] = (unsigned char)(length == 1 ? rest : (0xf00u >> length & 0xffu) | rest);
		bytes = text_decode((const char *)text, 4, &got);
		if (code >= 0xd800 && code < 0xe000) {
			assert_int_equal(bytes, 0);
			continue;
		}
		if (bytes != length || got != code)
			fail_msg("U+%04X", (unsigned)code);
	}
}

static void controls_are_c0_del_and_c1(void **state)
{
	(void)state;
	for (uint32_t code = 0; code < 0x200; code++)
		assert_int_equal(text_is_control(code),
		                 code <= 0x1f || (code >= 0x7f && code <= 0x9f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_are_those_of_rfc_3629),
		cmocka_unit_test(nothing_is_read_past_what_is_left),
		cmocka_unit_test(every_code_point_is_read_back),
		cmocka_unit_test(controls_are_c0_del_and_c1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
