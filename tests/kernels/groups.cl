// Barriers, local memory, partial sums.
// run: shared         64 16 : int[64]=random(-1000,1000) int[64]=zero
// run: reduced        64 16 : int[64]=random(0,100) int[4]=zero local[64]
// run: prefix         64 16 : int[64]=random(0,9) int[64]=zero local[128]
// run: in_loop        32 8 : int[32]=random(-1000,1000) int[32]=zero int=3
// run: uniform_if     32 8 : int[32]=random(-1000,1000) int[32]=zero int=1
// run: returns_before 32 8 : int[32]=random(-1000,1000) int[32]=zero int=2
// run: fences         32 8 : int[32]=random(-1000,1000) int[64]=zero
// run: global_barrier 32 8 : int[32]=random(-1000,1000) int[32]=zero
// run: tiled          16x16 8x8 : int[256]=random(-9,9) int[256]=random(-9,9) int[256]=zero
// run: transposed     16x8 8x8 : int[128]=iota int[128]=zero
// run: local_struct   32 8 : int[64]=random(-1000,1000) int[32]=zero
// run: two_barriers   32 8 : int[32]=random(-1000,1000) int[32]=zero

__kernel void shared(__global const int *in, __global int *out)
{
	__local int kept[16];
	int i = get_global_id(0), l = get_local_id(0);

	kept[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = kept[15 - l];
}

__kernel void reduced(__global const int *in, __global int *out, __local int *part)
{
	int l = get_local_id(0);

	part[l] = in[get_global_id(0)];
	for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < step)
			part[l] += part[l + step];
	}
	if (l == 0)
		out[get_group_id(0)] = part[0];
}

__kernel void prefix(__global const int *in, __global int *out, __local int *sums)
{
	int l = get_local_id(0), n = get_local_size(0), from = 0;

	sums[l] = in[get_global_id(0)];
	for (int step = 1; step < n; step *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[(n - from) + l] = sums[from + l] + (l >= step ? sums[from + l - step] : 0);
		from = n - from;
	}
	out[get_global_id(0)] = sums[from + l];
}

__kernel void in_loop(__global const int *in, __global int *out, int rounds)
{
	__local int kept[8];
	int i = get_global_id(0), l = get_local_id(0), v = in[i];

	for (int r = 0; r < rounds; r++) {
		kept[l] = v + r;
		barrier(CLK_LOCAL_MEM_FENCE);
		v += kept[(l + 1) & 7];
		barrier(CLK_LOCAL_MEM_FENCE);
		out[i] = v;
	}
}

/* All work-items take the same way. */
__kernel void uniform_if(__global const int *in, __global int *out, int wanted)
{
	__local int kept[8];
	int i = get_global_id(0), l = get_local_id(0);

	if (wanted) {
		kept[l] = in[i];
		barrier(CLK_LOCAL_MEM_FENCE);
		out[i] = kept[l ^ 1];
	} else {
		out[i] = -1;
	}
}

__kernel void returns_before(__global const int *in, __global int *out, int groups)
{
	__local int kept[8];
	int i = get_global_id(0), l = get_local_id(0);

	if ((int)get_group_id(0) >= groups)
		return;
	kept[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = kept[7 - l];
}

__kernel void fences(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[i];
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	out[32 + i] = out[i] + 1;
	write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	out[i] = 2;
	read_mem_fence(CLK_LOCAL_MEM_FENCE);
}

__kernel void global_barrier(__global const int *in, __global int *out)
{
	int i = get_global_id(0), l = get_local_id(0), first = i - l;

	out[i] = in[i] * 2;
	barrier(CLK_GLOBAL_MEM_FENCE);
	int v = out[first + 7 - l];
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	out[i] = v;
}

__kernel void tiled(__global const int *a, __global const int *b, __global int *c)
{
	__local int pa[8][8], pb[8][8];
	int x = get_local_id(0), y = get_local_id(1);
	int column = get_global_id(0), row = get_global_id(1), sum = 0;

	for (int t = 0; t < 16; t += 8) {
		pa[y][x] = a[row * 16 + t + x];
		pb[y][x] = b[(t + y) * 16 + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < 8; k++)
			sum += pa[y][k] * pb[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * 16 + column] = sum;
}

__kernel void transposed(__global const int *in, __global int *out)
{
	__local int tile[8][9];
	int x = get_local_id(0), y = get_local_id(1);
	int gx = get_group_id(0) * 8, gy = get_group_id(1) * 8;

	tile[y][x] = in[(gy + y) * 16 + gx + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[(gx + y) * 8 + gy + x] = tile[x][y];
}

struct slot {
	char tag;
	int value;
};

__kernel void local_struct(__global const int2 *in, __global int *out)
{
	__local struct slot slots[8];
	int i = get_global_id(0), l = get_local_id(0);
	__local struct slot *mine = slots + l;

	mine->tag = (char)in[i].x;
	mine->value = in[i].y;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = slots[(l + 3) & 7].tag + slots[(l + 5) & 7].value;
}

__kernel void two_barriers(__global const int *in, __global int *out)
{
	__local int kept[8], total;
	int i = get_global_id(0), l = get_local_id(0);

	kept[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0) {
		total = 0;
		for (int k = 0; k < 8; k++)
			total ^= kept[k];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = total + l;
}
