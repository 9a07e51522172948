/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "set_index.h"

#include <string.h>

enum { LINE_BYTES = 128 };

static struct set_index index_of(uint32_t kind, uint32_t sets)
{
	struct gpu gpu = { .l1_index.kind = kind, .l1_sets = sets };
	struct set_index index;

	assert_int_equal(set_index_init(&index, &gpu, NULL), 0);
	return index;
}

/* By hand, in address bits: set bit i is address bit 7 + i XOR its partner; 12 is the sixth. */
static void fermi_hashes_the_address_bits_of_the_paper(void **state)
{
	static const struct {
		uint32_t address_bit, set_of_32, set_of_64;
	} rows[] = {
		{ 6, 0, 0 },    { 7, 1, 1 },   { 8, 2, 2 },  { 9, 4, 4 },    { 10, 8, 8 },
		{ 11, 16, 16 }, { 12, 0, 32 }, { 13, 1, 1 }, { 14, 2, 2 },   { 15, 4, 4 },
		{ 16, 0, 0 },   { 17, 8, 8 },  { 18, 0, 0 }, { 19, 16, 16 }, { 20, 0, 0 },
		{ 31, 0, 0 },   { 40, 0, 0 },
	};
	struct set_index small = index_of(GPU_L1_INDEX_FERMI, 32);
	struct set_index large = index_of(GPU_L1_INDEX_FERMI, 64);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t line = ((uint64_t)1 << rows[i].address_bit) / LINE_BYTES;

		assert_int_equal(set_index_find(&small, line), rows[i].set_of_32);
		assert_int_equal(set_index_find(&large, line), rows[i].set_of_64);
	}
}

/* Both functions are linear in the bits, so pairs follow from single bits by XOR. */
static void fermi_is_linear(void **state)
{
	struct set_index index = index_of(GPU_L1_INDEX_FERMI, 64);

	for (uint32_t a = 0; a < 20; a++)
		for (uint32_t b = 0; b < a; b++)
			assert_int_equal(set_index_find(&index, 1u << a | 1u << b),
			                 set_index_find(&index, 1u << a) ^
			                         set_index_find(&index, 1u << b));
}

static void modulo_and_xor_find_these_sets(void **state)
{
	static const struct {
		uint32_t kind, sets;
		uint64_t line;
		uint32_t set;
	} rows[] = {
		{ GPU_L1_INDEX_MODULO, 32, 31, 31 },
		{ GPU_L1_INDEX_MODULO, 32, 32, 0 },
		{ GPU_L1_INDEX_MODULO, 33, 32, 32 },
		{ GPU_L1_INDEX_MODULO, 33, 67, 1 },
		{ GPU_L1_INDEX_MODULO, 1, 12345, 0 },
		{ GPU_L1_INDEX_MODULO, 5, UINT64_MAX >> 4,
		  0 }, /* 2^60 - 1 = 16^15 - 1; 16 = 1 mod 5 */
		{ GPU_L1_INDEX_XOR, 1, 7, 0 },
		{ GPU_L1_INDEX_XOR, 8, 5, 5 },
		{ GPU_L1_INDEX_XOR, 8, 8, 1 },         /* 0b001000: 0 ^ 1 */
		{ GPU_L1_INDEX_XOR, 8, 8 * 3 + 5, 6 }, /* 3 ^ 5 */
		{ GPU_L1_INDEX_XOR, 8, 64, 0 },        /* only the next three bits count */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct set_index index = index_of(rows[i].kind, rows[i].sets);

		assert_int_equal(set_index_find(&index, rows[i].line), rows[i].set);
	}
}

