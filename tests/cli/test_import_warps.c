/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces of warp instructions, made at random and written as Accel-Sim and as NVBit's mem_trace
 * write them: what replay issues of the recordings is exactly what was made.
 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "import.h"
#include "launch_reader.h"
#include "recording.h"
#include "recording_dir.h"
#include "trace_source.h"
#include "warp_former.h"
#include "warp_sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUPS = 6, WARPS = 3, GROUP_ITEMS = 72, MOST = 12, ROUNDS = 60 };

static char work_dir[] = "/tmp/warpline-test-XXXXXX", file[64], dir[64], old[64];
static uint64_t state;

static uint64_t next(uint64_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 33) % below;
}

static int make_directory(void **unused)
{
	(void)unused;
	if (!mkdtemp(work_dir))
		return -1;
	(void)snprintf(file, sizeof(file), "%s/trace", work_dir);
	(void)snprintf(dir, sizeof(dir), "%s/recording", work_dir);
	(void)snprintf(old, sizeof(old), "%s/recording.old", work_dir);
	return 0;
}

static int remove_directory(void **unused)
{
	(void)unused;
	unlink(file);
	if (recording_dir_is_recording(old) && recording_dir_remove(old, NULL))
		return -1;
	return recording_dir_remove(dir, NULL) || rmdir(work_dir);
}

/* Instructions of the code: at 16 times their place in this table. */
static const struct code {
	const char *name;
	uint32_t bytes; /* 0: a barrier */
	bool is_kept;
	enum site_kind kind;
} code[] = {
	{ "LDG.E.128.SYS", 16, true, SITE_READ },
	{ "LDG.E.U8", 1, true, SITE_READ },
	{ "STG.E.64", 8, true, SITE_WRITE },
	{ "LDS.U.32", 4, false, SITE_READ },
	{ "ATOMG.E.ADD.S32", 4, true, SITE_ATOMIC },
	{ "LDG.E", 4, true, SITE_READ },
	{ "RED.E.ADD.F64.RN.STRONG.GPU", 8, true, SITE_ATOMIC },
	{ "BAR.SYNC", 0, true, SITE_BARRIER },
	{ "LDGSTS.E.BYPASS.LTC128B.128", 16, true, SITE_READ },
};
enum { CODE_COUNT = sizeof(code) / sizeof(code[0]), BARRIER = 7 };

struct made {
	unsigned code;
	uint32_t mask;
	uint64_t addresses[32];
};

static struct made made[GROUPS][WARPS][MOST];
static unsigned counts[GROUPS][WARPS];

static uint32_t lanes_of(unsigned warp)
{
	return warp == WARPS - 1 ? GROUP_ITEMS - 32 * (WARPS - 1) : 32;
}

static void make_one(struct made *m, unsigned warp, bool has_barriers)
{
	uint64_t base = UINT64_C(0x7f0000000000) + next(1 << 20), step = next(3) * 4 - 4;
	bool is_strided = next(2);
	uint32_t all = lanes_of(warp) == 32 ? UINT32_MAX : (UINT32_C(1) << lanes_of(warp)) - 1;

	do
		m->code = (unsigned)next(CODE_COUNT);
	while (!has_barriers && m->code == BARRIER);
	m->mask = next(2) ? all : (uint32_t)(next(1u << 16) << 16 | next(1u << 16)) & all;
	for (unsigned lane = 0; lane < 32; lane++)
		m->addresses[lane] = is_strided ? base + lane * step : base + next(1 << 16);
}

static void make_trace(bool has_barriers)
{
	for (unsigned g = 0; g < GROUPS; g++) {
		for (unsigned w = 0; w < WARPS; w++) {
			counts[g][w] = (unsigned)next(MOST + 1);
			for (unsigned i = 0; i < counts[g][w]; i++)
				make_one(&made[g][w][i], w, has_barriers);
		}
	}
}

/* The lanes' addresses in one of the three forms, as far as it can say them. */
static void print_addresses(FILE *out, const struct made *m)
{
	uint64_t last = 0;
	unsigned form = next(3) ? 2 : 0;
	bool is_first = true;
	int64_t step = (int64_t)(m->addresses[1] - m->addresses[0]);

	if (m->mask == UINT32_MAX) {
		form = 1;
		for (unsigned lane = 1; lane < 32; lane++)
			form = m->addresses[lane] - m->addresses[lane - 1] == (uint64_t)step ? form
			                                                                     : 2;
	}
	if (form == 1) {
		fprintf(out, "1 0x%" PRIx64 " %" PRId64 " ", m->addresses[0], step);
		return;
	}
	fprintf(out, "%u ", form);
	if (!m->mask && form)
		fprintf(out, "0x0 ");
	for (unsigned lane = 0; lane < 32; lane++) {
		if (!(m->mask >> lane & 1))
			continue;
		if (!form || is_first)
			fprintf(out, "0x%016" PRIx64 " ", m->addresses[lane]);
		else
			fprintf(out, "%" PRId64 " ", (int64_t)(m->addresses[lane] - last));
		last = m->addresses[lane];
		is_first = false;
	}
}

