/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache_speed [ROUNDS] - how many line requests a second the caches take, beside a plain loop in
 * the same process; and that 20 million of two lists give the counts of five other simulators.
 *
 * Each list (address_lists.h) is imported as a recording in a folder of its own under TMPDIR.
 */
#include "address_lists.h"
#include "err.h"
#include "file.h"
#include "gpu.h"
#include "import.h"
#include "l1.h"
#include "recording.h"
#include "recording_dir.h"
#include "str.h"
#include "sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 20000000, LINE_SHIFT = 7, SETS = 32, WAYS = 4, LEVELS = 10, SWEEP_WAYS = 32 };
enum { MAX_ROUNDS = 99 };

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "cache_speed: %s\n", what);
	exit(1);
}

static void check(const char *list, const char *what, uint64_t got, uint64_t want)
{
	if (got == want)
		return;
	fprintf(stderr, "cache_speed: %s: %s: %" PRIu64 ", expected %" PRIu64 "\n", list, what, got,
	        want);
	exit(1);
}

/* What others count (reads, 128-byte lines). */
static const struct golden {
	const char *list, *what;
	uint32_t sets, ways, index;
	uint64_t misses;
} goldens[] = {
	{ "seq20", "32x4", 32, 4, GPU_L1_INDEX_MODULO, 13347567 },
	{ "seq20", "32x4 fermi", 32, 4, GPU_L1_INDEX_FERMI, 13322789 },
	{ "seq20", "64x6", 64, 6, GPU_L1_INDEX_MODULO, 12805902 },
	{ "seq20", "64x6 fermi", 64, 6, GPU_L1_INDEX_FERMI, 12810729 },
	{ "seq20", "1x128", 1, 128, GPU_L1_INDEX_MODULO, 13082169 },
	{ "mm20", "32x4", 32, 4, GPU_L1_INDEX_MODULO, 6679694 },
	{ "mm20", "32x4 fermi", 32, 4, GPU_L1_INDEX_FERMI, 6679694 },
	{ "mm20", "64x6", 64, 6, GPU_L1_INDEX_MODULO, 6679694 },
	{ "mm20", "64x6 fermi", 64, 6, GPU_L1_INDEX_FERMI, 6679694 },
	{ "mm20", "1x128", 1, 128, GPU_L1_INDEX_MODULO, 6679694 },
};

/* Classes of the 32x4 cache with modulo: Dinero's definition. */
static const struct {
	const char *list;
	uint64_t cold, capacity, conflict;
} classes[] = {
	{ "seq20", 5791011, 7284260, 272296 },
	{ "mm20", 42543, 6637151, 0 },
};

/* A list under way. */
struct subject {
	const char *name;
	uint64_t *list;
	char dir[64], file[96];
	struct recording *recording;
	struct gpu gpu; /* 32x4, modulo, without latency */
};

/* The least that counts misses of one LRU cache: sets of 32-bit lines, the latest first. */
static uint64_t plain_loop(const struct subject *s, uint32_t sets, uint32_t ways)
{
	uint32_t *lines = malloc((size_t)sets * ways * sizeof(*lines));
	uint64_t misses = 0;

	if (!lines)
		fail("out of memory");
	memset(lines, 0xff, (size_t)sets * ways * sizeof(*lines));
	for (size_t i = 0; i < COUNT; i++) {
		uint32_t line = (uint32_t)(s->list[i] >> LINE_SHIFT), at = 0;
		uint32_t *set = lines + (size_t)(line % sets) * ways;

		while (at + 1 < ways && set[at] != line)
			at++;
		misses += set[at] != line;
		for (; at; at--)
			set[at] = set[at - 1];
		set[0] = line;
	}
	free(lines);
	return misses;
}

static const uint64_t all_used[2] = { UINT64_MAX, UINT64_MAX };

static struct request request_of(const struct subject *s, size_t i)
{
	return (struct request){ .line = s->list[i] >> LINE_SHIFT << LINE_SHIFT,
		                 .used = all_used,
		                 .bytes_used = 128,
		                 .lanes = 32 };
}

/* Of the 32x4 cache with modulo, its list's first. */
static uint64_t misses_of(const struct subject *s)
{
	size_t i = 0;

	while (strcmp(goldens[i].list, s->name) != 0)
		i++;
	return goldens[i].misses;
}

static void run_plain(struct subject *s)
{
	check(s->name, "plain loop", plain_loop(s, SETS, WAYS), misses_of(s));
}

