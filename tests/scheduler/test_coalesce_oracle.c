/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescing against its definition, byte by byte, over random lanes, widths and addresses. */
#include "cmocka_all.h"

#include "coalesce.h"
#include "gpu.h"
#include "pattern_set.h"
#include "random.h"
#include "random_cases.h"
#include "recording.h"
#include "warp_former.h"

#include <string.h>

enum { STEPS = RANDOM_CASES(4000), REQUESTS = 4096, LINE_MAX = 256 };

/* A request as the definition gives it. */
struct expected {
	uint64_t line;
	uint32_t part, lanes, last_lane;
	int32_t buffer;
	bool used[LINE_MAX];
};

static struct expected expected[REQUESTS];
static uint32_t expected_count;
static uint64_t expected_unmapped;

/* The most lanes, of a power of two or not, whose bytes fill `bytes_of_part`; one if none do. */
static uint32_t lanes_that_fit(uint32_t bytes, uint32_t bytes_of_part)
{
	for (uint32_t lanes = 128; lanes > 1; lanes--)
		if (lanes * bytes <= bytes_of_part)
			return lanes;
	return 1;
}

/* What scheduler/coalesce.h says of each GPU. */
static uint32_t lanes_of_a_part(const struct gpu *gpu, uint32_t bytes)
{
	switch (gpu->coalescing) {
	case GPU_COALESCING_VOLTA:
		return bytes <= 128 ? 128 : 1;
	case GPU_COALESCING_MAXWELL:
		return bytes <= 4 ? 8 : lanes_that_fit(bytes, 32);
	default:
		return bytes <= 4 ? 128 : lanes_that_fit(bytes, 128);
	}
}

static void touch(uint64_t address, uint32_t part, uint32_t lane, int32_t buffer,
                  uint32_t line_bytes)
{
	uint64_t line = address / line_bytes * line_bytes;
	uint32_t i = 0;

	while (i < expected_count && (expected[i].part != part || expected[i].line != line))
		i++;
	if (i == expected_count) {
		assert_true(i < REQUESTS);
		expected[expected_count++] = (struct expected){
			.line = line, .part = part, .last_lane = UINT32_MAX, .buffer = buffer
		};
	}
	expected[i].lanes += expected[i].last_lane != lane;
	expected[i].last_lane = lane;
	expected[i].used[address % line_bytes] = true;
}

static uint64_t size_of(const struct warp_step *s, uint32_t i)
{
	return s->is_mixed ? s->sizes[i] : s->bytes;
}

static void by_definition(const struct gpu *gpu, const struct address_map *map,
                          const struct warp_step *s)
{
	uint32_t lanes = lanes_of_a_part(gpu, s->bytes);

	expected_count = 0;
	for (uint32_t i = 0; i < s->lane_count; i++) {
		const struct address_range range = address_map_range(map, s->address[i]);
		uint64_t address = s->address[i] + range.delta;
		int32_t buffer = range.buffer;

		if (map && buffer < 0)
			expected_unmapped++;
		for (uint64_t b = 0; b < size_of(s, i); b++)
			touch(address + b, s->lane[i] / lanes, i, buffer, gpu->l1_line_bytes);
	}
}

/* Lanes, widths and addresses of many kinds. */
static struct warp_step random_step(struct random *r, uint32_t warp_lanes)
{
	static const uint32_t widths[] = { 1, 2, 4, 4, 4, 8, 8, 16, 3, 12, 24, 32, 64, 128, 200 };
	static const uint64_t strides[] = { 0, 1, 4, 8, 12, 16, 64, 128, 132, 4096 };
	struct warp_step s = { .bytes = widths[random_below(r, 15)] };
	uint64_t base = 0x10000 + random_below(r, 512), stride = strides[random_below(r, 10)];
	uint32_t kind = random_below(r, 4), density = 1 + random_below(r, 4);

	for (uint32_t lane = 0; lane < warp_lanes; lane++) {
		if (density < 4 && random_below(r, 4) >= density)
			continue;
		s.lane[s.lane_count] = (uint8_t)lane;
		s.address[s.lane_count++] = kind == 0   ? base + random_below(r, 600)
		                            : kind == 1 ? base + random_below(r, 60000)
		                            : kind == 2 ? base + (lane & 15) * stride
		                                        : base + lane * stride;
	}
	if (random_below(r, 4) == 0) {
		s.is_mixed = true;
		for (uint32_t i = 0; i < s.lane_count; i++)
			s.sizes[i] = random_below(r, s.bytes + 1);
		if (s.lane_count)
			s.sizes[random_below(r, s.lane_count)] = s.bytes;
	}
	return s;
}

