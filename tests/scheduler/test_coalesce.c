/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescing by hand: what each row's 32 lanes ask for, and the requests that hardware makes. */
#include "cmocka_all.h"

#include "coalesce.h"
#include "err.h"
#include "gpu.h"
#include "warp_former.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct gpu fermi = { .coalescing = GPU_COALESCING_FERMI, .l1_line_bytes = 128 };
static const struct gpu maxwell = { .coalescing = GPU_COALESCING_MAXWELL, .l1_line_bytes = 128 };
static const struct gpu volta = { .coalescing = GPU_COALESCING_VOLTA, .l1_line_bytes = 128 };

/* A step of `lanes` lanes, lane i at base + i * stride. */
static struct warp_step make_step(uint64_t base, uint64_t stride, uint32_t lanes, uint32_t bytes)
{
	struct warp_step s = { .lane_count = lanes, .bytes = bytes };

	for (uint32_t i = 0; i < lanes; i++) {
		s.lane[i] = (uint8_t)i;
		s.address[i] = base + i * stride;
	}
	return s;
}

struct row {
	const char *name;
	uint64_t base, stride;
	uint32_t bytes, requests, bytes_used, lanes, sectors;
};

static const struct row fermi_rows[] = {
	/* requests, the sums of their bytes, of their lanes and of their sectors */
	{ "consecutive floats", 1024, 4, 4, 1, 128, 32, 4 },
	{ "consecutive floats, 4 bytes off", 1028, 4, 4, 2, 128, 32, 5 },
	{ "consecutive floats, 2 bytes off: lane 31 has both lines", 1026, 4, 4, 2, 128, 33, 5 },
	{ "a stride of a line", 1024, 128, 4, 32, 128, 32, 32 },
	{ "every other float", 1024, 8, 4, 2, 128, 32, 8 },
	{ "one address", 1024, 0, 4, 1, 4, 32, 1 },
	{ "consecutive bytes", 1024, 1, 1, 1, 32, 32, 1 },
	{ "overlapping floats: 31 + 4 bytes", 1024, 1, 4, 1, 35, 32, 2 },
	/* two half-warps of 128 bytes */
	{ "consecutive doubles", 1024, 8, 8, 2, 256, 32, 8 },
	/* each half-warp has 120 bytes and 8 in the next line: 4 sectors and 1 */
	{ "consecutive doubles, 8 bytes off", 1032, 8, 8, 4, 256, 32, 10 },
	/* half-warps do not share a request, though they share the line */
	{ "one double", 1024, 0, 8, 2, 16, 32, 2 },
	/* four quarter-warps of 128 bytes */
	{ "consecutive float4", 1024, 16, 16, 4, 512, 32, 16 },
	{ "one float4", 1024, 0, 16, 4, 64, 32, 4 },
	/* 12 bytes: 10 lanes at a time, 120 bytes; 0..119 in one line, 120..239 in two, 240..359 in
	 * two (lane 21 has 252..263 and so both), 360..383 in one; sectors 0-3, 3, 4-7, 7, 8-11, 11
	 */
	{ "consecutive packed float3", 1024, 12, 12, 6, 384, 34, 15 },
	/* 64 bytes: two lanes at a time fill a line */
	{ "consecutive double8", 1024, 64, 64, 16, 2048, 32, 64 },
	{ "consecutive double16", 1024, 128, 128, 32, 4096, 32, 128 },
	/* a lane at a time, each in two lines of 128 and 72 bytes: 4 and 3 sectors */
	{ "structs of 200 bytes, 256 apart", 1024, 256, 200, 64, 6400, 64, 224 },
	{ "an access of no bytes", 1024, 4, 0, 0, 0, 0, 0 },
};

