/*
 * cuda_opencl - Khronos' header as the CUDA libraries use it: OpenCL 2.0 for shared virtual memory.
 */
#ifndef CUDA_OPENCL_H
#define CUDA_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#endif
