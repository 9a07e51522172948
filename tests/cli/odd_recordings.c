/* SPDX-License-Identifier: Apache-2.0 */
#include "odd_recordings.h"

#include "err.h"
#include "recording_script.h"

static void fill_one(struct script *s, uint64_t group, uint32_t items)
{
	(void)group;
	(void)items;
	recording_script_add(s, EVENT_SITE | 0, 0x10000000, 0);
	s->items++;
}

static int add_one(struct recording_writer *w, const struct kernel_table *table, struct err *err)
{
	struct recorded_launch launch = { .shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } } };
	int ret = recording_script_kernel(w, table, &launch.kernel, err);

	return ret ? ret : recording_script_launch(w, &launch, table, fill_one, err);
}

/* A recording of one launch of each kernel. */
static int make_of(const char *dir, const struct kernel_table *tables, size_t count,
                   struct err *err)
{
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	for (size_t i = 0; !ret && i < count; i++)
		ret = add_one(w, &tables[i], err);
	return ret ? ret : recording_script_finish(w, err);
}

int odd_recording_make_atomics(const char *dir, struct err *err)
{
	struct site atomic = { SITE_ATOMIC, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	struct site wide = { SITE_READ, 8, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	const struct kernel_table tables[] = {
		{ .name = TEXT("count"), .sites = &atomic, .site_count = 1 },
		{ .name = TEXT("wide"), .sites = &wide, .site_count = 1 },
	};

	return make_of(dir, tables, 2, err);
}

int odd_recording_make_kernels(const char *dir, struct err *err)
{
	struct site read = { SITE_READ, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	const struct kernel_table tables[] = {
		{ .name = TEXT("first"), .sites = &read, .site_count = 1 },
		{ .name = TEXT("second"), .sites = &read, .site_count = 1 },
	};

	return make_of(dir, tables, 2, err);
}

int odd_recording_make_deep(const char *dir, struct err *err)
{
	struct loop loops[] = {
		{ -1, 1, { 0 } }, { 0, 2, { 0 } }, { 1, 3, { 0 } }, { 2, 4, { 0 } }
	};
	struct site site = { SITE_READ, 4, 1, 3, -1, { 0 }, NULL, 0, NULL, NULL };
	const struct kernel_table table = { .name = TEXT("deep"),
		                            .sites = &site,
		                            .site_count = 1,
		                            .loops = loops,
		                            .loop_count = 4 };

	return make_of(dir, &table, 1, err);
}

/* What the 2014 format cannot hold: 17 loops, iteration 65536 of a loop, an id of 2^20. */

static void fill_far(struct script *s, uint64_t group, uint32_t items)
{
	(void)group;
	for (; s->items < items; s->items++) {
		recording_script_add(s, EVENT_SITE | 0, 0x10000000,
		                     65534); /* the last that fits: counted from 1, 65535 */
		recording_script_add(s, EVENT_SITE | 0, 0x10000000, 65535);
	}
}

int odd_recording_make_far(const char *dir, struct err *err)
{
	struct loop loop = { -1, 1, { 0 } };
	struct site site = { SITE_READ, 4, 1, 0, -1, { 0 }, NULL, 0, NULL, NULL };
	struct kernel_table table = { .name = TEXT("far"),
		                      .sites = &site,
		                      .site_count = 1,
		                      .loops = &loop,
		                      .loop_count = 1 };
	struct recorded_launch near = { .shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } } };
	struct recorded_launch offset = {
		.shape = { 2, { 1, 2, 1 }, { 1, 1, 1 }, { 0, 0xfffff, 0 } }
	};
	struct recording_writer *w = NULL;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &id, err);
	if (!ret)
		ret = recording_script_launch(w, &near, &table, fill_far, err);
	if (!ret)
		ret = recording_script_launch(w, &offset, &table, fill_far, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* Accesses of many lines, as a run of one loop: one of them each `bytes` further on. */

static void fill_run(struct script *s, uint64_t bytes, uint32_t count)
{
	recording_script_add(s, EVENT_RUN | 0, 0x10000000, count);
	recording_script_add(s, EVENT_PART | 0, 0, 0);
	recording_script_add(s, EVENT_PART | 0, bytes, 0);
	s->items++;
}

static void fill_huge(struct script *s, uint64_t group, uint32_t items)
{
	(void)group;
	(void)items;
	fill_run(s, 1 << 20, 8192);
}

static void fill_broad(struct script *s, uint64_t group, uint32_t items)
{
	(void)group;
	(void)items;
	fill_run(s, 1 << 16, 2);
}

static int make_run(const char *dir, uint32_t bytes,
                    void (*fill)(struct script *s, uint64_t group, uint32_t items), struct err *err)
{
	struct loop loop = { -1, 1, { 0 } };
	struct site site = { SITE_READ, bytes, 1, 0, -1, { 0 }, NULL, 0, NULL, NULL };
	const struct kernel_table table = { .name = TEXT("copy"),
		                            .sites = &site,
		                            .site_count = 1,
		                            .loops = &loop,
		                            .loop_count = 1 };
	struct recorded_launch launch = { .shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } } };
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &launch.kernel, err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill, err);
	return ret ? ret : recording_script_finish(w, err);
}

