/*
 * Breadth-first search by levels over a graph in compressed rows. Two kernels a level, so that no
 * kernel reads what it writes: the number of accesses does not depend on the schedule.
 */
#define NOT_REACHED -1

/* Mark the neighbours of the current level that have none yet. */
__kernel void bfs_expand(__global const uint *row, __global const uint *neighbour,
                         __global const int *level, __global int *reached, int current, uint nodes)
{
	uint node = get_global_id(0);

	if (node >= nodes || level[node] != current)
		return;
	uint end = row[node + 1];

	for (uint edge = row[node]; edge < end; edge++) {
		uint other = neighbour[edge];

		if (level[other] == NOT_REACHED)
			reached[other] = 1;
	}
}

/* Give the marked nodes the next level; *found tells the host to go on. */
__kernel void bfs_advance(__global int *level, __global int *reached, __global int *found,
                          int current, uint nodes)
{
	uint node = get_global_id(0);

	if (node < nodes && reached[node]) {
		reached[node] = 0;
		level[node] = current + 1;
		*found = 1;
	}
}