static void write_instruction(FILE *out, unsigned version, const unsigned place[3],
                              const struct made *m)
{
	if (version < 3)
		fprintf(out, "%u %u 0 %u ", place[0], place[1], place[2]);
	if (version > 4)
		fprintf(out, "%u ", m->code + 100);
	fprintf(out, "%04x %08x 1 R4 %s 2 R255 R2 %u ", m->code * 16, m->mask, code[m->code].name,
	        code[m->code].bytes);
	if (code[m->code].bytes)
		print_addresses(out, m);
	fprintf(out, "0 \n");
}

static void write_warp(FILE *out, unsigned version, unsigned g, unsigned w)
{
	const unsigned place[3] = { g % 3, g / 3, w };

	fprintf(out, "\nwarp = %u\ninsts = %u\n", w, counts[g][w] + 1);
	for (unsigned i = 0; i < counts[g][w]; i++)
		write_instruction(out, version, place, &made[g][w][i]);
	fprintf(out, "%s%s0200 ffffffff 0 EXIT 0 0 \n", version < 3 ? "0 0 0 0 " : "",
	        version > 4 ? "0 " : "");
}

static void write_traceg(unsigned version)
{
	FILE *out = fopen(file, "w");

	assert_non_null(out);
	fprintf(out,
	        "-kernel name = some_kernel\n-kernel id = 1\n-grid dim = (3,2,1)\n"
	        "-block dim = (36,2,1)\n-shmem = 64\n-shmem base_addr = 0x00007e0000000000\n"
	        "-accelsim tracer version = %u\n-enable lineinfo = %u\n\n#traces format = PC\n",
	        version, version > 4);
	for (unsigned g = 0; g < GROUPS; g++) {
		fprintf(out, "#BEGIN_TB\n\nthread block = %u,%u,0\n", g % 3, g / 3);
		for (unsigned w = 0; w < WARPS; w++)
			write_warp(out, version, g, w);
		fprintf(out, "\n#END_TB\n");
	}
	assert_int_equal(fclose(out), 0);
}

static unsigned count_all(void)
{
	unsigned count = 0;

	for (unsigned g = 0; g < GROUPS; g++)
		for (unsigned w = 0; w < WARPS; w++)
			count += counts[g][w];
	return count;
}

static void print_lanes(FILE *out, const struct made *m)
{
	for (unsigned lane = 0; lane < 32; lane++)
		fprintf(out, "0x%016" PRIx64 " ", m->mask >> lane & 1 ? m->addresses[lane] : 0);
}

/* Warps in any order, each warp's instructions in its own; `slots` of the SM instead of numbers. */
static void write_nvbit(bool is_old, bool has_slots)
{
	unsigned at[GROUPS][WARPS] = { { 0 } }, left = count_all();
	FILE *out = fopen(file, "w");

	assert_non_null(out);
	fprintf(out,
	        "what the program prints\n%sKernel %ssome_kernel(int - float)%s"
	        " - grid size 3,2,1 - block size 36,2,1 - nregs 8 - shmem 64 - cuda stream id 0\n",
	        is_old ? "" : "MEMTRACE: CTX 0x00005500 - LAUNCH - Kernel pc 0x7f00 - ",
	        is_old ? "" : "name ", is_old ? "" : " - grid launch id 1");
	while (left) {
		unsigned g = (unsigned)next(GROUPS), w = (unsigned)next(WARPS);
		const struct made *m = &made[g][w][at[g][w]];

		if (at[g][w] == counts[g][w])
			continue;
		at[g][w]++;
		left--;
		if (!is_old)
			fprintf(out, "%sMEMTRACE: CTX 0x00005500 - grid_launch_id 0 - ",
			        next(2) ? "50%..." : "");
		fprintf(out, "CTA %u,%u,0 - warp %u - %s - ", g % 3, g / 3,
		        has_slots ? 40 + 4 * w : w, code[m->code].name);
		print_lanes(out, m);
		fprintf(out, "\n");
	}
	assert_int_equal(fclose(out), 0);
}

