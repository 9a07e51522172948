// The driver's interface: a module of PTX text of our own, its kernel, its variable.
// links: -lcuda
#include "corpus.cuh"

#include <cuda.h>

enum { N = 200 };

// out[i] = factor * in[i] for i < n, which waits in shared memory for a barrier that not all come to;
// factor is a variable of the module.
static const char text[] =
	".version 6.5\n"
	".target sm_50\n"
	".address_size 64\n"
	".global .align 4 .u32 factor = 3;\n"
	".visible .entry scale(.param .u64 in, .param .u64 out, .param .u32 n)\n"
	"{\n"
	"	.shared .align 4 .b8 kept[256];\n"
	"	.reg .pred %p<2>;\n"
	"	.reg .b32 %r<8>;\n"
	"	.reg .b64 %rd<8>;\n"
	"	ld.param.u64 %rd1, [in];\n"
	"	ld.param.u64 %rd2, [out];\n"
	"	ld.param.u32 %r1, [n];\n"
	"	mov.u32 %r2, %ctaid.x;\n"
	"	mov.u32 %r3, %ntid.x;\n"
	"	mov.u32 %r4, %tid.x;\n"
	"	mad.lo.s32 %r5, %r2, %r3, %r4;\n"
	"	setp.ge.s32 %p1, %r5, %r1;\n"
	"	@%p1 bra DONE;\n"
	"	cvta.to.global.u64 %rd3, %rd1;\n"
	"	cvta.to.global.u64 %rd4, %rd2;\n"
	"	mul.wide.s32 %rd5, %r5, 4;\n"
	"	add.s64 %rd6, %rd3, %rd5;\n"
	"	add.s64 %rd7, %rd4, %rd5;\n"
	"	ld.global.u32 %r6, [%rd6];\n"
	"	ld.global.u32 %r7, [factor];\n"
	"	mul.lo.s32 %r6, %r6, %r7;\n"
	"	mov.u32 %r2, kept;\n"
	"	mad.lo.s32 %r2, %r4, 4, %r2;\n"
	"	st.shared.u32 [%r2], %r6;\n"
	"	bar.sync 0;\n"
	"	ld.shared.u32 %r6, [%r2];\n"
	"	st.global.u32 [%rd7], %r6;\n"
	"DONE:\n"
	"	ret;\n"
	"}\n";

static void check(CUresult result, int line)
{
	const char *why = NULL;

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorString(result, &why);
	fprintf(stderr, "line %d: %d: %s\n", line, (int)result, why ? why : "");
	exit(2);
}
#define OK(call) check((call), __LINE__)

int main()
{
	int in[N], out[N], n = N, five = 5;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel, none;
	CUdeviceptr a, b, factor;
	size_t bytes;

	for (int i = 0; i < N; i++)
		in[i] = i * i;
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&kernel, module, "scale"));
	same("none", 0, (int)cuModuleGetFunction(&none, module, "none"), (int)CUDA_ERROR_NOT_FOUND);
	OK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
	same("bytes", 0, (int)bytes, 4);
	OK(cuMemAlloc(&a, sizeof(in)));
	OK(cuMemAlloc(&b, sizeof(out)));
	show("in", (void *)a, sizeof(in));
	show("out", (void *)b, sizeof(out));
	show("factor", (void *)factor, bytes);
	OK(cuMemcpyHtoD(a, in, sizeof(in)));
	void *arguments[] = { &a, &b, &n };
	OK(cuLaunchKernel(kernel, 4, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL));
	OK(cuCtxSynchronize());
	OK(cuMemcpyDtoH(out, b, sizeof(out)));
	for (int i = 0; i < N; i++)
		same("out", i, out[i], 3 * in[i]);
	OK(cuMemcpyHtoD(factor, &five, 4));
	n = 10;
	OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(out, b, sizeof(out)));
	for (int i = 0; i < N; i++)
		same("again", i, out[i], (i < 10 ? 5 : 3) * in[i]);
	OK(cuMemFree(a));
	OK(cuModuleUnload(module));
	OK(cuDevicePrimaryCtxRelease(device));

	// A context of one's own, as in CUDA 12, and as in 13.
	CUctxCreateParams nothing = {}, affinity = {};
	affinity.numExecAffinityParams = 1;
	OK(cuCtxCreate(&context, 0, device));
	OK(cuCtxDestroy(context));
	OK(cuCtxCreate(&context, &nothing, 0, device));
	OK(cuCtxDestroy(context));
	same("affinity", 0, (int)cuCtxCreate(&context, &affinity, 0, device), (int)CUDA_ERROR_NOT_SUPPORTED);
	return verdict();
}
