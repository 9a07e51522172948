/* SPDX-License-Identifier: Apache-2.0 */
/* The L1 against its definition: arrays of what happened, searched from end to end. */
#include "cmocka_all.h"

#include "l1_play.h"

#include <inttypes.h>

enum { STEPS = 2500, MAX_LINES = 256 };

/* A line that is in the cache. */
struct resident {
	uint64_t line;
	size_t read_step; /* last read */
	uint64_t ready_cycles;
	bool is_used;
};

/* A line that left, and why. */
struct departure {
	uint64_t line;
	bool is_by_write;
};

struct oracle {
	const struct gpu *gpu;
	struct l1_step steps[STEPS]; /* all that happened */
	size_t step_count;
	struct resident resident[MAX_LINES]; /* in no order */
	struct departure departures[STEPS];
	size_t departure_count;
	uint64_t evictions;
};

/* SEMANTICS 5, bit by bit from the address. */
static uint64_t oracle_set(const struct gpu *gpu, uint64_t line)
{
	static const uint32_t partners[] = { 13, 14, 15, 17, 19 };
	uint64_t address = line * 128, set = 0;
	uint32_t bits = 0;

	if (gpu->l1_index.kind == GPU_L1_INDEX_MODULO)
		return line - line / gpu->l1_sets * gpu->l1_sets;
	while (1u << bits < gpu->l1_sets)
		bits++;
	for (uint32_t i = 0; i < bits; i++) {
		uint32_t partner =
			gpu->l1_index.kind == GPU_L1_INDEX_XOR ? 7 + bits + i : partners[i % 5];
		uint64_t bit = address >> (7 + i) & 1;

		if (gpu->l1_index.kind == GPU_L1_INDEX_XOR || i < 5)
			bit ^= address >> partner & 1;
		set |= bit << i;
	}
	return set;
}

static struct resident *oracle_find(struct oracle *o, uint64_t line)
{
	for (size_t i = 0; i < MAX_LINES; i++)
		if (o->resident[i].is_used && o->resident[i].line == line)
			return &o->resident[i];
	return NULL;
}

static void oracle_depart(struct oracle *o, struct resident *r, bool is_by_write)
{
	o->departures[o->departure_count++] = (struct departure){ r->line, is_by_write };
	r->is_used = false;
}

/* Bring a line in: when its set is full, the line of that set whose last read is longest ago goes.
 */
static void oracle_fill(struct oracle *o, struct resident fill)
{
	uint64_t set = oracle_set(o->gpu, fill.line);
	struct resident *oldest = NULL;
	uint32_t held = 0;
	size_t i;

	for (i = 0; i < MAX_LINES; i++) {
		struct resident *r = &o->resident[i];

		if (!r->is_used || oracle_set(o->gpu, r->line) != set)
			continue;
		held++;
		if (!oldest || r->read_step < oldest->read_step)
			oldest = r;
	}
	if (held == o->gpu->l1_ways) {
		oracle_depart(o, oldest, false);
		o->evictions++;
	}
	for (i = 0; o->resident[i].is_used;)
		i++;
	o->resident[i] = fill;
}

/* Distinct other lines read since the last read of `line`; UINT64_MAX when it never was. */
static uint64_t oracle_distance(const struct oracle *o, uint64_t line)
{
	uint64_t others[STEPS];
	uint64_t count = 0;

	for (size_t t = o->step_count; t-- > 0;) {
		bool is_known = o->steps[t].kind != 'r';

		if (o->steps[t].kind == 'r' && o->steps[t].line == line)
			return count;
		for (uint64_t i = 0; i < count && !is_known; i++)
			is_known = others[i] == o->steps[t].line;
		if (!is_known)
			others[count++] = o->steps[t].line;
	}
	return UINT64_MAX;
}