static const struct row maxwell_rows[] = {
	/* 8 lanes of 4 bytes at a time: 4 requests of a sector to one line */
	{ "consecutive floats", 1024, 4, 4, 4, 128, 32, 4 },
	/* each 8 lanes have 28 bytes of a sector and 4 of the next; the last of these is in line 2
	 */
	{ "consecutive floats, 4 bytes off", 1028, 4, 4, 5, 128, 32, 8 },
	{ "one address", 1024, 0, 4, 4, 16, 32, 4 },
	{ "a stride of a line", 1024, 128, 4, 32, 128, 32, 32 },
	/* 8 lanes whatever is below 4 bytes: 8 bytes each */
	{ "consecutive bytes", 1024, 1, 1, 4, 32, 32, 4 },
	/* 4 lanes of 8 bytes, 2 of 16: a sector each */
	{ "consecutive doubles", 1024, 8, 8, 8, 256, 32, 8 },
	{ "one double", 1024, 0, 8, 8, 64, 32, 8 },
	{ "consecutive float4", 1024, 16, 16, 16, 512, 32, 16 },
	/* 2 lanes of 12 bytes, 24 in all: of 16 times 24 bytes, 3 lines; 5 * 24 = 120, so the sixth
	 * pair has both lines; 10 * 24 = 240, so the eleventh has */
	{ "consecutive packed float3", 1024, 12, 12, 18, 384, 34, 24 },
	{ "consecutive double4", 1024, 32, 32, 32, 1024, 32, 32 },
	{ "structs of 200 bytes, 256 apart", 1024, 256, 200, 64, 6400, 64, 224 },
};

static const struct row volta_rows[] = {
	{ "consecutive floats", 1024, 4, 4, 1, 128, 32, 4 },
	{ "consecutive floats, 4 bytes off", 1028, 4, 4, 2, 128, 32, 5 },
	{ "a stride of a sector", 1024, 32, 4, 8, 128, 32, 32 },
	{ "consecutive doubles", 1024, 8, 8, 2, 256, 32, 8 },
	{ "consecutive doubles, 8 bytes off", 1032, 8, 8, 3, 256, 32, 9 },
	{ "one double", 1024, 0, 8, 1, 8, 32, 1 },
	{ "one float4", 1024, 0, 16, 1, 16, 32, 1 },
	{ "consecutive double16", 1024, 128, 128, 32, 4096, 32, 128 },
	/* a lane at a time */
	{ "one struct of 200 bytes", 1024, 0, 200, 64, 6400, 64, 224 },
};

static uint32_t count_bits(struct coalescer *c)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < c->uses.count; i++)
		for (uint32_t k = 0; k < c->mask_words; k++)
			bits += (uint32_t)__builtin_popcountll(coalescer_mask(c, i)[k]);
	return bits;
}

static uint32_t count_sectors(struct coalescer *c)
{
	uint32_t sectors = 0;

	for (size_t i = 0; i < c->uses.count; i++)
		for (uint32_t k = 0; k < c->mask_words * 2; k++)
			sectors += (uint32_t)(coalescer_mask(c, i)[k / 2] >> k % 2 * 32) != 0;
	return sectors;
}

static void check_rows(const struct gpu *gpu, const struct row *rows, size_t count)
{
	struct coalescer c;

	coalescer_init(&c, gpu, NULL);
	for (size_t i = 0; i < count; i++) {
		struct warp_step step = make_step(rows[i].base, rows[i].stride, 32, rows[i].bytes);
		const struct line_use *uses;
		uint32_t lanes = 0;

		print_message("  %s\n", rows[i].name);
		assert_int_equal(coalesce(&c, &step, NULL), 0);
		uses = c.uses.data;
		for (size_t k = 0; k < c.uses.count; k++)
			lanes += uses[k].lanes;
		assert_int_equal(c.uses.count, rows[i].requests);
		assert_int_equal(count_bits(&c), rows[i].bytes_used);
		assert_int_equal(count_sectors(&c), rows[i].sectors);
		assert_int_equal(lanes, rows[i].lanes);
	}
	coalescer_release(&c);
}

static void requests_are_as_derived_by_hand(void **state)
{
	(void)state;
	check_rows(&fermi, fermi_rows, COUNT(fermi_rows));
	check_rows(&maxwell, maxwell_rows, COUNT(maxwell_rows));
	check_rows(&volta, volta_rows, COUNT(volta_rows));
}

