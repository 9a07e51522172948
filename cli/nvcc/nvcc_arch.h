/*
 * nvcc_arch - which GPU device code is compiled for, from the values of -arch, -code and -gencode.
 *
 * Warpline runs device code on any device; the number is what __CUDA_ARCH__ says, by which programs
 * choose. clang 14 has 35 to 86: others become the next of these.
 */
#ifndef NVCC_ARCH_H
#define NVCC_ARCH_H

enum { NVCC_ARCH_DEFAULT = 80, NVCC_ARCH_LEAST = 35, NVCC_ARCH_MOST = 86 };

/* The highest sm_NN or compute_NN that the value names; 0: none (native, all). */
unsigned nvcc_arch_parse(const char *value);

/* What clang is told for it; 0: the default. One of clang's. */
unsigned nvcc_arch_for_clang(unsigned arch);

#endif
