/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of long groups that lie outside memory: the same requests, in less memory. */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "peak_memory.h"
#include "schedule.h"
#include "stream_bundle.h"
#include "stream_way.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 64 };

static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_GLOBAL, .loop = 0, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 8, .space = SPACE_GLOBAL, .loop = 0, .argument = -1 },
	{ .kind = SITE_BARRIER, .loop = 0, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 65536, .space = SPACE_GLOBAL, .loop = 0, .argument = -1 },
};
static struct loop loops[] = { { .parent = -1, .depth = 1 } };
static char name[] = "long";
static const struct kernel_table table = {
	.name = name, .sites = sites, .site_count = 4, .loops = loops, .loop_count = 1
};

/* A launch whose work-items make `rounds` accesses each, anywhere. */
struct scene {
	uint64_t groups, rounds, spread_bytes;
	bool has_barriers, is_wide;
	struct event *events;
	uint64_t first[ITEMS + 1];
	uint64_t requests, hash; /* as the port saw them */
};

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	struct scene *s = context;

	(void)err;
	for (uint64_t item = 0; item < ITEMS; item++) {
		struct event *e = s->events + item * s->rounds;

		s->first[item] = item * s->rounds;
		for (uint64_t i = 0; i < s->rounds; i++) {
			uint64_t draw = mix((group * ITEMS + item) * s->rounds + i + 1);
			uint32_t site = (uint32_t)(i % 3 == 2);

			if (s->has_barriers && i % 100 == 99)
				site = 2;
			if (s->is_wide && i % 40 == 39)
				site = 3;
			*e++ = (struct event){ site == 2 ? 0 : draw % s->spread_bytes / 8 * 8, site,
				               (uint32_t)i };
		}
	}
	s->first[ITEMS] = ITEMS * s->rounds;
	*out = (struct group_items){ .events = { ITEMS, s->first, s->events } };
	return 0;
}

static uint64_t take(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	struct scene *s = context;
	const uint64_t words[] = { sm,      r->line, r->used[0], r->used[1], r->lanes,
		                   r->site, r->warp, r->group,   now };

	s->requests++;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		s->hash = mix(s->hash * 31 + words[i]);
	return now + 20 + r->line / 128 % 100;
}

static void tap(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	(void)context;
	(void)sm;
	(void)a;
	(void)now;
}

