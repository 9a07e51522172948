/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_run on a device that is an array: of each group, how often its effects took place.
 * Whatever fails, that is once for all groups, or never where the application's own kernel is to
 * run.
 */
#include "array.h"
#include "cmocka_all.h"
#include "err.h"
#include "kernel_table.h"
#include "launch_run.h"
#include "recorder.h"
#include "session.h"
#include "thread_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED         1983u
#define GROUPS       40
#define ITEMS        32
#define BUDGET_BYTES (1 << 19)
#define LIMIT_BYTES  (1 << 20)
#define PARTS        2 /* of the memory, copied back one by one */

struct device {
	int effects[GROUPS], copy[GROUPS];
	unsigned char *records[DRAIN_SLICES];
	uint64_t room[DRAIN_SLICES];
	uint64_t group_bytes; /* that each group's records take */
	unsigned late_shift;  /* from the middle group on they take 2^late_shift as many */
	unsigned failures;    /* of 100 calls */
	bool has_launch_id, is_whole, copies_records;
	bool is_stale; /* the copy is not of what the launch may have changed since */
	bool is_taken, is_given, is_broken, is_closed, is_recalled, has_learned;
	unsigned slices;
	uint64_t first_groups; /* in the first of them */
};

static uint32_t random_state = SEED;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * limit >> 32);
}

/* Copied records leave their buffer: there is one. */
static uint64_t *room_of(struct device *d, unsigned which)
{
	return &d->room[d->copies_records ? 0 : which];
}

static bool fails(const struct device *d)
{
	return random_below(100) < d->failures;
}

static int acquire(void *device, struct err *err)
{
	struct device *d = device;

	d->is_taken = !fails(d);
	return d->is_taken ? 0 : err_set(err, ERR_DEVICE, "not taken");
}

static void release_device(void *device)
{
	struct device *d = device;

	for (unsigned i = 0; i < DRAIN_SLICES; i++) {
		free(d->records[i]);
		d->records[i] = NULL;
	}
	d->is_given = true;
}

/* Nothing may be read in a buffer that is written or given up. */
static void assert_idle(const struct device *d, unsigned which)
{
	if (!d->copies_records)
		assert_null(d->records[which]);
}

static uint64_t most_items(void *device)
{
	(void)device;
	return UINT64_MAX;
}

static bool is_wide(void *device)
{
	(void)device;
	return false;
}

static int reserve(void *device, unsigned which, uint64_t bytes, struct err *err)
{
	struct device *d = device;
	uint64_t *room = room_of(d, which);

	assert_true(d->is_recalled);
	if (fails(d))
		return err_set(err, ERR_DEVICE, "no memory");
	if (bytes <= *room)
		return 0;
	assert_idle(d, which);
	if (d->copies_records && *room)
		assert_in_range(bytes, 0, *room * 2);
	*room = fails(d) ? bytes / 2 : bytes;
	assert_true(d->room[0] + d->room[1] <= LIMIT_BYTES);
	return 0;
}

static uint64_t room_bytes(const void *device, unsigned which)
{
	const struct device *d = device;

	return d->room[d->copies_records ? 0 : which];
}

static void release_buffer(void *device, unsigned which)
{
	assert_idle(device, which);
	*room_of(device, which) = 0;
}

static uint64_t group_limit(void)
{
	return LIMIT_BYTES;
}

static uint64_t records_bytes(const struct device *d, const struct slice_box *box)
{
	uint64_t bytes = 0;

	for (uint64_t g = box->begin; g < box->end; g++)
		bytes += d->group_bytes << (g < GROUPS / 2 ? 0 : d->late_shift);
	return bytes;
}

static enum slice_outcome run_slice(void *device, const struct slice_call *call, int *code)
{
	struct device *d = device;
	const struct slice_box *box = &call->slice->box;
	struct probe_header header = { 0 };
	uint32_t fate = fails(d) ? random_below(3) : 3;

	*code = 7;
	assert_true(d->is_taken);
	assert_idle(d, call->which);
	if (fate == 0)
		return SLICE_NOT_STARTED;
	if (d->slices++ == 0)
		d->first_groups = box->end - box->begin;
	if (d->is_whole)
		assert_int_equal(box->end - box->begin, GROUPS);
	for (uint64_t g = box->begin; g < box->end; g++)
		d->effects[g]++;
	if (fate == 1)
		return SLICE_UNREAD;
	d->is_broken = fate == 2;
	if (d->is_broken)
		return SLICE_BROKEN;
	assert_true(call->slice->end_offset <= *room_of(d, call->which));
	header.lost_records = records_bytes(d, box) > *room_of(d, call->which);
	memset(call->bytes, 0, call->report_bytes);
	memcpy(call->bytes, &header, sizeof(header));
	return SLICE_DONE;
}

