// What the driver reads of a kernel stays: bounds of its launches, dynamic shared memory, and of
// functions of libdevice instructions take the place.

extern "C" __global__ void __launch_bounds__(128, 2) bounds(float *p)
{
	extern __shared__ float dynamic[];

	dynamic[threadIdx.x] = sqrtf(p[threadIdx.x]);
	__syncthreads();
	p[threadIdx.x] = dynamic[0] + __float2int_ru(p[0]);
}
// PTX: .extern .shared .align 4 .b8 dynamic[];
// PTX: .visible .entry bounds(
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}bounds_param_0,
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}bounds_param_1
// PTX-NEXT: )
// PTX-NEXT: .maxntid 128{{(, 1, 1)?}}
// PTX-NEXT: .minnctapersm 2
// PTX: sqrt.rn.f32
// PTX: cvt.rpi.s32.f32
// PTX-NOT: call{{.*}}__nv_
