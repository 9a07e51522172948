/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "gpu_choice.h"
#include "launch_pick.h"
#include "out_file.h"
#include "progress_line.h"
#include "recording.h"
#include "register_choice.h"
#include "replay_choice.h"
#include "say.h"
#include "sweep_files.h"
#include "sweep_run.h"
#include "work_watch.h"

#include <stdlib.h>
#include <string.h>

struct sweep_settings {
	struct gpu_choice gpu;
	struct sweep_axes_choice axes;
	struct option_number launch, jobs;
	struct launch_pick pick;
	struct register_choice registers;
	struct order_choice order;
	const char *out, *json;
};

#define TEXT_ROW(member, option, value, words_)                                                    \
	{ .name = (option),                                                                        \
	  .argument = (value),                                                                     \
	  .kind = OPTION_TEXT,                                                                     \
	  .offset = offsetof(struct sweep_settings, member),                                       \
	  .text = (words_) }

static const struct option_row rows[] = {
	TEXT_ROW(axes.sets, "l1-sets", "LIST", "sets: 32,48 or 1..512, the powers of two"),
	TEXT_ROW(axes.ways, "l1-ways", "LIST", "ways of a set: 1,4,6 or 1..32"),
	TEXT_ROW(axes.lines, "line", "LIST", "bytes of a line: 32,64,128"),
	TEXT_ROW(axes.indices, "index", "LIST", "how a line finds its set: modulo,fermi,xor"),
	TEXT_ROW(axes.policies, "l1-policy", "LIST",
	         "replacement, each as in replay: lru,fifo,random:7 (default: the GPU's)"),
	TEXT_ROW(axes.latency, "latency", "on|off",
	         "on: with the GPU's latencies, so that a cache's misses change the order of what "
	         "it "
	         "sees (default: off)"),
	GPU_CHOICE_ROWS(struct sweep_settings, gpu),
	TEXT_ROW(order.schedule, "schedule", "ORDER",
	         "order of an SM's warps or work-items, as in replay (default: lrr)"),
	{ .name = "launch",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct sweep_settings, launch),
	  .max = UINT32_MAX,
	  .text = "only launch N, counted from 0 (default: all)" },
	LAUNCH_PICK_ROWS(struct sweep_settings, pick, "only "),
	REGISTER_CHOICE_ROWS(struct sweep_settings, registers),
	{ .name = "json",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct sweep_settings, json),
	  .text = "write JSON (docs/json.md) to FILE; - for stdout; the CSV then only with --out" },
	{ .name = "jobs",
	  .letter = 'j',
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct sweep_settings, jobs),
	  .max = SWEEP_JOBS_MAX,
	  .text = "threads: line sizes, and caches that one pass cannot do, at the same time, and "
	          "SMs where threads are left (default: 1)" },
	{ .name = "out",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct sweep_settings, out),
	  .text = "write the CSV to FILE, and a summary to stdout (default: the CSV to stdout)" },
};
const struct option_table sweep_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                    sizeof(struct sweep_settings) };

/* Make all runs; *player's launches and watch are set. */
static int play(struct sweep_runs *all, const struct player *player, const struct sweep_settings *s,
                struct err *err)
{
	int ret;

	work_watch_begin(player->watch,
	                 launch_choice_accesses(&player->launches) * all->task_count);
	ret = sweep_runs_play(all, s->jobs.value, err);
	work_watch_end(player->watch);
	return ret;
}

static void print_summary(const struct sweep_runs *all)
{
	const struct sweep_axes *axes = &all->axes;

	printf("Sweep on %s%s: caches of %s%s, %s.\n", all->runs[0].gpu.title,
	       gpu_choice_origin(&all->runs[0].gpu),
	       axes->policy_count > 1                     ? "several policies"
	       : axes->policies[0].kind == GPU_POLICY_LRU ? "LRU"
	                                                  : "another policy than LRU",
	       all->runs[0].gpu.l1_sector_bytes ? " with sectors" : "",
	       axes->has_latency ? "with latency"
	                         : "without latency, which replay has (--latency on)");
	for (size_t i = 0; i < all->run_count; i++) {
		const struct sweep_run *run = &all->runs[i];
		uint64_t requests = 0;
		size_t caches = 0;

		for (size_t g = 0; g < run->geometries.count; g++)
			for (size_t w = 0; w < axes->ways.count; w++) {
				struct counters c;

				if (!sweep_run_cell(run, g, w, &c))
					continue;
				requests = counters_requests(&c);
				caches++;
			}
		printf("  lines of %u bytes: %zu caches, %llu requests\n", run->gpu.l1_line_bytes,
		       caches, (unsigned long long)requests);
	}
}

