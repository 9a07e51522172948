/* Follow a chain of indices: no read can begin before the one before it has its data. */
__kernel void chase(__global const uint *next, __global uint *last, uint steps)
{
	uint at = 0;

	for (uint step = 0; step < steps; step++)
		at = next[at];
	last[get_global_id(0)] = at;
}
