// Which accesses are recorded: those to global memory, by whatever pointer, and no others; what may
// be global or not asks at run time. A structure handed by value is no memory, what it points to is.
struct view {
	float *data;
	int n;
	int shape[4];
	__device__ float &at(int i) const { return data[i]; }
};
__constant__ float factors[16];
__device__ int counter;

// CHECK: define ptx_kernel void @spaces(ptr noundef byval(%struct.view) align 8 %v, ptr noundef %out, ptr noundef %rows, i32 noundef %n, ptr addrspace(1) %warpline_buffer)
extern "C" __global__ void spaces(view v, float *out, float **rows, int n)
{
	__shared__ float tile[64];
	float own[4] = { 0, 1, 2, 3 };
	float *either = n & 1 ? tile : out;

	tile[threadIdx.x] = v.at(threadIdx.x) * factors[threadIdx.x];
	own[n & 3] += tile[n];
	counter = v.shape[n & 3];
	out[threadIdx.x] = own[threadIdx.x & 3];
	*either = rows[n][0];
}
// CHECK: call i1 @llvm.nvvm.isspacep.global(
// TABLE: {"name":"spaces",{{.*}}"lanes":32,"records":"affine","refusal":null
// TABLE-NEXT: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":-1,"place":["spaces.cu",19,
// TABLE-NEXT: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":-1,"place":["spaces.cu",21,
// TABLE-NEXT: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":1,"place":["spaces.cu",22,
// TABLE-NEXT: {"kind":"read","bytes":8,"space":1,"loop":-1,"argument":2,"place":["spaces.cu",23,
// TABLE-NEXT: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":-1,"place":["spaces.cu",23,
// TABLE-NEXT: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":1,"place":["spaces.cu",23,
// TABLE-NEXT: "loops":[]
// TABLE-NEXT: "arguments":[
// TABLE-NEXT: "space":0,"is_written":false
// TABLE-NEXT: "space":1,"is_written":true
// TABLE-NEXT: "space":1,"is_written":false
// TABLE-NEXT: "space":0,"is_written":false
// TABLE-NEXT: "unrecorded":[]

// PTX: .visible .const .align 4 .b8 factors[64];
// PTX: .visible .global .align 4 .u32 counter;
// PTX: .visible .entry spaces(
// PTX-NEXT: .param .align 8 .b8 spaces_param_0[32],
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}spaces_param_1,
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}spaces_param_2,
// PTX-NEXT: .param .u32 spaces_param_3,
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}spaces_param_4
// PTX-NEXT: )
// PTX-DAG: ld.param.{{[ub]}}64 {{.*}}[%rd{{[0-9]+}}];
// PTX-DAG: ld.const.{{[bfu]}}32
// PTX-DAG: st.shared.{{[bfu]}}32
// PTX-DAG: isspacep.global
