/* Loads of every type that can be changed to go past L1, and of some that cannot. */
typedef struct {
	float a;
	int b;
} pair;

__kernel void scalars(__global const uchar *c, __global const short *s, __global const float *f,
                      __global const ulong *l, __global float *out)
{
	size_t i = get_global_id(0);
	int k = 0;

	while (k < 8 && f[k] > 1.0f)
		k++;
	out[i] = c[i] + s[i] + f[i] + (float)l[i] + k;
}

__kernel void vectors(__global const char4 *c, __global const float2 *f2, __global const float4 *f4,
                      __global const long2 *l, __global const float8 *f8, __global const int3 *i3,
                      __global float *out)
{
	size_t i = get_global_id(0);

	out[i] = c[i].x + f2[i].y + f4[i].z + (float)l[i].x + f8[i].s5 + i3[i].z;
}

typedef struct __attribute__((packed)) {
	uchar tag;
	float value;
	short2 two;
} odd;

/* Where less than its size is known of an address, a load is made of smaller pieces. */
__kernel void packed(__global const odd *p, __global const float *f, __global float *out)
{
	size_t i = get_global_id(0);

	out[i] = p[i].value + p[i].two.y + f[i];
}

__kernel void others(__global const pair *p, __global volatile const float *v, __global const float *f,
                     __global const uint16 *u, __global float *out)
{
	size_t i = get_global_id(0);
	float4 four = vload4(i, f);
	pair whole = p[i];

	out[i] = whole.a + p[i].b + v[i] + four.y + u[i].sf;
}
