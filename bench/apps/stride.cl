/* Each work-item reads a word of its own line of 128 bytes, once: of a line, 4 bytes are used. */
__kernel void stride(__global const uint *in, __global uint *out, uint steps)
{
	uint item = get_global_id(0), items = get_global_size(0);
	uint sum = 0;

	for (uint step = 0; step < steps; step++)
		sum += in[(step * items + item) * 32];
	out[item] = sum;
}
