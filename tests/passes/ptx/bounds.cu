// What the driver reads of a kernel stays: bounds of its launches, dynamic shared memory, and of
// functions of libdevice instructions take the place.
#include "device.h"
extern "C" __device__ float __nv_sqrtf(float);
extern "C" __device__ int __nv_float2int_ru(float);

__global__ void __attribute__((launch_bounds(128, 2))) bounds(float *p)
{
	extern __shared__ float dynamic[];

	dynamic[ITEM] = __nv_sqrtf(p[ITEM]);
	__nvvm_bar_sync(0);
	p[ITEM] = dynamic[0] + __nv_float2int_ru(p[0]);
}
// PTX: .extern .shared .align 4 .b8 dynamic[];
// PTX: .visible .entry bounds(
// PTX-NEXT: .param .u64 bounds_param_0,
// PTX-NEXT: .param .u64 bounds_param_1
// PTX-NEXT: )
// PTX-NEXT: .maxntid 128, 1, 1
// PTX-NEXT: .minnctapersm 2
// PTX: sqrt.rn.f32
// PTX: cvt.rpi.s32.f32
// PTX-NOT: call{{.*}}__nv_
