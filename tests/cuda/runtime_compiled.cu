// A program that compiles its kernel as it runs (NVRTC).
// links: -lnvrtc -lcuda
#include "corpus.h"

#include <cuda.h>
#include <nvrtc.h>

enum { N = 128 };

static const char text[] = "extern \"C\" __global__ void shift(const int *in, int *out, int n)\n"
			   "{\n"
			   "	int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
			   "	if (i < n)\n"
			   "		out[i] = in[(i + BY) % n];\n"
			   "}\n";

static void must_be(int result, int line)
{
	if (result == 0)
		return;
	fprintf(stderr, "line %d: %d\n", line, result);
	exit(2);
}
#define OK(call) must_be((int)(call), __LINE__)

int main()
{
	const char *options[] = { "-DBY=5", "--gpu-architecture=compute_75" };
	int in[N], out[N], n = N;
	nvrtcProgram program;
	CUmodule module;
	CUfunction kernel;
	size_t bytes;

	for (int i = 0; i < N; i++)
		in[i] = 3 * i;
	// One that is wrong first: the log says why.
	OK(nvrtcCreateProgram(&program, "__global__ void k() { nothing; }", "wrong.cu", 0, NULL, NULL));
	same("wrong", 0, (int)nvrtcCompileProgram(program, 0, NULL), (int)NVRTC_ERROR_COMPILATION);
	OK(nvrtcGetProgramLogSize(program, &bytes));
	same("log", 0, bytes > 10, true);
	OK(nvrtcDestroyProgram(&program));

	OK(nvrtcCreateProgram(&program, text, "shift.cu", 0, NULL, NULL));
	OK(nvrtcCompileProgram(program, 2, options));
	OK(nvrtcGetPTXSize(program, &bytes));
	char *code = (char *)malloc(bytes);
	OK(nvrtcGetPTX(program, code));
	OK(nvrtcDestroyProgram(&program));
	int *a = device_array("in", N, in), *b = device_array<int>("out", N);
	OK(cuModuleLoadData(&module, code));
	OK(cuModuleGetFunction(&kernel, module, "shift"));
	void *arguments[] = { &a, &b, &n };
	OK(cuLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL));
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], in[(i + 5) % N]);
	free(code);
	return verdict();
}