/* Nothing in any place. */
static const void *read_records(void *device, unsigned which, const struct slice *slice,
                                uint64_t bytes, struct err *err)
{
	struct device *d = device;

	(void)slice;
	free(d->records[which]);
	d->records[which] = NULL;
	if (fails(d)) {
		err_set(err, ERR_DEVICE, "not read");
		return NULL;
	}
	d->records[which] = calloc(1, bytes);
	return d->records[which];
}

static void release_records(void *device, unsigned which)
{
	struct device *d = device;

	free(d->records[which]);
	d->records[which] = NULL;
}

static bool open_copies(void *device)
{
	struct device *d = device;

	d->is_stale = true;
	return !fails(d);
}

static void close_copies(void *device)
{
	struct device *d = device;

	d->is_closed = true;
}

static bool copy(void *device)
{
	struct device *d = device;

	if (fails(d))
		return false;
	if (d->is_stale || d->copies_records)
		memcpy(d->copy, d->effects, sizeof(d->copy));
	d->is_stale = false;
	return true;
}

static bool undo(void *device, size_t *done)
{
	struct device *d = device;
	const size_t part = GROUPS / PARTS;

	for (; *done < PARTS; ++*done) {
		if (fails(d))
			return false;
		memcpy(d->effects + *done * part, d->copy + *done * part,
		       part * sizeof(d->copy[0]));
	}
	return true;
}

static uint64_t copy_bytes(const void *device)
{
	(void)device;
	return random_below(2) ? 0 : UINT64_MAX;
}

static void invalidate_copies(void *device)
{
	struct device *d = device;

	d->is_stale = true;
}

static void recall(void *device, struct slice_plan *plan)
{
	struct device *d = device;

	(void)plan;
	d->is_recalled = true;
}

static void learn(void *device, const struct slice_plan *plan)
{
	struct device *d = device;

	assert_true(plan->next <= GROUPS);
	d->has_learned = true;
}

/* Two buffers that are read where they lie, or one of which copies are read. */
static struct device_ops ops_of(bool copies_records)
{
	return (struct device_ops){
		.room = { .buffers = copies_records ? 1 : 2,
		          .usual_bytes = 1 << 18,
		          .is_doubled_only = copies_records },
		.copies_records = copies_records,
		.broken_code = 5,
		.memory_code = 6,
		.not_started = "not started",
		.acquire = acquire,
		.release = release_device,
		.most_items = most_items,
		.is_wide = is_wide,
		.reserve = reserve,
		.room_bytes = room_bytes,
		.release_buffer = release_buffer,
		.group_limit = group_limit,
		.run_slice = run_slice,
		.read_records = read_records,
		.release_records = release_records,
		.open_copies = open_copies,
		.close_copies = close_copies,
		.copy = copy,
		.undo = undo,
		.copy_bytes = copies_records ? NULL : copy_bytes,
		.invalidate_copies = copies_records ? NULL : invalidate_copies,
		.recall = recall,
		.learn = learn,
	};
}

static struct session *session;
static struct thread_pool *pool;

static int init(struct session *s, struct err *err)
{
	(void)s;
	return thread_pool_create(&pool, err);
}

static void release(struct session *s)
{
	(void)s;
	thread_pool_free(pool);
}

static const struct session_part part = { .bytes = 1, .init = init, .release = release };

static int begin(void **state)
{
	static char dir[] = "/tmp/warpline-test-XXXXXX";
	char name[64];

	(void)state;
	snprintf(name, sizeof(name), "%s/recording", mkdtemp(dir));
	session = session_create(&part, name, "/nowhere", BUDGET_BYTES);
	return session ? 0 : -1;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %.*s",
	         (int)(strrchr(recorder_dir(session->recorder), '/') -
	               recorder_dir(session->recorder)),
	         recorder_dir(session->recorder));
	session_end();
	session_free(session);
	return system(command);
}

static struct launch_run run_on(struct device *d, bool is_repeatable)
{
	static const struct launch_shape shape = {
		1, { GROUPS * ITEMS, 1, 1 }, { ITEMS, 1, 1 }, { 0 }
	};
	static struct site sites[1] = { { .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1 } };
	static char name[] = "kernel", records[] = "count";
	static const struct kernel_table table = {
		.name = name, .sites = sites, .site_count = 1, .lanes = 1, .records = records
	};
	struct device_ops ops = ops_of(d->copies_records);
	struct launch_run run = { .terms = { .session = session,
		                             .ops = &ops,
		                             .device = d,
		                             .table = &table,
		                             .shape = &shape,
		                             .pool = pool,
		                             .is_repeatable = is_repeatable,
		                             .is_whole = d->is_whole,
		                             .too_small = "too small" },
		                  .outcome = { .has_launch_id = d->has_launch_id } };

