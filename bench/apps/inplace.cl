/* Update every value from itself: running the kernel twice is not running it once. */
__kernel void inplace(__global uint *values)
{
	uint i = get_global_id(0);

	values[i] = values[i] * 3u + i;
}