static void say_left_out(const struct sweep_run *run, bool is_first_policy)
{
	if (run->left_out && is_first_policy)
		say_line("sweep",
		         "lines of %u bytes: set counts left out, with all ways: %zu, "
		         "the first because %s",
		         run->gpu.l1_line_bytes, run->left_out, run->why.msg);
	if (run->cells_left_out)
		say_line("sweep", "lines of %u bytes: caches left out: %zu, one because %s",
		         run->gpu.l1_line_bytes, run->cells_left_out, run->cell_why.msg);
}

/* Report the caches without a cell, and what the cells lack. Returns the exit status. */
static int verdict(const struct sweep_runs *all, struct err *err)
{
	const struct sweep_run *first = &all->runs[0];

	for (size_t i = 0; i < all->run_count; i++)
		say_left_out(&all->runs[i], i % all->axes.policy_count == 0);
	return say_player_verdict("sweep", first->player.launches.recording, &first->outcome,
	                          &first->gpu, err);
}

/* Write the results. *out is open if the CSV is requested. */
static int write_all(const struct sweep_runs *all, const struct sweep_settings *s,
                     struct out_file *out, struct err *err)
{
	int ret = 0;

	if (out->stream)
		ret = sweep_csv_write(all->runs, all->run_count, out->stream, err);
	if (!ret && out->stream)
		ret = out_file_end(out, err);
	if (!ret && s->json)
		ret = sweep_json_write(all->runs, all->run_count, s->json, err);
	if (!ret && !out->is_stdout && !(s->json && out_file_is_stdout(s->json)))
		print_summary(all);
	return ret;
}

static int run_all(struct sweep_runs *all, const struct sweep_settings *s, struct player *player,
                   struct err *err)
{
	const struct recording *recording = player->launches.recording;
	struct out_file out = { 0 };
	uint32_t *registers = NULL;
	int ret;

	player->launches = launch_choice_make(recording, option_number_given(&s->launch));
	ret = launch_choice_check(&player->launches, err);
	if (!ret)
		ret = order_choice_read(&player->options, &s->order, player->gpu, err);
	if (!ret) {
		registers = register_choice_kernels(&s->registers, "sweep", recording, err);
		ret = registers ? 0 : err->code;
		player->registers = registers;
	}
	if (!ret)
		ret = sweep_runs_init(all, player, s->jobs.value, err);
	if (!ret && (s->out || !s->json)) /* before a replay whose results cannot be written */
		ret = out_file_open(&out, s->out ? s->out : "-", err);
	if (!ret)
		ret = play(all, player, s, err);
	if (!ret && out.is_stdout)
		gpu_choice_say("sweep", player->gpu);
	if (!ret)
		ret = write_all(all, s, &out, err);
	out_file_release(&out);
	if (!ret)
		ret = verdict(all, err);
	sweep_runs_release(all);
	free(registers);
	return ret;
}

int cmd_sweep(const void *settings, const struct operands *operands, struct err *err)
{
	const struct sweep_settings *s = settings;
	struct sweep_runs *all = calloc(1, sizeof(*all));
	struct recording *recording = NULL;
	struct progress_line wait;
	struct gpu gpu;
	struct player player = {
		.watch = progress_line_watch(&wait, "sweep", operands->common.is_quiet), .gpu = &gpu
	};
	int ret;

	if (!all)
		return err_set(err, ERR_NOMEM, "out of memory for the sweep");
	ret = gpu_choice_load(&s->gpu, &gpu, err);
	if (!ret)
		ret = sweep_axes_parse(&all->axes, &s->axes, &gpu, err);
	if (!ret)
		ret = launch_pick_open(&s->pick, &recording, operands->items[0], err);
	player.launches.recording = recording;
	if (!ret)
		ret = run_all(all, s, &player, err);
	recording_close(recording);
	free(all);
	return ret;
}
