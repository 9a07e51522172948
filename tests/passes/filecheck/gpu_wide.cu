// The vectors of CUDA are structures: loads and stores are those of PTX that nvcc 13 makes of this text.
// OPTIONS: --opt gpu
__global__ void copy(const float4 *a, float4 *b)
{
	b[threadIdx.x] = a[threadIdx.x];
}
// TABLE: "name":"{{_Z[0-9]+}}copy{{["_A-Z].*}}"
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-3]],{{.*}}
// TABLE-NEXT: {"kind":"write","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-4]],{{.*}}
// TABLE-NEXT: ,"loops"
__global__ void local(const float4 *a, float *b)
{
	float4 v = a[threadIdx.x];
	b[threadIdx.x] = v.x + v.w;
}
// TABLE: "name":"{{_Z[0-9]+}}local{{["_A-Z].*}}"
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-4]],{{.*}},"expression":"a[threadIdx.x]"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-4]],{{.*}},"expression":"b[threadIdx.x]"
// TABLE-NEXT: ,"loops"
__global__ void member(const float4 *a, float *b)
{
	b[threadIdx.x] = a[threadIdx.x].x;
}
// TABLE: "name":"{{_Z[0-9]+}}member{{["_A-Z].*}}"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-3]],{{.*}},"expression":"a[threadIdx.x].x"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-4]],{{.*}},"expression":"b[threadIdx.x]"
// TABLE-NEXT: ,"loops"
__global__ void threes(const float3 *a, float3 *b)
{
	b[threadIdx.x] = a[threadIdx.x];
}
// TABLE: "name":"{{_Z[0-9]+}}threes{{["_A-Z].*}}"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-3]],{{.*}}
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-4]],{{.*}}
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-5]],{{.*}}
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-6]],{{.*}}
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-7]],{{.*}}
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-8]],{{.*}}
// TABLE-NEXT: ,"loops"
__global__ void bytes(const uchar4 *a, int *b)
{
	b[threadIdx.x] = a[threadIdx.x].x + a[threadIdx.x].w;
}
// TABLE: "name":"{{_Z[0-9]+}}bytes{{["_A-Z].*}}"
// TABLE-NEXT: {"kind":"read","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-3]],{{.*}},"expression":"a[threadIdx.x].x"
// TABLE-NEXT: {"kind":"write","bytes":4,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-4]],{{.*}},"expression":"b[threadIdx.x]"
// TABLE-NEXT: ,"loops"
__global__ void doubles(const double2 *a, double *b)
{
	b[threadIdx.x] = a[threadIdx.x].x + a[threadIdx.x].y;
}
// TABLE: "name":"{{_Z[0-9]+}}doubles{{["_A-Z].*}}"
// TABLE-NEXT: {"kind":"read","bytes":16,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-3]],{{.*}},"expression":"a[threadIdx.x].x"
// TABLE-NEXT: {"kind":"write","bytes":8,{{.*}}"loop":-1,{{.*}}"place":["gpu_wide.cu",[[#@LINE-4]],{{.*}},"expression":"b[threadIdx.x]"
// TABLE-NEXT: ,"loops"
