/* SPDX-License-Identifier: Apache-2.0 */
/* A program as compilers of CUDA make it, by hand: what each call of the runtime does and returns.
 */
#include "cuda_error.h"
#include "cudart_types.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NOLINTBEGIN(readability-function-size,bugprone-reserved-identifier): the interface's */
extern void **__cudaRegisterFatBinary(void *image);
extern void __cudaRegisterFatBinaryEnd(void **handle);
extern void __cudaUnregisterFatBinary(void **handle);
extern void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                   int limit, void *tid, void *bid, void *block_dim, void *grid_dim,
                                   int *width);
extern void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int ext,
                              size_t size, int constant, int global);
extern unsigned __cudaPushCallConfiguration(struct cudart_dim3 grid, struct cudart_dim3 group,
                                            size_t shared_bytes, void *stream);
extern int __cudaPopCallConfiguration(struct cudart_dim3 *grid, struct cudart_dim3 *group,
                                      size_t *shared_bytes, void *stream);
extern int cudaLaunchKernel(const void *func, struct cudart_dim3 grid, struct cudart_dim3 group,
                            void **args, size_t shared_bytes, void *stream);
extern int cudaMalloc(void **memory, size_t bytes);
extern int cudaFree(void *memory);
extern int cudaMallocHost(void **memory, size_t bytes);
extern int cudaFreeHost(void *memory);
extern int cudaMallocManaged(void **memory, size_t bytes, unsigned flags);
extern int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
extern int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
extern int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, int kind);
extern int cudaMemset(void *memory, int value, size_t bytes);
extern int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                              int kind);
extern int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                int kind);
extern int cudaGetSymbolSize(size_t *bytes, const void *symbol);
extern int cudaDeviceSynchronize(void);
extern int cudaDeviceReset(void);
extern int cudaGetLastError(void);
extern int cudaPeekAtLastError(void);
extern int cudaGetDeviceCount(int *count);
extern int cudaSetDevice(int device);
extern int cudaStreamCreateWithFlags(void **stream, unsigned flags);
extern int cudaStreamDestroy(void *stream);
extern int cudaStreamSynchronize(void *stream);
extern int cudaStreamQuery(void *stream);
extern int cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
extern int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data);
extern int cudaEventCreate(void **event);
extern int cudaEventRecord(void *event, void *stream);
extern int cudaEventSynchronize(void *event);
extern int cudaEventElapsedTime(float *ms, void *start, void *end);
extern int cudaEventDestroy(void *event);
extern int cudaGraphCreate(void **graph, unsigned flags);
extern int cudaPointerGetAttributes(struct cudart_pointer *attributes, const void *pointer);
extern int cudaFuncGetAttributes(struct cudart_function_attributes *attributes, const void *func);
extern int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, const void *func, int items,
                                                         size_t shared_bytes);
/* NOLINTEND(readability-function-size,bugprone-reserved-identifier) */

enum { TO_DEVICE = 1, FROM_DEVICE = 2, ITEMS = 256, NO_DEVICE = 77, ROWS_BYTES = 4 * 32 };

static const char source[] =
	"// warpline: CUDA C++, not PTX. Options: \n"
	"#include <assert.h>\n"
	"__constant__ int factor[2];\n"
	"__device__ int counter = 7;\n"
	"struct pair { int add; float unused; };\n"
	"extern \"C\" __global__ void scale(int *out, const int *in, pair p, int n)\n"
	"{ int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	"  if (i < n) out[i] = in[i] * factor[1] + p.add;\n"
	"  if (i == 0) atomicAdd(&counter, 1); }\n"
	"extern \"C\" __global__ void __launch_bounds__(64) reverse(int *data)\n"
	"{ extern __shared__ int tile[]; tile[threadIdx.x] = data[threadIdx.x]; __syncthreads();\n"
	"  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x]; }\n"
	"extern \"C\" __global__ void check(const int *data)\n"
	"{ if (data[threadIdx.x] < 0) __builtin_trap();\n"
	"  assert(data[threadIdx.x] != 5); }\n";

static struct {
	unsigned magic, version;
	const void *data, *more;
} image = { 0x466243b1, 1, source, NULL };

/* What stands for kernels and variables in the host's code. */
static char scale, reverse, check, factor[8], counter[4], nothing;

static int failures;

