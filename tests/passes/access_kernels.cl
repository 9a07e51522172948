// Every way of touching memory that OpenCL C 1.2 has and device_kernels.cl has not.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel void copies(__global const int *in, __global int *out, __local int *part, int n)
{
	size_t first = (get_group_id(0) + get_group_id(1) * get_num_groups(0)) * n;
	event_t copied = async_work_group_copy(part, in + first, n, 0);

	wait_group_events(1, &copied);
	barrier(CLK_LOCAL_MEM_FENCE);
	copied = async_work_group_strided_copy(out + 2 * first, part, n, 2, 0);
	wait_group_events(1, &copied);
}

__kernel void triples(__global const float3 *in, __global float *out, __local float3 *part)
{
	event_t copied = async_work_group_strided_copy(part, in + 1, 5, 3, 0);

	wait_group_events(1, &copied);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) < 5)
		vstore3(part[get_local_id(0)], get_local_id(0), out);
}

__kernel void halves(__global half *h, __global float *f)
{
	size_t i = get_global_id(0);
	float4 x = vload_half4(i, h);
	float3 y = vloada_half3(i, h);

	vstore3(y * 1.5f, i, f);
	vstore_half4_rtz(x / 3.0f, i, h + 64);
	vstorea_half3(y / 7.0f, i, h + 128);
	vstore_half_rtp(vload_half(i, h) / 9.0f, i, h + 192);
}

__kernel void results(__global float *f, __global int *k)
{
	size_t i = get_global_id(0);
	float x = f[i];
	float s = sincos(x, &f[i + 16]);

	s += fract(x, &f[i + 32]);
	s += modf(x, &f[i + 48]);
	s += frexp(x, &k[i]);
	s += lgamma_r(x + 1.0f, &k[i + 16]);
	s += remquo(x, 0.3f, &k[i + 32]);
	f[i] = s;
}

__kernel void prefetches(__global const float4 *a, __global float4 *b, int n)
{
	size_t i = get_global_id(0);

	prefetch(a + i, 2);
	prefetch(a, n);
	b[i] = a[i];
}

__kernel void streams(__constant int *c, __global int *g, __local int *l)
{
	__local char flag[3];
	__local long tile[8];
	size_t i = get_local_id(0);

	if (i < 3)
		flag[i] = 1;
	tile[i] = c[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	l[i] = (int)tile[7 - i];
	g[get_global_id(0)] = l[i] + flag[0];
}

__kernel void atomics(__global int *a, __global long *b, __global float *c)
{
	int i = (int)get_global_id(0);

	atom_add(&a[0], i);
	atomic_cmpxchg(&a[i + 1], 0, 5);
	atom_inc(&b[0]);
	atom_max(&b[1], (long)i << 33);
	atomic_xchg(&c[i], 1.5f);
}

__kernel void wide(__global double16 *a, __global float16 *f)
{
	size_t i = get_global_id(0);

	a[i] = pow(cos(a[i]) + 2.0, tan(a[i]));
	f[i] = sincos(f[i], &f[i + 8]) + fmod(f[i], (float16)(1.7f));
}
