/* SPDX-License-Identifier: Apache-2.0 */
/* A program of the driver's interface: modules from text, launches with parameters of both sorts.
 */
#include "cuda_error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
extern int cuInit(unsigned flags);
extern int cuDeviceGet(int *device, int ordinal);
extern int cuDeviceGetName(char *name, int length, int device);
extern int cuDeviceGetAttribute(int *value, int attribute, int device);
extern int cuCtxCreate_v2(void **context, unsigned flags, int device);
extern int cuCtxGetCurrent(void **context);
extern int cuCtxPopCurrent_v2(void **context);
extern int cuCtxDestroy_v2(void *context);
extern int cuCtxSynchronize(void);
extern int cuModuleLoadData(void **module, const void *image);
extern int cuModuleGetFunction(void **function, void *module, const char *name);
extern int cuModuleGetGlobal_v2(uint64_t *memory, size_t *bytes, void *module, const char *name);
extern int cuModuleUnload(void *module);
extern int cuFuncGetAttribute(int *value, int attribute, void *function);
extern int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
extern int cuMemFree_v2(uint64_t memory);
extern int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
extern int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
extern int cuMemsetD32_v2(uint64_t to, unsigned value, size_t n);
extern int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned group_x, unsigned group_y, unsigned group_z,
                          unsigned shared_bytes, void *stream, void **params, void **extra);
extern int cuGetErrorName(int error, const char **name);
extern int cuGetProcAddress_v2(const char *symbol, void **pfn, int version, uint64_t flags,
                               int *status);
extern int cuGraphCreate(void **graph, unsigned flags);
/* NOLINTEND(readability-function-size) */

enum { ITEMS = 128, NO_DEVICE = 77 };

static const char source[] =
	"// warpline: CUDA C++, not PTX. Options: -DBIAS=3\n"
	"__device__ int total;\n"
	"extern \"C\" __global__ void add(int *data, int value)\n"
	"{ int i = blockIdx.x * blockDim.x + threadIdx.x; data[i] += value + BIAS;\n"
	"  atomicAdd(&total, 1); }\n";

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

static void device_and_context(void)
{
	void *context = NULL, *current = NULL;
	char name[64] = "";
	int device = -1, value = 0;

	OK(cuDeviceGet(&device, 0));
	EXPECT(cuDeviceGet(&device, 1) == cudaErrorInvalidDevice);
	OK(cuDeviceGetName(name, sizeof(name), 0));
	EXPECT(strcmp(name, "NVIDIA Tesla V100") == 0);
	OK(cuDeviceGetAttribute(&value, 16, 0));
	EXPECT(value == 80);
	EXPECT(cuDeviceGetAttribute(&value, 0, 0) == cudaErrorInvalidValue);
	OK(cuCtxCreate_v2(&context, 0, 0));
	OK(cuCtxGetCurrent(&current));
	EXPECT(context && current == context);
	OK(cuCtxPopCurrent_v2(&current));
	OK(cuCtxGetCurrent(&current));
	EXPECT(!current);
	OK(cuCtxDestroy_v2(context));
}

/* Both ways to hand parameters over; the buffer has an int behind a pointer. */
static void launch(void *add, uint64_t data)
{
	struct {
		uint64_t data;
		int value;
	} buffer = { data, 10 };
	size_t bytes = 12, too_few = 11;
	int value = 100;
	void *params[] = { &data, &value };
	void *extra[] = { (void *)1, &buffer, (void *)2, &bytes, NULL };
	void *short_extra[] = { (void *)1, &buffer, (void *)2, &too_few, NULL };

	OK(cuLaunchKernel(add, 2, 1, 1, ITEMS / 2, 1, 1, 0, NULL, params, NULL));
	OK(cuLaunchKernel(add, 2, 1, 1, ITEMS / 2, 1, 1, 0, NULL, NULL, extra));
	EXPECT(cuLaunchKernel(add, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, short_extra) ==
	       cudaErrorInvalidValue);
	EXPECT(cuLaunchKernel(add, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL) ==
	       cudaErrorInvalidValue);
	EXPECT(cuLaunchKernel(add, 0, 1, 1, 64, 1, 1, 0, NULL, params, NULL) ==
	       cudaErrorInvalidValue);
	EXPECT(cuLaunchKernel(&failures, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL) ==
	       cudaErrorInvalidResourceHandle);
	OK(cuCtxSynchronize());
}

static void modules(void)
{
	void *module = NULL, *add = NULL;
	uint64_t data = 0, total = 0;
	int out[ITEMS] = { 0 }, count = 0, most = 0;
	size_t bytes = 0;

	OK(cuModuleLoadData(&module, source));
	OK(cuModuleGetFunction(&add, module, "add"));
	EXPECT(cuModuleGetFunction(&add, module, "none") == cudaErrorSymbolNotFound);
	OK(cuFuncGetAttribute(&most, 0, add));
	EXPECT(most == 1024);
	OK(cuMemAlloc_v2(&data, sizeof(out)));
	OK(cuMemsetD32_v2(data, 1000, ITEMS));
	launch(add, data);
	OK(cuMemcpyDtoH_v2(out, data, sizeof(out)));
	for (int i = 0; i < ITEMS; i++)
		EXPECT(out[i] == 1000 + 103 + 13);
	OK(cuModuleGetGlobal_v2(&total, &bytes, module, "total"));
	EXPECT(bytes == sizeof(int));
	OK(cuMemcpyDtoH_v2(&count, total, sizeof(count)));
	EXPECT(count == 2 * ITEMS);
	EXPECT(cuModuleGetGlobal_v2(&total, &bytes, module, "none") == cudaErrorSymbolNotFound);
	OK(cuMemFree_v2(data));
	OK(cuModuleUnload(module));
	EXPECT(cuModuleUnload(module) == cudaErrorInvalidResourceHandle);
	EXPECT(cuModuleLoadData(&module, "no device code") == cudaErrorInvalidKernelImage);
	EXPECT(cuModuleLoadData(&module, "\177ELF machine code") ==
	       cudaErrorNoKernelImageForDevice);
}

static void names(void)
{
	int (*get)(int *, int) = NULL;
	const char *name = NULL;
	void *found = NULL, *graph;
	int status = -1, device = -1;

	OK(cuGetErrorName(700, &name));
	EXPECT(strcmp(name, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
	OK(cuGetProcAddress_v2("cuDeviceGet", &found, 12000, 0, &status));
	memcpy(&get, &found, sizeof(get));
	EXPECT(status == 0 && get && get(&device, 0) == cudaSuccess && device == 0);
	OK(cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 0, &status));
	EXPECT(status == 0 && found);
	OK(cuGetProcAddress_v2("cuNothing", &found, 12000, 0, &status));
	EXPECT(status == 1 && !found);
	EXPECT(cuGraphCreate(&graph, 0) == cudaErrorNotSupported);
}

int main(void)
{
	if (cuInit(0) == cudaErrorNoDevice)
		return NO_DEVICE;
	device_and_context();
	modules();
	names();
	return failures != 0;
}
