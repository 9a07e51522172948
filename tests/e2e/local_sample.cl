// Kernels whose accesses to local memory are recorded in a sample of the groups: 48 groups each, of which
// 32 are in it. local_sample.sh says what must hold.
// run: columns  1536 32   : int[1536]=random(-1000,1000) int[1536]=zero
// run: tree     768 16    : int[768]=random(-1000,1000) int[48]=zero local[64]
// run: mixed    768 16    : int[3072]=random(-1000,1000) int[3072]=zero
// run: tiles    48x16 4x4 : int[768]=random(-1000,1000) int[768]=zero int=16
// run: counts   768 16    : int[768]=random(0,1000) int[384]=zero int=5
// run: only     1536 32   : int[1536]=random(-1000,1000) int[1536]=zero int=ONLY
// run: whole    96 16     : int[96]=random(-1000,1000) int[96]=zero

/* All lanes of a warp read one bank, before a barrier none does. */
__kernel void columns(__global const int *in, __global int *out)
{
	__local int tile[32][32];
	int l = get_local_id(0), i = get_global_id(0), sum = 0;

	for (int y = 0; y < 32; y++)
		tile[y][l] = in[i] + y;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int x = 0; x < 32; x++)
		sum += tile[l][x];
	out[i] = sum;
}

/* A loop that has accesses to local memory alone. */
__kernel void tree(__global const int *in, __global int *out, __local int *part)
{
	int l = get_local_id(0);

	part[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int half_size = 8; half_size > 0; half_size /= 2) {
		if (l < half_size)
			part[l] += part[l + half_size];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (l == 0)
		out[get_group_id(0)] = part[0];
}

/* Accesses to both memories side by side, each a known distance from others of its own. */
__kernel void mixed(__global const int *in, __global int *out)
{
	__local int part[64];
	int l = get_local_id(0), i = get_global_id(0);

	part[l] = in[i];
	part[l + 16] = in[i + 768];
	part[l + 32] = in[i + 1536];
	part[l + 48] = in[i + 2304];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = part[63 - l];
	out[i + 768] = part[47 - l];
	out[i + 1536] = part[31 - l] + part[l];
	out[i + 2304] = part[15 - l];
}

/* A loop of both in a loop of both, which ends in the middle for some work-items. */
__kernel void tiles(__global const int *in, __global int *out, int count)
{
	__local int tile[4][4];
	int x = get_local_id(0), y = get_local_id(1), sum = 0;
	int i = get_global_id(0) + 48 * get_global_id(1);

	for (int t = 0; t < count; t += 4) {
		tile[y][x] = in[(i + 48 * t) % 768];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < 4; k++) {
			if (tile[k][x] == 7 * t)
				break;
			sum += tile[y][k] * tile[k][x];
			if (k == 2)
				sum += in[i];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[i] = sum;
}

/* Atomics, and addresses that follow no rule, in a loop whose end is not known. */
__kernel void counts(__global const int *in, __global int *out, int rounds)
{
	__local int bins[8];
	int l = get_local_id(0), value = in[get_global_id(0)];

	if (l < 8)
		bins[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int r = 0; r < rounds && value > 0; r++) {
		atomic_add(&bins[value & 7], in[value % 768] & 3);
		value /= 3;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 8)
		out[8 * get_group_id(0) + l] = bins[l];
}

/* Lanes meet in one bank in a single group. */
__kernel void only(__global const int *in, __global int *out, int group)
{
	__local int tile[1024];
	int l = get_local_id(0), i = get_global_id(0);
	int step = (int)get_group_id(0) == group ? 32 : 1;

	tile[l * step] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = tile[l * step];
}

/* So few groups that all are in the sample. */
__kernel void whole(__global const int *in, __global int *out)
{
	__local int part[16];
	int l = get_local_id(0), i = get_global_id(0);

	part[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = part[15 - l];
}
