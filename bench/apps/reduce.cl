/* Sum each group's values by a tree in local memory. The group's size is a power of two. */
__kernel void reduce(__global const float *in, __global float *out, __local float *scratch,
                     uint count)
{
	uint item = get_local_id(0);
	uint i = get_global_id(0);

	scratch[item] = i < count ? in[i] : 0.0f;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
		if (item < half_size)
			scratch[item] += scratch[item + half_size];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (item == 0)
		out[get_group_id(0)] = scratch[0];
}
