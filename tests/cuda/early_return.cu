// Barriers that not all work-items come to need memory of the recorder's own beside the kernel's: it is not the kernel's.
#include "corpus.cuh"

enum { N = 256, GROUP = 64, ACTIVE = 200 };

// The last groups have work-items that are gone when the others meet.
__global__ void add(int *data, const int *sums, int n)
{
	__shared__ int sum;
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	if (threadIdx.x == 0)
		sum = sums[blockIdx.x]; // @1
	__syncthreads(); // @2
	data[i] += sum; // @3
}

// The odd ones leave the loop before its last barrier.
__global__ void rounds(int *data)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;

	for (int k = 0; k < 3; k++) {
		if (k == 2 && i % 2)
			break;
		__syncthreads(); // @4
		count++;
	}
	int value = data[i]; // @5
	data[i] = value + count; // @6
}

// With warps that vote, and dynamic shared memory.
__global__ void above(int *data, int n)
{
	extern __shared__ int values[];
	__shared__ int more[2];
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;

	if (i >= n)
		return;
	values[t] = data[i]; // @7
	more[t & 1] = 1;
	__syncwarp(__activemask());
	data[i] = __popc(__ballot_sync(__activemask(), values[t] > 100)) * more[0]; // @8
}

int main()
{
	int data[N], sums[N / GROUP] = { 10, 20, 30, 40 };

	for (int i = 0; i < N; i++)
		data[i] = i;
	int *a = device_array("data", N, data), *b = device_array("sums", N / GROUP, sums);
	add<<<N / GROUP, GROUP>>>(a, b, ACTIVE);
	finish();
	rounds<<<N / GROUP, GROUP>>>(a);
	finish();
	fetch(data, a, N);
	for (int i = 0; i < N; i++)
		same("data", i, data[i], i + (i < ACTIVE ? sums[i / GROUP] : 0) + (i % 2 ? 2 : 3));
	above<<<N / GROUP, GROUP, GROUP * sizeof(int)>>>(a, ACTIVE);
	finish();
	int before[N];

	memcpy(before, data, sizeof(data));
	fetch(data, a, N);
	for (int i = 0; i < ACTIVE; i++) {
		int first = i / 32 * 32, count = 0;

		for (int k = first; k < first + 32 && k < ACTIVE; k++)
			count += before[k] > 100;
		same("above", i, data[i], count);
	}
	return verdict();
}
