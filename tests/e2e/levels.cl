// Kernels whose accesses a GPU's compiler does not make as the source has them.
// run: twice     64 16 : float[192]=random(-10,10) float[64]=zero
// run: whole     64 16 : float[256]=random(-10,10) float[64]=zero
// run: always    64 16 : float[64]=random(-10,10) float[64]=zero
// run: others    64 16 : float[64]=random(-10,10) float[64]=zero
// run: aliased   64 16 : float[128]=random(-10,10) int=64
// run: once      64 16 : float[64]=random(-10,10) float[64]=zero int=5
// run: past      64 16 : float[3]=random(-10,10) float[64]=zero

struct three {
	float x, y, z;
};
typedef struct three __attribute__((aligned(16))) aligned_three;

// Of the source: six loads. Each member is loaded once: three.
__kernel void twice(__global const struct three *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i].x * a[i].x + a[i].y * a[i].y + a[i].z * a[i].z;
}

// One load of 16 bytes, though two lanes are used.
__kernel void whole(__global const float4 *a, __global float *b)
{
	int i = get_global_id(0);
	float4 v = a[i];

	b[i] = v.x + v.w;
}

// Two loads at either level: volatile.
__kernel void always(__global const volatile float *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a[i] + a[i];
}

// Two loads at either level: others may have written between them.
__kernel void others(__global const float *a, __global float *b)
{
	int i = get_global_id(0);
	float x = a[i];

	barrier(CLK_GLOBAL_MEM_FENCE);
	b[i] = x + a[i];
}

// Two loads and two stores at either level: the first store may be to a[i].
__kernel void aliased(__global float *a, int n)
{
	int i = get_global_id(0);
	float x = a[i];

	a[i + n] = x + 1;
	a[i] = x + a[i];
}

// Of the source: a load in each of five iterations. It is always the same: one.
__kernel void once(__global const float *a, __global float *b, int n)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[i] * k;
	b[i] = sum;
}

// Three loads, or one of 8 bytes and one of 4: behind these 12 bytes the buffer ends.
__kernel void past(__global const aligned_three *a, __global float *b)
{
	int i = get_global_id(0);

	b[i] = a->x + 2 * a->y + 3 * a->z;
}
