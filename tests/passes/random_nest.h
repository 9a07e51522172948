/*
 * random_nest - OpenCL C kernels of random loops in loops, with the arguments of
 * run_kernels.cl: affine and other accesses, conditions, ways out, for tests.
 */
#ifndef RANDOM_NEST_H
#define RANDOM_NEST_H

#include <stdint.h>
#include <stdio.h>

#define RANDOM_NEST_KERNELS 6

/* Write kernels nest0, nest1, ...; the same for the same seed. */
void random_nest_write(FILE *out, uint32_t seed);

#endif
