// Async copies, strided and not; prefetch; copies between address spaces.
// run: async_in      32 8 : int[32]=random int[32]=zero local[32]
// run: async_out     32 8 : int[32]=random int[32]=zero local[32]
// run: async_strided 32 8 : int[128]=random int[96]=zero local[32]
// run: async_both    32 8 : float[128]=random float[128]=zero local[128] local[128]
// run: prefetched    32 8 : int[64]=random int[32]=zero
// run: async_vectors 16 4 : int[64]=random int[64]=zero local[64]
// run: async_in_loop 16 4 : int[64]=random int[16]=zero local[16]
// run: async_unset   32 8 : int[32]=random int[32]=zero local[32]

__kernel void async_in(__global const int *in, __global int *out, __local int *kept)
{
	int i = get_global_id(0), l = get_local_id(0);
	event_t e = async_work_group_copy(kept, in + get_group_id(0) * 8, 8, 0);

	wait_group_events(1, &e);
	out[i] = kept[7 - l];
}

__kernel void async_out(__global const int *in, __global int *out, __local int *kept)
{
	int l = get_local_id(0);

	kept[l] = in[get_global_id(0)] + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	event_t e = async_work_group_copy(out + get_group_id(0) * 8, kept, 8, 0);
	wait_group_events(1, &e);
}

__kernel void async_strided(__global const int *in, __global int *out, __local int *kept)
{
	int l = get_local_id(0), g = get_group_id(0);
	event_t e = async_work_group_strided_copy(kept, in + 32 * g, 8, 4, 0);

	wait_group_events(1, &e);
	int v = kept[7 - l];
	barrier(CLK_LOCAL_MEM_FENCE);
	kept[l] = v;
	barrier(CLK_LOCAL_MEM_FENCE);
	e = async_work_group_strided_copy(out + 24 * g, kept, 8, 3, 0);
	wait_group_events(1, &e);
}

__kernel void async_both(__global const float4 *in, __global float4 *out, __local float4 *a,
                         __local float4 *b)
{
	int l = get_local_id(0), first = get_group_id(0) * 8;
	event_t e = async_work_group_copy(a, in + first, 8, 0);

	wait_group_events(1, &e);
	b[l] = a[l ^ 1] * 2.0f;
	barrier(CLK_LOCAL_MEM_FENCE);
	e = async_work_group_copy(out + first, b, 8, 0);
	wait_group_events(1, &e);
}

__kernel void prefetched(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	prefetch(in + i, 4);
	prefetch(in + 32, (size_t)(i & 3) + 1);
	out[i] = in[i] + in[63 - i];
}

__kernel void async_vectors(__global const int4 *in, __global int4 *out, __local int4 *kept)
{
	int i = get_global_id(0), l = get_local_id(0);
	event_t e = async_work_group_copy(kept, in + get_group_id(0) * 4, 4, 0);

	wait_group_events(1, &e);
	out[i] = kept[3 - l].wzyx;
}

__kernel void async_in_loop(__global const int *in, __global int *out, __local int *kept)
{
	int l = get_local_id(0), sum = 0;

	for (int k = 0; k < 4; k++) {
		event_t e = async_work_group_copy(kept, in + 16 * k + 4 * get_group_id(0), 4, 0);

		wait_group_events(1, &e);
		sum = sum * 3 + kept[(l + k) & 3];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = sum;
}

// An event that nothing has set, which others' programs hand on as it is.
__kernel void async_unset(__global const int *in, __global int *out, __local int *kept)
{
	event_t unset;
	event_t e = async_work_group_copy(kept, in + get_group_id(0) * 8, 8, unset);

	wait_group_events(1, &e);
	out[get_global_id(0)] = kept[7 - get_local_id(0)];
}
