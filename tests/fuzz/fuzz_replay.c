/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch of any shape whose groups do anything that can be written: what is recorded is read and
 * played in any order by any GPU, and two threads play what one does.
 *
 * The bytes: order, keys of the GPU with their values, dimensions, global, local and offset, then
 * for each of the first groups its work-items' events: how many, and the kind, id, value and
 * iteration of each.
 */
#include "fuzz.h"

#include "gpu.h"
#include "issue_order.h"
#include "packed_run.h"
#include "recording_chain.h"
#include "recording_script.h"
#include "replay.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS_MAX = 4, ITEMS_MAX = 1 << 12, EVENTS_MAX = 1 << 14 };

static struct loop loops[] = { { -1, 1, { 0 } }, { 0, 2, { 0 } }, { -1, 1, { 0 } } };
static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .space = SPACE_GLOBAL, .loop = -1, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 16, .space = SPACE_GLOBAL, .loop = 0, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 128, .space = SPACE_GLOBAL, .loop = 1, .argument = -1 },
	{ .kind = SITE_ATOMIC, .bytes = 8, .space = SPACE_GLOBAL, .loop = 1, .argument = -1 },
	{ .kind = SITE_BARRIER, .loop = 1, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 0, .space = SPACE_GLOBAL, .loop = 2, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 4, .space = SPACE_LOCAL, .loop = 2, .argument = -1 },
	{ .kind = SITE_FENCE, .loop = -1, .argument = -1 },
	{ .kind = SITE_BARRIER, .loop = -1, .argument = -1 },
};

enum { LOOPS = sizeof(loops) / sizeof(loops[0]), SITES = sizeof(sites) / sizeof(sites[0]) };

static char name[] = "fuzzed";
static const struct kernel_table table = {
	.name = name, .sites = sites, .site_count = SITES, .loops = loops, .loop_count = LOOPS
};

static const char *const keys[] = {
#define NUMBER(name, min, max, text) #name,
#define CHOICE(name, words, text)    #name,
#define SPEC(name, words, text)      #name,
#include "gpu_fields.def"
};
static const char *const words[] = {
#define NUMBER(name, min, max, text) NULL,
#define CHOICE(name, words, text)    words,
#define SPEC(name, words, text)      "lru|fifo|plru|random:5|lfu|mru|srrip|ways:1,0,3|xor|bits:7+13,8,9",
#include "gpu_fields.def"
};

/* A word of "word|word", chosen by a number. */
static void choose_word(char *to, size_t size, const char *list, uint8_t which)
{
	for (which %= 10; which && strchr(list, '|'); which--)
		list = strchr(list, '|') + 1;
	snprintf(to, size, "%.*s", (int)strcspn(list, "|"), list);
}

/* Some keys changed, to numbers that are small, so that there is memory for its caches. */
static void take_gpu(struct fuzz_input *in, struct gpu *gpu)
{
	static const unsigned numbers[] = { 0,  1,  2,  3,  4,  5,   7,   8,
		                            16, 31, 32, 48, 64, 100, 128, 512 };
	struct gpu changed = *fuzz_gpu();

	for (uint8_t n = fuzz_byte(in) % 12; n; n--) {
		size_t key = fuzz_byte(in) % (sizeof(keys) / sizeof(keys[0]));
		uint8_t value = fuzz_byte(in);
		char pair[128], word[64];

		if (words[key])
			choose_word(word, sizeof(word), words[key], value);
		else
			snprintf(word, sizeof(word), "%u", numbers[value % 16]);
		snprintf(pair, sizeof(pair), "%s=%s", keys[key], word);
		(void)gpu_put(&changed, pair, NULL);
	}
	*gpu = gpu_check(&changed, NULL) ? *fuzz_gpu() : changed;
}

static void take_shape(struct fuzz_input *in, struct launch_shape *shape)
{
	shape->dimensions = 1 + fuzz_byte(in) % 3;
	for (int d = 0; d < 3; d++) {
		shape->global[d] = d < (int)shape->dimensions ? fuzz_number(in) : 1;
		shape->local[d] = d < (int)shape->dimensions ? fuzz_number(in) : 1;
		shape->offset[d] = d < (int)shape->dimensions ? fuzz_number(in) : 0;
	}
}

