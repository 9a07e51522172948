/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_advice.h"

#include "bypass_try.h"
#include "cmocka_all.h"
#include "kernel_table.h"
#include "recording.h"
#include "str.h"

static char mm[] = "mm.cl", other[] = "lib.h", kernel[] = "mm", a[] = "A", b[] = "B", c[] = "C",
	    d[] = "D", short_text[] = "A[i]",
	    long_text[] = "B[0123456789 + 0123456789 + 0123456789 + 0123456789]";

static struct kernel_argument arguments[] = {
	{ .name = a }, { .name = b }, { .name = c }, { .name = d }
};

static struct site sites[] = {
	{ .kind = SITE_READ, .argument = 0, .place = { mm, 9, 1 }, .expression = short_text },
	{ .kind = SITE_READ, .argument = 1, .place = { mm, 9, 9 }, .expression = long_text },
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 5, 1 } },
	{ .kind = SITE_WRITE, .argument = 3, .place = { mm, 9, 1 } },
	{ .kind = SITE_READ, .argument = 3, .place = { other, 2, 1 } },
	{ .kind = SITE_READ, .argument = -1 },
	{ .kind = SITE_READ, .argument = 3, .place = { mm, 7, 1 } }, /* never made */
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 11, 1 } },
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 12, 1 } },
	{ .kind = SITE_READ, .argument = 2, .place = { mm, 13, 1 } },
};
enum { SITES = sizeof(sites) / sizeof(sites[0]) };

static const struct kernel_table table = { .name = kernel,
	                                   .sites = sites,
	                                   .site_count = SITES,
	                                   .arguments = arguments,
	                                   .argument_count = 4 };

static const struct {
	const char *list, *words;
} rows[] = {
	{ "site:0", "mm.cl:9: let the read of A[i] bypass L1" },
	{ "site:1", "mm.cl:9: let the read of B[...] bypass L1" },
	{ "site:2,site:0", "mm.cl:5,9: let reads of A[i] and C bypass L1" },
	{ "line:9", "mm.cl:9: let reads of A[i] and B[...] bypass L1" },
	{ "site:0,site:3", "mm.cl:9: let the read of A[i] bypass L1" },
	{ "site:0,site:4", "mm: let reads of A[i] and D bypass L1" },
	{ "site:5", "mm: let the read of site 5 bypass L1" },
	{ "site:0,site:2,site:7,site:8",
	  "mm.cl:5,9,11,...: let reads of A[i], C, C and 1 more bypass L1" },
	{ "site:0,site:2,site:7,site:8,site:9",
	  "mm.cl:5,9,11,...: let reads of A[i], C, C and 2 more bypass L1" },
	{ "argument:C", "mm.cl:5,11,12,...: let all reads of C bypass L1" },
	{ "argument:C,argument:A", "mm.cl:5,9,11,...: let all reads of C and A bypass L1" },
	{ "argument:A,argument:B,argument:C,argument:D",
	  "mm: let all reads of A, B, C and 1 more argument bypass L1" },
	{ "argument:D", "lib.h:2: let all reads of D bypass L1" },
	{ "all", "mm: let all reads bypass L1" },
	{ "warps:0", "mm: let all reads bypass L1" },
	{ "warps:3", "mm: let all reads of warps 3 to 7 of each group bypass L1" },
	{ "warps:7", "mm: let all reads of warp 7 of each group bypass L1" },
	{ "warps:5,warps:3", "mm: let all reads of warps 3 to 7 of each group bypass L1" },
	{ "site:0,warps:7",
	  "mm.cl:9: let the read of A[i], and all reads of warp 7 of each group bypass L1" },
	{ "buffer:2", "mm: let the reads of buffer 2 bypass L1" },
	{ "buffer:2,buffer:4", "mm: let the reads of buffer 2, buffer 4 bypass L1" },
	{ "address:0x80", "mm: let the reads of 1 line of memory bypass L1" },
	{ "buffer:2,address:0x80,address:0x100",
	  "mm: let the reads of buffer 2 and 2 lines of memory bypass L1" },
	{ "site:0,buffer:2", "mm.cl:9: let the read of A[i], and the reads of buffer 2 bypass L1" },
};

static void a_list_is_said_in_words(void **state)
{
	struct address_use_row uses[SITES];
	const struct recording recording = { 0 };
	struct bypass_run run = { .recording = &recording };
	struct bypass_try t = { .kernel = { .run = &run, .table = &table, .warps = 8 },
		                .uses = uses };

	(void)state;
	for (size_t i = 0; i < SITES; i++)
		uses[i] = (struct address_use_row){ .reads = i != 6 };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bypass_list list = { 0 };
		struct str words;

		str_init(&words, 4096);
		assert_int_equal(bypass_list_parse(&list, rows[i].list, NULL), 0);
		assert_int_equal(bypass_advice_put(&words, &t, &list, NULL), 0);
		assert_string_equal(words.text, rows[i].words);
		str_release(&words);
		bypass_list_release(&list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_said_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
