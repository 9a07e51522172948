// Literals and special values: infinities, NaN, denormals, extremes of integers, negative zero.
// run: extremes   8 4 : long[48]=zero
// run: floats     8 4 : float[64]=zero double[48]=zero
// run: characters 8 4 : uchar[64]=zero
// run: vectors_of 8 4 : int[32]=zero float[16]=zero
// run: undefined  8 4 : int[8]=random int[32]=zero

__kernel void extremes(__global long *out)
{
	int i = get_global_id(0);

	out += 6 * i;
	out[0] = LONG_MIN;
	out[1] = LONG_MAX - i;
	out[2] = INT_MIN;
	out[3] = (long)ULONG_MAX;
	out[4] = UINT_MAX;
	out[5] = SCHAR_MIN + (short)SHRT_MIN;
}

__kernel void floats(__global float *f, __global double *d)
{
	int i = get_global_id(0);

	f += 8 * i;
	d += 6 * i;
	f[0] = INFINITY;
	f[1] = -INFINITY;
	f[2] = as_float(0x7fc01234);
	f[3] = -0.0f;
	f[4] = 0x1.fffffep127f;
	f[5] = 0x1p-126f;
	f[6] = 16777217.0f;
	f[7] = M_PI_F;
	d[0] = HUGE_VAL;
	d[1] = 0.1;
	d[2] = -0.0;
	d[3] = 0x1.0000000000001p-1022;
	d[4] = 1e308;
	d[5] = as_double(0x7ff8000000000123UL);
}

__kernel void characters(__global uchar *out)
{
	int i = get_global_id(0);
	const char text[8] = { 'a', '\n', '\\', '"', '\'', '\0', '\x7f', '?' };

	for (int k = 0; k < 8; k++)
		out[8 * i + k] = text[(k + i) & 7];
}

__kernel void vectors_of(__global int4 *out, __global float2 *f)
{
	int i = get_global_id(0);

	out[i] = (int4)(i, (int2)(-1, 0x7fffffff), 5) + (int4)(7);
	f[i] = (float2)(1.5f, -0.0f);
}

/* Two of the vector's lanes are never given a value, nor used. */
__kernel void undefined(__global const int *in, __global int4 *out)
{
	int i = get_global_id(0);
	int4 v, w = (int4)(0);

	v.x = in[i];
	v.z = -in[i];
	w.yw = v.xz;
	out[i] = w;
}
