/* SPDX-License-Identifier: Apache-2.0 */
/* What observers of L1s are told, added up by hand: events that this test makes up itself. */
#include "cmocka_all.h"

#include "l1_stats.h"
#include "request.h"

#include <string.h>

enum { SITES = 3, BUFFERS = 2, SETS = 4 };

static struct l1_stats *stats_of(uint64_t groups, uint64_t window_cycles)
{
	const struct l1_stats_setup setup = {
		.is_wanted = { true, true, true, true, true },
		.sm_count = 3,
		.site_count = SITES,
		.buffer_count = BUFFERS,
		.set_count = SETS,
		.group_count = groups,
		.window_cycles = window_cycles,
	};
	struct l1_stats *s = NULL;

	assert_int_equal(l1_stats_create(&s, &setup, NULL), 0);
	return s;
}

/* A read of 4 bytes by one lane. */
static void serve(const struct l1_observer *o, uint32_t site, uint64_t group, uint64_t cycle,
                  enum l1_event event)
{
	const struct request r = { .site = site,
		                   .group = group,
		                   .buffer = (int32_t)site - 1,
		                   .kind = event == L1_ATOMIC      ? SITE_ATOMIC
		                           : event >= L1_WRITE_HIT ? SITE_WRITE
		                                                   : SITE_READ,
		                   .lanes = 1,
		                   .bytes_used = 4 };
	const struct l1_outcome outcome = {
		.event = event,
		.set = 3,
		.cycle = cycle,
		.bytes_fetched = event >= L1_COLD && event <= L1_SECTOR ? 128 : 0,
		.stall_cycles = 2,
	};

	o->served(o->context, &r, &outcome);
}

static void leave(const struct l1_observer *o, uint32_t site, uint64_t group, uint64_t in_cycles,
                  uint64_t uses)
{
	const struct l1_residency x = { .site = site,
		                        .group = group,
		                        .buffer = -1,
		                        .set = 1,
		                        .in_cycles = in_cycles,
		                        .bytes_moved = 128,
		                        .bytes_used = 12,
		                        .uses = uses,
		                        .reason = uses ? L1_LEAVE_REPLACED : L1_LEAVE_END };

	o->left(o->context, &x);
}

static const struct l1_stats_row *row(const struct l1_stats *s, enum l1_stats_table t, size_t i)
{
	assert_true(i < l1_stats_list(s, t)->count);
	return &l1_stats_list(s, t)->rows[i];
}

/*
 * SM 0: site 1 (buffer 0) misses cold in group 4 at cycle 0 and hits at 9; that line is used 9
 * times more. SM 2: site 0 (no buffer) writes; site 1 has a conflict in group 5; its line is not
 * used again.
 */
static void events_count_for_their_owners(void **state)
{
	struct l1_stats *s = stats_of(6, 10);
	const struct l1_observer *a = l1_stats_observer(s, 0), *b = l1_stats_observer(s, 2);
	const struct l1_stats_row *r;

	serve(a, 1, 4, 0, L1_COLD);
	serve(a, 1, 4, 9, L1_HIT);
	leave(a, 1, 4, 0, 9);
	serve(b, 0, 0, 10, L1_WRITE);
	serve(b, 1, 5, 25, L1_CONFLICT);
	leave(b, 1, 5, 25, 0);
	assert_int_equal(l1_stats_end(s, NULL), 0);

	r = row(s, L1_STATS_SITES, 1);
	assert_int_equal(r->reads, 3);
	assert_int_equal(r->read_misses, 2);
	assert_int_equal(r->cold, 1);
	assert_int_equal(r->conflict, 1);
	assert_int_equal(r->bytes_from_l2, 256);
	assert_int_equal(r->stall_cycles, 6);
	assert_int_equal(r->lines, 2);
	assert_int_equal(r->lines_unused, 1);
	assert_int_equal(r->uses, 9);
	assert_int_equal(r->bytes_used, 24);
	assert_int_equal(row(s, L1_STATS_SITES, 0)->writes, 1);
	assert_int_equal(row(s, L1_STATS_SITES, 0)->reads, 0);
	assert_int_equal(row(s, L1_STATS_BUFFERS, 1)->reads, 3);  /* buffer 0 */
	assert_int_equal(row(s, L1_STATS_BUFFERS, 0)->writes, 1); /* none */
	assert_int_equal(row(s, L1_STATS_BUFFERS, 0)->lines, 2);
	assert_int_equal(row(s, L1_STATS_SETS, 3)->reads, 3);
	assert_int_equal(row(s, L1_STATS_SETS, 1)->lines, 2);
	assert_int_equal(row(s, L1_STATS_GROUPS, 4)->read_hits, 1);
	assert_int_equal(row(s, L1_STATS_GROUPS, 5)->lines_unused, 1);
	assert_int_equal(l1_stats_list(s, L1_STATS_WINDOWS)->count, 3);
	assert_int_equal(l1_stats_list(s, L1_STATS_WINDOWS)->unit, 10);
	assert_int_equal(row(s, L1_STATS_WINDOWS, 0)->uses, 9);
	assert_int_equal(row(s, L1_STATS_WINDOWS, 2)->conflict, 1);
	assert_int_equal(l1_stats_reuse(s)->uses[0].lines, 1);
	assert_int_equal(l1_stats_reuse(s)->uses[8].lines, 1); /* 8..15 */
	assert_int_equal(l1_stats_reuse(s)->uses[8].bytes_used, 12);
	assert_int_equal(l1_stats_reuse(s)->reasons[L1_LEAVE_END], 1);
	assert_int_equal(l1_stats_total(s)->bytes_asked, 16);
	l1_stats_free(s);
}

