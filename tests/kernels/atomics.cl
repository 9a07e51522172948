// Atomics of 32 and 64 bits, global and local. What memory holds in the end does not depend on the
// order; results of atomics are not used, but where they cannot differ.
// run: counted        64 16 : uint[64]=random(0,8) uint[8]=zero
// run: every_atomic   64 16 : int[64]=random int[8]=const(-1)
// run: unsigned_ones  64 16 : uint[64]=random uint[4]=const(7)
// run: alone          64 16 : int[64]=random int[64]=random int[128]=zero
// run: exchanged      64 16 : float[64]=random float[64]=zero float[64]=zero
// run: old_names      64 16 : int[64]=random int[8]=zero
// run: wide_atomics   64 16 : long[64]=random ulong[64]=random long[8]=zero ulong[4]=zero
// run: local_atomics  64 16 : int[64]=random(0,4) int[16]=zero
// run: atomics_loop   32 8 : int[128]=random(0,16) int[16]=zero
// run: maybe_atomic   64 16 : int[64]=random(-5,5) int[1]=zero
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel void counted(__global const uint *in, __global uint *bins)
{
	atomic_inc(&bins[in[get_global_id(0)]]);
}

__kernel void every_atomic(__global const int *in, __global int *r)
{
	int v = in[get_global_id(0)];

	atomic_add(r, v);
	atomic_sub(r + 1, v);
	atomic_min(r + 2, v);
	atomic_max(r + 3, v);
	atomic_and(r + 4, v);
	atomic_or(r + 5, v);
	atomic_xor(r + 6, v);
	atomic_dec(r + 7);
}

__kernel void unsigned_ones(__global const uint *in, __global uint *r)
{
	uint v = in[get_global_id(0)];

	atomic_min(r, v);
	atomic_max(r + 1, v);
	atomic_add(r + 2, v);
	atomic_inc(r + 3);
}

/* Each work-item has its own place: results are used. */
__kernel void alone(__global int *a, __global const int *in, __global int *out)
{
	int i = get_global_id(0);
	int old = atomic_cmpxchg(&a[i], in[i] & 1 ? a[i] : 0, 5);

	out[2 * i] = old;
	out[2 * i + 1] = atomic_xchg(a + i, i) + atomic_add(a + i, 3);
}

__kernel void exchanged(__global const float *in, __global float *a, __global float *out)
{
	int i = get_global_id(0);

	atomic_xchg(&a[i], in[i]);
	out[i] = atomic_xchg(&a[i], 1.5f);
}

__kernel void old_names(__global const int *in, __global int *r)
{
	int v = in[get_global_id(0)];

	atom_add(r, v);
	atom_inc(r + 1);
	atom_max(r + 2, v);
	atom_or(r + 3, v);
	atom_sub(r + 4, v);
	atom_dec(r + 5);
	atom_min(r + 6, v);
	atom_xor(r + 7, v);
}

__kernel void wide_atomics(__global const long *in, __global const ulong *uin, __global long *r,
                           __global ulong *u)
{
	int i = get_global_id(0);

	atom_add(r, in[i]);
	atom_sub(r + 1, in[i]);
	atom_inc(r + 2);
	atom_min(r + 3, in[i]);
	atom_max(r + 4, in[i]);
	atom_xor(r + 5, in[i]);
	atom_max(u, uin[i]);
	atom_or(u + 1, uin[i]);
}

__kernel void local_atomics(__global const int *in, __global int *out)
{
	__local int bins[4];
	int l = get_local_id(0);

	if (l < 4)
		bins[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&bins[in[get_global_id(0)]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 4)
		out[4 * get_group_id(0) + l] = bins[l];
}

__kernel void atomics_loop(__global const int *in, __global int *bins)
{
	int i = get_global_id(0);

	for (int k = 0; k < 4; k++)
		atomic_add(&bins[in[4 * i + k]], k);
}

__kernel void maybe_atomic(__global const int *in, volatile __global int *count)
{
	int i = get_global_id(0);

	if (in[i] > 0)
		atomic_inc(count);
}
