/* SPDX-License-Identifier: Apache-2.0 */
/* Reorder configurations: the paper's example, texts that are none, and round trips. */
#include "launch_play.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"
#include "reorder_config.h"
#include "reorder_plan.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Huangfu 2017, 4.4.4; but for the addresses in the code, which there are 64 and 80. */
static const char paper[] = "-num_pcs 2\n"
			    "-pc_addr [0, 2]\n"
			    "-grid [1, 2, 1]\n"
			    "-block [16, 4, 1]\n"
			    "Block [0, 0, 0]\n"
			    "Warp0 [1, 0]\n"
			    "Warp0 [[[0, 128, 256, 384], L], None]\n"
			    "Warp1 [1, 0]\n"
			    "Warp1 [[[0, 128, 256, 384], L], None]\n"
			    "Block [0, 1, 0]\n"
			    "Warp0 [0, 1]\n"
			    "Warp0 [None, [[2048, 2176, 2304, 2432], S]]\n"
			    "Warp1 [0, 1]\n"
			    "Warp1 [None, [[2048, 2176, 2304, 2432], S]]\n";

static struct launch_play play;

static uint64_t ten_cycles(const struct logged *r)
{
	return 10;
}

static void assert_prints(const struct reorder_config *c, const char *wanted)
{
	struct str text;

	str_init(&text, (size_t)1 << 24);
	assert_int_equal(reorder_config_print(c, &text, NULL), 0);
	assert_string_equal(text.text, wanted);
	str_release(&text);
}

static void a_text_is_printed_as_it_was_read(void **state)
{
	struct reorder_config c;
	size_t count;
	const struct reorder_access *a;

	(void)state;
	assert_int_equal(reorder_config_parse(&c, "f", paper, NULL), 0);
	assert_prints(&c, paper);
	assert_int_equal(reorder_config_warp_count(&c, 1), 2);
	a = reorder_config_warp(&c, 1, 1, &count);
	assert_int_equal(count, 1);
	assert_int_equal(a->place, 1);
	assert_int_equal(a->kind, 'S');
	assert_int_equal(a->line_count, 4);
	assert_int_equal(((const uint64_t *)c.lines.data)[a->first_line + 3], 2432);
	reorder_config_release(&c);
}

/* The kernel of the paper: input is 0; a work-item of the first group loads [32 * x + 4], of the
 * second it stores at [32 * x + 2048]. */
static void paper_item(struct launch_play *p, uint64_t group, uint32_t item)
{
	if (group == 0)
		launch_play_event(p, UINT64_C(32) * (item % 16) + 4, 0, 0);
	else
		launch_play_event(p, UINT64_C(32) * (item % 16) + 2048, 2, 0);
}

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	struct launch_play *p = context;
	uint32_t size[3], items = launch_shape_group_size(&p->shape, group, size);

	p->event_count = 0;
	for (uint32_t i = 0; i < items; i++) {
		p->first[i] = p->event_count;
		p->item(p, group, i);
	}
	p->first[items] = p->event_count;
	*out = (struct group_items){ .events = { items, p->first, p->events } };
	return 0;
}

static int make_plan(struct reorder_config *c, struct err *err)
{
	const struct schedule_input input = { .shape = &play.shape,
		                              .table = &play.table,
		                              .groups = { .context = &play, .read = read_group } };

	return reorder_plan_make(c, &play.gpu, &input, err);
}

static void the_plan_of_the_papers_kernel_is_the_papers(void **state)
{
	struct reorder_config c;

	(void)state;
	launch_play_init(&play, paper_item, ten_cycles);
	play.gpu.warp_lanes = 32;
	play.shape = (struct launch_shape){ 3, { 16, 8, 1 }, { 16, 4, 1 }, { 0 } };
	assert_int_equal(make_plan(&c, NULL), 0);
	assert_prints(&c, paper);
	reorder_config_release(&c);
}

static int no_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	fail_msg("group %d is read", (int)group);
	return 0;
}