int odd_recording_make_huge(const char *dir, struct err *err)
{
	return make_run(dir, 1 << 20, fill_huge, err);
}

int odd_recording_make_broad(const char *dir, struct err *err)
{
	return make_run(dir, 1 << 16, fill_broad, err);
}

/* The first and the last group of a launch. */
static int write_ends(struct recording_writer *w, struct recorded_launch *launch,
                      const struct kernel_table *table, struct err *err)
{
	const uint64_t first[] = { 0, 1 }, last = launch_shape_group_count(&launch->shape) - 1;
	const struct event event = { 0x10000000, EVENT_SITE | 0, 0 };
	const struct group_events group = { 1, first, &event };
	struct launch_writer *file = NULL;
	uint32_t id = 0;
	int ret = recording_writer_launch(w, launch, &id, err);

	if (!ret)
		ret = recording_writer_open_launch(w, id, &launch->shape, table, &file, err);
	if (!ret)
		launch_writer_select(file);
	if (!ret)
		ret = launch_writer_add(file, 0, &group, err);
	if (!ret)
		ret = launch_writer_add(file, last, &group, err);
	if (launch_writer_close(file, !ret, &launch->totals, err) && !ret)
		ret = ERR_IO;
	launch->fate = LAUNCH_TRACED;
	return ret ? ret : recording_writer_fate(w, id, launch, err);
}

int odd_recording_make_sparse(const char *dir, struct err *err)
{
	struct site site = { SITE_READ, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	const struct kernel_table table = { .name = TEXT("few"), .sites = &site, .site_count = 1 };
	struct recorded_launch launch = { .shape = { 1, { 1 << 29, 1, 1 }, { 1, 1, 1 }, { 0 } },
		                          .groups_selected = TEXT("0,536870911") };
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &launch.kernel, err);
	if (!ret)
		ret = write_ends(w, &launch, &table, err);
	return ret ? ret : recording_script_finish(w, err);
}

int odd_recording_make_wide(const char *dir, struct err *err)
{
	struct loop loops[17];
	struct site site = { SITE_READ, 4, 1, 16, -1, { 0 }, NULL, 0, NULL, NULL };
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	for (int i = 0; i < 17; i++)
		loops[i] = (struct loop){ -1, 1, { 0 } };
	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = add_one(w,
		              &(struct kernel_table){ .name = TEXT("wide"),
		                                      .sites = &site,
		                                      .site_count = 1,
		                                      .loops = loops,
		                                      .loop_count = 17 },
		              err);
	return ret ? ret : recording_script_finish(w, err);
}

/* One warp: a read of global memory, a write and a read of local, one of constant memory. */

static void fill_sides(struct script *s, uint64_t group, uint32_t items)
{
	(void)group;
	for (; s->items < items; s->items++) {
		recording_script_add(s, EVENT_SITE | 0,
		                     UINT64_C(0x7f0000001000) + (uint64_t)4 * s->items, 0);
		recording_script_add(s, EVENT_SITE | 1, (uint64_t)4 * s->items, 0);
		recording_script_add(s, EVENT_SITE | 2, (uint64_t)8 * s->items, 0);
		recording_script_add(s, EVENT_SITE | 3,
		                     UINT64_C(0x7f0000002000) + (uint64_t)4 * (s->items % 2), 0);
	}
}

