/*
 * cuda_properties - cudaDeviceProp of CUDA 11, 12 and 13, filled for the GPU that programs are told
 * of.
 */
#ifndef CUDA_PROPERTIES_H
#define CUDA_PROPERTIES_H

#include <stddef.h>

struct cuda_gpu;

#define CUDA_PROPERTY(type, name, count) type name[count];

struct cuda_properties_11 {
#define PROPERTY     CUDA_PROPERTY
#define PROPERTY_OLD CUDA_PROPERTY
#include "cuda_properties.def"
};

struct cuda_properties_12 {
#define PROPERTY     CUDA_PROPERTY
#define PROPERTY_OLD CUDA_PROPERTY
#define PROPERTY_NEW CUDA_PROPERTY
#define PROPERTY_12  CUDA_PROPERTY
#include "cuda_properties.def"
};

struct cuda_properties_13 {
#define PROPERTY     CUDA_PROPERTY
#define PROPERTY_NEW CUDA_PROPERTY
#define PROPERTY_13  CUDA_PROPERTY
#include "cuda_properties.def"
};

/* Fill what a program of that major version gives room for. */
void cuda_properties_fill(const struct cuda_gpu *g, int major, void *out);

#endif
