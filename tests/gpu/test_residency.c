/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "random.h"
#include "residency.h"

#include <stdio.h>
#include <string.h>

/* Li 2016, Table 4.1, and the units after Eq. 4.3. */
static const struct gpu fermi = { .name = "fermi",
	                          .sm_count = 15,
	                          .warp_lanes = 32,
	                          .max_groups = 8,
	                          .max_warps = 48,
	                          .registers = 32768,
	                          .register_unit = 64,
	                          .local_bytes = 49152,
	                          .local_unit_bytes = 128 };
static const struct gpu kepler = { .name = "kepler",
	                           .sm_count = 15,
	                           .warp_lanes = 32,
	                           .max_groups = 16,
	                           .max_warps = 64,
	                           .registers = 65536,
	                           .register_unit = 256,
	                           .local_bytes = 49152,
	                           .local_unit_bytes = 256 };
static const struct gpu maxwell = { .name = "maxwell",
	                            .sm_count = 5,
	                            .warp_lanes = 32,
	                            .max_groups = 32,
	                            .max_warps = 64,
	                            .registers = 65536,
	                            .register_unit = 256,
	                            .local_bytes = 65536,
	                            .local_unit_bytes = 256 };

enum { MANY = 100000 };

static const struct {
	const char *name;
	const struct gpu *gpu;
	uint64_t groups, items, local_bytes;
	uint32_t registers;
	uint32_t resident;
	enum residency_limit limit;
} rows[] = {
	/* The thesis, Kepler: leukocyte, 10 warps and 14586 B: 14592 thrice is 43776 of 49152.
	 * Its 61 registers give 65536 / (10 * 2048) = 3 too, and are named first. */
	{ "LEU", &kepler, MANY, 320, 14586, 61, 3, RESIDENCY_REGISTERS },
	{ "LEU by local memory", &kepler, MANY, 320, 14586, 0, 3, RESIDENCY_LOCAL },
	/* dct8x8: 3136 B become 3328, and 49152 / 3328 = 14 (15 without rounding). */
	{ "DCT", &kepler, MANY, 96, 3136, 37, 14, RESIDENCY_LOCAL },
	/* mri-gridding: the 16 groups that an SM takes (warps would allow 32, 62 registers 16). */
	{ "MGR", &kepler, MANY, 64, 1536, 62, 16, RESIDENCY_MAX_GROUPS },
	/* Critical points of fdtd3d on Maxwell, 16 warps: 32 registers are 1024 a warp: 4 groups;
	 * 33 become 1280 a warp: 65536 / 20480 = 3. */
	{ "FDT at 32", &maxwell, MANY, 512, 0, 32, 4, RESIDENCY_MAX_WARPS },
	{ "FDT at 33", &maxwell, MANY, 512, 0, 33, 3, RESIDENCY_REGISTERS },
	/* Fermi, 8 warps: 20 registers are 640 a warp, 32768 / 5120 = 6; 21 are 704: 5. */
	{ "CFD at 20", &fermi, MANY, 256, 0, 20, 6, RESIDENCY_MAX_WARPS },
	{ "CFD at 21", &fermi, MANY, 256, 0, 21, 5, RESIDENCY_REGISTERS },
	{ "CFD at 62", &fermi, MANY, 256, 0, 62, 2, RESIDENCY_REGISTERS },
	/* The launch's own end: 15 SMs, 15 groups are 1 each, 16 are 2 on one of them. */
	{ "one group", &fermi, 1, 256, 0, 20, 1, RESIDENCY_GROUPS_TO_RUN },
	{ "15 groups", &fermi, 15, 256, 0, 20, 1, RESIDENCY_GROUPS_TO_RUN },
	{ "16 groups", &fermi, 16, 256, 0, 20, 2, RESIDENCY_GROUPS_TO_RUN },
	{ "90 groups", &fermi, 90, 256, 0, 20, 6, RESIDENCY_GROUPS_TO_RUN },
	{ "91 groups", &fermi, 91, 256, 0, 20, 6, RESIDENCY_MAX_WARPS },
	{ "part of a warp", &fermi, MANY, 33, 0, 0, 8, RESIDENCY_MAX_GROUPS },
	{ "one lane too many", &fermi, MANY, 193, 0, 0, 6, RESIDENCY_MAX_WARPS },
	{ "all local memory", &fermi, MANY, 32, 49152, 0, 1, RESIDENCY_LOCAL },
	{ "half and a byte", &fermi, MANY, 32, 24577, 0, 1, RESIDENCY_LOCAL },
	{ "half", &fermi, MANY, 32, 24576, 0, 2, RESIDENCY_LOCAL },
};

