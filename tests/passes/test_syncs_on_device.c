/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose work-items wait for one another as CUDA's do, on a real device: each result is
 * worked out here work-item by work-item, from what sync_kernels.cl says and the PTX ISA defines.
 *
 * argv: warpline-instrument, sync_kernels.ll. Exits 77 when there is no device.
 */
#include "cl_device.h"
#include "err.h"
#include "file.h"
#include "str.h"
#include "subprocess.h"
#include "word_list.h"

#include "cmocka_all.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEMS 128
#define WARP  32u

static struct cl_device device;
static const char *instrumenter, *kernels;
static uint32_t in[ITEMS];

/* What work-item i of `n` writes, in groups of `local`; k: of its words. */
typedef uint32_t oracle_function(uint32_t i, uint32_t n, uint32_t local, uint32_t k);

/* The sum of a warp's inputs: where every lane adds every other, each has all. */
static uint32_t warp_sum(uint32_t i)
{
	uint32_t sum = 0;

	for (uint32_t lane = 0; lane < WARP; lane++)
		sum += in[i / WARP * WARP + lane];
	return sum;
}

static uint32_t butterfly(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	return warp_sum(i);
}

/* In segments of 8: lane 11 % 8; 3 before; 3 behind; 5 across. One's own where there is none. */
static uint32_t shuffles(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t first = i / 8 * 8, at = i % 8;
	uint32_t from[] = { 3, at < 3 ? at : at - 3, at + 3 > 7 ? at : at + 3, at ^ 5 };
	bool is_in[] = { true, at >= 3, at + 3 <= 7, true };

	return in[first + from[k]] + (is_in[k] ? 1000000 : 0);
}

static uint32_t group_sum(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t sum = 0;

	if (i >= ITEMS / local)
		return 0;
	for (uint32_t item = 0; item < local; item++)
		sum += in[i * local + item];
	return sum;
}

static uint32_t early_return(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t group = i / local * local, next = group + (i % local + 1) % 64;
	uint32_t warp = i / WARP * WARP, lanes = n - warp < WARP ? n - warp : WARP;

	if (i >= n)
		return 0;
	return (next < n ? in[next] : 0) + 1000 * lanes;
}

static uint32_t slowest(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t most = 0;

	for (uint32_t lane = 0; lane < WARP; lane++)
		if (in[i / WARP * WARP + lane] > most)
			most = in[i / WARP * WARP + lane];
	return most;
}

static uint32_t root(uint32_t x)
{
	uint32_t r = 0;

	while (r * r < x)
		r++;
	return r;
}

static uint32_t own_rounds(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t lanes = 0;

	for (uint32_t round = 0; round < root(in[i]); round++)
		for (uint32_t lane = 0; lane < WARP; lane++)
			lanes += root(in[i / WARP * WARP + lane]) > round;
	return lanes;
}

static uint32_t halves(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t warp = i / WARP * WARP, most = 0, sum = 0, lanes = 0;

	for (uint32_t j = warp + i % 2; j < warp + WARP; j += 2) {
		uint32_t loops = j % 5, value = in[j] + (j & 1 ? loops * (loops - 1) / 2 : 0);

		most = value > most ? value : most;
		sum += value;
		if (in[j] % 3 == in[i] % 3)
			lanes |= 1u << j % WARP;
	}
	return i & 1 ? most : sum + lanes;
}

static uint32_t branch(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t there = 0, all = 1;

	for (uint32_t lane = 0; lane < WARP; lane++) {
		uint32_t value = in[i / WARP * WARP + lane];

		if (value % 3 == 0) {
			there |= 1u << lane;
			all &= value % 2;
		}
	}
	return in[i] % 3 == 0 ? there ^ all : 0;
}

static uint32_t group_votes(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t rounds = 0, odd = 0, small = 1, tiny = 1;

	for (uint32_t item = i / local * local; item < i / local * local + local; item++) {
		rounds = in[item] % 9 > rounds ? in[item] % 9 : rounds;
		odd += in[item] & 1;
		small &= in[item] < 90;
		tiny &= in[item] < 10;
	}
	return odd + 1000 * small + 10000 * tiny + 100000 * rounds;
}

static uint32_t some_pass(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	return 3 * in[i / local * local + (i % local + 7) % local] + 3;
}