/* A file of a few bytes may declare 2^32 of them. */
static void more_groups_than_it_has_are_refused_before_they_are_read(void **state)
{
	const struct schedule_input input = { .shape = &play.shape,
		                              .table = &play.table,
		                              .groups = { .context = &play, .read = no_group } };
	struct reorder_config c;
	struct err err = { 0 };

	(void)state;
	launch_play_init(&play, paper_item, ten_cycles);
	play.gpu.warp_lanes = 32;
	play.shape = (struct launch_shape){
		2, { 33 * (REORDER_WARPS_MAX / 4 + 1), 2, 1 }, { 33, 1, 1 }, { 0 }
	};
	assert_int_equal(reorder_plan_make(&c, &play.gpu, &input, &err), ERR_LIMIT);
	assert_string_equal(err.msg, "8388610 groups of 2 warps are more than a configuration has: "
	                             "at most 16777216 warps");
	reorder_config_release(&c);
}

/* Flow that goes back behind a barrier: the second access is that of the lower site. */
static void back_behind_a_barrier(struct launch_play *p, uint64_t group, uint32_t item)
{
	launch_play_event(p, 0, 1, 0);
	launch_play_event(p, 0, 4, 0);
	launch_play_event(p, 0, 0, 0);
}

static void barriers_come_before_places(void **state)
{
	struct reorder_config c;

	(void)state;
	launch_play_init(&play, back_behind_a_barrier, ten_cycles);
	launch_play_shape(&play, 1, 4);
	assert_int_equal(make_plan(&c, NULL), 0);
	assert_prints(&c, "-num_pcs 2\n-pc_addr [1, 0]\n-grid [1, 1, 1]\n-block [4, 1, 1]\n"
	                  "Block [0, 0, 0]\nWarp0 [1, 1]\nWarp0 [[[0], L], [[0], L]]\n");
	reorder_config_release(&c);
}

/* The text with one thing changed. */
static const struct {
	const char *from, *to, *message;
} bad[] = {
	{ "-num_pcs 2", "", "f:2: expected -num_pcs" },
	{ "-num_pcs 2", "-num_pcs 3", "f:2: expected as many addresses as -num_pcs says" },
	{ "-num_pcs 2", "-num_pcs two", "f:1: expected a number" },
	{ "-num_pcs 2", "-num_pcs 1048577", "f:1: expected a number up to 1048576" },
	{ "[0, 2]", "[0, 99999999999999999999]",
	  "f:2: expected a number up to 18446744073709551615" },
	{ "[0, 2]", "[0, 2", "f:3: expected ]" },
	{ "[1, 2, 1]", "[1, 2]", "f:3: expected ," },
	{ "[1, 2, 1]", "[0, 2, 1]", "f:4: expected no dimension of size 0 in -grid and -block" },
	{ "[1, 2, 1]", "[1, 3, 1]", "f:15: expected Block" },
	{ "[1, 2, 1]", "[1, 1, 1]", "f:10: expected nothing after the last group" },
	{ "[1, 2, 1]", "[67108864, 67108864, 67108864]", "f:4: expected fewer groups" },
	{ "Block [0, 1, 0]", "Block [1, 0, 0]", "f:10: expected Block [0, 1, 0]" },
	{ "Warp1 [1, 0]", "Warp2 [1, 0]", "f:8: expected Warp1" },
	{ "Warp1 [[[0", "Warp0 [[[0", "f:9: expected Warp1" },
	{ "Warp0 [1, 0]", "Warp0 [2, 0]", "f:6: expected a number up to 1" },
	{ "Warp0 [1, 0]", "Warp0 [1]", "f:6: expected ," },
	{ "Warp0 [1, 0]", "Warp0 [1, 1]", "f:7: expected [" },
	{ "Warp0 [0, 1]", "Warp0 [1, 1]", "f:12: expected [" },
	{ "Warp0 [0, 1]", "Warp0 [0, 0]", "f:12: expected None" },
	{ "384], L]", "384], X]", "f:7: expected L, S or A" },
	{ "384], L]", "384, L]", "f:7: expected a number" },
	{ "Warp1 [0, 1]\n", "", "f:13: expected a number" },
};

static void texts_that_are_no_configuration_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		const char *at = strstr(paper, bad[i].from);
		struct reorder_config c;
		struct err err = { 0 };
		struct str text;

		assert_non_null(at);
		str_init(&text, 4096);
		assert_int_equal(str_append(&text, paper, (size_t)(at - paper), NULL), 0);
		assert_int_equal(
			str_printf(&text, NULL, "%s%s", bad[i].to, at + strlen(bad[i].from)), 0);
		assert_int_equal(reorder_config_parse(&c, "f", text.text, &err), ERR_FORMAT);
		assert_string_equal(err.msg, bad[i].message);
		reorder_config_release(&c);
		str_release(&text);
	}
}