static void equation_4_3_gives_the_groups_derived_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct residency_need need = { rows[i].groups, rows[i].items, rows[i].local_bytes,
			                       rows[i].registers };
		struct residency r;

		print_message("  %s\n", rows[i].name);
		assert_int_equal(residency_compute(rows[i].gpu, &need, &r, NULL), 0);
		assert_int_equal(r.groups, rows[i].resident);
		assert_int_equal(r.limit, rows[i].limit);
	}
}

static void a_group_that_does_not_fit_is_refused_with_its_need(void **state)
{
	static const struct {
		uint64_t items, local_bytes;
		uint32_t registers;
		const char *message;
	} bad[] = {
		{ 1537, 0, 0,
		  "a work-group needs 49 warps, an SM of fermi has 48; record --max-group 1536 "
		  "where its size is left open, POCL_MAX_WORK_GROUP_SIZE=1536 where it is not" },
		{ 1024, 0, 63, "a work-group needs 65536 registers, an SM of fermi has 32768" },
		{ 32, 49153, 0,
		  "a work-group needs 49280 bytes of local memory, an SM of fermi has 49152" },
		{ 32, UINT64_MAX, 0,
		  "a work-group needs 4294967296 bytes of local memory, an SM of fermi has 49152" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct residency_need need = { 1, bad[i].items, bad[i].local_bytes,
			                       bad[i].registers };
		struct err err = { 0 };
		struct residency r;

		assert_int_equal(residency_compute(&fermi, &need, &r, &err), ERR_CONFIG);
		assert_string_equal(err.msg, bad[i].message);
	}
}

/*
 * Li 2016, Table 4.2: warps and local memory of each kernel, and the numbers of registers it was
 * compiled with, from 16 up to `last`. The points were enumerated from Eq. 4.3 by a program of
 * their own: "registers:groups".
 */
static const struct {
	const char *name;
	const struct gpu *gpu;
	uint64_t warps, local_bytes;
	uint32_t last;
	uint32_t rounding;
	const char *points;
} tables[] = {
	{ "CFD", &fermi, 8, 0, 62, GPU_REGISTER_ROUNDING_WARP, "20:6 24:5 32:4 42:3 62:2" },
	{ "HOT", &fermi, 8, 3072, 35, GPU_REGISTER_ROUNDING_WARP, "20:6 24:5 32:4 35:3" },
	{ "LEU", &fermi, 10, 14586, 61, GPU_REGISTER_ROUNDING_WARP, "34:3 50:2 61:1" },
	{ "MYO", &fermi, 1, 0, 63, GPU_REGISTER_ROUNDING_WARP, "63:8" },
	{ "NBO", &fermi, 8, 4096, 63, GPU_REGISTER_ROUNDING_WARP, "20:6 24:5 32:4 42:3 63:2" },
	{ "PAR", &fermi, 8, 0, 51, GPU_REGISTER_ROUNDING_WARP, "20:6 24:5 32:4 42:3 51:2" },
	{ "RAY", &fermi, 4, 0, 51, GPU_REGISTER_ROUNDING_WARP, "32:8 36:7 42:6 50:5 51:4" },
	{ "DXT", &fermi, 2, 2048, 63, GPU_REGISTER_ROUNDING_WARP, "63:8" },
	{ "FDT", &fermi, 16, 3840, 55, GPU_REGISTER_ROUNDING_WARP, "20:3 32:2 55:1" },
	{ "DCT", &fermi, 3, 3136, 42, GPU_REGISTER_ROUNDING_WARP, "42:8" },
	{ "MGR", &fermi, 2, 1536, 62, GPU_REGISTER_ROUNDING_WARP, "62:8" },
	{ "SGM", &fermi, 4, 512, 63, GPU_REGISTER_ROUNDING_WARP, "32:8 36:7 42:6 50:5 63:4" },
	{ "CFD", &kepler, 8, 0, 74, GPU_REGISTER_ROUNDING_WARP, "32:8 40:6 48:5 64:4 74:3" },
	{ "HOT", &kepler, 8, 3072, 38, GPU_REGISTER_ROUNDING_WARP, "32:8 38:6" },
	{ "LEU", &kepler, 10, 14586, 61, GPU_REGISTER_ROUNDING_WARP, "61:3" },
	{ "MYO", &kepler, 1, 0, 220, GPU_REGISTER_ROUNDING_WARP,
	  "128:16 136:15 144:14 152:13 168:12 184:11 200:10 220:9" },
	{ "NBO", &kepler, 8, 4096, 252, GPU_REGISTER_ROUNDING_WARP,
	  "32:8 40:6 48:5 64:4 80:3 128:2 252:1" },
	{ "PAR", &kepler, 8, 0, 52, GPU_REGISTER_ROUNDING_WARP, "32:8 40:6 48:5 52:4" },
	{ "RAY", &kepler, 4, 0, 55, GPU_REGISTER_ROUNDING_WARP, "32:16 40:12 48:10 55:9" },
	{ "DXT", &kepler, 2, 2048, 90, GPU_REGISTER_ROUNDING_WARP,
	  "64:16 72:14 80:12 88:11 90:10" },
	{ "FDT", &kepler, 16, 3840, 50, GPU_REGISTER_ROUNDING_WARP, "32:4 40:3 50:2" },
	{ "DCT", &kepler, 3, 3136, 37, GPU_REGISTER_ROUNDING_WARP, "37:14" },
	{ "MGR", &kepler, 2, 1536, 62, GPU_REGISTER_ROUNDING_WARP, "62:16" },
	{ "SGM", &kepler, 4, 512, 175, GPU_REGISTER_ROUNDING_WARP,
	  "32:16 40:12 48:10 56:9 64:8 72:7 80:6 96:5 128:4 168:3 175:2" },
	/* The thesis' Fig. 4.1 has fdtd3d's steps at 32 -> 33 and 42 -> 43. */
	{ "FDT", &maxwell, 16, 3840, 53, GPU_REGISTER_ROUNDING_GROUP, "32:4 42:3 53:2" },
	{ "CFD", &fermi, 8, 0, 62, GPU_REGISTER_ROUNDING_GROUP, "21:6 25:5 32:4 42:3 62:2" },
	{ "SGM", &kepler, 4, 512, 175, GPU_REGISTER_ROUNDING_GROUP,
	  "32:16 34:15 36:14 38:13 42:12 46:11 50:10 56:9 64:8 72:7 84:6 102:5 128:4 170:3 "
	  "175:2" },
};

static void print_points(const struct array *points, char *text, size_t bytes)
{
	const struct residency_point *p = points->data;
	size_t length = 0;

	*text = '\0';
	for (size_t i = 0; i < points->count && length < bytes; i++)
		length += (size_t)snprintf(text + length, bytes - length, "%s%u:%u", i ? " " : "",
		                           p[i].registers, p[i].residency.groups);
}

static void critical_points_are_those_of_the_thesis(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct gpu gpu = *tables[i].gpu;
		struct residency_need need = { .items = 32 * tables[i].warps,
			                       .local_bytes = tables[i].local_bytes };
		struct array points;
		char text[256];

		gpu.register_rounding = tables[i].rounding;
		array_init(&points, sizeof(struct residency_point), 65536, "points");
		assert_int_equal(residency_points(&gpu, &need, 16, tables[i].last, &points, NULL),
		                 0);
		print_points(&points, text, sizeof(text));
		print_message("  %s on %s\n", tables[i].name, gpu.name);
		assert_string_equal(text, tables[i].points);
		array_release(&points);
	}
}

