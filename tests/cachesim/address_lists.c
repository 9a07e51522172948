/* SPDX-License-Identifier: Apache-2.0 */
#include "address_lists.h"

#include <math.h>
#include <stdlib.h>

enum { DIM = 1024, WARPS = 48, BURST = 32, BURSTS = 4, RANKS = 1 << 20 };

/* Access i of the product: warp w of tile t makes 32 elements of one row; in step k it reads
 * A[row][k] and B[k][column..]. */
static uint64_t matrix_address(uint64_t i)
{
	uint64_t step = i / 2 / WARPS, warp = i / 2 % WARPS;
	uint64_t k = step % DIM, part = step / DIM * WARPS + warp;
	uint64_t row = part / 32 % DIM, column = part % 32 * 32;

	return i % 2 ? 0x20000000 + (k * DIM + column) * 4 : 0x10000000 + (row * DIM + k) * 4;
}

void address_list_matrix(uint64_t *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = matrix_address(i);
}

/* Of each rank, the probability of it or one before it. */
static double *cumulate(void)
{
	double *sum = malloc(RANKS * sizeof(*sum)), all = 0;

	if (!sum)
		return NULL;
	for (int i = 0; i < RANKS; i++)
		sum[i] = all += 1.0 / pow(i + 1, 0.9);
	for (int i = 0; i < RANKS; i++)
		sum[i] /= all;
	return sum;
}

/* The first rank whose sum reaches u. */
static uint64_t rank_of(const double *sum, double u)
{
	uint64_t low = 0, high = RANKS - 1;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (sum[middle] < u)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool address_list_mixed(uint64_t *out, size_t count)
{
	uint64_t state = 88172645463325252u, matrix = 0, stream = 0;
	double *sum = cumulate();

	if (!sum)
		return false;
	for (size_t i = 0; i < count; i++) {
		size_t burst = i / BURST % BURSTS;

		if (burst < 2) {
			out[i] = matrix_address(matrix++);
		} else if (burst == 2) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			out[i] = rank_of(sum, (double)(state >> 11) * 0x1p-53);
			out[i] = 0x40000000 + (out[i] * 0x9e3779b1u & (RANKS - 1)) * 128;
		} else {
			out[i] = 0x60000000 + 128 * stream++;
		}
	}
	free(sum);
	return true;
}
