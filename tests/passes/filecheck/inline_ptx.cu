// Inline PTX is read as PTX is: instructions of any number, with registers of their own, numbers in the text, operands
// that are read and written, results that are several. What the reader refuses, the kernel is refused for.
// OPTIONS: --records none
extern "C" __global__ void values(int *out, unsigned x, unsigned y, float f)
{
	unsigned r, lane, sum = x;
	unsigned long long both;
	int high, low;

	asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
	out[0] = r;
	asm volatile("mov.u32 %0,\t%%laneid;" : "=r"(lane));
	out[1] = lane;
	asm("{\n\t.reg .pred p;\n\tsetp.gt.u32 p, %1, 7;\n\t@p add.u32 %0, %0, %2;\n}" : "+r"(sum) : "r"(x), "n"(-4));
	out[2] = sum;
	asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(x), "r"(y));
	asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(both));
	out[3] = high - low;
	asm volatile("membar.gl;" ::: "memory");
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(f));
	out[4] = f;
	asm volatile("" : "+r"(sum));
	out[5] = sum;
}

extern "C" __global__ void unread(int *out)
{
	asm volatile("cp.async.wait_all;");
	out[0] = 1;
}

extern "C" __global__ void nonsense(int *out, int x)
{
	asm("no such %0 thing" : "=r"(x));
	out[0] = x;
}

// A shift by the width or more gives 0.
// CHECK-LABEL: define spir_kernel void @values(
// CHECK: icmp ult i32 %y, 32
// CHECK: select i1
// CHECK: store i32
// CHECK: call spir_func i32 @warpline_cuda_laneid()
// CHECK: icmp ugt i32 %x, 7
// CHECK: add i32 %x, -4
// CHECK: call spir_func void @warpline_cuda_fence()
// CHECK: call spir_func float @_Z4exp2f(float %f)
// CUDA: "name":"unread"
// CUDA: "refusal":"inline_ptx.cu:28: asm cp.async.wait_all; is inline PTX that is not supported: 'cp.async' is not supported"
// CUDA: "name":"nonsense"
// CUDA: "refusal":"inline_ptx.cu:34: asm no such $0 thing is inline PTX that is not supported: 'no' is not supported"
