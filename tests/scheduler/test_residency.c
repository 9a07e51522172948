/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "schedule.h"

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

static struct schedule_input input_of(const struct launch_shape *shape, uint64_t local_bytes,
                                      uint32_t registers)
{
	return (struct schedule_input){ .shape = shape,
		                        .local_bytes = local_bytes,
		                        .registers = registers };
}

static void equation_4_3_gives_the_groups_derived_by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct launch_shape shape = {
			1, { rows[i].groups * rows[i].items, 1, 1 }, { rows[i].items, 1, 1 }, { 0 }
		};
		struct schedule_input input =
			input_of(&shape, rows[i].local_bytes, rows[i].registers);
		struct residency r;

		print_message("  %s\n", rows[i].name);
		assert_int_equal(residency_compute(rows[i].gpu, &input, &r, NULL), 0);
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
		{ 1537, 0, 0, "a work-group needs 49 warps, an SM of fermi has 48" },
		{ 1024, 0, 63, "a work-group needs 65536 registers, an SM of fermi has 32768" },
		{ 32, 49153, 0,
		  "a work-group needs 49280 bytes of local memory, an SM of fermi has 49152" },
		{ 32, UINT64_MAX, 0,
		  "a work-group needs 4294967296 bytes of local memory, an SM of fermi has 49152" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct launch_shape shape = {
			1, { bad[i].items, 1, 1 }, { bad[i].items, 1, 1 }, { 0 }
		};
		struct schedule_input input =
			input_of(&shape, bad[i].local_bytes, bad[i].registers);
		struct err err = { 0 };
		struct residency r;

		assert_int_equal(residency_compute(&fermi, &input, &r, &err), ERR_CONFIG);
		assert_string_equal(err.msg, bad[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equation_4_3_gives_the_groups_derived_by_hand),
		cmocka_unit_test(a_group_that_does_not_fit_is_refused_with_its_need),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
