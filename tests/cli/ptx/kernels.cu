// Loads of every form that nvcc makes: of templates, namespaces, functions in line and not, vectors,
// read-only and volatile data, under conditions, in unrolled loops, beside inline PTX.
#include <cstdint>

__device__ float pick(const float *p, int i)
{
	return p[i] * 2.0f;
}

template <typename T> __global__ void product(const T *a, const T *b, T *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[i * n + k] * b[k * n + i];
	c[i] = sum;
}
template __global__ void product<float>(const float *, const float *, float *, int);
template __global__ void product<double>(const double *, const double *, double *, int);

namespace shapes {
__global__ void vectors(const float4 *v, float *out, const double *__restrict__ d, volatile int *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 t = v[i];

	if (i < n)
		out[i] = t.x + t.y + pick(out, i + 1) + pick(out, i + 2) + (float)d[i] + q[i];
}
}

extern "C" __global__ void mixed(const int *a, int *b, const uint8_t *c, const short2 *s, int n)
{
	int i = threadIdx.x, cached;

	asm volatile("{ .reg .b32 t; ld.global.ca.u32 t, [%1]; mov.b32 %0, t; }" : "=r"(cached) : "l"(a));
	b[i] = a[i] + a[i + n] + (i < n ? c[i] : 0) + s[i].y + cached + __ldg(&a[4]);
}

__device__ __noinline__ int distant(const int *p)
{
	return *p + p[7];
}

extern "C" __global__ void calls(const int *a, int *b)
{
	b[threadIdx.x] = distant(a + threadIdx.x) + a[2];
}
