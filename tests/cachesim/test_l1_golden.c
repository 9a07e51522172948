/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 20 million line reads of a 1024x1024 float matrix product, 48 warps in turn, with the miss counts
 * on which Dinero IV, drcachesim, Cachegrind's simulator and libcheetah agree (read counts only:
 * nothing is in flight). Classes: Dinero IV's, against a fully associative LRU of the same size.
 */
#include "cmocka_all.h"

#include "gpu.h"
#include "l1.h"

enum { READS = 20000000, DIM = 1024, WARPS = 48 };

/* Warp w of tile t computes 32 elements of one row: in step k it reads A[row][k], B[k][column..].
 */
static uint64_t matrix_address(uint64_t i)
{
	uint64_t step = i / 2 / WARPS, warp = i / 2 % WARPS;
	uint64_t k = step % DIM, part = step / DIM * WARPS + warp;
	uint64_t row = part / 32 % DIM, column = part % 32 * 32;

	return i % 2 ? 0x20000000 + (k * DIM + column) * 4 : 0x10000000 + (row * DIM + k) * 4;
}

static void other_simulators_count_the_same(void **state)
{
	static const struct {
		uint32_t sets, ways, index;
	} rows[] = {
		{ 32, 4, GPU_L1_INDEX_MODULO },
		{ 64, 6, GPU_L1_INDEX_FERMI },
	};
	static const uint64_t used[2] = { UINT64_MAX, UINT64_MAX };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct gpu gpu = { .l1_sets = rows[i].sets,
			                 .l1_ways = rows[i].ways,
			                 .l1_index.kind = rows[i].index,
			                 .l1_line_bytes = 128,
			                 .l1_hit_cycles = 1,
			                 .l2_cycles = 1 };
		struct request r = { .used = used, .bytes_used = 128, .lanes = 32 };
		struct counters c = { 0 };
		struct l1 *l1 = NULL;

		assert_int_equal(l1_create(&l1, &gpu, NULL, NULL), 0);
		for (uint64_t n = 0; n < READS; n++) {
			r.line = matrix_address(n) & ~(uint64_t)127;
			l1_request(l1, &r, n * 2, &c);
		}
		assert_int_equal(l1_status(l1, NULL), 0);
		assert_int_equal(c.reads, READS);
		assert_int_equal(c.pending_hits, 0);
		assert_int_equal(c.read_misses, 6679694);
		assert_int_equal(c.cold, 42543);
		assert_int_equal(c.capacity, 6637151);
		assert_int_equal(c.conflict, 0);
		l1_free(l1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_simulators_count_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
