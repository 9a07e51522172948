// Vectors of every length: components, swizzles, comparisons, three-element ones, casts.
// run: components   32 8 : int[128]=random(-1000,1000) int[128]=zero
// run: swizzles     32 8 : float[256]=random float[256]=zero
// run: threes       32 8 : int[128]=random(-1000,1000) int[128]=zero
// run: comparisons  32 8 : int[128]=random(-3,4) int[128]=random(-3,4) int[128]=zero
// run: wide         16 4 : uint[256]=random ushort[256]=random uint[256]=zero
// run: bytes16      16 4 : uchar[256]=random uchar[256]=zero char16=3
// run: vload_store  16 4 : int[320]=random(-1000,1000) int[320]=zero
// run: vload_bytes  16 4 : uchar[200]=random uchar[200]=zero
// run: reinterpret  32 8 : uint[64]=random uint[64]=zero ulong[32]=zero
// run: one_lane     32 8 : int[128]=random(-1000,1000) int[128]=zero
// run: pairs        32 8 : long[64]=random double[64]=random long[64]=zero double[64]=zero
// run: chosen       32 8 : int[128]=random(-3,4) int[128]=random(-3,4) int[128]=zero

__kernel void components(__global const int4 *a, __global int4 *b)
{
	int i = get_global_id(0);
	int4 v = a[i];

	v.x += v.y;
	v.s3 = v.z - v.w;
	b[i] = v * (int4)(1, 2, 3, 4) + v.yxwz;
}

__kernel void swizzles(__global const float8 *a, __global float8 *b)
{
	int i = get_global_id(0);
	float8 v = a[i];

	v.even = v.odd;
	v.lo = v.hi.wzyx;
	v.s07 = v.s70;
	b[i] = v;
}

__kernel void threes(__global const int3 *a, __global int3 *b)
{
	int i = get_global_id(0);
	int3 v = a[i];

	b[i] = v.zxy + (int3)(i, 2 * i, 3 * i);
	((__global int *)(b + i))[3] = i; /* the fourth is undefined */
}

__kernel void comparisons(__global const int4 *a, __global const int4 *b, __global int4 *c)
{
	int i = get_global_id(0);
	int4 x = a[i], y = b[i];
	int4 less = x < y;

	c[i] = (less ? x : y) + (x == y) * 10 + (less && (x != 0)) * 100 + !x;
}

__kernel void wide(__global const uint16 *a, __global const ushort16 *b, __global uint16 *c)
{
	int i = get_global_id(0);
	uint16 v = a[i] >> 3;

	c[i] = v * convert_uint16(b[i]) + v.sfedcba9876543210;
}

__kernel void bytes16(__global const uchar16 *a, __global uchar16 *b, char16 step)
{
	int i = get_global_id(0);

	b[i] = a[i] + as_uchar16(step) * (uchar)i;
}

__kernel void vload_store(__global const int *a, __global int *b)
{
	int i = get_global_id(0);
	int2 two = vload2(i, a);
	int3 three = vload3(i, a + 32);
	int4 four = vload4(i, a + 80);
	int8 eight = vload8(i, a + 144);

	vstore2(two + 1, i, b);
	vstore3(three + four.xyz, i, b + 32);
	vstore4(four - eight.lo, i, b + 80);
	vstore8(eight * 2, i, b + 144);
}

__kernel void vload_bytes(__global const uchar *a, __global uchar *b)
{
	int i = get_global_id(0);
	uchar4 v = vload4(0, a + 9 * i + 1);

	vstore3(v.wyx, i, b + 5);
	vstore2(v.zw, 0, b + 60 + 8 * i);
}

__kernel void reinterpret(__global const uint2 *a, __global uint *b, __global ulong *c)
{
	int i = get_global_id(0);
	uint2 v = a[i];

	b[2 * i] = as_uint(as_float(v.x & 0x3fffffffu) + 1.0f);
	b[2 * i + 1] = as_uint(as_short2(v.y) + (short2)(1, 2));
	c[i] = as_ulong(v) ^ as_ulong(as_uchar8(v).s76543210);
}

__kernel void one_lane(__global const int *a, __global int4 *b)
{
	int i = get_global_id(0);

	b[i].y = a[4 * i + 2];
	b[i].w = b[i].y + a[i];
}

__kernel void pairs(__global const long2 *a, __global const double2 *b, __global long2 *c,
                    __global double2 *d)
{
	int i = get_global_id(0);

	c[i] = a[i].yx - (long)i;
	d[i] = b[i] * (double2)(0.5, -2.0);
}

/* Which lanes are taken depends on data. */
__kernel void chosen(__global const int4 *a, __global const int4 *b, __global int4 *c)
{
	int i = get_global_id(0);
	int4 v = a[i], w = b[i];

	c[i] = v < w ? v : w * 100;
}