static uint32_t barriers_in_loop(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t first = i / local * local, sum = 0;

	for (uint32_t item = first; item < first + local; item++)
		sum += in[item];
	return i % local == 0 ? sum : 0;
}

static uint32_t arms(uint32_t i, uint32_t n, uint32_t local, uint32_t k)
{
	uint32_t first = i / local * local, sum = 0;

	if (i / local % 2 == 0)
		return in[first + (i % local + 1) % 64];
	for (uint32_t item = first; item < first + local; item++)
		sum += in[item];
	return sum;
}

static const struct {
	const char *kernel;
	oracle_function *expected;
	uint32_t local, n, words; /* words: per work-item */
} rows[] = {
	{ "butterfly", butterfly, 64, ITEMS, 1 },
	{ "shuffles", shuffles, 64, ITEMS, 4 },
	{ "group_sum", group_sum, 128, ITEMS, 1 },
	{ "early_return", early_return, 64, 100, 1 },
	{ "early_return", early_return, 64, ITEMS, 1 },
	{ "slowest", slowest, 64, ITEMS, 1 },
	{ "own_rounds", own_rounds, 64, ITEMS, 1 },
	{ "halves", halves, 32, ITEMS, 1 },
	{ "halves", halves, 128, ITEMS, 1 },
	{ "branch", branch, 64, ITEMS, 1 },
	{ "group_votes", group_votes, 64, ITEMS, 1 },
	{ "some_pass", some_pass, 64, ITEMS, 1 },
	{ "barriers_in_loop", barriers_in_loop, 64, ITEMS, 1 },
	{ "arms", arms, 64, ITEMS, 1 },
};

/* Run warpline-instrument without probes; what it makes in *out. */
static void instrument(struct str *out)
{
	char folder[] = "/tmp/syncs-XXXXXX", code[64], table[64];
	const char *const options[] = { instrumenter, "--source", kernels,   "--records", "none",
		                        "--output",   code,       "--table", table };
	struct word_list words;
	struct err err = { 0 };
	struct str none, said;
	int status = -1;

	str_init(&none, 1);
	str_init(&said, 1 << 20);
	assert_non_null(mkdtemp(folder));
	snprintf(code, sizeof(code), "%s/code", folder);
	snprintf(table, sizeof(table), "%s/table", folder);
	word_list_init(&words);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		assert_int_equal(word_list_add(&words, options[i], &err), 0);
	if (subprocess_run(word_list_argv(&words, &err), &none, &said, &said, &status, &err) ||
	    status)
		fail_msg("%d %s %s", status, err.msg, said.text);
	assert_int_equal(file_read(code, out, &err), 0);
	unlink(code);
	unlink(table);
	rmdir(folder);
	word_list_release(&words);
	str_release(&said);
}

static void check_row(cl_program program, size_t row)
{
	uint32_t found[4 * ITEMS] = { 0 }, n = rows[row].n;
	const size_t offset[2] = { 0 }, global[2] = { ITEMS, 1 }, local[2] = { rows[row].local, 1 };
	cl_mem to = cl_device_buffer(&device, NULL, sizeof(found));
	cl_mem from = cl_device_buffer(&device, in, sizeof(in));
	cl_kernel kernel = clCreateKernel(program, rows[row].kernel, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(to), (void *)&to), 0);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(from), (void *)&from), 0);
	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(n), &n), 0);
	cl_device_launch(&device, kernel, offset, global, local);
	cl_device_read(&device, to, found, sizeof(found));
	for (uint32_t i = 0; i < ITEMS; i++)
		for (uint32_t k = 0; k < rows[row].words; k++) {
			uint32_t expected = rows[row].expected(i, rows[row].n, rows[row].local, k);

			if (found[i * rows[row].words + k] != expected)
				fail_msg("%s, %u of a group: work-item %u, word %u: %u, expected "
				         "%u",
				         rows[row].kernel, rows[row].local, i, k,
				         found[i * rows[row].words + k], expected);
		}
	clReleaseKernel(kernel);
	clReleaseMemObject(to);
	clReleaseMemObject(from);
}

static void check_all(cl_program program)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(program, i);
	clReleaseProgram(program);
}

