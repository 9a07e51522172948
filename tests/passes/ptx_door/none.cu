// Without probes the program is what it was.
// OPTIONS: --records none --gpu-arch sm_90a
extern "C" __global__ void none(int *p)
{
	p[blockIdx.x] = gridDim.x;
}
// PTX: .version 7.8
// PTX: .target sm_90
// PTX: .visible .entry none(
// PTX-NEXT: .param .u64 {{(.ptr .*)?}}none_param_0
// PTX-NEXT: )
// PTX-NOT: warpline
// PTX-DAG: mov.u32 {{.*}}%nctaid.x;
// PTX-DAG: mov.u32 {{.*}}%ctaid.x;