static void expect(bool is_true, const char *what, int line)
{
	if (is_true)
		return;
	fprintf(stderr, "line %d: %s\n", line, what);
	failures++;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call)          expect((call) == cudaSuccess, #call, __LINE__)

static void **enter(void)
{
	void **handle = __cudaRegisterFatBinary(&image);

	__cudaRegisterFunction(handle, &scale, &scale, "scale", -1, 0, 0, 0, 0, 0);
	__cudaRegisterFunction(handle, &reverse, &reverse, "reverse", -1, 0, 0, 0, 0, 0);
	__cudaRegisterFunction(handle, &check, &check, "check", -1, 0, 0, 0, 0, 0);
	__cudaRegisterFunction(handle, &nothing, &nothing, "nothing", -1, 0, 0, 0, 0, 0);
	__cudaRegisterVar(handle, factor, factor, "factor", 0, 8, 1, 0);
	__cudaRegisterVar(handle, counter, counter, "counter", 0, 4, 0, 0);
	__cudaRegisterFatBinaryEnd(handle);
	return handle;
}

struct pair {
	int add;
	float unused;
};

/* As <<<...>>> and the stub of a kernel do it. */
static int run_scale(int *out, const int *in, int add, void *stream)
{
	struct pair p = { add, 0 };
	int n = ITEMS;
	void *args[] = { &out, &in, &p, &n };
	struct cudart_dim3 grid = { 5, 1, 1 }, group = { 64, 1, 1 };
	size_t shared_bytes;

	if (__cudaPushCallConfiguration(grid, group, 0, stream) ||
	    __cudaPopCallConfiguration(&grid, &group, &shared_bytes, &stream))
		return cudaErrorMissingConfiguration;
	return cudaLaunchKernel(&scale, grid, group, args, shared_bytes, stream);
}

static int run_one(const void *func, int *data, unsigned items, size_t shared_bytes)
{
	void *args[] = { &data };

	return cudaLaunchKernel(func, (struct cudart_dim3){ 1, 1, 1 },
	                        (struct cudart_dim3){ items, 1, 1 }, args, shared_bytes, NULL);
}

static void kernels_compute(void)
{
	int in[ITEMS], out[ITEMS], table[2] = { 1, 3 }, count = 0;
	int *from = NULL, *to = NULL;
	size_t bytes = 0;

	for (int i = 0; i < ITEMS; i++)
		in[i] = i;
	OK(cudaMemcpyToSymbol(factor, table, sizeof(table), 0, TO_DEVICE));
	OK(cudaMalloc((void **)&from, sizeof(in)));
	OK(cudaMalloc((void **)&to, sizeof(out)));
	OK(cudaMemcpy(from, in, sizeof(in), TO_DEVICE));
	OK(run_scale(to, from, 5, NULL));
	OK(cudaMemcpy(out, to, sizeof(out), FROM_DEVICE));
	for (int i = 0; i < ITEMS; i++)
		EXPECT(out[i] == 3 * i + 5);
	OK(cudaMemcpyFromSymbol(&count, counter, sizeof(count), 0, FROM_DEVICE));
	EXPECT(count == 8);
	OK(cudaGetSymbolSize(&bytes, factor));
	EXPECT(bytes == sizeof(table));
	EXPECT(cudaMemcpyToSymbol(factor, table, sizeof(table), 4, TO_DEVICE) ==
	       cudaErrorInvalidValue);
	EXPECT(cudaMemcpyToSymbol(&nothing, table, 4, 0, TO_DEVICE) == cudaErrorInvalidSymbol);
	OK(run_one(&reverse, to, 64, 64 * sizeof(int)));
	OK(cudaMemcpy(out, to, sizeof(out), FROM_DEVICE));
	EXPECT(out[0] == 3 * 63 + 5 && out[63] == 5 && out[64] == 3 * 64 + 5);
	OK(cudaFree(from));
	OK(cudaFree(to));
	(void)cudaGetLastError();
}

static void launches_are_checked(void)
{
	struct cudart_function_attributes a;
	int *data = NULL, groups = 0;

	OK(cudaMalloc((void **)&data, 4096));
	EXPECT(run_one(&reverse, data, 0, 0) == cudaErrorInvalidConfiguration);
	EXPECT(run_one(&reverse, data, 1025, 0) == cudaErrorInvalidConfiguration);
	EXPECT(run_one(&reverse, data, 65, 0) == cudaErrorLaunchOutOfResources);
	EXPECT(run_one(&reverse, data, 64, (48 << 10) + 1) == cudaErrorInvalidValue);
	EXPECT(run_one(&nothing, data, 64, 0) == cudaErrorInvalidDeviceFunction);
	EXPECT(run_one(&failures, data, 64, 0) == cudaErrorInvalidDeviceFunction);
	EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDeviceFunction);
	EXPECT(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
	EXPECT(cudaGetLastError() == cudaSuccess);
	OK(cudaFuncGetAttributes(&a, &reverse));
	EXPECT(a.max_items == 64);
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&groups, &reverse, 64, 16 << 10));
	EXPECT(groups == 6); /* 96 KiB of the V100 */
	OK(cudaFree(data));
	EXPECT(cudaFree(data) == cudaErrorInvalidValue);
	(void)cudaGetLastError();
}