/* What a warp issues is what was made of it and kept. */
static void check_warp(const struct kernel_table *t, struct warp_former *f, unsigned g, unsigned w)
{
	static struct warp_step step;

	for (unsigned i = 0; i < counts[g][w]; i++) {
		const struct made *m = &made[g][w][i];
		uint32_t mask = 0;

		if (!code[m->code].is_kept || (!m->mask && m->code != BARRIER))
			continue;
		assert_int_equal(warp_former_next(f, &step, NULL), 0);
		assert_true(step.lane_count > 0);
		assert_non_null(strstr(t->sites[step.site].expression, code[m->code].name));
		assert_int_equal(t->sites[step.site].kind, code[m->code].kind);
		if (m->code == BARRIER) {
			assert_int_equal(step.lane_count, lanes_of(w));
			continue;
		}
		assert_int_equal(step.bytes, code[m->code].bytes);
		for (uint32_t l = 0; l < step.lane_count; l++) {
			mask |= UINT32_C(1) << step.lane[l];
			assert_int_equal(step.address[l], m->addresses[step.lane[l]]);
		}
		assert_int_equal(mask, m->mask);
	}
	assert_int_equal(warp_former_next(f, &step, NULL), 0);
	assert_int_equal(step.lane_count, 0);
}

static void check_recording(void)
{
	struct recording *r = NULL;
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct warp_former *f = NULL;
	struct group_items items;
	struct err err = { 0 };

	assert_int_equal(recording_open(&r, dir, NULL), 0);
	assert_int_equal(r->launch_count, 1);
	assert_int_equal(r->launches[0].shape.local[0], 36);
	assert_int_equal(r->launches[0].shape.global[1], 4);
	assert_int_equal(r->launches[0].local_bytes, 64);
	if (recording_open_launch(r, 0, &source, &reader, &err))
		fail_msg("%s", err.msg);
	assert_true(launch_reader_is_whole(reader));
	assert_int_equal(warp_former_create(&f, &r->kernels[0].table, NULL), 0);
	for (unsigned g = 0; g < GROUPS; g++) {
		assert_int_equal(launch_reader_load(reader, g, &items, NULL), 0);
		for (unsigned w = 0; w < WARPS; w++) {
			assert_int_equal(warp_former_start(f, &items, w * 32, lanes_of(w), NULL),
			                 0);
			check_warp(&r->kernels[0].table, f, g, w);
		}
		group_items_release(&items);
	}
	warp_former_free(f);
	launch_reader_close(reader);
	trace_source_close(source);
	recording_close(r);
}

static void test_replay_issues_the_instructions_of_an_accel_sim_trace(void **unused)
{
	struct err err = { 0 };

	(void)unused;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		state = seed;
		make_trace(true);
		write_traceg((unsigned)seed % 5 + 2);
		if (import_traceg(file, dir, &err))
			fail_msg("seed %" PRIu64 ": %s", seed, err.msg);
		check_recording();
	}
}

static void test_replay_issues_the_instructions_of_an_nvbit_trace(void **unused)
{
	struct err err = { 0 };

	(void)unused;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		bool has_slots = seed % 3 == 0;

		state = seed;
		make_trace(false);
		/* A slot says nothing of a warp without any instruction. */
		for (unsigned g = 0; has_slots && g < GROUPS; g++)
			for (unsigned w = 0; w < WARPS; w++)
				made[g][w][0] = (struct made){ 5, 1, { 64 } },
				counts[g][w] += !counts[g][w];
		write_nvbit(seed % 2, has_slots);
		if (import_nvbit(file, dir, &err))
			fail_msg("seed %" PRIu64 ": %s", seed, err.msg);
		check_recording();
	}
}

#define HEAD                                                                                       \
	"-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"                           \
	"-accelsim tracer version = 3\n#traces format = PC\n#BEGIN_TB\nthread block = 0,0,0\n"
#define LAUNCH                                                                                     \
	"MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x1 - Kernel name k - grid launch id 0 - grid "    \
	"size 2,1,1 - block size 64,1,1 - nregs 1 - shmem 0 - cuda stream id 0\n"

