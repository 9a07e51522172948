/* One launch of many: a step of its own, or one whose length depends on data. */
__kernel void advance(__global uint *values)
{
	uint i = get_global_id(0);

	values[i] = values[i] * 3u + i;
}

__kernel void walk(__global uint *values, __global const uint *lengths)
{
	uint i = get_global_id(0), sum = values[i];

	for (uint n = lengths[i]; n > 0; n >>= 1)
		sum += lengths[(i + n) % get_global_size(0)];
	values[i] = sum;
}