static char oracle_class(const struct oracle *o, uint64_t line)
{
	uint64_t distance = oracle_distance(o, line);

	if (distance == UINT64_MAX)
		return 'C';
	for (size_t i = o->departure_count; i-- > 0;) {
		if (o->departures[i].line != line)
			continue;
		if (o->departures[i].is_by_write)
			return 'X';
		break;
	}
	return distance >= (uint64_t)o->gpu->l1_sets * o->gpu->l1_ways ? 'K' : 'F';
}

static struct l1_played oracle_read(struct oracle *o, struct l1_step step)
{
	struct resident *r = oracle_find(o, step.line);
	uint64_t soonest = step.now_cycles + o->gpu->l1_hit_cycles;
	struct l1_played outcome = { 'h', soonest };

	if (!r) {
		outcome.letter = oracle_class(o, step.line);
		outcome.ready_cycles = soonest + o->gpu->l2_cycles;
		oracle_fill(o, (struct resident){ step.line, o->step_count, outcome.ready_cycles,
		                                  true });
		return outcome;
	}
	r->read_step = o->step_count;
	if (step.now_cycles < r->ready_cycles) {
		outcome.letter = 'p';
		if (r->ready_cycles > soonest)
			outcome.ready_cycles = r->ready_cycles;
	}
	return outcome;
}

static struct l1_played oracle_change(struct oracle *o, struct l1_step step)
{
	struct resident *r = oracle_find(o, step.line);
	struct l1_played outcome = { r ? 'W' : 'w', step.now_cycles };

	if (r && (step.kind == 'a' || o->gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT))
		oracle_depart(o, r, true);
	if (step.kind == 'a')
		outcome = (struct l1_played){ 'a', step.now_cycles + o->gpu->l1_hit_cycles +
			                                   o->gpu->l2_cycles };
	return outcome;
}

static struct l1_played oracle_play(struct oracle *o, struct l1_step step)
{
	struct l1_played outcome = step.kind == 'r' ? oracle_read(o, step) : oracle_change(o, step);

	o->steps[o->step_count++] = step;
	return outcome;
}

/* `kinds`: one of its letters at random; lines below `lines`, times `stride` for half of them. */
struct stream {
	uint32_t sets, ways;
	enum gpu_l1_index index;
	enum gpu_l1_write write;
	const char *kinds;
	uint64_t lines, stride;
	uint64_t max_step_cycles;
};

#define MODULO GPU_L1_INDEX_MODULO
#define FERMI  GPU_L1_INDEX_FERMI
#define XOR    GPU_L1_INDEX_XOR
#define EVICT  GPU_L1_WRITE_THROUGH_EVICT
#define UPDATE GPU_L1_WRITE_THROUGH_UPDATE

static const struct stream streams[] = {
	{ 4, 2, MODULO, EVICT, "r", 16, 1, 1000 },
	{ 4, 2, MODULO, EVICT, "r", 16, 1, 20 },
	{ 4, 2, MODULO, EVICT, "rrrrw", 20, 4, 20 },
	{ 4, 2, MODULO, UPDATE, "rrrrw", 20, 4, 20 },
	{ 1, 8, MODULO, EVICT, "rrrrrrwa", 14, 1, 30 },
	{ 1, 8, MODULO, UPDATE, "rrrrrrwa", 14, 1, 30 },
	{ 1, 1, MODULO, EVICT, "rrwa", 3, 1, 60 },
	{ 3, 2, MODULO, EVICT, "rrrrrw", 18, 3, 20 },
	{ 7, 3, MODULO, UPDATE, "rrrrrwa", 40, 7, 20 },
	{ 13, 1, MODULO, EVICT, "rrrrrrw", 30, 13, 20 },
	{ 8, 1, XOR, EVICT, "rrrrrrwa", 20, 8, 20 },
	{ 16, 2, XOR, UPDATE, "rrrrrrwa", 60, 16, 20 },
	{ 1, 4, XOR, EVICT, "rrrrw", 9, 1, 20 },
	{ 32, 2, FERMI, EVICT, "rrrrrrwa", 120, 64, 20 },
	{ 32, 4, FERMI, UPDATE, "rrrrrrrw", 200, 33, 20 },
	{ 64, 1, FERMI, EVICT, "rrrrrrwa", 120, 32, 20 },
};

