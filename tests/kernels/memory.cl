// Patterns of access: gather, scatter, stencil, aliases, volatile, null pointers, straight lines.
// run: gathered     64 16 : int[64]=shuffle int[64]=random(-1000,1000) int[64]=zero
// run: scattered    64 16 : int[64]=shuffle int[64]=random(-1000,1000) int[64]=zero
// run: stencil      18x10 6x5 : int[240]=random(-1000,1000) int[240]=zero int=20
// run: in_place     64 16 : int[64]=random(-1000,1000)
// run: aliased      32 8 : int[64]=random(-1000,1000) same[0]
// run: volatiles    32 8 : int[32]=random(-1000,1000) int[64]=zero
// run: restricted   32 8 : int[32]=random(-1000,1000) int[32]=random(-1000,1000) int[32]=zero
// run: straight     16 4 : int[1024]=random(-1000,1000) int[16]=zero
// run: columns      16 4 : int[256]=random(-1000,1000) int[256]=zero
// run: mixed_widths 32 8 : uchar[512]=random uchar[512]=zero
// run: unaligned    16 4 : uchar[256]=random int[16]=zero
// run: same_value   32 8 : int[1]=const(9) int[32]=zero
// run: compound     32 8 : int[32]=random(-1000,1000) int[32]=random(1,9) uchar[32]=random
// run: pointer_math 32 8 : int[64]=random(-1000,1000) long[32]=zero
// run: histogrammed 32 8 : uchar[256]=random(0,8) int[256]=zero

__kernel void gathered(__global const int *index, __global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[index[i]];
}

__kernel void scattered(__global const int *index, __global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[index[i]] = in[i];
}

__kernel void stencil(__global const int *in, __global int *out, int w)
{
	int x = get_global_id(0) + 1, y = get_global_id(1) + 1, at = y * w + x;
	int up = in[at - w], left = in[at - 1], here = in[at], right = in[at + 1], down = in[at + w];

	out[at] = up + left - 4 * here + right + down;
}

__kernel void in_place(__global int *v)
{
	int i = get_global_id(0);

	v[i] = v[i] * 3 + 1;
}

__kernel void aliased(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i + 32] = in[i];
}

__kernel void volatiles(__global const volatile int *in, __global volatile int *out)
{
	int i = get_global_id(0), a = in[i], b = in[i];

	out[i] = a + b;
	out[i] = a - b;
	out[i + 32] = out[i] + 1;
}

__kernel void restricted(__global const int *restrict a, __global const int *restrict b,
                         __global int *restrict c)
{
	int i = get_global_id(0);

	c[i] = a[i] - b[31 - i];
}

#define L1(n) sum = (sum & 0xffff) * 3 + in[16 * (n) + i];
#define L4(n) L1(n) L1(n + 1) L1(n + 2) L1(n + 3)
#define L16(n) L4(n) L4(n + 4) L4(n + 8) L4(n + 12)
__kernel void straight(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	L16(0) L16(16) L16(32) L16(48)
	out[i] = sum;
}

__kernel void columns(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int k = 0; k < 16; k++)
		out[i * 16 + k] = in[k * 16 + i];
}

__kernel void mixed_widths(__global const uchar *in, __global uchar *out)
{
	int i = get_global_id(0);
	__global const uchar *p = in + 16 * i;
	__global uchar *q = out + 16 * i;

	*q = *p;
	*(__global ushort *)(q + 2) = *(__global const ushort *)(p + 2);
	*(__global uint *)(q + 4) = *(__global const uint *)(p + 4);
	*(__global ulong *)(q + 8) = *(__global const ulong *)(p + 8);
}

__kernel void unaligned(__global const uchar *in, __global int *out)
{
	int i = get_global_id(0);
	__global const uchar *p = in + 13 * i + 1;

	out[i] = p[0] | p[1] << 8 | p[2] << 16 | (int)((uint)p[3] << 24);
}

__kernel void same_value(__global const int *in, __global int *out)
{
	out[get_global_id(0)] = *in + get_global_id(0);
}

__kernel void compound(__global int *a, __global int *b, __global uchar *c)
{
	int i = get_global_id(0);

	a[i] += 5;
	a[i] <<= 1;
	b[i]++;
	--b[i];
	c[i] |= 0x81;
	c[i] >>= 1;
}

__kernel void pointer_math(__global const int *in, __global long *out)
{
	int i = get_global_id(0);
	__global const int *p = in + i, *q = &in[2 * i];

	out[i] = (q - p) + (p <= q) * 1000 + *(q < p ? q : p);
}

__kernel void histogrammed(__global const uchar *in, __global int *out)
{
	int i = get_global_id(0), bins[8];

	for (int k = 0; k < 8; k++)
		bins[k] = 0;
	for (int k = 0; k < 8; k++)
		bins[in[8 * i + k]]++;
	for (int k = 0; k < 8; k++)
		out[8 * i + k] = bins[k];
}
