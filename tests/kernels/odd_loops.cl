// Loops that are hard to describe: irreducible, wrapping, of changing stride, with loads that steer.
// run: irreducible     16 4 : int[16]=random(0,2) int[128]=random(-1000,1000) int[16]=zero
// run: wraps           8 4 : int[256]=random(-1000,1000) int[8]=zero uint=4294967293
// run: wraps_short     8 4 : int[256]=random(-1000,1000) int[8]=zero
// run: quadratic       16 4 : int[256]=random(-1000,1000) int[16]=zero
// run: doubling        16 4 : int[256]=random(-1000,1000) int[16]=zero
// run: chased          16 4 : int[64]=shuffle int[16]=zero
// run: wandering       16 4 : int[64]=random(-2,3) int[256]=random(-1000,1000) int[16]=zero
// run: invariant       16 4 : int[16]=random(-1000,1000) int[16]=zero
// run: only_first      16 4 : int[128]=random(-1000,1000) int[16]=zero
// run: changing_bound  16 4 : int[128]=random(0,4) int[16]=zero
// run: outer_only      16 4 : int[64]=random(-1000,1000) int[64]=zero
// run: long_index      8 4 : long[8]=zero long[64]=random long=8
// run: byte_counter    4 2 : uchar[512]=random int[4]=zero
// run: modulo          16 4 : int[64]=random(-1000,1000) int[16]=zero
// run: many_loops      8 4 : int[64]=random(-1000,1000) int[8]=zero
// run: every_other     16 4 : int[128]=random(-1000,1000) int[16]=zero
// run: found           128 128 : int[128]=iota int[128]=iota int[128]=zero int=100
// run: skipped_rows    16 4 : int[16]=random(0,2) int[128]=random(-1000,1000) int[64]=zero

__kernel void irreducible(__global const int *where, __global const int *in, __global int *out)
{
	int i = get_global_id(0), k = 0, sum = 0;

	if (where[i])
		goto middle;
top:
	sum += in[8 * i + k];
middle:
	sum ^= in[8 * i + 7 - k];
	if (++k < 4)
		goto top;
	out[i] = sum;
}

/* The 32-bit index passes 2^32 on the way. */
__kernel void wraps(__global const int *in, __global int *out, uint start)
{
	int i = get_global_id(0), sum = 0;
	uint at = start;

	for (int k = 0; k < 6; k++, at++)
		sum += in[(at & 255u) / 4 + i];
	for (uint k = start; k != 3; k++)
		sum += in[(uint)(k + 5u) + i];
	out[i] = sum;
}

__kernel void wraps_short(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 250; k < 262; k++)
		sum = sum * 3 + in[(uchar)(k + i)];
	out[i] = sum;
}

__kernel void quadratic(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 0; k < 12; k++)
		sum += in[k * k + i];
	out[i] = sum;
}

__kernel void doubling(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 1; k < 256; k *= 2)
		sum += in[k ^ i];
	out[i] = sum;
}

__kernel void chased(__global const int *next, __global int *out)
{
	int i = get_global_id(0), at = i;

	for (int k = 0; k < 5; k++)
		at = next[at];
	out[i] = at;
}

__kernel void wandering(__global const int *step, __global const int *in, __global int *out)
{
	int i = get_global_id(0), at = 128, sum = 0;

	for (int k = 0; k < 4; k++) {
		at += 10 * step[4 * i + k];
		sum += in[at + i];
	}
	out[i] = sum;
}

__kernel void invariant(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int k = 0; k < 5; k++)
		out[i] = out[i] * 3 + in[i];
}

__kernel void only_first(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 0; k < 8; k++) {
		if (k < 2)
			sum += in[8 * i + k];
		if (k == 5)
			out[i] = sum;
	}
}

__kernel void changing_bound(__global const int *in, __global int *out)
{
	int i = get_global_id(0), n = 2, k;

	for (k = 0; k < n && k < 8; k++)
		if (in[8 * i + k] > 1)
			n++;
	out[i] = k;
}

__kernel void outer_only(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int y = 0; y < 4; y++) {
		int v = in[4 * i + y];

		for (int x = 0; x < 3; x++)
			v = v * 5 + x;
		out[4 * i + y] = v;
	}
}

__kernel void long_index(__global long *out, __global const long *in, long n)
{
	long i = get_global_id(0), sum = 0;

	for (long k = 0; k < n; k++)
		sum += in[i * n + k];
	out[i] = sum;
}

__kernel void byte_counter(__global const uchar *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (uchar k = 100; k != 90; k++)
		sum += in[k + 2 * i];
	out[i] = sum;
}

__kernel void modulo(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int k = 0; k < 40; k++)
		sum += in[(k * 3 + i) % 64];
	out[i] = sum;
}

#define EACH(n, what) for (int k = 0; k < n; k++) what;
__kernel void many_loops(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	EACH(2, sum += in[i + k])
	EACH(3, sum ^= in[i + 2 * k])
	EACH(1, sum -= in[i])
	EACH(4, EACH(2, sum += in[i + 3 * k]))
	EACH(2, EACH(3, sum ^= in[63 - k - i]))
	EACH(3, out[i] = sum + k)
}

/* Rows that follow each other in memory, but not in the iterations around them. */
__kernel void every_other(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int y = 0; y < 6; y++)
		if (y & 1)
			for (int x = 0; x < 4; x++)
				sum += in[8 * y + x + i];
	out[i] = sum;
}

__kernel void skipped_rows(__global const int *skip, __global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int y = 0; y < 4; y++) {
		int sum = 0;

		if (skip[(i + y) & 15])
			continue;
		for (int x = 0; x < 3; x++)
			sum += in[16 * y + 2 * x + i];
		out[4 * i + y] = sum;
	}
}

// Loops that work-items leave at different times, some do not enter, and a barrier for all behind:
// runtimes that make loops over the work-items must not take them for one.
__kernel void found(__global const int *in, __global const int *wanted, __global int *out, int n)
{
	int i = get_global_id(0);

	if (i < n) {
		int at = -1;

		for (int k = 0; k < n; k++)
			if (in[k] >= wanted[i]) {
				at = k;
				break;
			}
		if (at < 0)
			at = n - 1;
		out[i] = in[at];
	}
	barrier(CLK_GLOBAL_MEM_FENCE);
}
