/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns are what their definition says, lane by lane and byte by byte. */
#include "access_pattern.h"

#include "cmocka_all.h"
#include "err.h"
#include "gpu.h"
#include "kernel_table.h"
#include "launch_shape.h"
#include "random.h"
#include "warp_former.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 3, STEPS = 12, WARPS = 4, GROUPS = 5, ROUNDS = 40, LINE = 128 };

static uint64_t sector_bytes; /* of the GPU at work; lines where it has none */
static const char *const gpus[] = { "gtx480", "gtx750ti", "v100" };

/* Bytes of each site's accesses. */
static struct site sites[SITES] = { { .kind = SITE_READ, .bytes = 4 },
	                            { .kind = SITE_READ, .bytes = 8 },
	                            { .kind = SITE_WRITE, .bytes = 16 } };
static const struct kernel_table table = { .sites = sites, .site_count = SITES };
static const struct launch_shape shape = { 1, { 32, 1, 1 }, { 32, 1, 1 }, { 0 } };

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* How many different numbers there are; they come in order. */
static uint64_t count_distinct(uint64_t *numbers, size_t count)
{
	uint64_t distinct = 0;

	qsort(numbers, count, sizeof(*numbers), compare_numbers);
	for (size_t i = 0; i < count; i++)
		distinct += !i || numbers[i] != numbers[i - 1];
	return distinct;
}

/* Lanes that the GPU serves together: coalesce.h's table. */
static uint32_t part_lanes(const struct gpu *gpu, uint32_t bytes)
{
	if (gpu->coalescing == GPU_COALESCING_VOLTA)
		return 32;
	if (gpu->coalescing == GPU_COALESCING_FERMI)
		return bytes <= 4 ? 32 : 128 / bytes;
	return bytes <= 4 ? 8 : 32 / bytes;
}

/* Sectors beyond the least of the bytes that lie in lines[0..count - 1], if they lie close; else
 * UINT64_MAX. */
static uint64_t close_of(const uint64_t *bytes, size_t byte_count, const uint64_t *lines,
                         size_t count)
{
	uint64_t numbers[32 * 16], sectors[32 * 16], distinct;
	size_t of_row = 0;

	for (size_t i = 0; i < byte_count; i++)
		for (size_t k = 0; k < count; k++)
			if (bytes[i] / LINE == lines[k]) {
				sectors[of_row] = bytes[i] / sector_bytes;
				numbers[of_row++] = bytes[i];
				break;
			}
	distinct = count_distinct(numbers, of_row);
	if (numbers[of_row - 1] - numbers[0] >= distinct * 7 / 4)
		return UINT64_MAX;
	return count_distinct(sectors, of_row) - (distinct + sector_bytes - 1) / sector_bytes;
}

/* The same of all lanes or, if they do not lie close, of their rows: lines, in the order in which
 * lanes come to them, of which each is a neighbour of the one before. */
static uint64_t close_sectors(const uint64_t *bytes, size_t byte_count)
{
	uint64_t lines[32 * 16], sum;
	size_t count = 0, from = 0;

	for (size_t i = 0; i < byte_count; i++) {
		size_t k = 0;

		while (k < count && lines[k] != bytes[i] / LINE)
			k++;
		if (k == count)
			lines[count++] = bytes[i] / LINE;
	}
	sum = close_of(bytes, byte_count, lines, count);
	if (sum != UINT64_MAX)
		return sum;
	sum = 0;
	for (size_t i = 1; i <= count; i++) {
		uint64_t row;

		if (i < count && (lines[i] == lines[i - 1] + 1 || lines[i] + 1 == lines[i - 1]))
			continue;
		row = close_of(bytes, byte_count, lines + from, i - from);
		sum += row == UINT64_MAX ? 0 : row;
		from = i;
	}
	return sum;
}

static void add_part(struct access_pattern *s, const uint64_t *address, uint32_t lanes,
                     uint32_t bytes, uint64_t times)
{
	uint64_t numbers[32 * 16], lines[32 * 16], sectors[32 * 16], distinct, requests, least;
	uint64_t moved, least_moved;
	size_t count = 0;

	for (uint32_t i = 0; i < lanes; i++)
		for (uint32_t b = 0; b < bytes; b++, count++) {
			numbers[count] = address[i] + b;
			lines[count] = (address[i] + b) / LINE;
			sectors[count] = (address[i] + b) / sector_bytes;
		}
	if (!count)
		return;
	s->close_sectors += times * close_sectors(numbers, count);
	distinct = count_distinct(numbers, count);
	requests = count_distinct(lines, count);
	least = (distinct + LINE - 1) / LINE;
	moved = count_distinct(sectors, count);
	least_moved = (distinct + sector_bytes - 1) / sector_bytes;
	s->requests += times * requests;
	s->requests_least += times * least;
	s->sectors += times * moved;
	s->sectors_least += times * least_moved;
	if (numbers[count - 1] - numbers[0] + 1 == distinct)
		s->misaligned_requests += times * (requests - least);
}

