// Pointers of different types, and a number for a pointer: errors of later versions of clang, warnings of the
// compilers of many devices. clFFT has the first.
__kernel void lenient(__global float4 *a, __global int *o, ulong n)
{
	__global float2 *b = a;
	__global int *c = n;
	o[0] = (int)b[1].x + c[0];
}
// CHECK: define {{.*}}spir_kernel void @lenient(
