/* SPDX-License-Identifier: Apache-2.0 */
/* What is written for gnuplot: texts that stay texts, tics at whole numbers. */
#include "cmocka_all.h"

#include "plot_output.h"
#include "plot_page.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* --- texts ----------------------------------------------------------------------------------- */

static void a_text_means_nothing_to_gnuplot(void **unused)
{
	static const struct {
		const char *text, *quoted;
	} rows[] = {
		{ "", "''" },
		{ "matmul", "'matmul'" },
		{ "it's", "'it''s'" },
		{ "'", "''''" },
		{ "`rm`$x@y\\", "'`rm`$x@y\\'" },
		{ "a\nb\r\tc\x7f", "'a?b?\?c?'" },
		{ "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		  "'\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80'" },
		{ "\xc2\x85", "'?\?'" },             /* a control beyond ASCII */
		{ "\xc0\xa7", "'?\?'" },             /* a quote in two bytes */
		{ "\xe0\x80\xa7", "'?\?\?'" },       /* in three */
		{ "\xed\xa0\x80", "'?\?\?'" },       /* half of a pair */
		{ "\xf4\x90\x80\x80", "'?\?\?\?'" }, /* beyond Unicode */
		{ "\xe2\x82", "'?\?'" },             /* cut short */
		{ "\xe2\x82'", "'?\?'''" },          /* cut short by a quote */
		{ "\xff\xfe\x80", "'?\?\?'" },
		{ "\xef\xbf\xbe", "'?\?\?'" }, /* no character of XML */
	};

	(void)unused;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = NULL;
		size_t length;
		FILE *out = open_memstream(&text, &length);

		assert_non_null(out);
		plot_page_quote(rows[i].text, out);
		fclose(out);
		assert_string_equal(text, rows[i].quoted);
		free(text);
	}
}

/* --- tics ------------------------------------------------------------------------------------ */

static void tics_are_round_numbers_within_the_axis(void **unused)
{
	static const struct {
		uint64_t low, high;
		uint32_t most;
		struct plot_tics tics;
	} rows[] = {
		{ 0, 1024, 5, { 0, 256, 5 } }, /* four times a power of two */
		{ 0, 1024, 3, { 0, 500, 3 } }, /* which would be too many: 0, 500, 1000 */
		{ 0, 1000, 5, { 0, 200, 6 } },
		{ 0, 192, 7, { 0, 32, 7 } },
		{ 100, 228, 5, { 100, 50, 3 } }, /* 32 does not divide 100 */
		{ 0, 1, 5, { 0, 1, 2 } },
		{ 7, 8, 5, { 7, 1, 2 } },
		{ 0, 0, 5, { 0, 1, 1 } },
		{ 3, 9, 1, { 5, 5, 1 } },
		{ 1, 41, 1, { 50, 50, 0 } }, /* no round number between */
		{ 0, UINT64_MAX, 1, { 0, UINT64_C(10000000000000000000), 2 } },
	};

	(void)unused;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct plot_tics t = plot_tics_make(rows[i].low, rows[i].high, rows[i].most);

		assert_int_equal(t.step, rows[i].tics.step);
		assert_int_equal(t.count, rows[i].tics.count);
		if (t.count)
			assert_int_equal(t.first, rows[i].tics.first);
	}
}

/* --- pictures -------------------------------------------------------------------------------- */

static void a_picture_is_mended_where_it_must_be(void **unused)
{
	static const struct {
		enum plot_format format;
		const char *drawn, *mended;
	} rows[] = {
		{ PLOT_FORMAT_png, "<image x/>/CreationDate (D:2026)",
		  "<image x/>/CreationDate (D:2026)" },
		{ PLOT_FORMAT_svg, "<a><image x/><image y/></a>",
		  "<a><image style='image-rendering: pixelated' x/>"
		  "<image style='image-rendering: pixelated' y/></a>" },
		{ PLOT_FORMAT_svg, "<images/>", "<images/>" },
		{ PLOT_FORMAT_pdf, "a\n/CreationDate (D:20261121112223Z)b",
		  "a\n/CreationDate (D:19700101000000Z)b" },
		{ PLOT_FORMAT_pdf, "/CreationDate (D:20261121112223+02'00)b",
		  "/CreationDate (D:19700101000000Z     )b" },
		{ PLOT_FORMAT_pdf, "/CreationDate (D:20261121", "/CreationDate (D:20261121" },
		{ PLOT_FORMAT_pdf, "no date", "no date" },
		{ PLOT_FORMAT_pdf, "", "" },
	};

	(void)unused;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct str picture;

		str_init(&picture, 1000);
		assert_int_equal(str_append(&picture, rows[i].drawn, strlen(rows[i].drawn), NULL),
		                 0);
		assert_int_equal(plot_output_mend(rows[i].format, &picture, NULL), 0);
		assert_string_equal(picture.text ? picture.text : "", rows[i].mended);
		assert_int_equal(picture.length, strlen(rows[i].mended));
		str_release(&picture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_means_nothing_to_gnuplot),
		cmocka_unit_test(tics_are_round_numbers_within_the_axis),
		cmocka_unit_test(a_picture_is_mended_where_it_must_be),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