int odd_recording_make_sides(const char *dir, struct err *err)
{
	char *file = TEXT("sources/program-0000.cl");
	struct site sites[] = {
		{ SITE_READ, 4, SPACE_GLOBAL, -1, 0, recording_script_place(file, 1, 1), NULL, 0,
		  NULL, NULL },
		{ SITE_WRITE, 4, SPACE_LOCAL, -1, 1, recording_script_place(file, 2, 1), NULL, 0,
		  NULL, NULL },
		{ SITE_READ, 4, SPACE_LOCAL, -1, 1, recording_script_place(file, 3, 1), NULL, 0,
		  NULL, NULL },
		{ SITE_READ, 4, SPACE_CONSTANT, -1, 2, recording_script_place(file, 4, 1), NULL, 0,
		  NULL, NULL },
	};
	struct kernel_argument arguments[] = {
		{ TEXT("a"), TEXT("float*"), SPACE_GLOBAL, false },
		{ TEXT("l"), TEXT("float*"), SPACE_LOCAL, false },
		{ TEXT("c"), TEXT("float*"), SPACE_CONSTANT, false },
	};
	struct kernel_table table = { .name = TEXT("sides"),
		                      .sites = sites,
		                      .site_count = 4,
		                      .arguments = arguments,
		                      .argument_count = 3 };
	struct recorded_launch launch = { .shape = { 1, { 32, 1, 1 }, { 32, 1, 1 }, { 0 } } };
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(
			w, "x = a[i];\nl[i] = x;\ny = l[2 * i];\nz = c[i % 2];\n", err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &launch.kernel, err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill_sides, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* One launch recorded, two behind a limit; 2.5 s at work. */
int odd_recording_make_limited(const char *dir, struct err *err)
{
	const struct recorded_work work = { 2500000000, 250000000, 125000000, 0, 0, 0 };
	struct site read = { SITE_READ, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	struct kernel_table table = { .name = TEXT("first"), .sites = &read, .site_count = 1 };
	struct recorded_launch limited = {
		.shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } },
		.fate = LAUNCH_LIMITED,
		.reason = TEXT("the recording had reached its 9 bytes (--max-bytes)"),
	};
	struct recording_writer *w = NULL;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = add_one(w, &table, err);
	for (int i = 0; i < 2 && !ret; i++) {
		ret = recording_writer_launch(w, &limited, &id, err);
		if (!ret)
			ret = recording_writer_fate(w, id, &limited, err);
	}
	if (!ret)
		ret = recording_writer_time(w, &work, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* 17 events lost, which 300 MB would hold; most of 2.5 s at work before anything ran. */
int odd_recording_make_lost(const char *dir, struct err *err)
{
	const struct recorded_work work = { 2500000000, 1250000000, 750000000, 0, 0, 0 };
	struct site read = { SITE_READ, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	struct kernel_table table = { .name = TEXT("first"), .sites = &read, .site_count = 1 };
	struct recorded_launch launch = { .shape = { 1, { 1, 1, 1 }, { 1, 1, 1 }, { 0 } },
		                          .dropped_events = 17,
		                          .room_bytes = 300000000 };
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &launch.kernel, err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill_one, err);
	if (!ret)
		ret = recording_writer_time(w, &work, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* One launch of "first", which has no line. */
static int make_left_out(const char *dir, enum launch_fate fate, char *reason, struct err *err)
{
	const struct recorded_kernel kernel = { .door = TEXT(""),
		                                .reason = TEXT("it did not run"),
		                                .table = { .name = TEXT("first") } };
	const struct recorded_tally tally = { 0, fate, reason, 1, 0, 0 };
	struct recording_writer *w = NULL;
	uint32_t id = 0;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = recording_writer_kernel(w, &kernel, &id, err);
	if (ret)
		return ret;
	recording_writer_take_number(w);
	id = RECORDING_TALLY_NEW;
	ret = recording_writer_tally(w, &tally, &id, err);
	return ret ? ret : recording_script_finish(w, err);
}

int odd_recording_make_full(const char *dir, struct err *err)
{
	return make_left_out(dir, LAUNCH_SKIPPED,
	                     TEXT("/x/launch-000000.wll: No space left on device"), err);
}

int odd_recording_make_unselected(const char *dir, struct err *err)
{
	return make_left_out(dir, LAUNCH_UNSELECTED, TEXT("--kernel"), err);
}

int odd_recording_make_tallied(const char *dir, struct err *err)
{
	struct site read = { SITE_READ, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL };
	struct kernel_table first = { .name = TEXT("first"), .sites = &read, .site_count = 1 };
	const struct recorded_kernel other = {
		.door = TEXT(""),
		.reason = TEXT("kernels of this name were not selected"),
		.table = { .name = TEXT("other") },
	};
	struct recorded_tally tallies[] = {
		{ 1, LAUNCH_UNSELECTED, TEXT("--kernel"), 11998, 0, 11999 },
		{ 0, LAUNCH_UNSELECTED, TEXT("--max-launches"), 1, 12001, 12001 },
		{ 1, LAUNCH_SKIPPED, TEXT("it cannot be traced"), 1, 12000, 12000 },
	};
	struct recording_writer *w = NULL;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	for (int i = 0; i < 5000; i++)
		recording_writer_take_number(w);
	if (!ret)
		ret = add_one(w, &first, err); /* launch 5000 */
	if (!ret)
		ret = recording_writer_kernel(w, &other, &id, err);
	for (size_t i = 0; i < sizeof(tallies) / sizeof(tallies[0]) && !ret; i++) {
		id = RECORDING_TALLY_NEW;
		ret = recording_writer_tally(w, &tallies[i], &id, err);
	}
	return ret ? ret : recording_script_finish(w, err);
}