/* A group of 32 warps: at 64 registers 65536 = 2 * 32768 are too many for Fermi, at 32 one fits. */
static void points_end_where_no_group_fits(void **state)
{
	struct residency_need need = { .items = 1024 };
	struct array points;
	char text[256];

	(void)state;
	array_init(&points, sizeof(struct residency_point), 65536, "points");
	assert_int_equal(residency_points(&fermi, &need, 16, 255, &points, NULL), 0);
	print_points(&points, text, sizeof(text));
	assert_string_equal(text, "32:1");
	array_clear(&points);
	need.items = 1537;
	assert_int_equal(residency_points(&fermi, &need, 16, 255, &points, NULL), ERR_CONFIG);
	array_release(&points);
}

/* --- groups put on an SM one by one ---------------------------------------------------------- */

/* Whole units, one after the other, until they hold `amount`. */
static uint64_t units_for(uint64_t amount, uint32_t unit)
{
	uint64_t taken = 0;

	while (taken < amount)
		taken += unit;
	return taken;
}

static uint64_t registers_taken(const struct gpu *g, const struct residency_need *need)
{
	uint64_t taken = 0, lanes = 0, warps = 0;

	for (uint64_t item = 0; item < need->items; item += g->warp_lanes) {
		taken += units_for((uint64_t)g->warp_lanes * need->registers, g->register_unit);
		lanes += g->warp_lanes;
		warps++;
	}
	assert_int_equal(residency_warps(g, need), warps);
	return g->register_rounding == GPU_REGISTER_ROUNDING_WARP
	               ? taken
	               : units_for(lanes * need->registers, g->register_unit);
}

