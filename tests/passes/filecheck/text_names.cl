// As text every builtin keeps its name: the device's compiler has them all.
// OPTIONS: --extensions cl_khr_global_int32_base_atomics
__kernel void text_names(__global float *a, __global int *b)
{
	a[0] = half_cos(a[1]);
	atom_inc(b);
}
// CHECK: call {{.*}}@_Z8half_cosf(
// CHECK: call {{.*}}@_Z8atom_incPU3AS1Vi(
