/*
 * A = L U in place, L with ones on its diagonal, by square tiles of TILE rows that a group keeps in
 * local memory: a group reads TILE neighbouring elements of each row. Groups have TILE * TILE items.
 */
#define TILE 16

/* The tile on the diagonal. */
__kernel void lud_diagonal(__global float *a, uint size, uint at)
{
	__local float tile[TILE][TILE];
	uint column = get_local_id(0) % TILE, row = get_local_id(0) / TILE;
	uint place = (at + row) * size + at + column;

	tile[row][column] = a[place];
	for (uint step = 0; step < TILE - 1; step++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (row > step && column == step)
			tile[row][step] /= tile[step][step];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (row > step && column > step)
			tile[row][column] -= tile[row][step] * tile[step][column];
	}
	a[place] = tile[row][column];
}

/* The other tiles of the diagonal's row (the first half of the groups) and of its column. */
__kernel void lud_edges(__global float *a, uint size, uint at)
{
	__local float corner[TILE][TILE];
	__local float tile[TILE][TILE];
	uint tiles = get_num_groups(0) / 2;
	uint right = get_group_id(0) < tiles;
	uint away = at + TILE * (1 + get_group_id(0) % tiles);
	uint column = get_local_id(0) % TILE, row = get_local_id(0) / TILE;
	uint place = ((right ? at : away) + row) * size + (right ? away : at) + column;

	corner[row][column] = a[(at + row) * size + at + column];
	tile[row][column] = a[place];
	for (uint step = 0; step < TILE; step++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (!right && column == step)
			tile[row][step] /= corner[step][step];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (right && row > step)
			tile[row][column] -= corner[row][step] * tile[step][column];
		if (!right && column > step)
			tile[row][column] -= tile[row][step] * corner[step][column];
	}
	a[place] = tile[row][column];
}

/* What is left, below and to the right: take off the product of the two edges. */
__kernel void lud_inner(__global float *a, uint size, uint at, uint tiles)
{
	__local float left[TILE][TILE];
	__local float above[TILE][TILE];
	uint column = get_local_id(0) % TILE, row = get_local_id(0) / TILE;
	uint first_column = at + TILE * (1 + get_group_id(0) % tiles);
	uint first_row = at + TILE * (1 + get_group_id(0) / tiles);
	float sum = 0.0f;

	left[row][column] = a[(first_row + row) * size + at + column];
	above[row][column] = a[(at + row) * size + first_column + column];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint step = 0; step < TILE; step++)
		sum += left[row][step] * above[step][column];
	a[(first_row + row) * size + first_column + column] -= sum;
}