static void run_l1(struct subject *s)
{
	struct counters c = { 0 };
	struct l1 *l1 = NULL;

	if (l1_create(&l1, &s->gpu, NULL, NULL))
		fail("no L1");
	for (size_t i = 0; i < COUNT; i++) {
		const struct request r = request_of(s, i);

		l1_request(l1, &r, i, &c);
	}
	l1_free(l1);
	check(s->name, "L1", c.read_misses, misses_of(s));
}

static void replay(const struct subject *s, const struct gpu *gpu, bool has_classes,
                   struct counters *out)
{
	const struct replay_options options = { .is_unclassified = !has_classes };
	struct replay_result result;
	struct err err = { 0 };

	if (replay_launch(s->recording, 0, gpu, &options, &result, &err))
		fail(err.msg);
	*out = result.total;
	replay_result_release(&result);
}

static void run_replay(struct subject *s)
{
	struct counters c;

	replay(s, &s->gpu, true, &c);
	check(s->name, "replay", c.read_misses, misses_of(s));
}

static void run_replay_unclassified(struct subject *s)
{
	struct counters c;

	replay(s, &s->gpu, false, &c);
	check(s->name, "replay without classes", c.read_misses, misses_of(s));
}

/* With an L2 of 1 MB, 16 ways, behind it. */
static void run_replay_l2(struct subject *s)
{
	const struct replay_options options = { 0 };
	struct gpu gpu = s->gpu;
	struct replay_result result;
	struct err err = { 0 };

	gpu.l2 = GPU_L2_ON;
	gpu.l2_slices = 1;
	gpu.l2_sets = 512;
	gpu.l2_ways = 16;
	if (replay_launch(s->recording, 0, &gpu, &options, &result, &err))
		fail(err.msg);
	check(s->name, "L2 of 1 MB behind 32x4", result.below.l2.read_misses,
	      *s->name == 'm' ? 6679694 : 11917192);
	replay_result_release(&result);
}

static struct sweep *new_sweep(const struct subject *s)
{
	struct sweep_geometry list[LEVELS];
	struct sweep *sweep = NULL;

	for (uint32_t i = 0; i < LEVELS; i++)
		list[i] = (struct sweep_geometry){ GPU_L1_INDEX_MODULO, 1u << i };
	if (sweep_create(&sweep, &s->gpu, list, LEVELS, SWEEP_WAYS, NULL))
		fail("no sweep");
	return sweep;
}

static void end_sweep(const struct subject *s, struct sweep *sweep)
{
	struct counters c;

	sweep_cell(sweep, 5, WAYS, &c);
	check(s->name, "sweep", c.read_misses, misses_of(s));
	sweep_free(sweep);
}

static void run_sweep(struct subject *s)
{
	struct sweep *sweep = new_sweep(s);

	for (size_t i = 0; i < COUNT; i++) {
		const struct request r = request_of(s, i);

		sweep_request(sweep, 0, &r);
	}
	if (sweep_end(sweep, NULL))
		fail("out of memory");
	end_sweep(s, sweep);
}

static void run_sweep_file(struct subject *s)
{
	const struct replay_options options = { 0 };
	struct sweep *sweep = new_sweep(s);
	struct err err = { 0 };
	bool is_whole;

	if (sweep_launch(sweep, s->recording, 0, &options, &is_whole, &err))
		fail(err.msg);
	end_sweep(s, sweep);
}

/* 320 caches one by one in the plain loop, told from ten of them. */
static void run_separate(struct subject *s)
{
	static const uint32_t ways[] = { 1, 8, 16, 24, 32 };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		for (uint32_t sets = 8; sets <= 512; sets *= 64)
			plain_loop(s, sets, ways[i]);
}