/* Round robin over SMs, as long as the fullest has room for one more. */
static uint32_t groups_that_fit(const struct gpu *g, const struct residency_need *need)
{
	uint64_t registers = 0, local = 0, warps = 0;
	uint32_t groups = 0;

	for (;; groups++) {
		registers += registers_taken(g, need);
		local += units_for(need->local_bytes, g->local_unit_bytes);
		warps += residency_warps(g, need);
		if (groups == g->max_groups || warps > g->max_warps || local > g->local_bytes)
			break;
		if (need->registers && registers > g->registers)
			break;
		if (need->groups && (uint64_t)groups * g->sm_count >= need->groups)
			break;
	}
	return groups;
}

static void random_needs_fit_as_when_groups_are_put_one_by_one(void **state)
{
	struct random r = { 43 };
	uint32_t fit = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct gpu g = { .name = "random",
			         .sm_count = 1 + random_below(&r, 20),
			         .warp_lanes = 8u << random_below(&r, 4),
			         .max_groups = 1 + random_below(&r, 32),
			         .max_warps = 8 + random_below(&r, 57),
			         .registers = 8192 + random_below(&r, 60000),
			         .register_unit = 1u << random_below(&r, 10),
			         .register_rounding = random_below(&r, 2),
			         .local_bytes = 1024 + random_below(&r, 100000),
			         .local_unit_bytes = 64u << random_below(&r, 4) };
		struct residency_need need = {
			.groups = random_below(&r, 3) ? random_below(&r, 200) : 0,
			.items = 1 + random_below(&r, 600),
			.local_bytes = random_below(&r, 2) ? random_below(&r, 9000) : 0,
			.registers = random_below(&r, 4) ? random_below(&r, 100) : 0
		};
		struct residency found = { 0 };
		uint32_t groups = groups_that_fit(&g, &need);

		assert_int_equal(residency_compute(&g, &need, &found, NULL),
		                 groups ? 0 : ERR_CONFIG);
		if (groups)
			assert_int_equal(found.groups, groups);
		fit += groups > 1;
	}
	assert_true(fit > 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equation_4_3_gives_the_groups_derived_by_hand),
		cmocka_unit_test(a_group_that_does_not_fit_is_refused_with_its_need),
		cmocka_unit_test(critical_points_are_those_of_the_thesis),
		cmocka_unit_test(points_end_where_no_group_fits),
		cmocka_unit_test(random_needs_fit_as_when_groups_are_put_one_by_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
