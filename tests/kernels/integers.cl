// Integer builtins, conversions with rounding and saturation, shuffles, as_typen, bit tricks.
// inexact: rounded
// (Oclgrind 21.10 rounds up and down wrongly; its max() of a vector and a scalar is wrong too.)
// run: integer_math    64 16 : int[64]=random int[64]=random int[1024]=zero
// run: unsigned_math   64 16 : uint[64]=random uint[64]=random uint[704]=zero
// run: narrow_math     64 16 : short[64]=random uchar[64]=random int[384]=zero
// run: wide_math       64 16 : long[64]=random ulong[64]=random ulong[512]=zero
// run: vector_integers 16 4 : int[64]=random int[64]=random int[64]=zero
// run: saturated       64 16 : int[64]=random float[64]=random(-400,400) int[640]=zero
// run: rounded         64 16 : float[64]=random int[512]=zero
// run: to_floats       64 16 : long[64]=random ulong[64]=random float[384]=zero double[128]=zero
// run: shuffled        16 4 : uint[128]=random uint[64]=random float[64]=zero ushort[64]=zero
// run: converted       16 4 : int[64]=random(-300,300) char[64]=zero float[64]=zero ulong[64]=zero
// run: types_as        64 16 : float[64]=random int[64]=zero uchar[256]=zero double[32]=random long[64]=zero
// run: selects         64 16 : int[64]=random(-2,3) int[64]=random int[64]=zero uint[256]=zero

__kernel void integer_math(__global const int *a, __global const int *b, __global int *c)
{
	int i = get_global_id(0), x = a[i], y = b[i];

	c += 16 * i;
	c[0] = (int)abs(x >> 1);
	c[1] = (int)abs_diff(x, y);
	c[2] = add_sat(x, y);
	c[3] = sub_sat(x, y);
	c[4] = hadd(x, y);
	c[5] = rhadd(x, y);
	c[6] = clamp(x, -1000, 1000);
	c[7] = clz(x);
	c[8] = mad_hi(x, y, 5);
	c[9] = mad_sat(x, y, 5);
	c[10] = max(x, y);
	c[11] = min(x, y);
	c[12] = mul_hi(x, y);
	c[13] = rotate(x, 5);
	c[14] = popcount(x);
	c[15] = mul24(x >> 10, y >> 10) + mad24(x >> 12, y >> 12, 7);
}

__kernel void unsigned_math(__global const uint *a, __global const uint *b, __global uint *c)
{
	int i = get_global_id(0);
	uint x = a[i], y = b[i];

	c += 11 * i;
	c[0] = abs_diff(x, y);
	c[1] = add_sat(x, y);
	c[2] = sub_sat(x, y);
	c[3] = hadd(x, y);
	c[4] = rhadd(x, y);
	c[5] = clz(x >> 9);
	c[6] = mad_sat(x, y >> 28, 5u);
	c[7] = max(x, y) - min(x, y);
	c[8] = mul_hi(x, y);
	c[9] = rotate(x, y & 31u);
	c[10] = mul24(x & 0xfffu, y & 0xfffu) + clamp(x, 5u, 4000000000u);
}

__kernel void narrow_math(__global const short *a, __global const uchar *b, __global int *c)
{
	int i = get_global_id(0);
	short x = a[i];
	uchar y = b[i];

	c += 6 * i;
	c[0] = add_sat(x, (short)30000) + hadd(x, (short)y);
	c[1] = sub_sat(y, (uchar)100) + rotate(y, (uchar)3);
	c[2] = clz(x) + clz(y) + popcount(y);
	c[3] = mul_hi(x, (short)999) + abs(x);
	c[4] = upsample(x, (ushort)y) + upsample((char)y, y);
	c[5] = max(x, (short)-7) + min(y, (uchar)99);
}

__kernel void wide_math(__global const long *a, __global const ulong *b, __global ulong *c)
{
	int i = get_global_id(0);
	long x = a[i];
	ulong y = b[i];

	c += 8 * i;
	c[0] = (ulong)mul_hi(x, 77777777777L) + mul_hi(y, y);
	c[1] = clz(x) + popcount(y);
	c[2] = add_sat(y, (ulong)x) ^ (ulong)sub_sat(x, (long)y);
	c[3] = rotate(y, 13UL);
	c[4] = abs_diff(x, 5L) + abs(x);
	c[5] = upsample((uint)y, (uint)x);
	c[6] = (ulong)max(x, -5L) - min(y, 5UL) + (ulong)hadd(x, (long)y);
	c[7] = y >> (x & 63);
}