/* Lanes 0 to n - 1 alone, of n = 1, 2, 4, ... 32. */
static bool is_sum_by_halves(const struct warp_step *step)
{
	bool is_power = false;

	for (uint32_t n = 1; n <= 32; n *= 2)
		is_power |= step->lane_count == n;
	for (uint32_t i = 0; i < step->lane_count; i++)
		if (step->lane[i] != i)
			return false;
	return is_power;
}

static void add_step(struct access_pattern *s, const struct gpu *gpu, const struct warp_step *step,
                     uint64_t times)
{
	uint32_t lanes = part_lanes(gpu, step->bytes);

	s->instructions += times;
	s->lanes += times * step->lane_count;
	s->lanes_possible += times * 32;
	s->idle_lanes += is_sum_by_halves(step) ? 0 : times * (32 - step->lane_count);
	for (uint32_t first = 0; first < 32; first += lanes) {
		uint64_t address[32];
		uint32_t count = 0;

		for (uint32_t i = 0; i < step->lane_count; i++)
			if (step->lane[i] >= first && step->lane[i] < first + lanes)
				address[count++] = step->address[i];
		add_part(s, address, count, step->bytes, times);
	}
}

/* The strides of a site in a group: at most 8 different ones, so that all are known exactly. */
struct strides {
	int64_t bytes[64];
	uint64_t pairs[64], all;
	size_t count;
};

static void add_strides(struct strides *s, const struct warp_step *step, uint64_t times)
{
	for (uint32_t i = 1; i < step->lane_count; i++) {
		int64_t stride = (int64_t)(step->address[i] - step->address[i - 1]);
		size_t k = 0;

		if (step->lane[i] != step->lane[i - 1] + 1)
			continue;
		while (k < s->count && s->bytes[k] != stride)
			k++;
		if (k == s->count)
			s->bytes[s->count++] = stride;
		s->pairs[k] += times;
		s->all += times;
	}
}

/* The group is over: its most frequent stride counts if half of the pairs have it. */
static void end_group(struct access_pattern *s, struct strides *group)
{
	size_t most = 0;

	for (size_t k = 1; k < group->count; k++)
		if (group->pairs[k] > group->pairs[most])
			most = k;
	s->pairs += group->all;
	if (group->all && 2 * group->pairs[most] > group->all)
		access_pattern_add_stride(s, group->bytes[most], group->pairs[most]);
	memset(group, 0, sizeof(*group));
}

/* Lanes of a warp that go `stride` bytes on from one to the next, with a jump somewhere. */
static void draw_step(struct random *r, struct warp_step *step, uint64_t last)
{
	static const int64_t strides[] = { 0, 4, 8, 16, -4, 128, 2048, 12 };
	int64_t stride = strides[random_below(r, 8)];
	uint64_t at = random_below(r, 4) ? 65536 + random_below(r, 4096) : last + 4;
	uint32_t jump = random_below(r, 64), skips = random_below(r, 4);

	step->site = random_below(r, SITES);
	step->bytes = sites[step->site].bytes;
	step->is_mixed = false;
	step->lane_count = 0;
	for (uint32_t lane = 0; lane < 32; lane++, at += (uint64_t)stride) {
		if (lane == jump)
			at += 1 << 20;
		if (!skips && random_below(r, 2))
			continue;
		step->lane[step->lane_count] = (uint16_t)lane;
		step->address[step->lane_count++] = at;
	}
}

struct oracle {
	struct access_pattern sites[SITES];
	struct strides groups[SITES];
	uint64_t last[SITES];
	bool is_known[SITES];
};

static void tell(struct oracle *o, const struct gpu *gpu, const struct warp_step *step,
                 uint64_t times)
{
	struct access_pattern *s = &o->sites[step->site];
	uint64_t last = o->last[step->site], here = step->address[0];
	uint64_t way = here > last ? here - last : last - here;

	add_step(s, gpu, step, times);
	add_strides(&o->groups[step->site], step, times);
	if (o->is_known[step->site]) {
		s->steps += times;
		s->slides += way && way < LINE ? times : 0;
	}
	o->is_known[step->site] = true;
	o->last[step->site] = here;
}

static void play_group(struct random *r, const struct gpu *gpu, struct access_patterns *p,
                       struct oracle *o)
{
	static struct warp_step step;
	struct coalescer c;

