// What some SPIR libraries lose on the way: functions of vectors wider than a register are called
// for each half, until it fits; where that cannot be the kernel is refused, and others are not.
// OPTIONS: --extensions cl_khr_fp64 --vector-bytes 32
__kernel void wide_vectors(__global double16 *a, __global float8 *f)
{
	a[0] = pow(a[1], a[2]);
	a[3] = ldexp(a[4], 2);
	f[0] = sincos(f[1], &f[2]);
	a[5] = fmax(a[6], 1.0);
}

__kernel void refused(__global double16 *a, __global half *h)
{
	vstore_half16(a[0], 1, h);
}
// CHECK-LABEL: spir_kernel void @wide_vectors(
// CHECK: [[LOW:%.*]] = shufflevector <16 x double> %{{.*}}, <16 x double> undef, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
// CHECK: shufflevector <8 x double> [[LOW]], <8 x double> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
// CHECK-COUNT-4: call {{.*}}<4 x double> @_Z3powDv4_dS_(<4 x double>
// CHECK-NOT: @_Z3powDv16
// CHECK-COUNT-4: call {{.*}}<4 x double> @_Z5ldexpDv4_di(<4 x double> {{.*}}, i32 {{.*}}2)
// CHECK: call {{.*}}<8 x float> @_Z6sincosDv8_fPU3AS1S_(
// CHECK-COUNT-4: call {{.*}}<4 x double> @_Z4fmaxDv4_dd(
// TABLE: "name":"wide_vectors"{{.*}}"refusal":null
// TABLE: {"kind":"write","bytes":32,{{.*}}"argument":1,"place":["wide_vectors.cl",8,
// TABLE: "name":"refused"{{.*}}"refusal":"spir: vstore_half16 of vectors wider than 32 bytes at wide_vectors.cl:14"