/* One more event, or a whole run or grid with its parts; returns how many. */
static uint32_t take_event(struct fuzz_input *in, struct event *to)
{
	uint8_t what = fuzz_byte(in);
	uint32_t kind = (uint32_t)(what & 7) << 29, id = (uint32_t)(what >> 3) % SITES;
	struct packed_run run = { .site = id, .is_grid = kind == EVENT_GRID };

	if (kind != EVENT_RUN && kind != EVENT_GRID) {
		*to = (struct event){ fuzz_number(in), kind | id, (uint32_t)fuzz_number(in) };
		return 1;
	}
	run.address = fuzz_number(in);
	run.first = fuzz_number(in);
	run.stride = fuzz_number(in);
	run.count = (uint32_t)fuzz_number(in);
	if (run.is_grid) {
		run.rows = (uint32_t)fuzz_number(in);
		run.row_stride = fuzz_number(in);
	}
	return packed_run_put(&run, to);
}

/* The events of a group of so many work-items; false: it has none. */
static bool take_group(struct fuzz_input *in, struct group_events *g, uint64_t *first,
                       struct event *events)
{
	uint64_t count = 0;

	*g = (struct group_events){ g->item_count, first, events };
	for (uint32_t i = 0; i < g->item_count; i++) {
		first[i] = count;
		for (uint8_t n = fuzz_byte(in) % 16; n-- && count < EVENTS_MAX;)
			count += take_event(in, &events[count]);
	}
	first[g->item_count] = count;
	return count != 0;
}

static void write_groups(struct fuzz_input *in, struct launch_writer *file,
                         const struct launch_shape *shape)
{
	static uint64_t first[ITEMS_MAX + 1];
	static struct event events[EVENTS_MAX + PACKED_RUN_EVENTS_MAX];
	uint64_t count = launch_shape_group_count(shape);

	for (uint64_t g = 0; g < count && g < GROUPS_MAX; g++) {
		uint32_t size[3];
		/* The last groups too: they may be smaller. */
		uint64_t group = g % 2 ? count - g : g;
		struct group_events events_of = { .item_count = launch_shape_group_size(
							  shape, group, size) };
		struct err err = { 0 };

		if (events_of.item_count > ITEMS_MAX || !take_group(in, &events_of, first, events))
			continue;
		if (launch_writer_add(file, group, &events_of, &err))
			fuzz_assert(err.msg[0] != '\0', "what is refused has a reason");
	}
}

/* A recording of one launch; false: the shape was refused. */
static bool record(struct fuzz_input *in, const char *dir)
{
	struct recorded_launch launch = { .fate = LAUNCH_TRACED };
	struct recording_writer *w = NULL;
	struct launch_writer *file = NULL;
	uint32_t id = 0;
	int ret = recording_script_begin(&w, dir, NULL);

	take_shape(in, &launch.shape);
	if (!ret)
		ret = recording_script_program(w, "", NULL);
	if (!ret)
		ret = recording_script_kernel(w, &table, &launch.kernel, NULL);
	if (!ret)
		ret = recording_writer_launch(w, &launch, &id, NULL);
	fuzz_assert(ret == 0, "a recording can be begun");
	ret = recording_writer_open_launch(w, id, &launch.shape, &table, &file, NULL);
	if (!ret) {
		write_groups(in, file, &launch.shape);
		ret = launch_writer_close(file, true, &launch.totals, NULL);
	}
	if (!ret)
		ret = recording_writer_fate(w, id, &launch, NULL);
	if (!ret)
		ret = recording_writer_end(w, NULL);
	recording_writer_close(w);
	return !ret;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const orders[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) #name,
#include "issue_orders.def"
#undef ISSUE_ORDER
	};
	struct fuzz_input in = { data, data + size };
	struct chain_report report;
	struct replay_options options = { .jobs = 1 };
	struct chain_report again;
	struct gpu gpu;
	char dir[256];
	uint8_t which = fuzz_byte(&in) % (sizeof(orders) / sizeof(orders[0]));

	snprintf(dir, sizeof(dir), "%s", fuzz_path("made"));
	fuzz_assert(issue_order_parse(&options.order, orders[which], NULL) == 0,
	            "there is that order");
	take_gpu(&in, &gpu);
	if (record(&in, dir)) {
		chain_run(dir, &gpu, &options, &report);
		options.jobs = 2;
		chain_run(dir, &gpu, &options, &again);
		fuzz_assert(report.refusal.code == again.refusal.code &&
		                    (report.refusal.code || report.digest == again.digest),
		            "two threads play what one does");
		fuzz_assert(!report.refusal.code || report.refusal.msg[0],
		            "what is refused has a reason");
		fuzz_commands(dir, &report, data, size);
	}
	fuzz_remove("made");
	return 0;
}
