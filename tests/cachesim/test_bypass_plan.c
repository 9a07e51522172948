/* SPDX-License-Identifier: Apache-2.0 */
/* Which requests of a launch the rules of a list name. */
#include "cmocka_all.h"

#include "bypass_plan.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { SMS = 4, LINE_BYTES = 128 };

static char mm_cl[] = "src/mm.cl", other_cl[] = "mm.h", A[] = "A", B[] = "B", mm[] = "mm";

/* Sites 0 and 2 read A in line 9, 1 reads B there, 3 writes A, 4 is an atomic, 5 reads what comes
 * from no argument, in the same line of another file. */
static struct site sites[] = {
	{ .kind = SITE_READ, .argument = 0, .place = { mm_cl, 9, 12 } },
	{ .kind = SITE_READ, .argument = 1, .place = { mm_cl, 9, 20 } },
	{ .kind = SITE_READ, .argument = 0, .place = { mm_cl, 9, 12 } },
	{ .kind = SITE_WRITE, .argument = 0, .place = { mm_cl, 10, 3 } },
	{ .kind = SITE_ATOMIC, .argument = 0, .place = { mm_cl, 11, 3 } },
	{ .kind = SITE_READ, .argument = -1, .place = { other_cl, 9, 1 } },
};
static struct kernel_argument arguments[] = { { .name = A }, { .name = B } };
static const struct kernel_table table = {
	.name = mm,
	.sites = sites,
	.site_count = COUNT(sites),
	.arguments = arguments,
	.argument_count = COUNT(arguments),
};

static struct bypass_plan plan_of(const char *rules)
{
	struct bypass_list list = { 0 };
	struct bypass_plan plan = { 0 };
	struct err err = { 0 };
	char text[512];

	(void)snprintf(text, sizeof(text), "warpline bypass 1\n%s\n", rules);
	if (bypass_list_read_text(&list, "L", text, strlen(text), &err) ||
	    bypass_plan_init(&plan, &list, &table, SMS, LINE_BYTES, &err))
		fail_msg("%s", err.msg);
	bypass_list_release(&list);
	return plan;
}

/* A letter for each of 24 requests, which are those of SM 1 and 2, of warps 0 and 5, of each site:
 * x where it is named. Site n is of buffer n - 1 and asks for line 0x1000 + 0x80 n. */
static const char *taken(const struct bypass_plan *plan, char text[32])
{
	size_t at = 0;

	for (uint32_t sm = 1; sm <= 2; sm++)
		for (uint32_t warp = 0; warp <= 5; warp += 5)
			for (uint32_t s = 0; s < COUNT(sites); s++) {
				const struct request r = { .line = 0x1000 + 0x80 * s,
					                   .site = s,
					                   .kind = sites[s].kind,
					                   .buffer = (int32_t)s - 1,
					                   .warp = warp };

				text[at++] = bypass_plan_takes(plan, sm, &r) ? 'x' : '.';
			}
	text[at] = '\0';
	return text;
}

static void each_kind_of_rule_names_its_reads(void **state)
{
	static const struct {
		const char *rules, *taken;
	} rows[] = {
		{ "", "........................" },
		{ "all", "xxx..xxxx..xxxx..xxxx..x" },
		{ "site 1", ".x.....x.....x.....x...." },
		{ "site 3\nsite 4\nsite 99", "........................" },
		{ "line 9", "xxx..xxxx..xxxx..xxxx..x" },
		{ "line 10", "........................" },
		{ "argument A", "x.x...x.x...x.x...x.x..." },
		{ "argument B\nsite 5", ".x...x.x...x.x...x.x...x" },
		{ "buffer 4", ".....x.....x.....x.....x" },
		{ "buffer 2\nbuffer 3\nbuffer 7", "........................" },
		{ "warps 6", "........................" },
		{ "warps 5", "......xxx..x......xxx..x" },
		{ "warps 6\nwarps 1", "......xxx..x......xxx..x" },
		{ "warps 0", "xxx..xxxx..xxxx..xxxx..x" },
		{ "address 0x1000", "x.....x.....x.....x....." },
		{ "address 0x10ff", ".x.....x.....x.....x...." },
		{ "address 0x1100 sm 2", "..............x.....x..." },
		{ "address 0x1000 sm 3\naddress 0x1080 sm 0", "........................" },
		{ "address 0x1000 sm 4", "........................" },
		{ "address 0xffffffffffffffff\naddress 0", "........................" },
		{ "address 0x1180\naddress 0x1000 sm 1", "x.....x................." },
		{ "kernel mm\nsite 0", "x.....x.....x.....x....." },
		{ "kernel m\nall\nwarps 0\nbuffer 4\naddress 0x1000", "........................" },
		{ "kernel m\nall\nkernel *\nsite 0", "x.....x.....x.....x....." },
		{ "site 2 at mm.cl:9:12 #3", "..x.....x.....x.....x..." },
		{ "site 2 at mm.cl:9:12", "..x.....x.....x.....x..." },
		{ "site 2 at a/src/mm.cl:9:12 #3", "..x.....x.....x.....x..." },
		{ "site 2 at m.cl:9:12 #3", "........................" },
		{ "site 2 at lib/mm.cl:9:12 #3", "........................" },
		{ "site 2 at mm.cl:9:12 #2", "........................" },
		{ "site 2 at mm.cl:9:13 #3", "........................" },
		{ "site 2 at mm.cl:8:12 #3", "........................" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct bypass_plan plan = plan_of(rows[i].rules);
		char text[32];

		if (strcmp(taken(&plan, text), rows[i].taken) != 0)
			fail_msg("%s: %s, expected %s", rows[i].rules, text, rows[i].taken);
		bypass_plan_release(&plan);
	}
}

static void places_count_the_reads_of_their_line(void **state)
{
	static const struct bypass_place want[] = {
		{ mm_cl, 9, 12, 1 }, { mm_cl, 9, 20, 2 }, { mm_cl, 9, 12, 3 },
		{ mm_cl, 10, 3, 0 }, { mm_cl, 11, 3, 0 }, { other_cl, 9, 1, 1 },
	};

	for (size_t i = 0; i < COUNT(want); i++) {
		const struct bypass_place got = bypass_place_of(&table, i);

		assert_string_equal(got.file, want[i].file);
		assert_int_equal(got.line, want[i].line);
		assert_int_equal(got.column, want[i].column);
		assert_int_equal(got.ordinal, want[i].ordinal);
	}
}

/* Numbers that come and numbers that do not, against a list that is searched. */
static void a_set_has_what_was_added(void **state)
{
	uint64_t random = 0x9e3779b97f4a7c15u, added[200];

	for (size_t count = 0; count <= COUNT(added); count += 8) {
		struct number_set set;

		assert_int_equal(number_set_init(&set, count, NULL), 0);
		for (size_t i = 0; i < count; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			added[i] = random >> 33 & (i % 2 ? UINT64_MAX : 0xff);
			number_set_add(&set, added[i]);
		}
		for (uint64_t n = 0; n < 300; n++) {
			bool is_there = false;

			for (size_t i = 0; i < count; i++)
				is_there = is_there || added[i] == n;
			assert_int_equal(number_set_has(&set, n), is_there);
		}
		for (size_t i = 0; i < count; i++)
			assert_true(number_set_has(&set, added[i]));
		number_set_release(&set);
	}
	assert_false(number_set_has(&(struct number_set){ 0 }, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_rule_names_its_reads),
		cmocka_unit_test(places_count_the_reads_of_their_line),
		cmocka_unit_test(a_set_has_what_was_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