/* If the coalescer says that the bytes are one piece, they are that one. */
static void check_piece(uint32_t piece, const bool *used, uint32_t line_bytes)
{
	uint32_t from = 0, count = 0;

	while (!used[from])
		from++;
	for (uint32_t b = 0; b < line_bytes; b++)
		count += used[b];
	if (piece)
		assert_int_equal(piece, pattern_piece(from, count));
}

static void compare(struct coalescer *c, const struct gpu *gpu)
{
	const struct line_use *uses = c->uses.data;

	assert_int_equal(c->uses.count, expected_count);
	for (uint32_t i = 0; i < expected_count; i++) {
		assert_int_equal(uses[i].line, expected[i].line);
		assert_int_equal(uses[i].lanes, expected[i].lanes);
		assert_int_equal(uses[i].buffer, expected[i].buffer);
		check_piece(uses[i].piece, expected[i].used, gpu->l1_line_bytes);
		for (uint32_t b = 0; b < gpu->l1_line_bytes; b++)
			assert_int_equal(coalescer_mask(c, i)[b / 64] >> b % 64 & 1,
			                 expected[i].used[b]);
	}
}

static const struct gpu gpus[] = {
	{ .coalescing = GPU_COALESCING_FERMI, .l1_line_bytes = 128, .warp_lanes = 32 },
	{ .coalescing = GPU_COALESCING_FERMI, .l1_line_bytes = 32, .warp_lanes = 64 },
	{ .coalescing = GPU_COALESCING_FERMI, .l1_line_bytes = 256, .warp_lanes = 128 },
	{ .coalescing = GPU_COALESCING_VOLTA, .l1_line_bytes = 128, .warp_lanes = 32 },
	{ .coalescing = GPU_COALESCING_VOLTA, .l1_line_bytes = 64, .warp_lanes = 64 },
	{ .coalescing = GPU_COALESCING_VOLTA, .l1_line_bytes = 32, .warp_lanes = 128 },
	{ .coalescing = GPU_COALESCING_MAXWELL, .l1_line_bytes = 128, .warp_lanes = 32 },
	{ .coalescing = GPU_COALESCING_MAXWELL, .l1_line_bytes = 32, .warp_lanes = 128 },
};

static void play(const struct address_map *map)
{
	struct random r = { 20240607 };

	for (size_t g = 0; g < sizeof(gpus) / sizeof(gpus[0]); g++) {
		struct coalescer c;

		coalescer_init(&c, &gpus[g], map);
		expected_unmapped = 0;
		for (int i = 0; i < STEPS; i++) {
			struct warp_step s = random_step(&r, gpus[g].warp_lanes);

			by_definition(&gpus[g], map, &s);
			assert_int_equal(coalesce(&c, &s, NULL), 0);
			compare(&c, &gpus[g]);
		}
		assert_int_equal(c.unmapped_lanes, expected_unmapped);
		coalescer_release(&c);
	}
}

static void random_accesses_are_split_as_defined(void **state)
{
	(void)state;
	play(NULL);
}

/* Small buffers side by side in recorded memory, some with gaps between, apart in the replay. */
static void random_accesses_over_many_buffers_are_split_as_defined(void **state)
{
	enum { BUFFERS = 40 };
	struct recorded_buffer buffers[BUFFERS];
	struct recorded_argument arguments[BUFFERS];
	struct recorded_launch launch = { .arguments = arguments, .argument_count = BUFFERS };
	struct recording recording = {
		.buffers = buffers, .buffer_count = BUFFERS, .launches = &launch, .launch_count = 1
	};
	struct random r = { 7 };
	struct address_map *map;
	uint64_t at = 0x10000;

	(void)state;
	for (uint32_t i = 0; i < BUFFERS; i++) {
		buffers[i] = (struct recorded_buffer){ .bytes = 1 + random_below(&r, 100),
			                               .parent = -1 };
		arguments[i] = (struct recorded_argument){ i, BUFFERS - 1 - i, 0 };
	}
	for (uint32_t i = 0; i < BUFFERS; i++) {
		arguments[i].address = at;
		at += buffers[BUFFERS - 1 - i].bytes + (i % 3 ? 0 : random_below(&r, 50));
	}
	assert_int_equal(address_map_create(&map, &recording, 0, NULL), 0);
	play(map);
	address_map_free(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_accesses_are_split_as_defined),
		cmocka_unit_test(random_accesses_over_many_buffers_are_split_as_defined),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