/* Optimising, Oclgrind's compiler makes integers of 33 bits, which Oclgrind does not run. */
static cl_program build(const struct str *text)
{
	bool is_oclgrind = cl_device_is_named(&device, "Oclgrind");

	assert_int_equal(strncmp(text->text, "// options:", 11), 0);
	return cl_device_build_source(&device, text->text,
	                              is_oclgrind ? "-cl-std=CL1.2 -cl-opt-disable"
	                                          : "-cl-std=CL1.2");
}

static void text_does_what_cuda_does(void **state)
{
	struct str text;

	str_init(&text, 1 << 24);
	instrument(&text);
	check_all(build(&text));
	str_release(&text);
}

/*
 * Barriers in the text of a kernel. One at its beginning and two for each call where all work-items
 * come to the calls alike; else, in rounds, one at the beginning and two in the loop.
 */
static unsigned count_barriers(const char *text, const char *kernel)
{
	char head[64];
	const char *at, *end;
	unsigned count = 0;

	snprintf(head, sizeof(head), "__kernel void %s(", kernel);
	at = strstr(text, head);
	assert_non_null(at);
	end = strstr(at + 1, "__kernel void ");
	while ((at = strstr(at + 1, "barrier(")) && (!end || at < end))
		count++;
	return count;
}

static void only_kernels_whose_items_part_go_in_rounds(void **state)
{
	static const struct {
		const char *kernel;
		unsigned barriers;
	} counts[] = { { "butterfly", 1 + 2 },       { "shuffles", 1 + 2 * 4 }, { "group_sum", 3 },
		       { "early_return", 3 },        { "slowest", 3 },          { "halves", 3 },
		       { "own_rounds", 3 },          { "branch", 3 },           { "some_pass", 3 },
		       { "group_votes", 1 + 2 * 4 }, { "barriers_in_loop", 2 }, { "arms", 3 } };
	struct str text;

	str_init(&text, 1 << 24);
	instrument(&text);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		assert_int_equal(count_barriers(text.text, counts[i].kernel), counts[i].barriers);
	str_release(&text);
}

static cl_ulong local_bytes(cl_program program, const char *name)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	cl_ulong bytes = 0;

	assert_non_null(kernel);
	assert_int_equal(clGetKernelWorkGroupInfo(kernel, device.id, CL_KERNEL_LOCAL_MEM_SIZE,
	                                          sizeof(bytes), &bytes, NULL),
	                 CL_SUCCESS);
	clReleaseKernel(kernel);
	return bytes;
}

/*
 * Local memory beside the kernel's own (64 words of some_pass): five counters where work-items wait
 * for their group; where they wait for their warp, a word for each of 32 warps, and two words of 32
 * bits and one of 64 for each of 1024 work-items.
 */
static void only_kernels_whose_warps_wait_need_memory_for_each_work_item(void **state)
{
	static const struct {
		const char *kernel;
		cl_ulong bytes;
	} needs[] = { { "group_votes", 5 * 4 },
		      { "some_pass", 64 * 4 + 5 * 4 },
		      { "own_rounds", 5 * 4 + 32 * 4 + 1024 * (4 + 4 + 8) + 4 } };
	cl_program program;
	struct str code;

	str_init(&code, 1 << 24);
	instrument(&code);
	program = build(&code);
	if (!local_bytes(program, "some_pass")) /* POCL 6: not even its own 64 words */
		skip();
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		assert_int_equal(local_bytes(program, needs[i].kernel), needs[i].bytes);
	clReleaseProgram(program);
	str_release(&code);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_kernels_whose_items_part_go_in_rounds),
		cmocka_unit_test(only_kernels_whose_warps_wait_need_memory_for_each_work_item),
		cmocka_unit_test(text_does_what_cuda_does),
	};
	int failed;

	if (argc != 3) {
		fprintf(stderr, "Usage: test_syncs_on_device INSTRUMENTER KERNELS.ll\n");
		return 2;
	}
	if (!cl_device_init(&device))
		return 77;
	instrumenter = argv[1];
	kernels = argv[2];
	for (uint32_t i = 0; i < ITEMS; i++)
		in[i] = i * 2654435761u >> 25; /* below 128 */
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	cl_device_release(&device);
	return failed;
}
