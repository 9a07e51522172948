// What is called and not inlined would have no probes, and ask for the wrong group: no kernel of it
// is changed.
__device__ int depth(int n)
{
	return n ? depth(n / 2) + 1 + blockIdx.x : 0;
}

extern "C" __global__ void refused(int *p)
{
	p[0] = depth(p[1]);
}

extern "C" __global__ void taken(int *p)
{
	p[0] = 1;
}
// TABLE: "name":"refused",{{.*}}"refusal":"ptx: a call of _Z5depthi, which cannot be inlined"
// TABLE: "name":"taken",{{.*}}"refusal":null
// PTX: .visible .entry refused(
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}refused_param_0
// PTX-NEXT: )
// PTX: .visible .entry taken(
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}taken_param_0,
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}taken_param_1
// PTX-NEXT: )
