/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "gpu_choice.h"
#include "launch_pick.h"
#include "out_file.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "register_choice.h"
#include "replay_choice.h"
#include "say.h"
#include "sweep_files.h"
#include "sweep_run.h"

#include <pthread.h>
#include <stdatomic.h>
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

enum { SWEEP_JOBS_MAX = 64 };

#define TEXT_ROW(member, option, value, words_)                                                    \
	{                                                                                          \
		.name = (option), .argument = (value), .kind = OPTION_TEXT,                        \
		.offset = offsetof(struct sweep_settings, member), .text = (words_)                \
	}

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

/* All line sizes, with all policies each; threads take the next task of any. */
struct sweep_runs {
	struct sweep_axes axes;
	uint32_t *registers;
	struct sweep_run *runs; /* run_count */
	size_t run_count;
	size_t task_count;
	atomic_size_t next;
	struct progress_line wait;
};

static int prepare(struct sweep_runs *all, const struct sweep_settings *s, const struct gpu *gpu,
                   const struct recording *recording, struct err *err)
{
	struct launch_choice launches =
		launch_choice_make(recording, option_number_given(&s->launch));
	struct replay_options options = { 0 };
	int ret = launch_choice_check(&launches, err);

	if (!ret)
		ret = order_choice_read(&options, &s->order, gpu, err);
	if (!ret) {
		all->registers = register_choice_kernels(&s->registers, "sweep", recording, err);
		ret = all->registers ? 0 : err->code;
	}
	for (size_t i = 0; !ret && i < all->run_count; i++) {
		struct sweep_run *run = &all->runs[i];

		run->recording = recording;
		run->axes = &all->axes;
		run->registers = all->registers;
		run->launches = launches;
		run->options = options;
		run->options.played = &all->wait.watch.done;
		run->gpu = *gpu;
		run->gpu.l1_line_bytes = all->axes.lines.numbers[i / all->axes.policy_count];
		run->gpu.l1_policy = all->axes.policies[i % all->axes.policy_count];
		run->gpu.l1_bytes = 0;
		run->gpu.latency = all->axes.has_latency ? GPU_LATENCY_ON : GPU_LATENCY_OFF;
		ret = sweep_run_init(run, err);
		all->task_count += run->task_count;
	}
	for (size_t i = 0; !ret && i < all->run_count; i++)
		all->runs[i].options.jobs = (uint32_t)(s->jobs.value / all->task_count);
	return ret;
}

static void *work(void *context)
{
	struct sweep_runs *all = context;
	size_t i;

	while ((i = atomic_fetch_add(&all->next, 1)) < all->task_count) {
		struct sweep_run *run = all->runs;

		for (; i >= run->task_count; run++)
			i -= run->task_count;
		sweep_run_play(run, i);
	}
	return NULL;
}

/* Play all with `jobs` threads, this one among them; fewer where no more can be started. */
static int play(struct sweep_runs *all, uint64_t jobs, bool is_quiet, struct err *err)
{
	uint64_t accesses = launch_choice_accesses(&all->runs[0].launches);
	pthread_t threads[SWEEP_JOBS_MAX];
	size_t started = 0;

	progress_line_begin(&all->wait, "sweep", accesses * all->task_count, is_quiet);
	while (started + 1 < jobs && started + 1 < all->task_count &&
	       !pthread_create(&threads[started], NULL, work, all))
		started++;
	work(all);
	while (started)
		pthread_join(threads[--started], NULL);
	progress_line_end(&all->wait);
	for (size_t i = 0; i < all->run_count; i++)
		if (all->runs[i].ret)
			return err_set(err, (enum err_code)all->runs[i].ret, "%s",
			               all->runs[i].err.msg);
	return 0;
}

static int write_csv(const struct sweep_runs *all, struct out_file *out, struct err *err)
{
	int ret = 0;

	sweep_csv_head(&all->axes, out->stream);
	for (size_t i = 0; !ret && i < all->run_count; i++)
		ret = sweep_csv_write(&all->runs[i], out->stream, err);
	return ret ? ret : out_file_end(out, err);
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

static void tell_left_out(const struct sweep_run *run, bool is_first_policy)
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

/* What there was no cell for, and what the cells lack. */
static int verdict(const struct sweep_runs *all, struct err *err)
{
	const struct sweep_run *first = &all->runs[0];

	for (size_t i = 0; i < all->run_count; i++)
		tell_left_out(&all->runs[i], i % all->axes.policy_count == 0);
	return say_player_verdict("sweep", first->recording, &first->outcome, &first->gpu, err);
}

static int run_all(struct sweep_runs *all, const struct sweep_settings *s, const struct gpu *gpu,
                   const struct recording *recording, bool is_quiet, struct err *err)
{
	struct out_file out = { 0 };
	bool has_csv = s->out || !s->json;
	int ret;

	all->run_count = all->axes.lines.count * all->axes.policy_count;
	all->runs = calloc(all->run_count, sizeof(*all->runs));
	if (!all->runs)
		return err_set(err, ERR_NOMEM, "out of memory for the line sizes");
	ret = prepare(all, s, gpu, recording, err);
	if (!ret && has_csv) /* before anything is played in vain */
		ret = out_file_open(&out, s->out ? s->out : "-", err);
	if (!ret)
		ret = play(all, s->jobs.value, is_quiet, err);
	if (!ret && out.is_stdout)
		gpu_choice_say("sweep", gpu);
	if (!ret && has_csv)
		ret = write_csv(all, &out, err);
	if (!ret && s->json)
		ret = sweep_json_write(all->runs, all->run_count, s->json, err);
	if (!ret && !out.is_stdout && !(s->json && out_file_is_stdout(s->json)))
		print_summary(all);
	out_file_release(&out);
	if (!ret)
		ret = verdict(all, err);
	for (size_t i = 0; i < all->run_count; i++)
		sweep_run_release(&all->runs[i]);
	free(all->runs);
	return ret;
}

int cmd_sweep(const void *settings, const struct operands *operands, struct err *err)
{
	const struct sweep_settings *s = settings;
	struct sweep_runs *all = calloc(1, sizeof(*all));
	struct recording *recording = NULL;
	struct gpu gpu;
	int ret;

	if (!all)
		return err_set(err, ERR_NOMEM, "out of memory for the sweep");
	ret = gpu_choice_load(&s->gpu, &gpu, err);
	if (!ret)
		ret = sweep_axes_parse(&all->axes, &s->axes, &gpu, err);
	if (!ret)
		ret = launch_pick_open(&s->pick, &recording, operands->items[0], err);
	if (!ret)
		ret = run_all(all, s, &gpu, recording, operands->common.is_quiet, err);
	recording_close(recording);
	free(all->registers);
	free(all);
	return ret;
}