static struct gpu stream_gpu(const struct stream *s)
{
	return (struct gpu){
		.l1_sets = s->sets,
		.l1_ways = s->ways,
		.l1_line_bytes = 128,
		.l1_index.kind = s->index,
		.l1_write = s->write,
		.l1_hit_cycles = 7,
		.l2_cycles = 60,
	};
}

static struct l1_step stream_next(const struct stream *s, uint64_t *random, uint64_t *now_cycles)
{
	struct l1_step step = { .kind = s->kinds[random_below(random, strlen(s->kinds))] };

	step.line = random_below(random, s->lines);
	if (random_below(random, 2))
		step.line *= s->stride;
	*now_cycles += random_below(random, s->max_step_cycles);
	step.now_cycles = *now_cycles;
	return step;
}

static void play_stream(const struct stream *s, uint64_t seed)
{
	static struct oracle o;
	const struct gpu gpu = stream_gpu(s);
	struct l1 *l1 = l1_of(&gpu);
	struct counters counters = { 0 };
	uint64_t random = seed, now_cycles = 0;

	o = (struct oracle){ .gpu = &gpu };
	for (size_t t = 0; t < STEPS; t++) {
		struct l1_step step = stream_next(s, &random, &now_cycles);
		struct l1_played want = oracle_play(&o, step);
		struct l1_played got = l1_play(l1, &gpu, step, &counters);

		if (got.letter != want.letter || got.ready_cycles != want.ready_cycles)
			fail_msg("step %zu: %c%" PRIu64 ": %c at %" PRIu64
			         ", expected %c at %" PRIu64,
			         t, step.kind, step.line, got.letter, got.ready_cycles, want.letter,
			         want.ready_cycles);
	}
	assert_int_equal(counters.evictions, o.evictions);
	assert_int_equal(counters.reads + counters.writes + counters.atomics, STEPS);
	l1_free(l1);
}

static void every_outcome_is_that_of_the_definition(void **state)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			print_message("stream %zu, seed %" PRIu64 "\n", i, seed);
			play_stream(&streams[i], seed);
		}
}

/*
 * Mattson's stack, which knows of no fills and no order in sets: without writes a read finds its
 * line exactly when fewer than `ways` other lines of its set were read since.
 */
static bool mattson_finds(const uint64_t *lines, size_t now, const struct gpu *gpu)
{
	uint32_t others = 0;

	for (size_t t = now; t-- > 0;) {
		bool is_counted = oracle_set(gpu, lines[t]) != oracle_set(gpu, lines[now]);

		if (lines[t] == lines[now])
			return others < gpu->l1_ways;
		for (size_t later = t + 1; later < now && !is_counted; later++)
			is_counted = lines[later] == lines[t];
		others += !is_counted;
	}
	return false;
}

static void without_writes_it_is_mattsons_stack(void **state)
{
	static uint64_t lines[STEPS];

	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		const struct stream *s = &streams[i];
		const struct gpu gpu = stream_gpu(s);
		struct l1 *l1 = l1_of(&gpu);
		struct counters counters = { 0 };
		uint64_t random = 99 + i, now_cycles = 0;

		print_message("stream %zu, seed %" PRIu64 "\n", i, random);
		for (size_t t = 0; t < STEPS; t++) {
			struct l1_step step = stream_next(s, &random, &now_cycles);
			char got;

			step.kind = 'r';
			lines[t] = step.line;
			got = l1_play(l1, &gpu, step, &counters).letter;
			assert_int_equal(got == 'h' || got == 'p', mattson_finds(lines, t, &gpu));
		}
		l1_free(l1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_outcome_is_that_of_the_definition),
		cmocka_unit_test(without_writes_it_is_mattsons_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
