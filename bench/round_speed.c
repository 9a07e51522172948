/* SPDX-License-Identifier: Apache-2.0 */
/*
 * round_speed - what it costs that answers come later: recordings are played with a memory port
 * that answers half of the reads after 35 cycles and half after 255, once at once, and once with
 * settle(), the latter half later (scheduler/request.h). Requests and times are the same.
 *
 *   round_speed GPU.conf RUNS JOBS RECORDING...
 *
 * Medians of RUNS, processor time with one thread, else time passed; the ratio is later / at once.
 */
#include "address_map.h"
#include "array.h"
#include "err.h"
#include "gpu.h"
#include "launch_reader.h"
#include "recording.h"
#include "schedule.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS_MAX = 99, NEAR_CYCLES = 35, FAR_CYCLES = 255, WAITING_MAX = 1 << 16 };

/* Of an SM: requests in the order made, which is that of the answers; a ring. */
struct waiting {
	struct memory_answer answers[WAITING_MAX];
	uint32_t first, last;
};

struct bench {
	struct gpu gpu;
	uint32_t jobs;
	struct recording *recording;
	struct waiting *sms;
	uint64_t until, rounds, requests, cycles;
};

static bool is_far(const struct request *r)
{
	return (r->line >> 7) * 0x9e3779b97f4a7c15u >> 63;
}

static uint64_t answer_at_once(void *context, uint32_t sm, const struct request *r,
                               uint64_t now_cycles)
{
	(void)context;
	(void)sm;
	return now_cycles + (is_far(r) ? FAR_CYCLES : NEAR_CYCLES);
}

static uint64_t answer_later(void *context, uint32_t sm, const struct request *r,
                             uint64_t now_cycles)
{
	struct bench *b = context;
	struct waiting *w = &b->sms[sm];

	if (!is_far(r))
		return now_cycles + NEAR_CYCLES;
	if (r->kind != SITE_WRITE)
		w->answers[w->last++ % WAITING_MAX] =
			(struct memory_answer){ r->waiter, now_cycles + FAR_CYCLES };
	return MEMORY_LATER;
}

static void settle(void *context, uint64_t until)
{
	struct bench *b = context;

	b->until = until;
	b->rounds++;
}

static bool next_answer(void *context, uint32_t sm, struct memory_answer *out)
{
	struct bench *b = context;
	struct waiting *w = &b->sms[sm];

	if (w->first == w->last)
		w->first = w->last = 0; /* the same memory again */
	*out = w->answers[w->first % WAITING_MAX];
	if (w->first == w->last || out->cycle - FAR_CYCLES >= b->until)
		return false;
	w->first++;
	return true;
}

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	return launch_reader_load(context, group, out, err);
}

static int play_launch(struct bench *b, size_t launch, const struct memory_port *port,
                       struct err *err)
{
	const struct recorded_launch *recorded = &b->recording->launches[launch];
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct address_map *map = NULL;
	struct schedule_result result = { 0 };
	int ret = recording_open_launch(b->recording, launch, &source, &reader, err);

	if (!ret)
		ret = address_map_create(&map, b->recording, launch, err);
	if (!ret)
		ret = schedule_launch(
			&b->gpu,
			&(struct schedule_input){
				.shape = launch_reader_shape(reader),
				.table = &b->recording->kernels[recorded->kernel].table,
				.map = map,
				.groups = { .context = reader, .read = read_group },
				.local_bytes = recorded->local_bytes,
				.jobs = b->jobs,
			},
			port, &result, err);
	b->requests += result.requests;
	b->cycles += result.cycles;
	schedule_result_release(&result);
	address_map_free(map);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

static double now_s(const struct bench *b)
{
	struct timespec t;

	clock_gettime(b->jobs > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int play(struct bench *b, bool is_later, double *seconds, struct err *err)
{
	const struct memory_port at_once = { .context = b, .request = answer_at_once };
	const struct memory_port later = { .context = b,
		                           .request = answer_later,
		                           .settle = settle,
		                           .horizon_cycles = FAR_CYCLES,
		                           .next_answer = next_answer };
	double begin = now_s(b);
	int ret = 0;

	b->requests = b->cycles = b->rounds = 0;
	for (size_t i = 0; i < b->recording->launch_count && !ret; i++)
		if (b->recording->launches[i].fate == LAUNCH_TRACED)
			ret = play_launch(b, i, is_later ? &later : &at_once, err);
	*seconds = now_s(b) - begin;
	return ret;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int measure(struct bench *b, const char *name, int runs, struct err *err)
{
	double seconds[2][RUNS_MAX];
	uint64_t cycles = 0;
	int ret = 0;

	for (int i = 0; i < runs && !ret; i++) {
		ret = play(b, false, &seconds[0][i], err);
		cycles = b->cycles;
		if (!ret)
			ret = play(b, true, &seconds[1][i], err);
		if (!ret && b->cycles != cycles)
			ret = err_set(err, ERR_FORMAT,
			              "%s takes %" PRIu64 " cycles with answers at once, %" PRIu64
			              " with later ones: expected no difference",
			              name, cycles, b->cycles);
	}
	if (ret)
		return ret;
	for (int k = 0; k < 2; k++)
		qsort(seconds[k], (size_t)runs, sizeof(double), compare);
	printf("| %s | %.2f | %.2f | %" PRIu64 " | %.4f | %.4f | %.2f |\n", name,
	       (double)b->requests / 1e6, (double)b->cycles / 1e6, b->rounds, seconds[0][runs / 2],
	       seconds[1][runs / 2], seconds[1][runs / 2] / seconds[0][runs / 2]);
	return 0;
}

static int bench_recording(struct bench *b, const char *dir, int runs, struct err *err)
{
	const char *slash = strrchr(dir, '/');
	int ret = recording_open(&b->recording, dir, err);

	b->sms = array_alloc(b->gpu.sm_count, sizeof(*b->sms), "SMs", err);
	if (!ret)
		ret = b->sms ? measure(b, slash ? slash + 1 : dir, runs, err) : ERR_NOMEM;
	free(b->sms);
	recording_close(b->recording);
	return ret;
}

int main(int argc, char **argv)
{
	struct bench b = { .jobs = 1 };
	struct err err = { 0 };
	long runs = argc > 4 ? strtol(argv[2], NULL, 10) : 0;
	int ret;

	if (runs < 1 || runs > RUNS_MAX) {
		fputs("usage: round_speed GPU.conf RUNS JOBS RECORDING...\n", stderr);
		return 2;
	}
	b.jobs = (uint32_t)strtoul(argv[3], NULL, 10);
	ret = gpu_load(&b.gpu, argv[1], NULL, &err);
	puts("| recording | M requests | M cycles | rounds | at once s | later s | ratio |");
	puts("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
	for (int i = 4; i < argc && !ret; i++)
		ret = bench_recording(&b, argv[i], (int)runs, &err);
	if (ret)
		fprintf(stderr, "round_speed: %s\n", err.msg);
	return ret != 0;
}
