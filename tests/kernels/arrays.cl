// Private arrays and tables in constant memory.
// options: -DROUNDS=6
// run: sorted         16 4 : int[128]=random(0,100) int[128]=zero
// run: tables         64 16 : uint[64]=random int[64]=zero float[64]=zero
// run: table_of_rows  32 8 : int[64]=random(0,4) int[32]=zero
// run: matrix         16 4 : int[144]=random(-9,9) int[144]=zero
// run: constant_space 32 8 : int[32]=random(0,16) int[16]=random(-1000,1000) int[32]=zero
// run: mixed_table    32 8 : long[32]=zero
// run: window         16 4 : int[256]=random(-50,50) int[16]=zero

__constant int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
__constant float shares[4] = { 0.1f, -0x1.8p-3f, 1e-30f, 3.0e20f };
__constant int rows[4][3] = { { 1, -2, 3 }, { 40, 50, 60 }, { 7, 8, 9 }, { -1, 0, 1 } };

struct entry {
	short key;
	double weight;
	uchar letters[4];
};

__constant struct entry entries[3] = { { 1, 0.5, "abc" }, { -2, 1.25, "xyz" }, { 3, -8.0, "no" } };

__kernel void sorted(__global const int *in, __global int *out)
{
	int i = get_global_id(0), v[8];

	for (int k = 0; k < 8; k++)
		v[k] = in[8 * i + k];
	for (int a = 1; a < 8; a++) {
		int x = v[a], b = a - 1;

		while (b >= 0 && v[b] > x) {
			v[b + 1] = v[b];
			b--;
		}
		v[b + 1] = x;
	}
	for (int k = 0; k < 8; k++)
		out[8 * i + k] = v[k];
}

__kernel void tables(__global const uint *in, __global int *out, __global float *share)
{
	int i = get_global_id(0);
	const int odd[4] = { 1, 3, 5, 7 };

	out[i] = primes[in[i] & 7] + odd[i & 3];
	share[i] = shares[in[i] >> 30];
}

__kernel void table_of_rows(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 0; k < 3; k++)
		sum += rows[in[2 * i]][k] * rows[in[2 * i + 1]][2 - k];
	out[i] = sum;
}

__kernel void matrix(__global const int *in, __global int *out)
{
	int i = get_global_id(0), a[3][3], b[3][3];

	for (int y = 0; y < 3; y++)
		for (int x = 0; x < 3; x++)
			a[y][x] = in[9 * i + 3 * y + x];
	for (int y = 0; y < 3; y++)
		for (int x = 0; x < 3; x++)
			b[x][y] = a[y][x] + a[x][y] * ROUNDS;
	for (int y = 0; y < 3; y++)
		for (int x = 0; x < 3; x++)
			out[9 * i + 3 * y + x] = b[y][x];
}

__kernel void constant_space(__global const int *in, __constant int *table, __global int *out)
{
	int i = get_global_id(0);

	out[i] = table[in[i]] + table[i & 15];
}

__kernel void mixed_table(__global long *out)
{
	int i = get_global_id(0), n = i % 3;

	out[i] = entries[n].key + (long)(entries[n].weight * 100.0) + entries[n].letters[i & 3];
}

__kernel void window(__global const int *in, __global int *out)
{
	int i = get_global_id(0), last[4] = { 0 }, best = INT_MIN;

	for (int k = 0; k < 16; k++) {
		last[k & 3] = in[16 * i + k];
		best = max(best, last[0] + last[1] + last[2] + last[3]);
	}
	out[i] = best;
}