static void memory_is_told_apart(void)
{
	struct cudart_pointer p;
	unsigned char rows[4][16], *device = NULL;
	void *host = NULL;
	int *managed = NULL, local = 0;

	OK(cudaMallocHost(&host, 64));
	OK(cudaPointerGetAttributes(&p, host));
	EXPECT(p.type == CUDART_HOST && p.host_pointer == host);
	OK(cudaFreeHost(host));
	OK(cudaMallocManaged((void **)&managed, 1024, 1));
	OK(cudaPointerGetAttributes(&p, managed + 3));
	EXPECT(p.type == CUDART_MANAGED && p.device_pointer == managed + 3);
	managed[0] = 1;
	managed[63] = 64;
	OK(run_one(&reverse, managed, 64, 256));
	OK(cudaDeviceSynchronize());
	EXPECT(managed[0] == 64 && managed[63] == 1);
	OK(cudaFree(managed));
	OK(cudaPointerGetAttributes(&p, &local));
	EXPECT(p.type == CUDART_UNREGISTERED);
	OK(cudaMalloc((void **)&device, ROWS_BYTES));
	OK(cudaMemset(device, 0xab, ROWS_BYTES));
	memset(rows, 1, sizeof(rows));
	OK(cudaMemcpy2D(device + 1, 32, rows, 16, 2, 4, TO_DEVICE));
	OK(cudaMemcpy2D(rows, 16, device, 32, 16, 4, FROM_DEVICE));
	for (int y = 0; y < 4; y++)
		EXPECT(rows[y][0] == 0xab && rows[y][1] == 1 && rows[y][2] == 1 &&
		       rows[y][3] == 0xab);
	EXPECT(cudaMemcpy(rows, device, ROWS_BYTES + 1, FROM_DEVICE) == cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(rows, device, 1, 9) == cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaMemcpy(rows, &local, 1, FROM_DEVICE) == cudaErrorInvalidValue);
	OK(cudaFree(device));
	(void)cudaGetLastError();
}

static void add_one(void *data)
{
	++*(int *)data;
}

static void streams_keep_their_order(void)
{
	void *one = NULL, *two = NULL, *begin = NULL, *end = NULL;
	int *a = NULL, *b = NULL, out[ITEMS], called = 0;
	float ms = -1;

	OK(cudaStreamCreateWithFlags(&one, 0));
	OK(cudaStreamCreateWithFlags(&two, 1));
	OK(cudaEventCreate(&begin));
	OK(cudaEventCreate(&end));
	EXPECT(cudaEventElapsedTime(&ms, begin, end) == cudaErrorInvalidResourceHandle);
	OK(cudaMalloc((void **)&a, sizeof(out)));
	OK(cudaMalloc((void **)&b, sizeof(out)));
	OK(cudaMemset(a, 0, sizeof(out)));
	OK(cudaEventRecord(begin, one));
	for (int i = 0; i < 20; i++)
		OK(run_scale(i % 2 ? a : b, i % 2 ? b : a, 1, one));
	OK(cudaLaunchHostFunc(one, add_one, &called));
	OK(cudaEventRecord(end, one));
	OK(cudaStreamWaitEvent(two, end, 0));
	OK(run_scale(b, a, 2, two));
	OK(cudaStreamSynchronize(two));
	EXPECT(called == 1);
	OK(cudaStreamQuery(one));
	OK(cudaStreamQuery(two));
	OK(cudaEventSynchronize(end));
	OK(cudaEventElapsedTime(&ms, begin, end));
	EXPECT(ms >= 0);
	OK(cudaMemcpy(out, a, sizeof(out), FROM_DEVICE));
	EXPECT(out[1] == 1743392200); /* (3^20 - 1) / 2 */
	/* The legacy stream waits for blocking ones. */
	OK(cudaMemset(a, 0, sizeof(out)));
	OK(run_scale(b, a, 9, one));
	OK(run_scale(a, b, 0, NULL));
	OK(run_scale(b, a, 0, one));
	OK(cudaStreamSynchronize(one));
	OK(cudaMemcpy(out, b, sizeof(out), FROM_DEVICE));
	EXPECT(out[ITEMS - 1] == 81);
	OK(cudaEventDestroy(begin));
	OK(cudaEventDestroy(end));
	OK(cudaStreamDestroy(one));
	OK(cudaStreamDestroy(two));
	EXPECT(cudaStreamSynchronize(one) == cudaErrorInvalidResourceHandle);
	OK(cudaFree(a));
	OK(cudaFree(b));
	(void)cudaGetLastError();
}

