/* SPDX-License-Identifier: Apache-2.0 */
#include "builtin.h"

#include "cmocka_all.h"

#include <string.h>

static void names_tell_what_is_moved(void **state)
{
	static const struct {
		const char *symbol;
		enum builtin_class class;
		uint32_t lanes, stride;
	} rows[] = {
		{ "_Z10atomic_addPU3AS1Vii", BUILTIN_ATOMIC, 1, 1 },
		{ "_Z8atom_incPU3AS1Vi", BUILTIN_ATOMIC, 1, 1 },
		{ "warpline_cuda_atomic_fadd_f32_1", BUILTIN_ATOMIC, 1, 1 },
		{ "warpline_cuda_atomic_cas_i16_3", BUILTIN_ATOMIC, 1, 1 },
		{ "warpline_cuda_atomical", BUILTIN_NONE, 1, 1 },
		{ "warpline_cuda_group_sync", BUILTIN_BARRIER_FULL, 1, 1 },
		{ "_Z6vload4mPU3AS1Kf", BUILTIN_LOAD, 4, 4 },
		{ "_Z7vload16mPU3AS1Kc", BUILTIN_LOAD, 16, 16 },
		{ "_Z6vload3mPU3AS1Kf", BUILTIN_LOAD, 3, 3 },
		{ "_Z10vload_halfmPU3AS1KDh", BUILTIN_LOAD, 1, 1 },
		{ "_Z11vload_half3mPU3AS1KDh", BUILTIN_LOAD, 3, 3 },
		/* Aligned vectors of three lie four apart: OpenCL 1.2, table 6.14. */
		{ "_Z12vloada_half3mPU3AS1KDh", BUILTIN_LOAD, 3, 4 },
		{ "_Z7vstore2Dv2_fmPU3AS1f", BUILTIN_STORE, 2, 2 },
		{ "_Z15vstore_half_rtefmPU3AS1Dh", BUILTIN_STORE, 1, 1 },
		{ "_Z17vstorea_half3_rtzDv3_fmPU3AS1Dh", BUILTIN_STORE, 3, 4 },
		{ "_Z7barrierj", BUILTIN_BARRIER, 1, 1 },
		{ "_Z9mem_fencej", BUILTIN_FENCE, 1, 1 },
		{ "_Z22atomic_work_item_fencej12memory_order12memory_scope", BUILTIN_FENCE, 1, 1 },
		{ "_Z5fractfPU3AS1f", BUILTIN_RESULT, 1, 1 },
		{ "_Z11read_imagef14ocl_image2d_roDv2_i", BUILTIN_PASSED, 1, 1 },
		{ "printf", BUILTIN_EFFECT, 1, 1 },
		{ "_Z3cosf", BUILTIN_NONE, 1, 1 },
		{ "_Z6vloaderi", BUILTIN_NONE, 1, 1 },
		{ "vload", BUILTIN_LOAD, 1, 1 },
		{ "_Z", BUILTIN_NONE, 1, 1 },
		{ "_Z99barrier", BUILTIN_NONE, 1, 1 },
		{ "_Z99999999999999999999barrier", BUILTIN_NONE, 1, 1 },
		{ "", BUILTIN_NONE, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct builtin b = builtin_find(rows[i].symbol);

		assert_int_equal(b.class, rows[i].class);
		if (b.class == BUILTIN_NONE)
			continue;
		assert_int_equal(b.lanes, rows[i].lanes);
		assert_int_equal(b.stride, rows[i].stride);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names_tell_what_is_moved) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
