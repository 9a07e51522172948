// float4, int2, double2, uchar4: one access each, and single members.
// level: a float3 is three accesses of 4 bytes at the default level
#include "corpus.cuh"

enum { N = 64 };

__global__ void wide(const float4 *in, float4 *out, const int2 *pairs, int *sums)
{
	int i = threadIdx.x;
	float4 v = in[i]; // @1
	int2 p = pairs[i]; // @2

	v.x += 1;
	v.w = -v.w;
	out[i] = v;            // @3
	sums[i] = p.x + p.y;   // @4
}

__global__ void members(const double2 *in, uchar4 *out, float3 *threes)
{
	int i = threadIdx.x;

	out[i].y = (unsigned char)in[i].y;              // @5
	threes[i] = make_float3(i, 2.0f * i, 3.0f * i); // @6
}

// The same memory, as words and as vectors.
__global__ void as_vectors(const float *in, float *out)
{
	int i = threadIdx.x;
	float2 v = reinterpret_cast<const float2 *>(in)[i]; // @7

	out[i] = v.x * v.y; // @8
}

int main()
{
	float4 in[N], out[N];
	int2 pairs[N];
	int sums[N];
	double2 twos[N];
	uchar4 bytes[N];
	float3 threes[N];
	float products[N];

	for (int i = 0; i < N; i++) {
		in[i] = make_float4(i, 1, 2, 3);
		pairs[i] = make_int2(i, 10 * i);
		twos[i] = make_double2(-1, i);
	}
	float4 *a = device_array("in", N, in), *b = device_array<float4>("out", N);
	int2 *c = device_array("pairs", N, pairs);
	int *d = device_array<int>("sums", N);
	double2 *e = device_array("twos", N, twos);
	uchar4 *f = device_array<uchar4>("bytes", N);
	float3 *g = device_array<float3>("threes", N);
	float *h = device_array<float>("products", N);
	wide<<<1, N>>>(a, b, c, d);
	members<<<1, N>>>(e, f, g);
	as_vectors<<<1, N>>>((const float *)a, h);
	finish();
	fetch(out, b, N);
	fetch(sums, d, N);
	fetch(bytes, f, N);
	fetch(threes, g, N);
	fetch(products, h, N);
	for (int i = 0; i < N; i++) {
		same("out.x", i, out[i].x, i + 1.0f);
		same("out.z", i, out[i].z, 2.0f);
		same("out.w", i, out[i].w, -3.0f);
		same("sums", i, sums[i], 11 * i);
		same("bytes.x", i, (int)bytes[i].x, 0);
		same("bytes.y", i, (int)bytes[i].y, i);
		same("threes.z", i, threes[i].z, 3.0f * i);
		same("products", i, products[i], i % 2 ? 2.0f * 3 : (float)(i / 2));
	}
	return verdict();
}