	coalescer_init(&c, gpu, NULL);
	for (int w = 0; w < WARPS; w++) {
		access_patterns_warp(p, 0, 0, 32);
		memset(o->is_known, 0, sizeof(o->is_known));
		for (int i = 0; i < STEPS; i++) {
			uint64_t times = 1 + random_below(r, 3);

			draw_step(r, &step, step.lane_count ? step.address[0] : 65536);
			if (!step.lane_count)
				continue;
			assert_int_equal(coalesce(&c, &step, NULL), 0);
			access_patterns_step(p, &step, &c, times);
			tell(o, gpu, &step, times);
		}
	}
	access_patterns_group_end(p);
	coalescer_release(&c);
	for (int i = 0; i < SITES; i++)
		end_group(&o->sites[i], &o->groups[i]);
}

/* Strides apart: what Misra and Gries keep of a group may be a ninth of its pairs too low. */
static void compare(const struct access_pattern *got, const struct access_pattern *expected)
{
	assert_memory_equal(got, expected, offsetof(struct access_pattern, strides));
	for (size_t i = 0; i < ACCESS_STRIDES; i++) {
		const struct access_stride *e = &expected->strides[i];
		uint64_t pairs = 0;

		for (size_t k = 0; e->pairs && k < ACCESS_STRIDES; k++)
			if (got->strides[k].pairs && got->strides[k].bytes == e->bytes)
				pairs = got->strides[k].pairs;
		assert_true(pairs <= e->pairs);
		if (e->pairs * 4 >= expected->pairs * 3) /* not at the edge of half */
			assert_true(pairs + expected->pairs / 9 >= e->pairs);
	}
}

static void patterns_are_those_of_the_definition(void **state)
{
	struct random r = { 4711 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct access_pattern sum[SITES] = { 0 };
		struct access_patterns *p = NULL;
		struct oracle o = { 0 };
		struct gpu gpu;
		char file[256];

		(void)snprintf(file, sizeof(file), SOURCE_DIR "/gpus/%s.conf", gpus[round % 3]);
		assert_int_equal(gpu_load(&gpu, file, NULL, NULL), 0);
		gpu.l1_line_bytes = LINE;
		gpu.l1_sector_bytes = round % 4 ? UINT32_C(16) << round % 4 : 0;
		sector_bytes = gpu.l1_sector_bytes ? gpu.l1_sector_bytes : LINE;
		assert_int_equal(access_patterns_create(&p, &gpu, &table, &shape, NULL), 0);
		for (int g = 0; g < GROUPS; g++)
			play_group(&r, &gpu, p, &o);
		access_patterns_sum(p, sum);
		for (int i = 0; i < SITES; i++)
			compare(&sum[i], &o.sites[i]);
		access_patterns_free(p);
	}
}

/* No part has a stride of a smaller amount than one that is kept, which is not kept itself. */
static void keeps_the_smallest(const struct access_pattern *sum, const struct access_pattern *parts,
                               size_t count)
{
	int64_t largest = 0;

	for (size_t k = 0; k < ACCESS_STRIDES; k++)
		if (llabs(sum->strides[k].bytes) > largest)
			largest = llabs(sum->strides[k].bytes);
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < ACCESS_STRIDES && parts[i].strides[n].pairs; n++) {
			bool is_kept = llabs(parts[i].strides[n].bytes) >= largest;

			for (size_t k = 0; k < ACCESS_STRIDES; k++)
				is_kept |= sum->strides[k].bytes == parts[i].strides[n].bytes;
			assert_true(is_kept);
		}
}

/* Sums keep the strides of the smallest amount, whatever came first. */
static void sums_do_not_depend_on_their_order(void **state)
{
	struct random r = { 5 };

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct access_pattern parts[6] = { 0 }, one = { 0 }, other = { 0 };

		for (int i = 0; i < 6; i++)
			for (int k = 0; k < 20; k++)
				access_pattern_add_stride(&parts[i],
				                          (int64_t)random_below(&r, 200) - 100,
				                          1 + random_below(&r, 9));
		for (int i = 0; i < 6; i++) {
			access_pattern_add(&one, &parts[i]);
			access_pattern_add(&other, &parts[5 - i]);
		}
		assert_memory_equal(&one, &other, sizeof(one));
		keeps_the_smallest(&one, parts, 6);
		for (int i = 1; i < ACCESS_STRIDES; i++)
			assert_true(one.strides[i - 1].pairs >= one.strides[i].pairs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_those_of_the_definition),
		cmocka_unit_test(sums_do_not_depend_on_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
