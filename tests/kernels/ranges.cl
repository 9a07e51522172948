// NDRange queries: one to three dimensions, offsets, groups.
// run: one_d      60 12 : int[60]=zero int[12]=zero
// run: two_d      12x10 4x5 : int[120]=iota int[120]=zero
// run: three_d    6x4x4 3x2x2 : int[96]=iota int[96]=zero
// run: offset_1d  32 8 +100 : int[132]=iota int[32]=zero
// run: offset_3d  4x4x2 2x2x1 +10x20x30 : int[256]=zero
// run: all_queries 6x4 3x2 +1x2 : int[24]=zero ulong[384]=zero
// run: free_size  32 - : int[32]=iota int[32]=zero
// run: grid_stride 16 4 : int[100]=iota int[100]=zero int=100
// run: required   32x2 8x2 : int[64]=iota int[64]=zero
// run: hinted     32 8 : int[32]=iota int[32]=zero

__kernel void one_d(__global int *out, __global int *last)
{
	out[get_global_id(0)] = get_group_id(0) * 1000 + get_local_id(0);
	if (get_group_id(0) == get_num_groups(0) - 1)
		last[get_local_id(0)] = get_local_size(0);
}

__kernel void two_d(__global const int *in, __global int *out)
{
	int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);

	out[x * get_global_size(1) + y] = in[y * w + x];
}

__kernel void three_d(__global const int *in, __global int *out)
{
	int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	int nx = get_global_size(0), ny = get_global_size(1);

	out[(z * ny + y) * nx + x] = in[(get_group_id(2) * 4 + get_group_id(1)) * nx + x] +
	                             (int)get_local_id(2) * 100;
}

__kernel void offset_1d(__global const int *in, __global int *out)
{
	out[get_global_id(0) - get_global_offset(0)] = in[get_global_id(0)];
}

__kernel void offset_3d(__global int *out)
{
	int x = get_global_id(0) - 10, y = get_global_id(1) - 20, z = get_global_id(2) - 30;

	out[(z * 4 + y) * 4 + x] = get_global_id(2) * 10000 + get_global_id(1) * 100 + get_global_id(0);
	out[(z * 4 + y) * 4 + x + 128] = get_global_offset(2) + get_group_id(0);
}

__kernel void all_queries(__global int *first, __global ulong *out)
{
	size_t x = get_global_id(0) - 1, y = get_global_id(1) - 2;
	ulong n = y * 6 + x;

	first[n] = get_work_dim();
	out += 16 * n;
	for (uint d = 0; d < 2; d++) {
		out[d] = get_global_size(d);
		out[2 + d] = get_local_size(d);
		out[4 + d] = get_num_groups(d);
		out[6 + d] = get_group_id(d);
		out[8 + d] = get_local_id(d);
		out[10 + d] = get_global_offset(d);
		out[12 + d] = get_global_id(d);
	}
	out[14] = get_global_size(2) + 10 * get_local_size(2) + 100 * get_num_groups(2);
	out[15] = get_global_id(2) + 10 * get_global_offset(2);
}

__kernel void free_size(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[31 - i];
}

__kernel void grid_stride(__global const int *in, __global int *out, int n)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0))
		out[i] = in[i] * 2;
}

__attribute__((reqd_work_group_size(8, 2, 1)))
__kernel void required(__global const int *in, __global int *out)
{
	int i = get_global_id(1) * 32 + get_global_id(0);

	out[i] = in[63 - i] + get_local_size(1);
}

__attribute__((work_group_size_hint(8, 1, 1), vec_type_hint(int4)))
__kernel void hinted(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	out[i] = in[i] + 1;
}