	launch_run_execute(&run);
	launch_run_release(&run);
	assert_true(d->is_given && d->is_closed && d->has_learned >= (d->slices > 0));
	for (unsigned i = 0; i < ops.room.buffers && !d->copies_records; i++)
		assert_true(d->room[i] <= BUDGET_BYTES / 2);
	return run;
}

static void assert_all(const struct device *d, int times)
{
	for (int g = 0; g < GROUPS; g++)
		assert_int_equal(d->effects[g], times);
}

/* All 40 groups' records are 320 KiB, more than the 64 KiB or 256 KiB of a buffer: slices overflow
 * and are run again, and nothing is lost. */
static void overflowing_slices_are_run_again(void **state)
{
	(void)state;
	for (int copies = 0; copies < 2; copies++) {
		struct device d = { .has_launch_id = true,
			            .group_bytes = 8192,
			            .copies_records = copies };
		struct launch_run run = run_on(&d, true);

		assert_int_equal(run.code, 0);
		assert_int_equal(run.outcome.trouble.code, 0);
		assert_true(run.outcome.has_run);
		assert_int_equal(run.outcome.dropped, 0);
		assert_all(&d, 1);
	}
}

/* Where that cannot be, the first slice is of one group, and what has no room is counted: each
 * slice of more groups than fit is one. */
static void slices_that_cannot_be_undone_stand(void **state)
{
	(void)state;
	for (int copies = 0; copies < 2; copies++) {
		struct device d = { .has_launch_id = true,
			            .group_bytes = LIMIT_BYTES,
			            .copies_records = copies };
		struct launch_run run = run_on(&d, false);

		assert_true(run.outcome.has_run);
		assert_int_equal(run.outcome.dropped, d.slices);
		assert_int_equal(d.first_groups, 1);
		assert_all(&d, 1);
	}
}

/* Groups that wait for each other are one slice, in a buffer as large as they need (640 KiB, so 1
 * MiB, the most for one group and more than the budget) or, where they are more than that (40 MiB),
 * with losses. */
static void whole_launches_are_one_slice(void **state)
{
	const uint64_t group_bytes[] = { 16384, LIMIT_BYTES };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct device d = { .has_launch_id = true,
			            .group_bytes = group_bytes[i],
			            .is_whole = true,
			            .copies_records = true };
		struct launch_run run = run_on(&d, true);

		assert_true(run.outcome.has_run);
		assert_int_equal(run.outcome.dropped, i);
		assert_all(&d, 1);
	}
}

/* A launch that has no number is left to the application's own kernel. */
static void without_a_number_nothing_runs(void **state)
{
	struct device d = { .group_bytes = 4096 };
	struct launch_run run = run_on(&d, true);

	(void)state;
	assert_false(run.outcome.has_run);
	assert_int_equal(run.code, 0);
	assert_string_equal(run.outcome.trouble.msg, "the recording is closed");
	assert_all(&d, 0);
}

/* The law, with failures of each call. */
static void effects_take_place_once(void **state)
{
	unsigned outcomes[3] = { 0 };

	(void)state;
	for (unsigned i = 0; i < 4000; i++) {
		struct device d = { .has_launch_id = true,
			            .group_bytes = 1u << (8 + random_below(14)),
			            .late_shift = random_below(2) * 4,
			            .failures = random_below(20),
			            .is_whole = random_below(4) == 0,
			            .copies_records = random_below(2) };
		struct launch_run run = run_on(&d, random_below(4) > 0);

		outcomes[run.code ? 2 : run.outcome.has_run]++;
		if (d.is_broken)
			assert_true(run.code && run.outcome.has_run);
		if (!run.code)
			assert_all(&d, run.outcome.has_run);
		for (int g = 0; run.code && g < GROUPS; g++)
			assert_in_range(d.effects[g], 0, 1);
		if (run.code || !run.outcome.has_run || run.discards_events)
			assert_int_not_equal(run.outcome.trouble.code, 0);
	}
	for (int i = 0; i < 3; i++)
		assert_true(outcomes[i] > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overflowing_slices_are_run_again),
		cmocka_unit_test(slices_that_cannot_be_undone_stand),
		cmocka_unit_test(whole_launches_are_one_slice),
		cmocka_unit_test(without_a_number_nothing_runs),
		cmocka_unit_test(effects_take_place_once),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