static void test_traces_that_make_no_sense_are_refused_with_their_line(void **unused)
{
	static const struct {
		bool is_nvbit;
		const char *text, *message;
	} rows[] = {
		{ false, "", "the file is empty" },
		{ false, "hello\n", ":1: expected a line of the head" },
		{ false, "-kernel name = k\n-grid dim = (1,0,1)\n", ":2: expected '-grid dim" },
		{ false, "-grid dim = (1,1,1)\n#x\n", ":2: expected '-kernel name =', '-grid dim" },
		{ false, HEAD "thread block = 1,0,0\n", ":8: expected 'thread block" },
		{ false, HEAD "#END_TB\n#BEGIN_TB\nthread block = 2,0,0\n",
		  ":10: expected 'thread b" },
		{ false, HEAD "#BEGIN_TB\n", ":8: expected #END_TB" },
		{ false, HEAD "warp = 2\n", ":8: expected 'warp = N'" },
		{ false, HEAD "insts = 2\n", ":8: expected 'insts = N' after" },
		{ false, HEAD "0000 1 0 EXIT 0 0\n", ":8: expected #BEGIN_TB, 'thread" },
		{ false, HEAD "warp = 0\ninsts = 1\n#END_TB\n",
		  ":10: expected as many instructions" },
		{ false, HEAD "warp = 0\ninsts = 0\n0 1 0 EXIT 0 0\n", ":10: expected no more" },
		{ false, HEAD "warp = 0\ninsts = 1\n0 1 0 LDG.E 0 4\n", ":10: expected an instr" },
		{ false, HEAD "warp = 0\ninsts = 1\n0 1 0 LDG.E 0 4 3 0x1\n",
		  ":10: expected an instr" },
		{ false, HEAD "warp = 0\ninsts = 1\n0 3 0 LDG.E 0 4 2 0x1\n",
		  ":10: expected an instr" },
		{ false, HEAD "warp = 0\ninsts = 1\n0 1 1 Q1 LDG.E 0 4 1 0x1 1\n",
		  ":10: expected an" },
		{ false, HEAD "warp = 0\ninsts = 1\n0 1ffffffff 0 LDG.E 0 4 1 0x1 1\n",
		  ":10: expected" },
		{ false, HEAD "warp = 0\ninsts = 1\n0 1 0 LDG.E 0 4 1 0x1ffffffffffffffff 1\n",
		  ":10:" },
		{ false, "kernel-1.traceg/../x\n",
		  ":1: expected the name of a file beside the list" },
		{ false, "Memcpy,1,2\n", ":1: expected a line with the trace of a kernel" },
		{ true, "", "holds no launch" },
		{ true, "CTA\nMEMTRACE: CTX 0x1 - OTHER\n", ":2: expected 'LAUNCH - '" },
		{ true, "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - w",
		  ":1: expected a LAUNCH" },
		{ true, LAUNCH "MEMTRACE: CTX 0x1 - grid_launch_id 1 - CTA 0,0,0 - ",
		  ":2: expected a L" },
		{ true,
		  LAUNCH "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E - 0x1",
		  ":2: expected 'CTA X,Y,Z - warp W - NAME - ' and 32" },
		{ true, LAUNCH LAUNCH, ":2: expected 'Kernel name NAME - grid launch id N'" },
		{ true, "Kernel k - grid size 1,1,1\n", ":1: expected a launch with" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(file_write(file, rows[i].text, strlen(rows[i].text), NULL), 0);
		assert_true((rows[i].is_nvbit ? import_nvbit : import_traceg)(file, dir, &err) < 0);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("'%s': '%s' has no '%s'", rows[i].text, err.msg, rows[i].message);
	}
}

static struct warp_request random_request(uint32_t i)
{
	struct warp_request r = { .launch = (uint32_t)next(3),
		                  .group = next(5) << 32,
		                  .warp = (uint32_t)next(4),
		                  .site = i,
		                  .mask = (uint32_t)next(1u << 31) * 2 };

	for (unsigned lane = 0; lane < 32; lane++)
		if (r.mask >> lane & 1)
			r.addresses[lane] = i % 2 ? next(1u << 30) : i + lane * i;
	return r;
}

static void check_order(const struct warp_request *a, const struct warp_request *b)
{
	assert_true(a->launch <= b->launch);
	if (a->launch != b->launch)
		return;
	assert_true(a->group <= b->group);
	if (a->group == b->group)
		assert_true(a->warp < b->warp || (a->warp == b->warp && a->site < b->site));
}

/* 2,000 requests of 36 words at most in a room of 64 of them: many pieces. */
static void test_instructions_that_do_not_fit_come_back_in_order(void **unused)
{
	enum { COUNT = 2000 };
	static struct warp_request in[COUNT];
	struct warp_request last = { 0 };
	struct warp_sort *s = NULL;
	uint64_t seen = 0;

	(void)unused;
	state = 42;
	assert_int_equal(warp_sort_create(&s, (size_t)64 * 36 * 8, NULL), 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		in[i] = random_request(i);
		assert_int_equal(warp_sort_add(s, &in[i], NULL), 0);
	}
	assert_int_equal(warp_sort_finish(s, NULL), 0);
	for (const struct warp_request *r; (r = warp_sort_peek(s)); seen++) {
		assert_memory_equal(r, &in[r->site], sizeof(*r));
		if (seen)
			check_order(&last, r);
		last = *r;
		assert_int_equal(warp_sort_next(s, NULL), 0);
	}
	assert_int_equal(seen, COUNT);
	warp_sort_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replay_issues_the_instructions_of_an_accel_sim_trace),
		cmocka_unit_test(test_replay_issues_the_instructions_of_an_nvbit_trace),
		cmocka_unit_test(test_traces_that_make_no_sense_are_refused_with_their_line),
		cmocka_unit_test(test_instructions_that_do_not_fit_come_back_in_order),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
