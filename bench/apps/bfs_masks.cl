/*
 * Breadth-first search by levels with masks of bytes, as Harish and Narayanan (2007) have it and the
 * programs that published work on bypassing measured: the nodes of this level, those found for the
 * next, and those visited. The loop asks for the node's end at each edge, as nothing says that what
 * is written is not there.
 */
struct node {
	uint first, count;
};

__kernel void bfs_visit(__global const struct node *nodes, __global const uint *neighbour,
                        __global uchar *mask, __global uchar *next, __global const uchar *visited,
                        __global int *level, uint count)
{
	uint node = get_global_id(0);

	if (node >= count || !mask[node])
		return;
	mask[node] = 0;
	for (uint edge = nodes[node].first; edge < nodes[node].first + nodes[node].count; edge++) {
		uint other = neighbour[edge];

		if (!visited[other]) {
			level[other] = level[node] + 1;
			next[other] = 1;
		}
	}
}

__kernel void bfs_turn(__global uchar *mask, __global uchar *next, __global uchar *visited,
                       __global uint *found, uint count)
{
	uint node = get_global_id(0);

	if (node < count && next[node]) {
		mask[node] = 1;
		visited[node] = 1;
		*found = 1;
		next[node] = 0;
	}
}
