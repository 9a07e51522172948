// Scalar types: signed and unsigned, narrow and wide, and what tells one from the other.
// run: bytes_signed   64 16 : char[64]=random char[64]=random(1,100) int[64]=zero
// run: bytes_unsigned 64 16 : uchar[64]=random uchar[64]=random(1,100) uint[64]=zero
// run: shorts         64 16 : short[64]=random ushort[64]=random int[64]=zero ushort[64]=zero
// run: ints           64 16 : int[64]=random int[64]=random(1,1000) int[256]=zero
// run: uints          64 16 : uint[64]=random uint[64]=random(1,1000) uint[256]=zero
// run: longs          64 16 : long[64]=random long[64]=random(1,1000000) long[256]=zero
// run: ulongs         64 16 : ulong[64]=random ulong[64]=random(1,1000000) ulong[256]=zero
// run: sizes          64 16 : ulong[64]=zero char=-5 uchar=200 short=-300 ushort=60000 int=-70000 uint=4000000000 long=-5000000000
// run: doubles        64 16 : double[64]=random(1,9) double[64]=random double[128]=zero
// run: booleans       64 16 : int[64]=random(-2,3) int[64]=random(-2,3) int[64]=zero
// run: orders         64 16 : int[65]=random(-1,2) uint[65]=random(0,3) int[64]=zero

__kernel void bytes_signed(__global const char *a, __global const char *b, __global int *c)
{
	int i = get_global_id(0);
	char x = a[i], y = b[i];

	c[i] = (x / y) * 100000 + (x >> 2) * 1000 + (x % y) + (x < y) + (char)(x * y);
}

__kernel void bytes_unsigned(__global const uchar *a, __global const uchar *b, __global uint *c)
{
	int i = get_global_id(0);
	uchar x = a[i], y = b[i];

	c[i] = (x / y) * 100000 + (x >> 2) * 1000 + (x % y) + (x < y) + (uchar)(x * y);
}

__kernel void shorts(__global const short *a, __global const ushort *b, __global int *c,
                     __global ushort *d)
{
	int i = get_global_id(0);
	short x = a[i];
	ushort y = b[i];

	c[i] = x * 3 - y + (x < (short)y ? 7 : 9);
	d[i] = (ushort)(x ^ y) >> 3;
}

__kernel void ints(__global const int *a, __global const int *b, __global int *c)
{
	int i = get_global_id(0);
	int x = a[i], y = b[i];

	c[4 * i] = x / y;
	c[4 * i + 1] = x % y;
	c[4 * i + 2] = (x >> 5) + (x < y ? 1 : -1);
	c[4 * i + 3] = (int)((uint)x * 17u) ^ ~y;
}

__kernel void uints(__global const uint *a, __global const uint *b, __global uint *c)
{
	int i = get_global_id(0);
	uint x = a[i], y = b[i];

	c[4 * i] = x / y;
	c[4 * i + 1] = x % y;
	c[4 * i + 2] = (x >> 5) + (x < y ? 1 : 2);
	c[4 * i + 3] = x * y - (x << 7 ^ x >> 24);
}

__kernel void longs(__global const long *a, __global const long *b, __global long *c)
{
	int i = get_global_id(0);
	long x = a[i], y = b[i];

	c[4 * i] = x / y;
	c[4 * i + 1] = x % y;
	c[4 * i + 2] = (x >> 37) + (x < y ? 1 : -1);
	c[4 * i + 3] = (long)(int)x + (long)(short)y + 0x123456789abcdefL;
}

__kernel void ulongs(__global const ulong *a, __global const ulong *b, __global ulong *c)
{
	int i = get_global_id(0);
	ulong x = a[i], y = b[i];

	c[4 * i] = x / y;
	c[4 * i + 1] = x % y;
	c[4 * i + 2] = (x >> 37) + (x > y);
	c[4 * i + 3] = x * 0xfedcba9876543211UL + (uint)y;
}

__kernel void sizes(__global ulong *out, char a, uchar b, short c, ushort d, int e, uint f, long g)
{
	size_t i = get_global_id(0);

	out[i] = i * sizeof(size_t) + (ulong)a + b + (ulong)(long)c + d + (ulong)e + f + (ulong)g;
}

__kernel void doubles(__global const double *a, __global const double *b, __global double *c)
{
	int i = get_global_id(0);

	c[2 * i] = a[i] * 0.1 + b[i] / a[i];
	c[2 * i + 1] = b[i] < 0.0 ? -b[i] : (double)(float)(b[i] * 1.1);
}

__kernel void booleans(__global const int *a, __global const int *b, __global int *c)
{
	int i = get_global_id(0);
	bool both = a[i] && b[i], one = a[i] || b[i];

	c[i] = both + 2 * one + 4 * !a[i] + 8 * (both != one) + (both ^ (a[i] > b[i])) * 16;
}

/* Neighbours are often equal. */
__kernel void orders(__global const int *a, __global const uint *b, __global int *out)
{
	int i = get_global_id(0), x = a[i], y = a[i + 1], bits = 0;
	uint u = b[i], v = (uint)a[i + 1];
	float f = (float)x, g = (float)y / (float)(u & 1u);

	bits = bits * 2 + (x < y);
	bits = bits * 2 + (x <= y);
	bits = bits * 2 + (x > y);
	bits = bits * 2 + (x >= y);
	bits = bits * 2 + (x == y);
	bits = bits * 2 + (x != y);
	bits = bits * 2 + (u < v);
	bits = bits * 2 + (u <= v);
	bits = bits * 2 + (u > v);
	bits = bits * 2 + (u >= v);
	bits = bits * 2 + (f < g);
	bits = bits * 2 + (f <= g);
	bits = bits * 2 + (f > g);
	bits = bits * 2 + (f >= g);
	bits = bits * 2 + (f == g);
	bits = bits * 2 + (f != g);
	bits = bits * 2 + !(f < g);
	bits = bits * 2 + !(f >= g);
	out[i] = bits;
}