/*
 * 64 windows at most: cycle 63 fits in windows of 1; cycle 1000 wants windows of 16 (1000 / 16 =
 * 62). The other SM, which ends at 70, has windows of 2, and is added to those of 16.
 */
static void windows_merge_when_there_are_too_many(void **state)
{
	struct l1_stats *s = stats_of(1, 0);
	const struct l1_observer *a = l1_stats_observer(s, 0), *b = l1_stats_observer(s, 1);

	for (uint64_t cycle = 0; cycle < 64; cycle++)
		serve(a, 0, 0, cycle, L1_HIT);
	serve(a, 0, 0, 1000, L1_HIT);
	serve(b, 0, 0, 31, L1_COLD);
	serve(b, 0, 0, 70, L1_COLD);
	leave(b, 0, 0, 31, 0);
	assert_int_equal(l1_stats_end(s, NULL), 0);
	assert_int_equal(l1_stats_list(s, L1_STATS_WINDOWS)->unit, 16);
	assert_int_equal(l1_stats_list(s, L1_STATS_WINDOWS)->count, 63);
	for (size_t i = 0; i < 63; i++)
		assert_int_equal(row(s, L1_STATS_WINDOWS, i)->read_hits, i < 4     ? 16
		                                                         : i == 62 ? 1
		                                                                   : 0);
	assert_int_equal(row(s, L1_STATS_WINDOWS, 1)->cold, 1);
	assert_int_equal(row(s, L1_STATS_WINDOWS, 4)->cold, 1);
	assert_int_equal(row(s, L1_STATS_WINDOWS, 1)->lines, 1);
	l1_stats_free(s);
}

/* 10,000 groups in 4,096 rows at most: four share one. */
static void groups_share_rows_when_there_are_too_many(void **state)
{
	struct l1_stats *s = stats_of(10000, 0);
	const struct l1_observer *a = l1_stats_observer(s, 0), *b = l1_stats_observer(s, 2);

	for (uint64_t group = 0; group < 10000; group++)
		serve(group % 2 ? a : b, 2, group, 5, L1_PENDING);
	assert_int_equal(l1_stats_end(s, NULL), 0);
	assert_int_equal(l1_stats_list(s, L1_STATS_GROUPS)->unit, 4);
	assert_int_equal(l1_stats_list(s, L1_STATS_GROUPS)->count, 2500);
	for (size_t i = 0; i < 2500; i++)
		assert_int_equal(row(s, L1_STATS_GROUPS, i)->pending_hits, 4);
	l1_stats_free(s);
}

static void bins_of_uses_are_adjacent(void **state)
{
	for (uint32_t bin = 1; bin < L1_STATS_USES; bin++) {
		assert_int_equal(l1_stats_bin(l1_stats_bin_first(bin)), bin);
		assert_int_equal(l1_stats_bin(l1_stats_bin_first(bin) - 1), bin - 1);
	}
	assert_int_equal(l1_stats_bin(UINT64_MAX), L1_STATS_USES - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_count_for_their_owners),
		cmocka_unit_test(windows_merge_when_there_are_too_many),
		cmocka_unit_test(groups_share_rows_when_there_are_too_many),
		cmocka_unit_test(bins_of_uses_are_adjacent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
