// Functions inlined, kernels that call kernels, macros, several levels, early returns in helpers.
// run: three_levels  32 8 : int[64]=random(-1000,1000) int[32]=zero
// run: calls_kernel  32 8 : int[32]=random(-1000,1000) int[32]=zero
// run: called        32 8 : int[32]=random(-1000,1000) int[32]=zero
// run: through_macro 32 8 : int[64]=random(-1000,1000) int[32]=zero
// run: early_helper  32 8 : int[32]=random(-5,5) int[32]=zero
// run: by_pointer    32 8 : int[32]=random(-1000,1000) int[64]=zero
// run: local_helper  32 8 : int[32]=random(-1000,1000) int[32]=zero
// run: looped_helper 16 4 : int[64]=random(-1000,1000) int[16]=zero
// run: twice         16 4 : int[64]=random(-1000,1000) int[64]=zero
// run: noinline_one  32 8 : int[32]=random(-1000,1000) int[32]=zero

static int deepest(__global const int *p)
{
	return *p * 2;
}

static int deeper(__global const int *p, int i)
{
	return deepest(p + i) + deepest(p + i + 32);
}

inline int deep(__global const int *p, int i)
{
	return deeper(p, i) - 1;
}

#define AT(p, i) ((p)[i])
#define SUM_OF(p, i) (AT(p, i) + AT(p, (i) + 32))

__kernel void three_levels(__global const int *in, __global int *out)
{
	out[get_global_id(0)] = deep(in, get_global_id(0));
}

__kernel void called(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[i] + 5;
}

__kernel void calls_kernel(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	called(in, out);
	out[i] *= 3;
}

__kernel void through_macro(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	AT(out, i) = SUM_OF(in, i);
}

static int clipped(__global const int *p, int i)
{
	if (p[i] < 0)
		return 0;
	for (int k = 0; k < 3; k++)
		if (p[(i + k) & 31] == 4)
			return k;
	return p[31 - i];
}

__kernel void early_helper(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = clipped(in, i);
}

static void swap(__global int *a, __global int *b, int *count)
{
	int kept = *a;

	*a = *b;
	*b = kept;
	(*count)++;
}

__kernel void by_pointer(__global const int *in, __global int *out)
{
	int i = get_global_id(0), count = i;

	out[i] = in[i];
	swap(out + i, out + i + 32, &count);
	swap(out + i, out + i + 32, &count);
	out[i + 32] = count;
}

static int turned(__local int *kept, int l)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	return kept[7 - l];
}

__kernel void local_helper(__global const int *in, __global int *out)
{
	__local int kept[8];

	kept[get_local_id(0)] = in[get_global_id(0)];
	out[get_global_id(0)] = turned(kept, get_local_id(0));
}

static int total(__global const int *p, int n)
{
	int sum = 0;

	for (int k = 0; k < n; k++)
		sum += p[k];
	return sum;
}

__kernel void looped_helper(__global const int *in, __global int *out)
{
	int i = get_global_id(0), sum = 0;

	for (int r = 0; r < 2; r++)
		sum = sum * 7 + total(in + 4 * i, 2 + r);
	out[i] = sum + total(in, 2);
}

static void add_to(__global int *p, int v)
{
	*p += v;
}

__kernel void twice(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	add_to(out + i, in[i]);
	add_to(out + i + 16, in[i + 16]);
	for (int k = 0; k < 2; k++)
		add_to(out + i + 32 + 16 * k, in[i]);
}

__attribute__((noinline)) static int far_away(__global const int *p, int i)
{
	return p[i] ^ 3;
}

__kernel void noinline_one(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = far_away(in, i) + far_away(in, 31 - i);
}
