// Two streams with copies beside kernels, events between and behind them, pinned memory.
// level: what is multiplied by itself is read once at the default level
#include "corpus.cuh"

enum { N = 256, HALF = N / 2 };

__global__ void square(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		a[i] *= a[i]; // @1
}

__global__ void add(const int *a, int *b)
{
	b[threadIdx.x] += a[threadIdx.x]; // @2
}

static void CUDART_CB note(cudaStream_t, cudaError_t status, void *data)
{
	*(int *)data += status == cudaSuccess;
}

int main()
{
	cudaStream_t streams[2];
	cudaEvent_t begun, done, end;
	int *host, noted = 0;
	float ms = -1;

	MUST(cudaMallocHost((void **)&host, N * sizeof(int)));
	for (int i = 0; i < N; i++)
		host[i] = i;
	int *a = device_array<int>("a", N);
	MUST(cudaStreamCreate(&streams[0]));
	MUST(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
	MUST(cudaEventCreate(&begun));
	MUST(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
	MUST(cudaEventCreate(&end));
	MUST(cudaEventRecord(begun, streams[0]));
	for (int s = 0; s < 2; s++) {
		MUST(cudaMemcpyAsync(a + s * HALF, host + s * HALF, HALF * sizeof(int),
		                     cudaMemcpyHostToDevice, streams[s]));
		square<<<2, HALF / 2, 0, streams[s]>>>(a + s * HALF, HALF);
	}
	MUST(cudaEventRecord(done, streams[1]));
	MUST(cudaStreamWaitEvent(streams[0], done, 0));
	add<<<1, HALF, 0, streams[0]>>>(a + HALF, a);
	MUST(cudaMemcpyAsync(host, a, N * sizeof(int), cudaMemcpyDeviceToHost, streams[0]));
	MUST(cudaStreamAddCallback(streams[0], note, &noted, 0));
	MUST(cudaEventRecord(end, streams[0]));
	MUST(cudaEventSynchronize(end));
	MUST(cudaStreamSynchronize(streams[0]));
	MUST(cudaStreamQuery(streams[1]));
	MUST(cudaEventElapsedTime(&ms, begun, end));
	same("time is not negative", 0, ms >= 0, true);
	same("callbacks", 0, noted, 1);
	for (int i = 0; i < N; i++)
		same("a", i, host[i], i * i + (i < HALF ? (i + HALF) * (i + HALF) : 0));
	MUST(cudaEventDestroy(begun));
	MUST(cudaStreamDestroy(streams[0]));
	MUST(cudaStreamDestroy(streams[1]));
	MUST(cudaFreeHost(host));
	return verdict();
}