static const struct way {
	const char *name;
	void (*run)(struct subject *s);
	double requests; /* that a run stands for, in millions */
	double caches;
} ways_to_run[] = {
	{ "plain loop, 32x4, in memory", run_plain, COUNT / 1e6, 1 },
	{ "L1 32x4 with classes, in memory", run_l1, COUNT / 1e6, 1 },
	{ "replay 32x4 with classes, file to counters", run_replay, COUNT / 1e6, 1 },
	{ "replay 32x4 without classes, file to counters", run_replay_unclassified, COUNT / 1e6,
	  1 },
	{ "replay 32x4, then an L2 of 1 MB", run_replay_l2, COUNT / 1e6, 1 },
	{ "plain loop, 10 of the 320 caches", run_separate, COUNT / 1e6, 10 },
	{ "sweep of 320 caches, in memory", run_sweep, COUNT / 1e6, 320 },
	{ "sweep of 320 caches, file to counters", run_sweep_file, COUNT / 1e6, 320 },
};
enum { WAY_COUNT = sizeof(ways_to_run) / sizeof(ways_to_run[0]) };

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* All ways in turn, `rounds` times; the medians. */
static void measure(struct subject *s, size_t rounds)
{
	static double seconds[WAY_COUNT][MAX_ROUNDS];
	double plain = 0; /* a cache */

	for (size_t r = 0; r < rounds; r++)
		for (size_t i = 0; i < WAY_COUNT; i++) {
			double begin = now_s();

			ways_to_run[i].run(s);
			seconds[i][r] = now_s() - begin;
		}
	for (size_t i = 0; i < WAY_COUNT; i++) {
		const struct way *w = &ways_to_run[i];
		double median;

		qsort(seconds[i], rounds, sizeof(seconds[i][0]), by_size);
		median = seconds[i][rounds / 2];
		if (w->run == run_plain || w->run == run_separate) /* per cache, for the next */
			plain = median / w->caches;
		printf("| %s | %s | %.2f | %.0f | %.3f |\n", s->name, w->name, median,
		       w->requests / median, median / (plain * w->caches));
	}
}

static void check_goldens(const struct subject *s)
{
	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++) {
		struct gpu gpu = s->gpu;
		struct counters c;

		if (strcmp(goldens[i].list, s->name) != 0)
			continue;
		gpu.l1_sets = goldens[i].sets;
		gpu.l1_ways = goldens[i].ways;
		gpu.l1_index.kind = goldens[i].index;
		replay(s, &gpu, true, &c);
		check(s->name, goldens[i].what, c.read_misses, goldens[i].misses);
	}
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		struct counters c;

		if (strcmp(classes[i].list, s->name) != 0)
			continue;
		replay(s, &s->gpu, true, &c);
		check(s->name, "cold", c.cold, classes[i].cold);
		check(s->name, "capacity", c.capacity, classes[i].capacity);
		check(s->name, "conflict", c.conflict, classes[i].conflict);
	}
}

static void open_subject(struct subject *s, const char *folder)
{
	struct err err = { 0 };

	s->list = malloc(COUNT * sizeof(*s->list));
	if (!s->list)
		fail("out of memory");
	if (*s->name == 'm')
		address_list_matrix(s->list, COUNT);
	else if (!address_list_mixed(s->list, COUNT))
		fail("out of memory");
	(void)snprintf(s->dir, sizeof(s->dir), "%s/%s", folder, s->name);
	(void)snprintf(s->file, sizeof(s->file), "%s.u64", s->dir);
	if (file_write(s->file, s->list, COUNT * sizeof(*s->list), &err) ||
	    import_addresses(s->file, ADDRESS_U64, UINT64_MAX, s->dir, &err) ||
	    recording_open(&s->recording, s->dir, &err) ||
	    gpu_load(&s->gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, &err))
		fail(err.msg);
	unlink(s->file);
	s->gpu.l1_index.kind = GPU_L1_INDEX_MODULO;
	s->gpu.latency = GPU_LATENCY_OFF;
	printf("%s: %.3f bytes an address on disk\n", s->name,
	       (double)s->recording->launches[0].totals.file_bytes / COUNT);
}

static void close_subject(struct subject *s)
{
	recording_close(s->recording);
	recording_dir_remove(s->dir, NULL);
	free(s->list);
}

int main(int argc, char **argv)
{
	struct subject subjects[] = { { .name = "seq20" }, { .name = "mm20" } };
	size_t rounds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 5;
	char folder[] = "/tmp/cache-speed-XXXXXX";

	if (!rounds || rounds > MAX_ROUNDS)
		fail("expected a number of rounds, 1..99");
	if (!mkdtemp(folder))
		fail("no folder under /tmp");
	for (size_t i = 0; i < 2; i++)
		open_subject(&subjects[i], folder);
	puts("| list | what | CPU seconds | M requests/s | ratio to plain loops |\n"
	     "| --- | --- | ---: | ---: | ---: |");
	for (size_t i = 0; i < 2; i++) {
		check_goldens(&subjects[i]);
		measure(&subjects[i], rounds);
		close_subject(&subjects[i]);
	}
	rmdir(folder);
	return 0;
}
