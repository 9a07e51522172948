/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application that knows nothing of recorders: it finds the CUDA driver in the way that its
 * argument names (link, dlsym, proc, proc1 or per-thread), runs a kernel on it and prints the sum
 * of what the kernel left. With the mock's libcuda.so.1, whose device is the host.
 */
#include "cuda_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS   192
#define THREADS 4

/* What is called; in the driver's library. */
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
CUresult cuMemFree_v2(CUdeviceptr address);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned group_x, unsigned group_y, unsigned group_z, unsigned shared_bytes,
                        CUstream stream, void **values, void **extra);
CUresult cuStreamSynchronize(CUstream stream);

struct calls {
	CUresult (*cuMemAlloc)(CUdeviceptr *address, size_t bytes);
	CUresult (*cuMemFree)(CUdeviceptr address);
	CUresult (*cuModuleLoadData)(CUmodule *module, const void *image);
	CUresult (*cuModuleGetFunction)(CUfunction *function, CUmodule module, const char *name);
	CUresult (*cuLaunchKernel)(CUfunction function, unsigned grid_x, unsigned grid_y,
	                           unsigned grid_z, unsigned group_x, unsigned group_y,
	                           unsigned group_z, unsigned shared_bytes, CUstream stream,
	                           void **values, void **extra);
	CUresult (*cuStreamSynchronize)(CUstream stream);
};

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			  ".visible .entry update(.param .u64 a, .param .u32 n)\n{\n\tret;\n}\n";

static struct calls calls;
static CUfunction function;

#ifdef IS_LINKED
static int find_linked(struct calls *c)
{
	*c = (struct calls){ cuMemAlloc_v2,       cuMemFree_v2,   cuModuleLoadData,
		             cuModuleGetFunction, cuLaunchKernel, cuStreamSynchronize };
	return 0;
}
#else
static int find_linked(struct calls *c)
{
	fprintf(stderr, "not linked with the driver\n");
	return 1;
}
#endif

/* As the CUDA runtime that is linked statically does. */
static int find_by_dlsym(struct calls *c)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW);

	if (!library)
		return 1;
	*(void **)(void *)&c->cuMemAlloc = dlsym(library, "cuMemAlloc_v2");
	*(void **)(void *)&c->cuMemFree = dlsym(library, "cuMemFree_v2");
	*(void **)(void *)&c->cuModuleLoadData = dlsym(library, "cuModuleLoadData");
	*(void **)(void *)&c->cuModuleGetFunction = dlsym(library, "cuModuleGetFunction");
	*(void **)(void *)&c->cuLaunchKernel = dlsym(library, "cuLaunchKernel");
	*(void **)(void *)&c->cuStreamSynchronize = dlsym(library, "cuStreamSynchronize");
	return 0;
}

typedef CUresult (*proc_call)(const char *symbol, void **call, int version, uint64_t flags,
                              int *status);
typedef CUresult (*old_proc_call)(const char *symbol, void **call, int version, uint64_t flags);

/* Through cuGetProcAddress(), the function of version 12 or that of 11. */
static int find_by_proc(struct calls *c, bool is_old, uint64_t flags)
{
	static const char *const names[] = { "cuMemAlloc",       "cuMemFree",
		                             "cuModuleLoadData", "cuModuleGetFunction",
		                             "cuLaunchKernel",   "cuStreamSynchronize" };
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	void *found[6];
	proc_call now;
	old_proc_call old;
	int status;

	*(void **)(void *)&now = library ? dlsym(library, "cuGetProcAddress_v2") : NULL;
	*(void **)(void *)&old = library ? dlsym(library, "cuGetProcAddress") : NULL;
	/* It finds itself, too. */
	if (!now || !old || now("cuGetProcAddress", (void **)(void *)&now, 12000, 0, &status))
		return 1;
	for (int i = 0; i < 6; i++)
		if (is_old ? old(names[i], &found[i], 11030, flags)
		           : now(names[i], &found[i], 12040, flags, &status))
			return 1;
	memcpy(c, found, sizeof(found));
	return 0;
}

static int find(struct calls *c, const char *way)
{
	if (!strcmp(way, "link"))
		return find_linked(c);
	if (!strcmp(way, "dlsym"))
		return find_by_dlsym(c);
	return find_by_proc(c, !strcmp(way, "proc1"),
	                    !strcmp(way, "per-thread") ? CUDA_PROC_ADDRESS_PER_THREAD : 0);
}

static void *at(CUdeviceptr address)
{
	void *memory;

	memcpy(&memory, &address, sizeof(memory));
	return memory;
}

/* One launch in a stream of this thread's own; the sum of what it leaves. */
static void *run(void *argument)
{
	CUstream stream = at((CUdeviceptr) * (int *)argument + 3);
	unsigned n = ITEMS;
	CUdeviceptr a;
	void *values[2] = { &a, &n };
	unsigned *sum = malloc(sizeof(*sum));

	*sum = 0;
	if (calls.cuMemAlloc(&a, ITEMS * sizeof(unsigned)))
		return sum;
	for (unsigned i = 0; i < ITEMS; i++)
		((unsigned *)at(a))[i] = i;
	if (calls.cuLaunchKernel(function, 12, 1, 1, 16, 1, 1, 0, stream, values, NULL) ||
	    calls.cuStreamSynchronize(stream))
		return sum;
	for (unsigned i = 0; i < ITEMS; i++)
		*sum += ((unsigned *)at(a))[i];
	calls.cuMemFree(a);
	return sum;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	CUmodule module;

	if (argc != 2 || find(&calls, argv[1]))
		return 2;
	if (calls.cuModuleLoadData(&module, ptx) ||
	    calls.cuModuleGetFunction(&function, module, "update"))
		return 3;
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, run, &numbers[i]))
			return 4;
	}
	for (int i = 0; i < THREADS; i++) {
		void *sum;

		pthread_join(threads[i], &sum);
		printf("%u\n", *(unsigned *)sum);
		free(sum);
	}
	return 0;
}