/* Whatever is cut off or changed: a refusal or a configuration, and no harm. */
static void damaged_texts_do_no_harm(void **state)
{
	const size_t whole = (size_t)(strstr(paper, "Warp1 [0, 1]") - paper) - 1;
	struct random r = { 3 };

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(paper); i++) {
		char text[sizeof(paper)];
		struct reorder_config c;

		memcpy(text, paper, sizeof(paper));
		text[i] = '\0';
		/* all that can be left out at the end is the last warp, and line ends */
		assert_int_equal(
			reorder_config_parse(&c, "f", text, NULL),
			i >= whole && (i <= whole + 1 || i + 2 >= sizeof(paper)) ? 0 : ERR_FORMAT);
		reorder_config_release(&c);
	}
	for (uint32_t i = 0; i < 20000; i++) {
		static const char signs[] = "[],0123456789 \nBlockWarpNoneLSA-\x80";
		char text[sizeof(paper)];
		struct reorder_config c;

		memcpy(text, paper, sizeof(paper));
		for (uint32_t k = 0; k <= i % 4; k++)
			text[random_below(&r, sizeof(paper) - 1)] =
				signs[random_below(&r, sizeof(signs) - 1)];
		(void)reorder_config_parse(&c, "f", text, NULL);
		reorder_config_release(&c);
	}
}

/* --- launches -------------------------------------------------------------------------------- */

static uint64_t seed;

/* Site 0, a loop of sites 1 and 2, a barrier, site 4; each perhaps. */
static void random_item(struct launch_play *p, uint64_t group, uint32_t item)
{
	struct random r = { seed + group * 1009 + item };

	if (random_below(&r, 2))
		launch_play_event(p, 4096 + random_below(&r, 4000), 0, 0);
	for (uint32_t i = 0; i < 3; i++) {
		if (random_below(&r, 2))
			launch_play_event(p, 4096 + random_below(&r, 4000), 1, i);
		if (random_below(&r, 2))
			launch_play_event(p, 4096 + random_below(&r, 4000), 2, i);
	}
	launch_play_event(p, 0, 3, 0);
	if (random_below(&r, 2))
		launch_play_event(p, 4096 + random_below(&r, 4000), 4, 0);
}

/* Sites: read, in the loop read and atomic, barrier, write. */
static void set_up(struct random *r)
{
	static struct loop loops[] = { { .parent = -1, .depth = 1 } };
	static struct site sites[5];

	seed = random_next(r);
	launch_play_init(&play, random_item, ten_cycles);
	sites[0] = play.table.sites[0];
	sites[1] = play.table.sites[1];
	sites[2] = play.table.sites[3];
	sites[3] = play.table.sites[4];
	sites[4] = play.table.sites[2];
	sites[1].loop = sites[2].loop = 0;
	play.table.sites = sites;
	play.table.site_count = COUNT(sites);
	play.table.loops = loops;
	play.table.loop_count = COUNT(loops);
	play.gpu.schedulers = 1 + random_below(r, 3);
	play.gpu.max_groups = 1 + random_below(r, 3);
	launch_play_shape(&play, 1 + random_below(r, 5), 1 + random_below(r, 20));
}

static void a_configuration_gives_the_order_that_is_found_without(void **state)
{
	static struct logged log[PLAY_LOG];
	struct random r = { 11 };

	(void)state;
	for (uint32_t i = 0; i < 200; i++) {
		struct reorder_config made, read;
		struct str text;
		uint32_t count;

		set_up(&r);
		assert_int_equal(issue_order_parse(&play.order, "reorder", NULL), 0);
		assert_int_equal(make_plan(&made, NULL), 0);
		str_init(&text, (size_t)1 << 24);
		assert_int_equal(reorder_config_print(&made, &text, NULL), 0);
		assert_int_equal(reorder_config_parse(&read, "f", text.text, NULL), 0);
		assert_prints(&read, text.text);
		play.reorder = NULL;
		assert_int_equal(launch_play(&play, NULL), 0);
		schedule_result_release(&play.result);
		count = play.log_count;
		memcpy(log, play.log, count * sizeof(*log));
		play.reorder = &read;
		assert_int_equal(launch_play(&play, NULL), 0);
		schedule_result_release(&play.result);
		assert_int_equal(play.log_count, count);
		assert_true(launch_play_is_same_log(log, play.log, count));
		reorder_config_release(&made);
		reorder_config_release(&read);
		str_release(&text);
	}
}

