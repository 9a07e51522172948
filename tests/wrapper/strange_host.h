/*
 * strange_host - a program as programs are: it uses every form of launch that the recorder has to
 * take, and prints results that must not change under it.
 *
 * strange_host.c is a plain OpenCL program that knows nothing of Warpline. This
 * header is shared with the test that knows which accesses its kernels make.
 */
#ifndef STRANGE_HOST_H
#define STRANGE_HOST_H

#define HOST_ITEMS        256 /* work-items of most launches, and ints in most buffers */
#define HOST_ROW          24  /* ints that a work-item of `rows` reads */
#define HOST_THREADS      2
#define HOST_THREAD_TURNS 8

/* First program: built with -DSTEP=3; it comes in several strings. */
#define HOST_SOURCE_A_1 "#define SHIFT STEP\n__kernel void scale(__global int *a, int f)\n{\n"
#define HOST_SOURCE_A_2 "    size_t i = get_global_id(0);\n    a[i] = a[i] * f + SHIFT;\n}\n"
#define HOST_SOURCE_A_3                                                                            \
	"__kernel void uneven(__global int *a)\n{\n"                                               \
	"    size_t i = get_global_id(0);\n"                                                       \
	"    for (int k = 0; k < (int)(i % 32) * 8; k++)\n"                                        \
	"        a[i] = a[i] + k;\n}\n"                                                            \
	"__kernel void reverse(__global int *a, __local int *t)\n{\n"                              \
	"    int l = get_local_id(0) + get_local_id(1) * get_local_size(0);\n"                     \
	"    int n = get_local_size(0) * get_local_size(1);\n"                                     \
	"    int g = get_group_id(0) + get_group_id(1) * get_num_groups(0);\n"                     \
	"    t[l] = a[g * n + l];\n"                                                               \
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"                                                      \
	"    a[g * n + l] = t[n - 1 - l];\n}\n"

/* Second program: a kernel of the same name as one of the first, and others. */
#define HOST_SOURCE_B                                                                              \
	"__kernel void scale(__global int *a, __global const int *b, int f)\n{\n"                  \
	"    size_t i = get_global_id(0);\n"                                                       \
	"    a[i] = a[i] - b[i] * f;\n}\n"                                                         \
	"__kernel void rows(__global const int *a, __global int *out, int n)\n{\n"                 \
	"    size_t i = get_global_id(0);\n"                                                       \
	"    int s = 0;\n"                                                                         \
	"    for (int j = 0; j < n; j++)\n"                                                        \
	"        s += a[i * n + j];\n"                                                             \
	"    out[i] += s;\n}\n"                                                                    \
	"__kernel void cube(__global int *a)\n{\n"                                                 \
	"    size_t i = get_global_id(0) + get_global_size(0) * (get_global_id(1) +\n"             \
	"               get_global_size(1) * get_global_id(2));\n"                                 \
	"    a[i] += (int)(get_local_size(0) + 10 * get_local_size(1));\n}\n"

#endif
