/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_speed - how fast recordings are played, in processor time, medians of RUNS (5):
 *
 *   replay_speed GPU.conf [RUNS] RECORDING...
 *
 *   order     file to requests: reading, warps, coalescing, the SMs' order and time, with a port
 *             that answers at once
 *   l1        file to counters: the same with L1 and the classes of its misses
 *   loop      beside these, in turn with them: the same requests from memory, in the same order,
 *             through tags of L1 with LRU and nothing else: no classes, no time, no counters but
 *             misses. What a loop over a finished list of requests would cost.
 *
 * The ratio is the time of `l1` over that of `loop`.
 */
#include "address_map.h"
#include "array.h"
#include "err.h"
#include "gpu.h"
#include "launch_reader.h"
#include "recording.h"
#include "replay.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS_DEFAULT = 5, RUNS_MAX = 99 };

/* Requests held for the loop: 8 bytes each. */
static const size_t HELD_MAX = (size_t)1 << 27;

struct bench {
	struct gpu gpu;
	struct recording *recording;
	const char *name;
	uint64_t lanes, requests;
	struct array held; /* uint64_t: line number << 16 | SM << 1 | is a read */
	uint32_t line_shift;
	bool is_full; /* not all fit */
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t answer_at_once(void *context, uint32_t sm, const struct request *r,
                               uint64_t now_cycles)
{
	(void)context;
	(void)sm;
	(void)r;
	return now_cycles;
}

static uint64_t hold(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct bench *b = context;
	uint64_t *held = b->is_full ? NULL : array_push(&b->held, 1, NULL);

	if (held)
		*held = r->line >> b->line_shift << 16 | sm << 1 | (r->kind == SITE_READ);
	else
		b->is_full = true;
	return now_cycles;
}

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	return launch_reader_load(context, group, out, err);
}

/* One launch with a port of our own. */
static int order_launch(struct bench *b, size_t launch, const struct memory_port *port,
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
			},
			port, &result, err);
	if (!ret) {
		b->lanes += result.lanes;
		b->requests += result.requests;
	}
	schedule_result_release(&result);
	address_map_free(map);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

static int replay_one(struct bench *b, size_t launch, struct err *err)
{
	const struct replay_options options = { 0 };
	struct replay_result result;
	int ret = replay_launch(b->recording, launch, &b->gpu, &options, &result, err);

	replay_result_release(&result);
	return ret;
}

/* All traced launches; with `port` by order_launch(), else with L1. */
static int play(struct bench *b, const struct memory_port *port, double *seconds, struct err *err)
{
	double begin = now_s();
	int ret = 0;

	b->lanes = b->requests = 0;
	for (size_t i = 0; i < b->recording->launch_count && !ret; i++) {
		if (b->recording->launches[i].fate != LAUNCH_TRACED)
			continue;
		ret = port ? order_launch(b, i, port, err) : replay_one(b, i, err);
	}
	*seconds = now_s() - begin;
	return ret;
}

/* Misses of reads in tags alone, LRU in each set, of all SMs. Sets are found by remainder. */
static uint64_t count_misses(const struct bench *b, uint64_t *tags)
{
	const uint64_t *held = b->held.data;
	const uint64_t sets = b->gpu.l1_sets, ways = b->gpu.l1_ways;
	uint64_t misses = 0;

	for (size_t i = 0; i < b->held.count; i++) {
		uint64_t key = held[i] >> 16, at = 0;
		uint64_t *set = tags + ((held[i] >> 1 & 0x7fff) * sets + key % sets) * ways;

		if (!(held[i] & 1))
			continue;
		while (at + 1 < ways && set[at] != key + 1)
			at++;
		misses += set[at] != key + 1;
		for (; at > 0; at--)
			set[at] = set[at - 1];
		set[0] = key + 1;
	}
	return misses;
}

static int loop(struct bench *b, double *seconds, struct err *err)
{
	size_t lines = (size_t)b->gpu.sm_count * b->gpu.l1_sets * b->gpu.l1_ways;
	uint64_t *tags = array_alloc(lines, sizeof(*tags), "tags", err);
	volatile uint64_t misses;
	double begin = now_s();

	if (!tags)
		return ERR_NOMEM;
	misses = count_misses(b, tags);
	(void)misses;
	*seconds = now_s() - begin;
	free(tags);
	return 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int count)
{
	qsort(v, (size_t)count, sizeof(*v), compare);
	return v[count / 2];
}

static int measure(struct bench *b, int runs, struct err *err)
{
	const struct memory_port at_once = { .request = answer_at_once };
	const struct memory_port holding = { .context = b, .request = hold };
	double order[RUNS_MAX], l1[RUNS_MAX], plain[RUNS_MAX], seconds;
	uint64_t lanes = 0, requests = 0;
	int ret = play(b, &holding, &seconds, err);

	for (int i = 0; i < runs && !ret; i++) {
		ret = play(b, &at_once, &order[i], err);
		lanes = b->lanes;
		requests = b->requests;
		if (!ret)
			ret = play(b, NULL, &l1[i], err);
		if (!ret)
			ret = loop(b, &plain[i], err);
	}
	if (ret)
		return ret;
	order[0] = median(order, runs);
	l1[0] = median(l1, runs);
	plain[0] = median(plain, runs);
	printf("| %s | %.2f | %.2f | %.4f | %.0f | %.1f | %.4f | %.0f | %.1f | ", b->name,
	       (double)lanes / 1e6, (double)requests / 1e6, order[0],
	       (double)lanes / order[0] / 1e6, (double)requests / order[0] / 1e6, l1[0],
	       (double)lanes / l1[0] / 1e6, (double)requests / l1[0] / 1e6);
	if (b->is_full)
		printf("more than fit | |\n");
	else
		printf("%.1f | %.2f |\n", (double)requests / plain[0] / 1e6, l1[0] / plain[0]);
	return 0;
}

static int bench_recording(const struct gpu *gpu, const char *dir, int runs, struct err *err)
{
	const char *slash = strrchr(dir, '/');
	struct bench b = { .gpu = *gpu, .name = slash ? slash + 1 : dir };
	int ret = recording_open(&b.recording, dir, err);

	array_init(&b.held, sizeof(uint64_t), HELD_MAX, "requests");
	b.line_shift = (uint32_t)__builtin_ctz(gpu->l1_line_bytes);
	if (!ret)
		ret = measure(&b, runs, err);
	array_release(&b.held);
	recording_close(b.recording);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	struct gpu gpu;
	int at = 2, runs = RUNS_DEFAULT, ret;

	if (argc > 2 && strtol(argv[2], NULL, 10) > 0)
		runs = (int)strtol(argv[at++], NULL, 10);
	if (argc <= at || runs > RUNS_MAX) {
		fputs("usage: replay_speed GPU.conf [RUNS] RECORDING...\n", stderr);
		return 2;
	}
	ret = gpu_load(&gpu, argv[1], NULL, &err);
	puts("| recording | M accesses | M requests | order s | M accesses/s | M requests/s | l1 s "
	     "| M accesses/s | M requests/s | loop M requests/s | l1 / loop |");
	puts("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
	for (; at < argc && !ret; at++)
		ret = bench_recording(&gpu, argv[at], runs, &err);
	if (ret)
		fprintf(stderr, "replay_speed: %s\n", err.msg);
	return ret != 0;
}
