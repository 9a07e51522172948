// vloadN and vstoreN are one access of N elements at pointer + offset * N; halves too.
__kernel void vectors(__global float *f, __global half *h, __global const short *s,
                      __constant float *c)
{
	size_t i = get_global_id(0);
	float3 x = vload3(i, f);
	float8 y = vload8(i, f + 1);
	float z = vload_half(i, h);
	float3 w = vloada_half3(i, h);
	float2 not_recorded = vload2(i, c);
	vstore16((short16)(1), i, (__global short *)f);
	vstore_half_rtz(z, i, h);
	vstore4(y.lo, i, f);
	f[i] = x.x + w.y + not_recorded.x + fract(z, f + 9);
}
// CHECK: mul i64 {{.*}}, 3
// CHECK: @warpline_wide_point({{.*}}, i32 0, i64 {{.*}}, i64 0)
// CHECK: mul i64 {{.*}}, 8
// CHECK: @warpline_wide_point({{.*}}, i32 1, i64 {{.*}}, i64 0)
// vloada_half3 steps by four.
// CHECK: mul i64 {{.*}}, 4
// CHECK: @warpline_wide_point({{.*}}, i32 3, i64 {{.*}}, i64 0)
// TABLE: {"kind":"read","bytes":12,{{.*}}"argument":0,
// TABLE: {"kind":"read","bytes":32,{{.*}}"argument":0,
// TABLE: {"kind":"read","bytes":2,{{.*}}"argument":1,
// TABLE: {"kind":"read","bytes":6,{{.*}}"argument":1,
// TABLE: {"kind":"write","bytes":32,{{.*}}"argument":0,
// TABLE: {"kind":"write","bytes":2,{{.*}}"argument":1,
// TABLE: {"kind":"write","bytes":16,{{.*}}"argument":0,
// fract() stores its second result.
// TABLE: {"kind":"write","bytes":4,{{.*}}"argument":0,
// TABLE: {"kind":"write","bytes":4,{{.*}}"argument":0,
// TABLE-NOT: {"kind"
// TABLE: {"name":"c",{{.*}}"space":2,