/* The other order of its two accesses: group 1's stores come first. */
static void the_configuration_decides(void **state)
{
	static const char turned[] = "-num_pcs 2\n-pc_addr [2, 0]\n-grid [2, 1, 1]\n"
				     "-block [4, 1, 1]\nBlock [0, 0, 0]\nWarp0 [0, 1]\n"
				     "Warp0 [None, [[0], L]]\nBlock [1, 0, 0]\nWarp0 [1, 0]\n"
				     "Warp0 [[[2048], S], None]\n";
	static const struct {
		const char *from, *message;
		char to;
	} other[] = {
		{ "4, 1, 1",
		  "the reorder configuration is of 2 groups of 8 work-items in dimension 0, the "
		  "launch of 2 of 4",
		  '8' },
		{ "2, 0]\n-g",
		  "group 1: warp 0 of group 1 makes other accesses than the reorder "
		  "configuration says",
		  '1' },
	};
	struct reorder_config c;

	(void)state;
	launch_play_init(&play, paper_item, ten_cycles);
	launch_play_shape(&play, 2, 4);
	assert_int_equal(issue_order_parse(&play.order, "reorder", NULL), 0);
	assert_int_equal(reorder_config_parse(&c, "f", turned, NULL), 0);
	play.reorder = &c;
	assert_int_equal(launch_play(&play, NULL), 0);
	assert_int_equal(play.log_count, 2);
	assert_int_equal(play.log[0].site, 2);
	assert_int_equal(play.log[1].site, 0);
	schedule_result_release(&play.result);
	reorder_config_release(&c);
	for (size_t i = 0; i < COUNT(other); i++) {
		struct err err = { 0 };
		char text[sizeof(turned)];

		memcpy(text, turned, sizeof(turned));
		*strstr(text, other[i].from) = other[i].to;
		assert_int_equal(reorder_config_parse(&c, "f", text, NULL), 0);
		assert_int_equal(launch_play(&play, &err), ERR_FORMAT);
		assert_string_equal(err.msg, other[i].message);
		schedule_result_release(&play.result);
		reorder_config_release(&c);
	}
}

/* A warp that loads once, and configurations of none and of two loads. */
static void more_and_fewer_accesses_are_refused(void **state)
{
	static const struct {
		const char *warp, *message;
	} rows[] = {
		{ "Warp0 [0, 0]\nWarp0 [None, None]\n",
		  "group 0: warp 0 of group 0 makes more accesses than the reorder configuration "
		  "says" },
		{ "Warp0 [1, 1]\nWarp0 [[[0], L], [[0], L]]\n",
		  "group 0: warp 0 of group 0 makes fewer accesses than the reorder configuration "
		  "says" },
	};

	(void)state;
	launch_play_init(&play, paper_item, ten_cycles);
	launch_play_shape(&play, 1, 4);
	assert_int_equal(issue_order_parse(&play.order, "reorder", NULL), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct reorder_config c;
		struct err err = { 0 };
		static const char head[] =
			"-num_pcs 2\n-pc_addr [0, 0]\n-grid [1, 1, 1]\n-block [4, 1, 1]\n"
			"Block [0, 0, 0]\n";

		char text[256];

		(void)snprintf(text, sizeof(text), "%s%s", head, rows[i].warp);
		assert_int_equal(reorder_config_parse(&c, "f", text, NULL), 0);
		play.reorder = &c;
		assert_int_equal(launch_play(&play, &err), ERR_FORMAT);
		assert_string_equal(err.msg, rows[i].message);
		schedule_result_release(&play.result);
		reorder_config_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_printed_as_it_was_read),
		cmocka_unit_test(the_plan_of_the_papers_kernel_is_the_papers),
		cmocka_unit_test(more_groups_than_it_has_are_refused_before_they_are_read),
		cmocka_unit_test(texts_that_are_no_configuration_are_refused),
		cmocka_unit_test(damaged_texts_do_no_harm),
		cmocka_unit_test(a_configuration_gives_the_order_that_is_found_without),
		cmocka_unit_test(the_configuration_decides),
		cmocka_unit_test(barriers_come_before_places),
		cmocka_unit_test(more_and_fewer_accesses_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
