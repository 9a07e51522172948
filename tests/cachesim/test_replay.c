/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of small kernels, written here as the recorder would, with counts derived by hand. */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "replay.h"
#include "scene.h"

#include <string.h>

static const uint64_t WIDTH = 128;

/* c[i] = a[i] + b[i], 16 groups of 64 */
static uint64_t vector_add_index(size_t site, const uint64_t id[3])
{
	return id[0];
}

static const struct scene VECTOR_ADD = {
	.name = "vector_add",
	.kinds = "rrw",
	.arguments = { 0, 1, 2 },
	.buffer_count = 3,
	.buffer_bytes = 4096,
	.shape = { 1, { 1024, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	.index = vector_add_index,
};

/* out[x * 128 + y] = in[y * 128 + x], groups of 16x16 */
static uint64_t transpose_index(size_t site, const uint64_t id[3])
{
	return site == 0 ? id[1] * WIDTH + id[0] : id[0] * WIDTH + id[1];
}

static const struct scene TRANSPOSE = {
	.name = "transpose",
	.kinds = "rw",
	.arguments = { 0, 1 },
	.buffer_count = 2,
	.buffer_bytes = 65536,
	.shape = { 2, { 128, 128, 1 }, { 16, 16, 1 }, { 0, 0, 0 } },
	.index = transpose_index,
};

/* t = in[i % 32]; t += in[i % 32]; in[i % 32] = t; t += in[i % 32]: one group of two warps */
static uint64_t same_line_index(size_t site, const uint64_t id[3])
{
	return id[0] % 32;
}

static const struct scene SAME_LINE = {
	.name = "same_line",
	.kinds = "rrwr",
	.arguments = { 0, 0, 0, 0 },
	.buffer_count = 1,
	.buffer_bytes = 128,
	.shape = { 1, { 64, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	.index = same_line_index,
};

static struct gpu gtx480(const char *l1)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", l1, NULL), 0);
	return gpu;
}

/* Record the scene, replay it on a GTX 480, and leave nothing behind but *out. */
static void replay_with(const struct replay_options *options, const struct scene *scene,
                        struct scene_mishap mishap, const char *l1, struct replay_result *out)
{
	const struct gpu gpu = gtx480(l1);
	char dir[32];
	struct recording *r = scene_record(scene, &mishap, dir);
	struct err err = { 0 };

	if (replay_launch(r, 0, &gpu, options, out, &err))
		fail_msg("%s", err.msg);
	scene_forget(r, dir);
}

static void replay(const struct scene *scene, struct scene_mishap mishap, const char *l1,
                   struct replay_result *out)
{
	replay_with(&(struct replay_options){ 0 }, scene, mishap, l1, out);
}

/* Nothing is lost between the rooms, and all sums are the same sum. */
static void sums_agree(const struct replay_result *r, uint64_t lanes)
{
	struct counters sites = { 0 }, sms = { 0 };

	for (size_t i = 0; i < r->site_count; i++)
		counters_add(&sites, &r->sites[i]);
	for (size_t s = 0; s < r->sm_count; s++) {
		counters_add(&sms, &r->sms[s]);
		assert_int_equal(counters_requests(&r->sms[s]), r->schedule.sm_requests[s]);
		assert_int_equal(r->sms[s].reads, r->schedule.sm_reads[s]);
	}
	assert_memory_equal(&sites, &r->total, sizeof(sites));
	assert_memory_equal(&sms, &r->total, sizeof(sms));
	assert_int_equal(counters_requests(&r->total), r->schedule.requests);
	assert_int_equal(r->schedule.lanes, lanes);
	assert_int_equal(r->total.lanes, lanes); /* no access here spans two lines */
	assert_int_equal(r->schedule.unmapped_lanes, 0);
}

struct told {
	uint64_t accesses, lanes, writes;
};

static void tell(void *context, uint32_t sm, const struct warp_access *a, uint64_t now_cycles)
{
	struct told *t = context;

	assert_int_equal(sm, a->group % 15);
	assert_int_equal(a->item[0], a->warp * 32);
	t->accesses++;
	t->lanes += a->lane_count;
	t->writes += a->site == 2;
}

/* 16 groups of 2 warps, 3 accesses each, of which one writes. */
static void who_asks_is_told_of_each_access(void **state)
{
	struct told t = { 0 };
	const struct replay_options options = { .access = tell, .access_context = &t };
	struct replay_result r;

	replay_with(&options, &VECTOR_ADD, (struct scene_mishap){ 0 }, NULL, &r);
	sums_agree(&r, 3072);
	assert_int_equal(t.accesses, 96);
	assert_int_equal(t.lanes, 3072);
	assert_int_equal(t.writes, 32);
	replay_result_release(&r);
}

/*
 * 32 warps, each with 128 bytes in a row of a, b and c: one request per site, each of a line of
 * its own. Groups 0 and 15 run on SM 0, one on each other SM.
 */
static void a_vector_addition_misses_each_line_once(void **state)
{
	struct replay_result r;

	replay(&VECTOR_ADD, (struct scene_mishap){ 0 }, NULL, &r);
	sums_agree(&r, 3072);
	assert_true(r.is_whole);
	assert_int_equal(r.site_count, 3);
	assert_int_equal(r.sites[0].reads, 32);
	assert_int_equal(r.sites[1].cold, 32);
	assert_int_equal(r.sites[2].writes, 32);
	assert_int_equal(r.total.reads, 64);
	assert_int_equal(r.total.cold, 64);
	assert_int_equal(r.total.read_misses, 64);
	assert_int_equal(r.total.write_hits, 0);
	assert_int_equal(r.total.bytes_asked, 3 * 4096);
	assert_int_equal(r.total.bytes_from_l2, 2 * 4096);
	assert_int_equal(r.total.bytes_to_l2, 4096);
	assert_int_equal(r.sm_count, 15);
	for (size_t s = 0; s < 15; s++)
		assert_int_equal(r.sms[s].reads, s == 0 ? 8 : 4);
	replay_result_release(&r);
}

/*
 * A warp holds two rows of 16: it reads 64 bytes from each of two lines, and writes 2 floats to
 * each of 16. 8 warps in a group: 16 read and 128 write requests. 64 groups, all resident at once:
 * five on SMs 0 to 3, four on the others. Groups 2k and 2k + 1 share their lines and are on
 * different SMs, so all reads are cold, whatever the L1.
 */
static void a_transposition_reads_16_lines_per_group_all_cold(void **state)
{
	static const char *const l1s[] = { "16k", "48k" };

	for (size_t i = 0; i < 2; i++) {
		struct replay_result r;

		replay(&TRANSPOSE, (struct scene_mishap){ 0 }, l1s[i], &r);
		sums_agree(&r, 2 * WIDTH * WIDTH);
		assert_int_equal(r.sites[0].reads, 64 * 16);
		assert_int_equal(r.sites[1].writes, 64 * 128);
		assert_int_equal(r.total.cold, 64 * 16);
		assert_int_equal(r.total.read_misses, 64 * 16);
		assert_int_equal(r.total.bytes_asked, 2 * WIDTH * WIDTH * 4);
		assert_int_equal(r.total.bytes_from_l2, 64 * 16 * 128);
		for (size_t s = 0; s < 15; s++)
			assert_int_equal(r.sms[s].reads, s < 4 ? 5 * 16 : 4 * 16);
		replay_result_release(&r);
	}
}

/*
 * Two warps read one line: the first misses, the second finds it on its way and waits for the same
 * fill. Both hit at the second site. The write of the first warp evicts it, that of the second
 * finds nothing or, should the first have read again between, evicts it again.
 */
static void the_second_warp_waits_for_the_fill_of_the_first(void **state)
{
	struct replay_result r;

	replay(&SAME_LINE, (struct scene_mishap){ 0 }, NULL, &r);
	sums_agree(&r, 256);
	assert_int_equal(r.sites[0].reads, 2);
	assert_int_equal(r.sites[0].cold, 1);
	assert_int_equal(r.sites[0].pending_hits, 1);
	assert_int_equal(r.sites[1].read_hits, 2);
	assert_int_equal(r.sites[2].writes, 2);
	assert_true(r.sites[2].write_hits >= 1);
	assert_true(r.sites[3].coherence >= 1);
	assert_int_equal(r.sites[3].coherence, r.total.write_hits);
	assert_int_equal(r.sites[3].capacity + r.sites[3].conflict, 0);
	replay_result_release(&r);
}

/*
 * 64 groups on 15 SMs: five at once if they fit. 20 KB of the 48 KB of local memory let two in;
 * so do 64 registers for each of 8 * 32 work-items, of 32768. What is read stays the same.
 */
static void local_memory_and_registers_limit_the_groups_at_once(void **state)
{
	static const struct {
		uint64_t local_bytes;
		uint32_t registers, groups;
		enum residency_limit limit;
	} rows[] = {
		{ 0, 0, 5, RESIDENCY_GROUPS_TO_RUN },
		{ 20480, 0, 2, RESIDENCY_LOCAL },
		{ 0, 64, 2, RESIDENCY_REGISTERS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct replay_options options = { .registers = rows[i].registers };
		struct scene scene = TRANSPOSE;
		struct replay_result r;

		scene.local_bytes = rows[i].local_bytes;
		replay_with(&options, &scene, (struct scene_mishap){ 0 }, "16k", &r);
		assert_int_equal(r.schedule.residency.groups, rows[i].groups);
		assert_int_equal(r.schedule.residency.limit, rows[i].limit);
		assert_int_equal(r.total.reads, 64 * 16);
		replay_result_release(&r);
	}
}

static void a_replay_gives_the_same_numbers_again(void **state)
{
	struct replay_result a, b;

	replay(&TRANSPOSE, (struct scene_mishap){ 0 }, NULL, &a);
	replay(&TRANSPOSE, (struct scene_mishap){ 0 }, NULL, &b);
	assert_memory_equal(&a.total, &b.total, sizeof(a.total));
	assert_memory_equal(a.sites, b.sites, a.site_count * sizeof(*a.sites));
	assert_memory_equal(a.sms, b.sms, a.sm_count * sizeof(*a.sms));
	assert_int_equal(a.schedule.cycles, b.schedule.cycles);
	replay_result_release(&a);
	replay_result_release(&b);
}

/* Each group makes 4 read requests; what is missing is not played, and that is said. */
static void an_incomplete_launch_is_replayed_and_says_so(void **state)
{
	static const struct {
		struct scene_mishap mishap;
		uint64_t reads;
		bool is_whole;
	} rows[] = {
		{ { 0 }, 64, true },
		{ { .dropped_events = 5 }, 64, false },
		{ { .missing_groups = 3 }, 52, false },
		{ { .is_cut = true }, 64, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct replay_result r;

		replay(&VECTOR_ADD, rows[i].mishap, NULL, &r);
		assert_int_equal(r.total.reads, rows[i].reads);
		assert_int_equal(r.is_whole, rows[i].is_whole);
		replay_result_release(&r);
	}
}

static void a_launch_that_cannot_be_replayed_says_why(void **state)
{
	const struct scene_mishap mishap = { .is_skipped = true };
	const struct replay_options options = { 0 };
	const struct gpu gpu = gtx480(NULL);
	char dir[32];
	struct recording *r = scene_record(&VECTOR_ADD, &mishap, dir);

	for (size_t launch = 0; launch < 2; launch++) {
		struct replay_result out;
		struct err err = { 0 };

		assert_int_equal(replay_launch(r, launch, &gpu, &options, &out, &err), ERR_USAGE);
		if (launch == 0)
			assert_non_null(strstr(err.msg, "no room on the device"));
		replay_result_release(&out);
	}
	scene_forget(r, dir);
}

static bool stop_after(void *context)
{
	return (*(int *)context)-- == 0;
}

/* VECTOR_ADD has 16 groups, and asks before each: the 17th time would be the first after the end.
 */
static void a_replay_ends_when_it_is_stopped(void **state)
{
	const struct gpu gpu = gtx480(NULL);
	char dir[32];
	struct recording *r = scene_record(&VECTOR_ADD, &(struct scene_mishap){ 0 }, dir);

	for (int groups = 0; groups <= 16; groups++) {
		int left = groups;
		const struct replay_options options = { .is_stopped = stop_after,
			                                .stop_context = &left };
		struct replay_result out;
		struct err err = { 0 };

		assert_int_equal(replay_launch(r, 0, &gpu, &options, &out, &err),
		                 groups < 16 ? ERR_LIMIT : 0);
		if (groups < 16)
			assert_non_null(
				strstr(err.msg, "the replay was stopped before work-group"));
		replay_result_release(&out);
	}
	scene_forget(r, dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asks_is_told_of_each_access),
		cmocka_unit_test(a_vector_addition_misses_each_line_once),
		cmocka_unit_test(a_transposition_reads_16_lines_per_group_all_cold),
		cmocka_unit_test(the_second_warp_waits_for_the_fill_of_the_first),
		cmocka_unit_test(local_memory_and_registers_limit_the_groups_at_once),
		cmocka_unit_test(a_replay_gives_the_same_numbers_again),
		cmocka_unit_test(an_incomplete_launch_is_replayed_and_says_so),
		cmocka_unit_test(a_launch_that_cannot_be_replayed_says_why),
		cmocka_unit_test(a_replay_ends_when_it_is_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
