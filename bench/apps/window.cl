/* The sum of each word and the 15 behind it: neighbours read nearly the same lines at once. */
#define WIDTH 16

__kernel void window(__global const uint *in, __global uint *out)
{
	uint item = get_global_id(0);
	uint sum = 0;

	for (uint k = 0; k < WIDTH; k++)
		sum += in[item + k];
	out[item] = sum;
}
