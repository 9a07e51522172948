/* Count values by their lowest eight bits. */
#define BINS 256

__kernel void histogram(__global const uint *values, __global uint *bins)
{
	uint value = values[get_global_id(0)];

	atomic_inc(&bins[value % BINS]);
}
