/*
 * corpus - what the CUDA programs of the corpus share.
 *
 * A program computes on the device, compares with the host, and ends with 0 only if all is right.
 * It says where its buffers lie, a line "buffer NAME ADDRESS BYTES" each, for expect_*.c, which
 * compares the recorded accesses with those that the source makes. A line of a kernel that accesses
 * global (or constant) memory ends with a comment "// @N"; expect_*.c names it so.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call) must((call), #call, __LINE__)

static inline void must(cudaError_t error, const char *what, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "line %d: %s: %s (%s)\n", line, what, cudaGetErrorName(error),
	        cudaGetErrorString(error));
	exit(2);
}

static inline void show(const char *name, const void *address, size_t bytes)
{
	printf("buffer %s %p %zu\n", name, address, bytes);
}

/* An array on the device, filled with `from` if it is not NULL, else with zero bytes. */
template <typename T> static T *device_array(const char *name, size_t count, const T *from = NULL)
{
	T *array = NULL;

	MUST(cudaMalloc((void **)&array, count * sizeof(T)));
	if (from)
		MUST(cudaMemcpy(array, from, count * sizeof(T), cudaMemcpyHostToDevice));
	else
		MUST(cudaMemset(array, 0, count * sizeof(T)));
	show(name, array, count * sizeof(T));
	return array;
}

/* After a launch: it was taken, and it ended well. */
static inline void finish(void)
{
	MUST(cudaGetLastError());
	MUST(cudaDeviceSynchronize());
}

template <typename T> static void fetch(T *to, const T *from, size_t count)
{
	MUST(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost));
}

/* One result: says which one is wrong, and counts it. */
static int wrong_results;

template <typename T> static void same(const char *what, size_t index, T got, T want)
{
	if (got == want)
		return;
	if (wrong_results++ < 5)
		fprintf(stderr, "%s[%zu] is %g, expected %g\n", what, index, (double)got,
		        (double)want);
}

template <typename T> static void near(const char *what, size_t index, T got, T want, double within)
{
	double difference = (double)got - (double)want;

	if (difference <= within && -difference <= within)
		return;
	if (wrong_results++ < 5)
		fprintf(stderr, "%s[%zu] is %g, expected %g\n", what, index, (double)got,
		        (double)want);
}

static inline int verdict(void)
{
	if (wrong_results)
		fprintf(stderr, "%d results are wrong\n", wrong_results);
	return wrong_results != 0;
}

#endif
