/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What observers of L1s are told of loads, against sums made from the whole history by the
 * definition: of each line, site and buffer, for random streams; and Huangfu's criterion by hand.
 */
#include "cmocka_all.h"

#include "address_use.h"
#include "bypass_list.h"
#include "err.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>

static char kernel[] = "mm";

enum { SMS = 3, SITES = 4, BUFFERS = 2, STAYS = 3000, LAUNCHES = 2 };

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static struct address_use *use_of(size_t line_limit)
{
	const struct address_use_setup setup = { .sm_count = SMS,
		                                 .site_count = SITES,
		                                 .buffer_count = BUFFERS,
		                                 .line_limit = line_limit };
	struct address_use *u = NULL;

	assert_int_equal(address_use_create(&u, &setup, NULL), 0);
	return u;
}

/* --- the criterion -------------------------------------------------------------------------------
 */

static void the_criterion_is_that_of_the_paper(void **state)
{
	/* The paper's Fig. 4: (b) uses 25 % of a line, (c) 75 %, (a) all of it. */
	static const struct {
		struct address_use_sum sum;
		bool is_poor;
	} rows[] = {
		{ { 1, 32, 128, 0 }, true },
		{ { 1, 32, 128, 2 }, true },  /* 0.25 * 3 */
		{ { 1, 32, 128, 3 }, false }, /* 0.25 * 4 = 1 */
		{ { 1, 96, 128, 0 }, true },
		{ { 1, 96, 128, 1 }, false }, /* 0.75 * 2 */
		{ { 1, 128, 128, 0 }, false },
		{ { 1, 127, 128, 0 }, true },
		/* Two stays: 160 of 256 bytes, one further use: 0.625 * 1.5 = 0.9375. */
		{ { 2, 160, 256, 1 }, true },
		/* 0.625 * (1 + 3/5) = 1: five stays of 80 of 128 bytes, three uses. */
		{ { 5, 400, 640, 3 }, false },
		{ { 5, 399, 640, 3 }, true },
		/* Products beyond 64 bits: 2^40 stays of half a line, one use less than each. */
		{ { UINT64_C(1) << 40, UINT64_C(1) << 46, UINT64_C(1) << 47, UINT64_C(1) << 40 },
		  false },
		{ { UINT64_C(1) << 40, UINT64_C(1) << 46, UINT64_C(1) << 47,
		    (UINT64_C(1) << 40) - 1 },
		  true },
		{ { 0, 0, 0, 0 }, false },
		{ { 1, 4, 0, 0 }, false }, /* moved nothing: it lay there, written */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (address_use_is_poor(&rows[i].sum) != rows[i].is_poor)
			fail_msg("row %zu", i);
}

static void u_and_r_are_averages_over_stays(void **state)
{
	const struct address_use_sum sum = { 4, 160, 512, 6 }, none = { 0 };

	assert_true(address_use_u(&sum) == 0.3125);
	assert_true(address_use_r(&sum) == 1.5);
	assert_true(address_use_u(&none) == 0);
	assert_true(address_use_r(&none) == 0);
}

/* --- the oracle ----------------------------------------------------------------------------------
 */

/* All that was told. */
struct history {
	struct {
		uint32_t sm;
		struct l1_residency x;
	} stays[STAYS * LAUNCHES];
	size_t count;
	uint64_t reads[SITES + 1]; /* of sites; then of all */
	uint64_t buffer_reads[BUFFERS + 1];
};

static void tell_request(const struct l1_observer *o, struct history *h, uint64_t *seed)
{
	static const enum site_kind kinds[] = { SITE_READ, SITE_WRITE, SITE_ATOMIC, SITE_READ };
	static const enum l1_event events[] = { L1_HIT, L1_WRITE, L1_ATOMIC, L1_BYPASS };
	size_t kind = next_random(seed) % 4;
	const struct request r = { .site = (uint32_t)(next_random(seed) % SITES),
		                   .buffer = (int32_t)(next_random(seed) % (BUFFERS + 1)) - 1,
		                   .kind = kinds[kind],
		                   .lanes = 1,
		                   .bytes_used = 4 };
	const struct l1_outcome outcome = { .event = events[kind] };

	o->served(o->context, &r, &outcome);
	h->reads[r.site] += kind == 0;
	h->reads[SITES] += kind == 0;
	h->buffer_reads[r.buffer + 1] += kind == 0;
}

/* Lines are near together, far apart, and above 2^32. */
static struct l1_residency random_stay(uint64_t *seed)
{
	static const uint64_t strides[] = { 128, 4096, 0x100000080, 128 };
	uint64_t which = next_random(seed) % 4;
	bool is_written = next_random(seed) % 5 == 0;
	uint32_t used = 4 + 4 * (uint32_t)(next_random(seed) % 16);

	return (struct l1_residency){
		.line = 0x10000000 + strides[which] * (next_random(seed) % 50),
		.site = (uint32_t)(next_random(seed) % SITES),
		.buffer = (int32_t)(next_random(seed) % (BUFFERS + 1)) - 1,
		.bytes_moved = 32 * (1 + (uint32_t)(next_random(seed) % 4)),
		.first_bytes_used = is_written ? 0 : used,
		.bytes_used = used,
		.uses = next_random(seed) % 3,
		.writes = is_written,
	};
}

static void tell_launch(struct address_use *u, struct history *h, uint64_t *seed)
{
	const struct l1_observer *o[SMS];

	for (uint32_t sm = 0; sm < SMS; sm++)
		o[sm] = address_use_observer(u, sm);
	for (size_t i = 0; i < STAYS; i++) {
		uint32_t sm = (uint32_t)(next_random(seed) % SMS);
		struct l1_residency x = random_stay(seed);

		tell_request(o[sm], h, seed);
		o[sm]->left(o[sm]->context, &x);
		h->stays[h->count].sm = sm;
		h->stays[h->count++].x = x;
	}
}

/* Stays that a read began and that are of all that is asked for; -1 and UINT64_MAX: of any. */
struct question {
	uint64_t line;
	int64_t sm, site, row; /* row of buffers */
};

static bool is_meant(const struct question *q, uint32_t sm, const struct l1_residency *x)
{
	return x->first_bytes_used && (q->line == UINT64_MAX || q->line == x->line) &&
	       (q->sm < 0 || q->sm == sm) && (q->site < 0 || q->site == x->site) &&
	       (q->row < 0 || q->row == x->buffer + 1);
}

static struct address_use_sum ask(const struct history *h, const struct question *q)
{
	struct address_use_sum sum = { 0 };

	for (size_t i = 0; i < h->count; i++) {
		const struct l1_residency *x = &h->stays[i].x;

		if (!is_meant(q, h->stays[i].sm, x))
			continue;
		sum.stays++;
		sum.first_bytes += x->first_bytes_used;
		sum.bytes_moved += x->bytes_moved;
		sum.uses += x->uses;
	}
	return sum;
}

static void check_row(const struct address_use_row *row, uint64_t reads,
                      const struct address_use_sum *sum)
{
	assert_int_equal(row->reads, reads);
	assert_memory_equal(&row->sum, sum, sizeof(*sum));
}

static void check_rows(const struct address_use *u, const struct history *h)
{
	struct question q = { UINT64_MAX, -1, -1, -1 };
	struct address_use_sum sum = ask(h, &q);

	check_row(address_use_total(u), h->reads[SITES], &sum);
	for (q.site = 0; q.site < SITES; q.site++) {
		sum = ask(h, &q);
		check_row(&address_use_sites(u)[q.site], h->reads[q.site], &sum);
	}
	q.site = -1;
	for (q.row = 0; q.row <= BUFFERS; q.row++) {
		sum = ask(h, &q);
		check_row(&address_use_buffers(u)[q.row], h->buffer_reads[q.row], &sum);
	}
}

/* Rows ascend, each is what the history has, and together they have all stays: so none lacks. */
static void check_lines(const struct address_use *u, const struct history *h, bool is_merged)
{
	struct address_use_line *rows;
	uint64_t stays = 0;
	size_t count;

	assert_int_equal(address_use_lines(u, is_merged, &rows, &count, NULL), 0);
	for (size_t i = 0; i < count; i++) {
		const struct question q = { rows[i].line, rows[i].sm, -1, -1 };
		struct address_use_sum sum = ask(h, &q);

		assert_memory_equal(&rows[i].sum, &sum, sizeof(sum));
		assert_int_equal(rows[i].sm < 0, is_merged);
		stays += sum.stays;
		assert_true(!i || rows[i - 1].line < rows[i].line ||
		            (rows[i - 1].line == rows[i].line && rows[i - 1].sm < rows[i].sm));
	}
	assert_int_equal(stays, address_use_total(u)->sum.stays);
	free(rows);
}

/* A rule for each line that is poor, no other, in the lines' order. In numbers this small a
 * product of doubles is either far from 1 or exactly 1. */
static void check_rules(const struct address_use *u, bool is_merged)
{
	struct address_use_sum taken, want = { 0 };
	struct bypass_list list = { 0 };
	struct address_use_line *rows;
	size_t count, at = 0;

	assert_int_equal(address_use_lines(u, is_merged, &rows, &count, NULL), 0);
	assert_int_equal(address_use_rules(u, is_merged, kernel, &list, &taken, NULL), 0);
	for (size_t i = 0; i < count; i++) {
		const struct address_use_sum *s = &rows[i].sum;
		double product = (double)s->first_bytes * (double)(s->stays + s->uses) /
		                 ((double)s->bytes_moved * (double)s->stays);

		if (product >= 1)
			continue;
		assert_true(at < list.count);
		assert_int_equal(list.rules[at].kind, BYPASS_ADDRESS);
		assert_string_equal(list.rules[at].kernel, "mm");
		assert_int_equal(list.rules[at].number, rows[i].line);
		assert_int_equal(list.rules[at++].sm, rows[i].sm);
		address_use_add(&want, s);
	}
	assert_int_equal(at, list.count);
	assert_true(at && at < count);
	assert_memory_equal(&taken, &want, sizeof(want));
	free(rows);
	bypass_list_release(&list);
}

static void sums_are_those_of_the_whole_history(void **state)
{
	struct history *h = calloc(1, sizeof(*h));
	uint64_t seed = 0x2017;

	assert_non_null(h);
	print_message("seed %#llx\n", (unsigned long long)seed);
	for (size_t round = 0; round < 3; round++) {
		struct address_use *u = use_of(0);

		*h = (struct history){ 0 };
		for (size_t launch = 0; launch < LAUNCHES; launch++) {
			tell_launch(u, h, &seed);
			assert_int_equal(address_use_end(u, NULL), 0);
			check_rows(u, h);
			check_lines(u, h, false);
			check_lines(u, h, true);
			check_rules(u, false);
			check_rules(u, true);
		}
		assert_int_equal(address_use_dropped(u), 0);
		address_use_free(u);
	}
	free(h);
}

/* --- limits --------------------------------------------------------------------------------------
 */

static void tell(struct address_use *u, uint32_t sm, const struct l1_residency *x)
{
	const struct l1_observer *o = address_use_observer(u, sm);

	o->left(o->context, x);
}

/* Of 30 lines each SM may have 10: the first 10 that it has. What it has keeps counting. */
static void lines_beyond_the_limit_are_counted_and_have_no_row(void **state)
{
	struct address_use *u = use_of(30);
	struct address_use_line *rows;
	size_t count;

	for (uint32_t i = 0; i < 2 * 12; i++)
		tell(u, 1,
		     &(struct l1_residency){ .line = 128 * (uint64_t)(i % 12),
		                             .first_bytes_used = 4,
		                             .bytes_moved = 128 });
	tell(u, 2, &(struct l1_residency){ .first_bytes_used = 4, .bytes_moved = 128 });
	assert_int_equal(address_use_end(u, NULL), 0);
	assert_int_equal(address_use_lines(u, false, &rows, &count, NULL), 0);
	assert_int_equal(count, 10 + 1);
	assert_int_equal(address_use_dropped(u), 2 * 2);
	assert_int_equal(address_use_total(u)->sum.stays, 25);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(rows[i].sum.stays, rows[i].sm == 1 ? 2 : 1);
	free(rows);
	address_use_free(u);
}

/* 2^32 - 1 further uses fit, one more does not, and its stay goes with it. */
static void a_stay_that_does_not_fit_is_dropped_whole(void **state)
{
	const struct l1_residency full = { .first_bytes_used = 4,
		                           .bytes_moved = 128,
		                           .uses = UINT32_MAX };
	const struct l1_residency one = { .first_bytes_used = 4, .bytes_moved = 128, .uses = 1 };
	const struct l1_residency none = { .first_bytes_used = 4, .bytes_moved = 128 };
	const struct address_use_sum want = { 2, 8, 256, UINT32_MAX };
	struct address_use *u = use_of(0);
	struct address_use_line *rows;
	size_t count;

	tell(u, 0, &full);
	tell(u, 0, &one);
	tell(u, 0, &none);
	assert_int_equal(address_use_end(u, NULL), 0);
	assert_int_equal(address_use_lines(u, false, &rows, &count, NULL), 0);
	assert_int_equal(count, 1);
	assert_memory_equal(&rows[0].sum, &want, sizeof(want));
	assert_int_equal(address_use_dropped(u), 1);
	assert_int_equal(address_use_total(u)->sum.uses, (uint64_t)UINT32_MAX + 1);
	free(rows);
	address_use_free(u);
}

/* 1e6 lines in tables that have grown often: each is there once. */
static void a_million_lines_are_all_there(void **state)
{
	enum { LINES = 1000000 };
	struct address_use *u = use_of(0);
	struct address_use_line *rows;
	size_t count;

	for (uint64_t i = 0; i < UINT64_C(2) * LINES; i++)
		tell(u, 0,
		     &(struct l1_residency){ .line = i % LINES * 7919 % LINES * 128,
		                             .first_bytes_used = 4,
		                             .bytes_moved = 128 });
	assert_int_equal(address_use_end(u, NULL), 0);
	assert_int_equal(address_use_lines(u, false, &rows, &count, NULL), 0);
	assert_int_equal(count, LINES);
	for (size_t i = 0; i < count; i++)
		if (rows[i].line != 128 * i || rows[i].sum.stays != 2)
			fail_msg("row %zu", i);
	free(rows);
	address_use_free(u);
}

static void without_a_launch_there_is_nothing(void **state)
{
	struct address_use *u = use_of(0);
	struct bypass_list list = { 0 };
	struct address_use_line *rows;
	size_t count;

	assert_int_equal(address_use_end(u, NULL), 0);
	assert_int_equal(address_use_lines(u, true, &rows, &count, NULL), 0);
	assert_int_equal(count, 0);
	assert_int_equal(address_use_rules(u, false, NULL, &list, NULL, NULL), 0);
	assert_int_equal(list.count, 0);
	free(rows);
	address_use_free(u);
	address_use_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_criterion_is_that_of_the_paper),
		cmocka_unit_test(u_and_r_are_averages_over_stays),
		cmocka_unit_test(sums_are_those_of_the_whole_history),
		cmocka_unit_test(lines_beyond_the_limit_are_counted_and_have_no_row),
		cmocka_unit_test(a_stay_that_does_not_fit_is_dropped_whole),
		cmocka_unit_test(a_million_lines_are_all_there),
		cmocka_unit_test(without_a_launch_there_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
