/*
 * A stream that is read once beside a table that all work-items read again and again, both coalesced:
 * 32 work-items read a row of 32 words. Each 32 begin in another row, spread over the table, so that
 * between two reads of a row as many others of the table and of the stream are read as the table has.
 */
#define LANES 32

__kernel void table(__global const uint *stream, __global const uint *table, __global uint *out,
                    uint steps, uint rows)
{
	uint item = get_global_id(0), items = get_global_size(0);
	uint warp = item / LANES;
	uint begin = warp * 12 + warp / 8 * 5;
	uint sum = 0;

	for (uint step = 0; step < steps; step++)
		sum += stream[step * items + item] *
		       table[(begin + step) % rows * LANES + item % LANES];
	out[item] = sum;
}