static void sets_that_a_function_cannot_have_are_refused(void **state)
{
	static const struct {
		uint32_t kind, sets;
		const char *words;
	} rows[] = {
		{ GPU_L1_INDEX_FERMI, 16, "needs l1_sets = 32 or 64, not 16" },
		{ GPU_L1_INDEX_FERMI, 128, "needs l1_sets = 32 or 64, not 128" },
		{ GPU_L1_INDEX_XOR, 48, "needs a power of two as l1_sets, not 48" },
		{ GPU_L1_INDEX_MODULO, 0, "must be at least 1" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct gpu gpu = { .name = "x",
			           .l1_index.kind = rows[i].kind,
			           .l1_sets = rows[i].sets };
		struct set_index index;
		struct err err = { 0 };

		assert_int_equal(set_index_init(&index, &gpu, &err), ERR_CONFIG);
		assert_non_null(strstr(err.msg, rows[i].words));
	}
}

/* Bit `at` of an address: 128 bytes a line. */
static uint32_t address_bit(uint64_t line, uint32_t at)
{
	return (uint32_t)(line * 128 / (UINT64_C(1) << at) % 2);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 7;
}

static void bits_are_the_xor_of_the_address_bits_of_the_list(void **state)
{
	uint64_t random = 5;

	(void)state;
	for (uint32_t bits = 0; bits <= 16; bits++) {
		struct gpu_spec list = { .kind = GPU_L1_INDEX_BITS, .count = bits };
		uint32_t chosen[16][3];
		struct set_index index;

		for (uint32_t i = 0; i < bits; i++)
			for (uint32_t k = 0; k < 3; k++) {
				chosen[i][k] = (uint32_t)(7 + 19 * k + next_random(&random) % 19);
				list.list[i] |= UINT64_C(1) << chosen[i][k];
			}
		assert_int_equal(set_index_init_for(&index, &list, 1u << bits, 128, "l1", NULL), 0);
		for (int n = 0; n < 1000; n++) {
			uint64_t line = next_random(&random);
			uint32_t set = 0;

			for (uint32_t i = 0; i < bits; i++)
				for (uint32_t k = 0; k < 3; k++)
					set ^= address_bit(line, chosen[i][k]) << i;
			assert_int_equal(set_index_find(&index, line), set);
		}
	}
}

static void bits_can_say_what_the_other_functions_do(void **state)
{
	struct gpu_spec fermi = { .kind = GPU_L1_INDEX_BITS, .count = 6 };
	struct set_index bits, other = index_of(GPU_L1_INDEX_FERMI, 64);
	uint64_t random = 6;

	(void)state;
	fermi.list[0] = 1 << 7 | 1 << 13;
	fermi.list[1] = 1 << 8 | 1 << 14;
	fermi.list[2] = 1 << 9 | 1 << 15;
	fermi.list[3] = 1 << 10 | 1 << 17;
	fermi.list[4] = 1 << 11 | 1 << 19;
	fermi.list[5] = 1 << 12;
	assert_int_equal(set_index_init_for(&bits, &fermi, 64, 128, "l1", NULL), 0);
	for (int n = 0; n < 10000; n++) {
		uint64_t line = next_random(&random);

		assert_int_equal(set_index_find(&bits, line), set_index_find(&other, line));
	}
}

static void lists_that_fit_no_sets_are_refused(void **state)
{
	struct gpu_spec list = { .kind = GPU_L1_INDEX_BITS, .count = 17 };
	struct set_index index;
	struct err err = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 17; i++)
		list.list[i] = UINT64_C(1) << (20 + i);
	assert_int_equal(set_index_init_for(&index, &list, 1u << 17, 128, "l2", &err), ERR_CONFIG);
	assert_string_equal(err.msg, "l2_index = bits: 131072 sets are more than 65536");
	err = (struct err){ 0 };
	assert_int_equal(set_index_init_for(&index, &list, 48, 128, "l2", &err), ERR_CONFIG);
	assert_string_equal(err.msg, "l2_index = bits needs a power of two as l2_sets, not 48");
	err = (struct err){ 0 };
	list.count = 1;
	list.list[0] = 1 << 6;
	assert_int_equal(set_index_init_for(&index, &list, 2, 128, "l1", &err), ERR_CONFIG);
	assert_string_equal(err.msg, "l1_index: bit 6 lies within a line of 128 bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fermi_hashes_the_address_bits_of_the_paper),
		cmocka_unit_test(fermi_is_linear),
		cmocka_unit_test(modulo_and_xor_find_these_sets),
		cmocka_unit_test(bits_are_the_xor_of_the_address_bits_of_the_list),
		cmocka_unit_test(bits_can_say_what_the_other_functions_do),
		cmocka_unit_test(lists_that_fit_no_sets_are_refused),
		cmocka_unit_test(sets_that_a_function_cannot_have_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