__kernel void vector_integers(__global const int4 *a, __global const int4 *b, __global int4 *c)
{
	int i = get_global_id(0);

	c[i] = add_sat(a[i], b[i]) ^ mul_hi(a[i], b[i]) ^ rotate(a[i], 3) ^ max(a[i], (int4)(0)) ^
	       as_int4(abs_diff(a[i], b[i])) ^ clz(b[i]) ^ (a[i] << (b[i] & 31));
}

__kernel void saturated(__global const int *a, __global const float *f, __global int *c)
{
	int i = get_global_id(0);

	c += 10 * i;
	c[0] = convert_char_sat(a[i]);
	c[1] = convert_uchar_sat(a[i]);
	c[2] = convert_short_sat(a[i]);
	c[3] = convert_ushort_sat(a[i]);
	c[4] = (int)convert_uint_sat(a[i]);
	c[5] = convert_char_sat(f[i]);
	c[6] = convert_uchar_sat_rte(f[i]);
	c[7] = convert_int_sat(f[i] * 1e8f);
	c[8] = (int)convert_uint_sat_rtz(f[i] * 1e8f);
	c[9] = convert_short_sat_rtn(f[i] * 100.0f);
}

__kernel void rounded(__global const float *a, __global int *c)
{
	int i = get_global_id(0);
	float x = a[i];

	c += 8 * i;
	c[0] = convert_int(x);
	c[1] = convert_int_rte(x);
	c[2] = convert_int_rtz(x);
	c[3] = convert_int_rtp(x);
	c[4] = convert_int_rtn(x);
	c[5] = (int)x * 3;
	c[6] = (int)convert_long_rtp((double)x * 1e3);
	c[7] = convert_char_rte(x);
}

__kernel void to_floats(__global const long *a, __global const ulong *b, __global float *c,
                        __global double *d)
{
	int i = get_global_id(0);

	c += 6 * i;
	c[0] = (float)a[i];
	c[1] = (float)b[i];
	c[2] = (float)(int)a[i];
	c[3] = (float)(uint)b[i];
	c[4] = (float)(char)a[i] + (float)(uchar)b[i];
	c[5] = convert_float_rte((short)a[i]);
	d[2 * i] = (double)a[i];
	d[2 * i + 1] = (double)(uint)b[i] + (double)(int)a[i];
}

__kernel void shuffled(__global const uint4 *a, __global const uint4 *mask, __global float4 *b,
                       __global ushort4 *c)
{
	int i = get_global_id(0);
	uint4 both = shuffle2(a[2 * i], a[2 * i + 1], mask[i]);

	b[i] = shuffle(convert_float4(a[i] & 0xffffu), mask[i]);
	c[i] = convert_ushort4(shuffle(both, (uint4)(3, 1, 2, 0)) >> 16);
}

__kernel void converted(__global const int4 *a, __global char4 *b, __global float4 *c,
                        __global ulong4 *d)
{
	int i = get_global_id(0);

	b[i] = convert_char4_sat(a[i]);
	c[i] = convert_float4(a[i]) * 0.25f;
	d[i] = convert_ulong4(a[i]) + convert_ulong4_sat(a[i]);
}

__kernel void types_as(__global const float *a, __global int *b, __global uchar4 *c,
                       __global const double *d, __global long *e)
{
	int i = get_global_id(0);

	b[i] = as_int(a[i]) ^ as_int(as_short2(as_int(a[i])).yx);
	c[i] = as_uchar4(a[i]).wxyz;
	e[i] = as_long(d[i & 31]) + as_long(as_int2(d[i & 31]).yx);
}

__kernel void selects(__global const int *a, __global const int *b, __global int *c,
                      __global uint4 *d)
{
	int i = get_global_id(0);
	int4 v = (int4)(a[i], -a[i], b[i], 0);

	c[i] = select(b[i], 77, a[i]);
	d[i] = select((uint4)(1, 2, 3, 4), (uint4)(b[i]), v);
}
