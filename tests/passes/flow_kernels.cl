/* Kernels whose accesses test_flow_on_device.c works out by hand. */

/* Points in some iterations only: in every 20th, in an inner loop that is entered in some. */
__kernel void sparse(__global const int *in, __global int *out, int n)
{
	int id = get_global_id(0), total = 0;

	for (int i = 0; i < n; i++) {
		if (i % 20 == id)
			total += in[i];
		if (i % 3 == 2)
			for (int j = 0; j < i % 7; j++)
				if (j & 1)
					total += in[j];
	}
	out[id] = total;
}

/* Loops of constant length: bounded, so that records have slots. The second one jumps by 4. */
__kernel void constant_loops(__global const int *in, __global int *out)
{
	int id = get_global_id(0), total = 0;

	for (int i = 0; i < 3; i++)
		for (int j = 8; j > 0; j -= 4)
			total += in[id + i + j];
	if (id & 1)
		total *= in[0];
	out[id] = total;
}

/* What slices must not change. */
__kernel void range(__global uint *out, uint d)
{
	uint at = get_global_id(0) - get_global_offset(0) +
	          (get_global_id(1) - get_global_offset(1)) * get_global_size(0);

	out[at * 4] = get_group_id(0) + 100 * get_group_id(1) + 10000 * get_group_id(d);
	out[at * 4 + 1] = get_num_groups(0) + 100 * get_num_groups(1) + 10000 * get_num_groups(d);
	out[at * 4 + 2] = get_global_size(1) + 1000 * get_global_size(d) + 7 * get_global_size(5);
	out[at * 4 + 3] = get_global_id(0) + 1000 * get_global_id(1) + get_global_offset(d) +
	                  get_local_id(d) + get_local_size(d) + get_work_dim();
}

/* More sites than are put in line. */
#define FOUR(i)    out[id] += in[i] ^ (int)(i), out[id + 32] -= in[(i) + 1]
#define SIXTEEN(i) FOUR(i), FOUR((i) + 3), FOUR((i) + 5), FOUR((i) + 7)
__kernel void many(__global const int *in, __global int *out)
{
	int id = get_global_id(0);

	SIXTEEN(id);
	for (int i = 0; i < id % 3; i++)
		SIXTEEN(i);
}

/* A barrier under a condition that all work-items of a group decide alike. */
__kernel void conditional(__global const int *in, __global int *out, __local int *part)
{
	int id = get_global_id(0), l = get_local_id(0), size = get_local_size(0);

	if (in[get_group_id(0)] & 1)
		return;
	part[l] = in[id];
	for (int i = 0; i < 2; i++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (in[i] > 3) {
			out[id] += part[size - 1 - l];
			barrier(CLK_LOCAL_MEM_FENCE);
			part[l] += i;
		}
	}
	out[id] += part[l];
}
