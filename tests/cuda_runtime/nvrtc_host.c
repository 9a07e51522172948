/* SPDX-License-Identifier: Apache-2.0 */
/* A program that compiles its kernels while it runs: what it gets is good for the driver's
 * interface. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
extern int nvrtcCreateProgram(void **program, const char *source, const char *name, int count,
                              const char *const *headers, const char *const *names);
extern int nvrtcCompileProgram(void *program, int count, const char *const *options);
extern int nvrtcGetPTXSize(void *program, size_t *bytes);
extern int nvrtcGetPTX(void *program, char *ptx);
extern int nvrtcGetProgramLogSize(void *program, size_t *bytes);
extern int nvrtcGetProgramLog(void *program, char *log);
extern int nvrtcAddNameExpression(void *program, const char *name);
extern int nvrtcGetLoweredName(void *program, const char *name, const char **lowered);
extern int nvrtcDestroyProgram(void **program);
extern const char *nvrtcGetErrorString(int error);
extern int cuInit(unsigned flags);
extern int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                              void **values);
extern int cuModuleGetFunction(void **function, void *module, const char *name);
extern int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
extern int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
extern int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned group_x, unsigned group_y, unsigned group_z,
                          unsigned shared_bytes, void *stream, void **params, void **extra);
/* NOLINTEND(readability-function-size) */

enum { ITEMS = 32, NO_DEVICE = 77, NO_OPENCL_DEVICE = 100, INVALID_OPTION = 5, COMPILATION = 6 };

static int failures;

static void expect(bool is_true, const char *what, int line)
{
	if (is_true)
		return;
	fprintf(stderr, "line %d: %s\n", line, what);
	failures++;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call)          expect((call) == 0, #call, __LINE__)

static void run(void *program, const char *name)
{
	void *module = NULL, *fill = NULL;
	uint64_t data = 0;
	int out[ITEMS] = { 0 };
	void *params[] = { &data };
	size_t bytes = 0;
	char *ptx;

	OK(nvrtcGetPTXSize(program, &bytes));
	ptx = calloc(bytes + 1, 1);
	OK(nvrtcGetPTX(program, ptx));
	OK(cuModuleLoadDataEx(&module, ptx, 0, NULL, NULL));
	free(ptx);
	OK(cuModuleGetFunction(&fill, module, name));
	OK(cuMemAlloc_v2(&data, sizeof(out)));
	OK(cuLaunchKernel(fill, 1, 1, 1, ITEMS, 1, 1, 0, NULL, params, NULL));
	OK(cuMemcpyDtoH_v2(out, data, sizeof(out)));
	for (int i = 0; i < ITEMS; i++)
		EXPECT(out[i] == 5 * i + 1);
}

static void a_program_runs(void)
{
	static const char *const headers[] = { "#define STEP 5\n" }, *const names[] = { "step.h" };
	static const char *const options[] = { "--gpu-architecture=compute_70", "-DFIRST=1" };
	const char *name = NULL;
	void *program = NULL;

	OK(nvrtcCreateProgram(&program,
	                      "#include \"step.h\"\n__global__ void fill(int *out)\n"
	                      "{ out[threadIdx.x] = STEP * threadIdx.x + FIRST; }\n"
	                      "#if !defined(__CUDACC_RTC__) || !defined(__CUDACC__) || "
	                      "defined(__NVCC__) || __CUDA_ARCH__ != 700\n"
	                      "#error other macros than NVRTC's\n"
	                      "#endif\n",
	                      "fill.cu", 1, headers, names));
	OK(nvrtcAddNameExpression(program, "fill"));
	OK(nvrtcCompileProgram(program, 2, options));
	OK(nvrtcGetLoweredName(program, "fill", &name));
	EXPECT(name && strcmp(name, "_Z4fillPi") == 0);
	if (!failures)
		run(program, name);
	OK(nvrtcDestroyProgram(&program));
	EXPECT(!program);
}

static void what_is_wrong_is_in_the_log(void)
{
	void *program = NULL;
	size_t bytes = 0;
	char *log;

	OK(nvrtcCreateProgram(&program, "__global__ void bad() { nonsense; }\n", NULL, 0, NULL,
	                      NULL));
	EXPECT(nvrtcCompileProgram(program, 0, NULL) == COMPILATION);
	OK(nvrtcGetProgramLogSize(program, &bytes));
	log = calloc(bytes + 1, 1);
	OK(nvrtcGetProgramLog(program, log));
	EXPECT(strstr(log, "nonsense"));
	free(log);
	EXPECT(nvrtcGetPTXSize(program, &bytes) != 0);
	OK(nvrtcDestroyProgram(&program));
	EXPECT(strcmp(nvrtcGetErrorString(COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
}

static void an_option_that_nvrtc_lacks_is_refused(void)
{
	static const char *const options[] = { "-fplugin=x" };
	void *program = NULL;
	char log[128] = "";

	OK(nvrtcCreateProgram(&program, "__global__ void f() { }\n", NULL, 0, NULL, NULL));
	EXPECT(nvrtcCompileProgram(program, 1, options) == INVALID_OPTION);
	OK(nvrtcGetProgramLog(program, log));
	EXPECT(strstr(log, "unrecognized option -fplugin=x"));
	OK(nvrtcDestroyProgram(&program));
}

int main(void)
{
	if (cuInit(0) == NO_OPENCL_DEVICE)
		return NO_DEVICE;
	a_program_runs();
	what_is_wrong_is_in_the_log();
	an_option_that_nvrtc_lacks_is_refused();
	return failures != 0;
}
