// The half type in memory: vload_half and vstore_half with their roundings, aligned forms.
// run: half_scalars  32 8 : half[32]=random half[32]=zero
// run: half_vectors  16 4 : half[256]=random half[256]=zero
// run: half_rounded  32 8 : float[32]=random half[160]=zero
// run: half_aligned  16 4 : half[256]=random half[256]=zero float[16]=zero
// run: half_double   16 4 : double[32]=random half[64]=zero
// run: half_loop     8 4 : half[64]=random float[8]=zero

__kernel void half_scalars(__global const half *in, __global half *out)
{
	int i = get_global_id(0);

	vstore_half(vload_half(i, in) * 0.5f + 1.0f, i, out);
}

__kernel void half_vectors(__global const half *in, __global half *out)
{
	int i = get_global_id(0);

	vstore_half2(vload_half2(i, in) + 1.0f, i, out);
	vstore_half3(vload_half3(i, in + 32).zyx, i, out + 32);
	vstore_half4(vload_half4(i, in + 96) * 2.0f, i, out + 96);
	vstore_half4(vload_half4(i, in + 160), i, out + 160);
}

__kernel void half_rounded(__global const float *in, __global half *out)
{
	int i = get_global_id(0);
	float v = in[i] / 3.0f;

	vstore_half(v, i, out);
	vstore_half_rte(v, i, out + 32);
	vstore_half_rtz(v, i, out + 64);
	vstore_half_rtp(v, i, out + 96);
	vstore_half_rtn(v, i, out + 128);
}

__kernel void half_aligned(__global const half *in, __global half *out, __global float *sum)
{
	int i = get_global_id(0);
	float3 v = vloada_half3(i, in);
	float8 w = vloada_half8(i, in + 64);

	vstorea_half3(v * 2.0f, i, out);
	vstorea_half8(w, i, out + 64);
	sum[i] = v.x + w.s7;
}

__kernel void half_double(__global const double *in, __global half *out)
{
	int i = get_global_id(0);

	vstore_half(in[2 * i], i, out);
	vstore_half_rtz(in[2 * i + 1] / 7.0, i, out + 32);
}

__kernel void half_loop(__global const half *in, __global float *out)
{
	int i = get_global_id(0);
	float sum = 0.0f;

	for (int k = 0; k < 8; k++)
		sum += vload_half(8 * i + k, in);
	out[i] = sum;
}