static void play(struct scene *s, bool keeps_lanes)
{
	const struct launch_shape shape = {
		1, { s->groups * ITEMS, 1, 1 }, { ITEMS, 1, 1 }, { 0 }
	};
	const struct schedule_input input = { .shape = &shape,
		                              .table = &table,
		                              .groups = { .context = s, .read = read_group } };
	const struct memory_port port = { .context = s,
		                          .request = take,
		                          .access = keeps_lanes ? tap : NULL };
	struct schedule_result result;
	struct err err = { 0 };
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	s->events = malloc(ITEMS * s->rounds * sizeof(*s->events));
	s->requests = s->hash = 0;
	if (schedule_launch(&gpu, &input, &port, &result, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(result.groups, s->groups);
	schedule_result_release(&result);
	free(s->events);
	s->events = NULL;
}

/* A stream whose lanes are kept stays in memory, whatever its length. */
static void long_groups_make_the_requests_that_they_would_in_memory(void **state)
{
	static struct scene rows[] = {
		{ .groups = 40, .rounds = 600, .spread_bytes = 1 << 24 },
		{ .groups = 40, .rounds = 1000, .spread_bytes = 1 << 13, .has_barriers = true },
		{ .groups = 5, .rounds = 120, .spread_bytes = 1 << 20, .is_wide = true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene kept = rows[i];

		play(&rows[i], false);
		play(&kept, true);
		assert_int_equal(rows[i].requests, kept.requests);
		assert_int_equal(rows[i].hash, kept.hash);
		assert_true(rows[i].requests > 4000);
	}
}

static void a_launch_goes_on_in_memory_when_there_is_no_place_for_a_file(void **state)
{
	struct scene with = { .groups = 20, .rounds = 600, .spread_bytes = 1 << 24 },
		     without = with;
	const char *was = getenv("TMPDIR");
	char *kept = was ? strdup(was) : NULL;

	(void)state;
	play(&with, false);
	setenv("TMPDIR", "/nowhere/at/all", 1);
	play(&without, false);
	if (kept)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	free(kept);
	assert_int_equal(with.hash, without.hash);
}

/*
 * 120 groups are resident at a time on the GTX 480 (15 SMs, 8 groups each), and each makes 100,032
 * accesses anywhere, a request each but for one in thousands: 16 bytes of a request make 192 MB.
 */
static void memory_does_not_grow_with_long_groups(void **state)
{
	struct scene s = { .groups = 120, .rounds = 1563, .spread_bytes = UINT64_C(1) << 32 };
	long before, peak;

	(void)state;
	if (!peak_memory_is_measured() || !peak_memory_begin())
		skip();
	before = peak_memory_now_kb();
	play(&s, false);
	peak = peak_memory_kb() - before;
	print_message("%ld KB beside %ld, %llu requests\n", peak, before,
	              (unsigned long long)s.requests);
	assert_true(s.requests > 11900000);
	assert_in_range(peak, 0, 32 << 10);
}

/* The windows of a spilled stream, one instruction after the other. */
static void form(struct stream_way *w, struct scene *s, const struct gpu *gpu, struct spill_file *f)
{
	struct group_items items;

	stream_way_open(w, gpu, &table, NULL);
	w->maker.spill = f;
	assert_int_equal(read_group(s, 7, &items, NULL), 0);
	stream_way_form_items(w, &items);
	assert_int_equal(w->rc, 0);
}

static void what_cannot_be_read_again_is_told(void **state)
{
	const struct gpu gpu = { .warp_lanes = 32,
		                 .l1_line_bytes = 128,
		                 .coalescing = GPU_COALESCING_FERMI };
	struct scene s = { .rounds = 300, .spread_bytes = 1 << 24 };
	static struct stream_way w;
	struct stream_cursor c;
	struct spill_file f;
	struct err err = { 0 };
	size_t steps = 0;

	(void)state;
	spill_file_init(&f);
	s.events = malloc(ITEMS * s.rounds * sizeof(*s.events));
	form(&w, &s, &gpu, &f);
	assert_ptr_equal(w.stream.spill.file, &f);
	assert_int_equal(w.stream.instructions.capacity, 0);
	stream_cursor_start(&c, &w.stream, 0);
	assert_int_equal(spill_file_check(&f, &err), 0);
	assert_int_equal(ftruncate(f.fd, 4096), 0);
	for (; c.at != c.end; steps++)
		stream_cursor_next(&c, &w.stream);
	assert_true(steps > 0 && steps < s.rounds); /* those that were in memory */
	assert_int_equal(spill_file_check(&f, &err), ERR_IO);
	assert_non_null(strstr(err.msg, "the temporary file of long groups: "));
	stream_way_close(&w);
	spill_file_release(&f);
	free(s.events);
}

static void a_place_is_used_again_by_who_has_it(void **state)
{
	static const char first[] = "first", other[] = "other", longer[] = "longer than both";
	struct spill_place a = { 0 }, b = { 0 };
	struct spill_file f;
	char got[32] = { 0 };
	uint64_t was;

	(void)state;
	spill_file_init(&f);
	assert_true(spill_file_write(&f, &a, 6, 0, first, 6));
	was = a.offset;
	assert_true(spill_file_write(&f, &b, 6, 0, other, 6));
	assert_true(spill_file_write(&f, &a, 5, 0, "again", 5));
	assert_int_equal(a.offset, was);
	assert_true(spill_file_read(&f, &a, 0, got, 6));
	assert_string_equal(got, "again");
	assert_true(spill_file_write(&f, &a, sizeof(longer), 0, longer, sizeof(longer)));
	assert_true(a.offset >= b.offset + b.room_bytes);
	assert_true(spill_file_read(&f, &b, 0, got, 6));
	assert_string_equal(got, "other");
	assert_true(spill_file_read(&f, &a, 7, got, sizeof(longer) - 7));
	assert_string_equal(got, "than both");
	spill_file_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_groups_make_the_requests_that_they_would_in_memory),
		cmocka_unit_test(a_launch_goes_on_in_memory_when_there_is_no_place_for_a_file),
		cmocka_unit_test(memory_does_not_grow_with_long_groups),
		cmocka_unit_test(what_cannot_be_read_again_is_told),
		cmocka_unit_test(a_place_is_used_again_by_who_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