static void a_request_has_its_line_mask_and_lanes(void **state)
{
	/* lane 0 in the second line, lane 3 across both, lane 9 in the first */
	struct warp_step step = { .lane_count = 3,
		                  .bytes = 4,
		                  .lane = { 0, 3, 9 },
		                  .address = { 0x10f0, 0x107e, 0x1000 } };
	const struct line_use *uses;
	struct coalescer c;

	(void)state;
	coalescer_init(&c, &fermi, NULL);
	assert_int_equal(coalesce(&c, &step, NULL), 0);
	uses = c.uses.data;
	assert_int_equal(c.uses.count, 2);
	assert_int_equal(uses[0].line, 0x1080); /* of the first lane, though the higher line */
	assert_int_equal(uses[0].lanes, 2);
	assert_int_equal(coalescer_mask(&c, 0)[0], 0x3); /* bytes 0 and 1 of lane 3 */
	assert_int_equal(coalescer_mask(&c, 0)[1], UINT64_C(0xf) << (0x70 - 64));
	assert_int_equal(uses[1].line, 0x1000);
	assert_int_equal(uses[1].lanes, 2);
	assert_int_equal(coalescer_mask(&c, 1)[0], 0xf);
	assert_int_equal(coalescer_mask(&c, 1)[1], UINT64_C(3) << 62);
	coalescer_release(&c);
}

static void parts_go_by_the_lanes_place_in_the_warp(void **state)
{
	/* lanes 15 and 16 are in different half-warps, 16 and 17 in one */
	struct warp_step step = { .lane_count = 3,
		                  .bytes = 8,
		                  .lane = { 15, 16, 17 },
		                  .address = { 0x1000, 0x1000, 0x1000 } };
	const struct line_use *uses;
	struct coalescer c;

	(void)state;
	coalescer_init(&c, &fermi, NULL);
	assert_int_equal(coalesce(&c, &step, NULL), 0);
	uses = c.uses.data;
	assert_int_equal(c.uses.count, 2);
	assert_int_equal(uses[0].lanes, 1);
	assert_int_equal(uses[1].lanes, 2);
	coalescer_release(&c);
}

static void the_widest_lane_decides_the_parts(void **state)
{
	struct warp_step step = { .lane_count = 3,
		                  .bytes = 16,
		                  .is_mixed = true,
		                  .lane = { 7, 8, 9 },
		                  .address = { 0x1000, 0x1000, 0x1020 },
		                  .sizes = { 1, 16, 2 } };
	struct coalescer c;

	(void)state;
	coalescer_init(&c, &fermi, NULL);
	assert_int_equal(coalesce(&c, &step, NULL), 0);
	assert_int_equal(c.uses.count, 2); /* lane 7; lanes 8 and 9 */
	assert_int_equal(count_bits(&c), 1 + 16 + 2);
	coalescer_release(&c);
}

static void lines_of_any_length_have_their_masks(void **state)
{
	static const struct {
		uint32_t line_bytes, mask_words, requests;
	} lines[] = { { 16, 1, 8 }, { 64, 1, 2 }, { 256, 4, 1 }, { 4096, 64, 1 } };

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct gpu gpu = { .l1_line_bytes = lines[i].line_bytes };
		struct warp_step step = make_step(4096, 4, 32, 4);
		struct coalescer c;

		coalescer_init(&c, &gpu, NULL);
		assert_int_equal(coalesce(&c, &step, NULL), 0);
		assert_int_equal(c.mask_words, lines[i].mask_words);
		assert_int_equal(c.uses.count, lines[i].requests);
		assert_int_equal(count_bits(&c), 128);
		coalescer_release(&c);
	}
}

static void bytes_past_the_end_of_the_space_are_refused(void **state)
{
	/* lanes 0 and 1 end with the space, lane 2 would be past it by a byte */
	struct warp_step step = make_step(UINT64_MAX - 7, 4, 3, 4);
	struct err err = { 0 };
	struct coalescer c;

	(void)state;
	step.address[2] = UINT64_MAX - 2;
	coalescer_init(&c, &fermi, NULL);
	step.lane_count = 2;
	assert_int_equal(coalesce(&c, &step, &err), 0);
	assert_int_equal(count_bits(&c), 8);
	step.lane_count = 3;
	assert_int_equal(coalesce(&c, &step, &err), ERR_FORMAT);
	assert_string_equal(err.msg, "4 bytes at 0xfffffffffffffffd leave the address space");
	coalescer_release(&c);
	coalescer_release(&(struct coalescer){ 0 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_as_derived_by_hand),
		cmocka_unit_test(a_request_has_its_line_mask_and_lanes),
		cmocka_unit_test(parts_go_by_the_lanes_place_in_the_warp),
		cmocka_unit_test(the_widest_lane_decides_the_parts),
		cmocka_unit_test(lines_of_any_length_have_their_masks),
		cmocka_unit_test(bytes_past_the_end_of_the_space_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
