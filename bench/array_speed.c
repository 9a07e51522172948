/* SPDX-License-Identifier: Apache-2.0 */
/*
 * array_speed [ROUNDS] - how many reads a second the tags of a cache take (cache_array), by policy
 * and geometry, beside a plain loop that does LRU alone; and that 20 million of two lists miss as
 * often as in other simulators, by LRU and by FIFO.
 */
#include "address_lists.h"
#include "cache_array.h"
#include "err.h"
#include "set_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 20000000, LINE_SHIFT = 7, MAX_ROUNDS = 99 };

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "array_speed: %s\n", what);
	exit(1);
}

struct run {
	const char *list;
	const uint64_t *addresses;
	uint32_t sets, ways, index;
	struct gpu_spec policy;
	uint64_t misses; /* what others count; 0: nobody did */
};

/* Reads of the list; the lines that missed go to `missed` when it is not NULL. */
#define REPLACEMENT(NAME, word, text)                                                              \
	static uint64_t play_##NAME(struct cache_array *a, const struct set_index *index,          \
	                            const uint64_t *list, size_t count, uint64_t *missed)          \
	{                                                                                          \
		uint64_t misses = 0;                                                               \
                                                                                                   \
		for (size_t i = 0; i < count; i++) {                                               \
			uint64_t line = list[i] >> LINE_SHIFT;                                     \
			uint32_t set = set_index_find(index, line);                                \
			uint32_t slot = cache_array_find(a, set, line);                            \
                                                                                                   \
			if (slot != CACHE_ARRAY_NONE) {                                            \
				cache_array_use_as(a, slot, GPU_POLICY_##NAME);                    \
				continue;                                                          \
			}                                                                          \
			slot = cache_array_victim_as(a, set, GPU_POLICY_##NAME);                   \
			cache_array_put_as(a, slot, line, GPU_POLICY_##NAME);                      \
			if (missed)                                                                \
				missed[misses] = list[i];                                          \
			misses++;                                                                  \
		}                                                                                  \
		return misses;                                                                     \
	}
#include "replacement.def"
#undef REPLACEMENT

typedef uint64_t play_fn(struct cache_array *a, const struct set_index *index, const uint64_t *list,
                         size_t count, uint64_t *missed);

static const struct {
	const char *word;
	play_fn *play;
} policies[] = {
#define REPLACEMENT(NAME, word, text) [GPU_POLICY_##NAME] = { (word), play_##NAME },
#include "replacement.def"
#undef REPLACEMENT
};

static uint64_t play(const struct run *r, size_t count, uint64_t *missed)
{
	const struct gpu_spec function = { .kind = r->index };
	const struct cache_array_setup setup = { r->sets, r->ways, &r->policy, 0 };
	struct set_index index;
	struct cache_array a;
	struct err err = { 0 };
	uint64_t misses;

	if (set_index_init_for(&index, &function, r->sets, 128, "l1", &err) ||
	    cache_array_init(&a, &setup, &err))
		fail(err.msg);
	misses = policies[r->policy.kind].play(&a, &index, r->addresses, count, missed);
	cache_array_release(&a);
	return misses;
}

/* Sets of ways with a line and a time each, the latest first: LRU by moving. */
static uint64_t play_plain(const struct run *r)
{
	struct way {
		uint64_t key, ready;
	} *ways = calloc((size_t)r->sets * r->ways, sizeof(*ways));
	uint64_t misses = 0;

	if (!ways)
		fail("out of memory");
	for (size_t i = 0; i < COUNT; i++) {
		uint64_t line = r->addresses[i] >> LINE_SHIFT;
		struct way *set = ways + line % r->sets * r->ways, first = { line + 1, i };
		uint32_t at = 0;

		while (at < r->ways && set[at].key != first.key)
			at++;
		misses += at == r->ways;
		at -= at == r->ways;
		for (; at; at--)
			set[at] = set[at - 1];
		set[0] = first;
	}
	free(ways);
	return misses;
}

static void check(const struct run *r, uint64_t misses)
{
	if (!r->misses || misses == r->misses)
		return;
	fprintf(stderr, "array_speed: %s: %ux%u %s: %" PRIu64 " misses, expected %" PRIu64 "\n",
	        r->list, r->sets, r->ways, policies[r->policy.kind].word, misses, r->misses);
	exit(1);
}

/* Dinero IV, drcachesim and others; the last two rows lie behind the first. */
static void check_goldens(const char *list, const uint64_t *addresses)
{
	enum { MODULO = GPU_L1_INDEX_MODULO, FERMI = GPU_L1_INDEX_FERMI };
	enum { LRU = GPU_POLICY_LRU, FIFO = GPU_POLICY_FIFO };
	const struct run runs[] = {
		{ "seq20", NULL, 32, 4, MODULO, { .kind = LRU }, 13347567 },
		{ "seq20", NULL, 32, 4, FERMI, { .kind = LRU }, 13322789 },
		{ "seq20", NULL, 64, 6, MODULO, { .kind = LRU }, 12805902 },
		{ "seq20", NULL, 64, 6, FERMI, { .kind = LRU }, 12810729 },
		{ "seq20", NULL, 1, 128, MODULO, { .kind = LRU }, 13082169 },
		{ "seq20", NULL, 32, 4, MODULO, { .kind = FIFO }, 13410618 },
		{ "seq20", NULL, 64, 6, MODULO, { .kind = FIFO }, 12940661 },
		{ "mm20", NULL, 32, 4, MODULO, { .kind = LRU }, 6679694 },
		{ "mm20", NULL, 64, 6, FERMI, { .kind = LRU }, 6679694 },
		{ "mm20", NULL, 1, 128, MODULO, { .kind = LRU }, 6679694 },
		{ "mm20", NULL, 32, 4, MODULO, { .kind = FIFO }, 6809902 },
		{ "mm20", NULL, 64, 6, MODULO, { .kind = FIFO }, 6705736 },
	};
	struct run above = { list, addresses, 32, 4, MODULO, { .kind = LRU }, 0 };
	struct run behind = {
		list, NULL, 512, 16, MODULO, { .kind = LRU }, *list == 's' ? 11917192 : 6679694
	};
	uint64_t *missed = malloc(COUNT * sizeof(*missed));

	if (!missed)
		fail("out of memory");
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct run r = runs[i];

		r.addresses = addresses;
		if (!strcmp(r.list, list))
			check(&r, play(&r, COUNT, NULL));
	}
	behind.addresses = missed;
	check(&behind, play(&behind, play(&above, COUNT, missed), NULL));
	free(missed);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The median of `rounds` times; the plain loop when `is_plain`. */
static double median_s(const struct run *r, bool is_plain, size_t rounds)
{
	double seconds[MAX_ROUNDS];

	for (size_t i = 0; i < rounds; i++) {
		double begin = now_s();

		if (is_plain)
			check(r, play_plain(r));
		else
			check(r, play(r, COUNT, NULL));
		seconds[i] = now_s() - begin;
	}
	qsort(seconds, rounds, sizeof(seconds[0]), by_size);
	return seconds[rounds / 2];
}

static void measure(const char *list, const uint64_t *addresses, size_t rounds)
{
	static const uint32_t shapes[][2] = { { 32, 4 }, { 64, 6 },  { 32, 16 }, { 4, 32 },
		                              { 4, 96 }, { 4, 256 }, { 1, 1024 } };

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct run r = { list, addresses, shapes[i][0], shapes[i][1], 0, { 0 }, 0 };

		printf("| %s | %ux%u | %.0f |", list, r.sets, r.ways,
		       COUNT / 1e6 / median_s(&r, true, rounds));
		for (uint32_t kind = 0; kind < sizeof(policies) / sizeof(policies[0]); kind++) {
			r.policy = (struct gpu_spec){ .kind = kind };
			for (uint32_t k = 0; kind == GPU_POLICY_WAYS && k < r.ways; k++)
				r.policy.list[k % GPU_SPEC_MAX] = 1;
			r.policy.count = kind == GPU_POLICY_WAYS ? r.ways : 0;
			if (r.policy.count > GPU_SPEC_MAX)
				printf(" |");
			else
				printf(" %.0f |", COUNT / 1e6 / median_s(&r, false, rounds));
			(void)fflush(stdout);
		}
		puts("");
	}
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 3;
	uint64_t *addresses = malloc(COUNT * sizeof(*addresses));

	if (!rounds || rounds > MAX_ROUNDS)
		fail("expected a number of rounds, 1..99");
	if (!addresses)
		fail("out of memory");
	printf("| list | sets x ways | plain LRU |");
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
		printf(" %s |", policies[i].word);
	puts("");
	address_list_matrix(addresses, COUNT);
	check_goldens("mm20", addresses);
	measure("mm20", addresses, rounds);
	if (!address_list_mixed(addresses, COUNT))
		fail("out of memory");
	check_goldens("seq20", addresses);
	measure("seq20", addresses, rounds);
	free(addresses);
	return 0;
}
