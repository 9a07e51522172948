/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_constants.h - the enumerations and flags of CUDA's runtime calls: names and numbers
 * of the documented interface.
 */
#ifndef WARPLINE_CUDA_CONSTANTS_H
#define WARPLINE_CUDA_CONSTANTS_H

enum cudaError {
#define CUDA_ERROR(name, driver_name, number, text) name = number,
#define CUDA_RUNTIME_ERROR(name, number, text)      name = number,
#define CUDA_DRIVER_ERROR(name, number, text)
#include "cuda_errors.def"
};

enum cudaDeviceAttr {
#define CUDA_ATTRIBUTE(name, driver_name, number, value) name = number,
#define CUDA_RUNTIME_ATTRIBUTE(name, number)             name = number,
#define CUDA_DRIVER_ATTRIBUTE(name, number)
#include "cuda_attributes.def"
};

#define BEGIN_ENUM(name)         enum name {
#define CUDA_VALUE(name, number) name = number,
#define END_ENUM                                                                                   \
	}                                                                                          \
	;
#include "cuda_enumerations.def"
#undef BEGIN_ENUM
#undef CUDA_VALUE
#undef END_ENUM

#define cudaHostAllocDefault                0x00
#define cudaHostAllocPortable               0x01
#define cudaHostAllocMapped                 0x02
#define cudaHostAllocWriteCombined          0x04
#define cudaHostRegisterDefault             0x00
#define cudaHostRegisterPortable            0x01
#define cudaHostRegisterMapped              0x02
#define cudaHostRegisterIoMemory            0x04
#define cudaHostRegisterReadOnly            0x08
#define cudaPeerAccessDefault               0x00
#define cudaStreamDefault                   0x00
#define cudaStreamNonBlocking               0x01
#define cudaStreamLegacy                    ((cudaStream_t)0x1)
#define cudaStreamPerThread                 ((cudaStream_t)0x2)
#define cudaEventDefault                    0x00
#define cudaEventBlockingSync               0x01
#define cudaEventDisableTiming              0x02
#define cudaEventInterprocess               0x04
#define cudaEventRecordDefault              0x00
#define cudaEventWaitDefault                0x00
#define cudaDeviceScheduleAuto              0x00
#define cudaDeviceScheduleSpin              0x01
#define cudaDeviceScheduleYield             0x02
#define cudaDeviceScheduleBlockingSync      0x04
#define cudaDeviceBlockingSync              0x04
#define cudaDeviceScheduleMask              0x07
#define cudaDeviceMapHost                   0x08
#define cudaDeviceLmemResizeToMax           0x10
#define cudaArrayDefault                    0x00
#define cudaArrayLayered                    0x01
#define cudaArraySurfaceLoadStore           0x02
#define cudaArrayCubemap                    0x04
#define cudaArrayTextureGather              0x08
#define cudaIpcMemLazyEnablePeerAccess      0x01
#define cudaMemAttachGlobal                 0x01
#define cudaMemAttachHost                   0x02
#define cudaMemAttachSingle                 0x04
#define cudaOccupancyDefault                0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaCpuDeviceId                     ((int)-1)
#define cudaInvalidDeviceId                 ((int)-2)
#define cudaKernelNodeAttrID                cudaLaunchAttributeID

#endif