static void *work(void *context)
{
	int *a = NULL, *b = NULL, out[ITEMS];
	long number = *(const long *)context;
	void *stream = NULL;

	OK(cudaStreamCreateWithFlags(&stream, 1));
	OK(cudaMalloc((void **)&a, sizeof(out)));
	OK(cudaMalloc((void **)&b, sizeof(out)));
	OK(cudaMemset(a, 0, sizeof(out)));
	OK(cudaStreamSynchronize(NULL)); /* the thread's stream does not wait for this one */
	for (int i = 0; i < 25; i++) {
		OK(run_scale(b, a, (int)number, stream));
		OK(cudaMemcpyAsync(out, b, sizeof(out), FROM_DEVICE, stream));
		OK(cudaStreamSynchronize(stream));
		EXPECT(out[7] == number);
	}
	OK(cudaFree(a));
	OK(cudaFree(b));
	OK(cudaStreamDestroy(stream));
	return NULL;
}

static void threads_do_not_disturb_each_other(void)
{
	long numbers[4] = { 1, 2, 3, 4 };
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void what_is_missing_says_so(void)
{
	void *graph;
	int device = 1;

	EXPECT(cudaGraphCreate(&graph, 0) == cudaErrorNotSupported);
	EXPECT(cudaGraphCreate(&graph, 0) == cudaErrorNotSupported);
	EXPECT(cudaGetLastError() == cudaErrorNotSupported);
	EXPECT(cudaSetDevice(device) == cudaErrorInvalidDevice);
	(void)cudaGetLastError();
}

/* What a trap leaves stays until the device is reset. */
static void a_trap_breaks_the_device(void)
{
	int bad[4] = { 0, 0, -1, 0 }, *data = NULL;

	OK(cudaMalloc((void **)&data, sizeof(bad)));
	OK(cudaMemcpy(data, bad, sizeof(bad), TO_DEVICE));
	OK(run_one(&check, data, 2, 0));
	OK(cudaDeviceSynchronize());
	OK(run_one(&check, data, 4, 0));
	EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
	EXPECT(cudaMalloc((void **)&data, 4) == cudaErrorLaunchFailure);
	EXPECT(cudaGetLastError() == cudaErrorLaunchFailure);
	OK(cudaDeviceReset());
	EXPECT(cudaGetLastError() == cudaSuccess);
	bad[2] = 5;
	OK(cudaMalloc((void **)&data, sizeof(bad)));
	OK(cudaMemcpy(data, bad, sizeof(bad), TO_DEVICE));
	OK(run_one(&check, data, 4, 0));
	EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
	OK(cudaDeviceReset());
	OK(cudaMalloc((void **)&data, 4));
	OK(cudaFree(data));
}

int main(void)
{
	void **handle = enter();
	int count = 0;

	if (cudaGetDeviceCount(&count) == cudaErrorNoDevice)
		return NO_DEVICE;
	kernels_compute();
	launches_are_checked();
	memory_is_told_apart();
	streams_keep_their_order();
	threads_do_not_disturb_each_other();
	what_is_missing_says_so();
	a_trap_breaks_the_device();
	__cudaUnregisterFatBinary(handle);
	return failures != 0;
}
