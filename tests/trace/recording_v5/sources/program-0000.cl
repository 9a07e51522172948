/* Follow a random index for ROUNDS steps and sum the values on the way: no address is affine. */
#define ROUNDS 8

__kernel void gather(__global const uint *index, __global const uint *in, __global uint *out)
{
	uint at = get_global_id(0);
	uint sum = 0;

	for (uint step = 0; step < ROUNDS; step++) {
		at = index[at];
		sum += in[at];
	}
	out[get_global_id(0)] = sum;
}
