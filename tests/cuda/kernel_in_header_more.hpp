/* Of kernel_in_header.cu. */
static __device__ int first(const int *in, int i)
{
	return in[i]; // @1
}

static __device__ void turn(int *out, const int *in)
{
	int i = threadIdx.x;

	out[i] = in[63 - i] + 1; // @2
	out[i] += 2; // @3
}
