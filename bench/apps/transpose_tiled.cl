/* Transpose a matrix by tiles of 32x32: a group reads the rows of one into local memory and writes
 * its columns, both along the rows of the matrices. */
#define TILE 32

__kernel void transpose(__global float *out, __global const float *in, int width, int height)
{
	__local float tile[TILE][TILE];
	uint row = get_group_id(1) * TILE;
	uint column = get_group_id(0) * TILE;
	uint x = get_local_id(0);

	for (uint y = get_local_id(1); y < TILE; y += get_local_size(1))
		tile[y][x] = in[(row + y) * width + column + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint y = get_local_id(1); y < TILE; y += get_local_size(1))
		out[(column + y) * height + row + x] = tile[x][y];
}
