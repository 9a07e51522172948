/*
 * What a further centre would gain, as in the clustering of a stream: each point goes over all its
 * coordinates and those of the candidate. Coordinates lie by dimension, so points are coalesced and
 * the candidate is the same word for all. A point that would move is marked; one that would stay adds
 * to the cell of its centre in its own row of `kept`.
 */
__kernel void streamcluster_gain(__global const float *coordinate, __global const float *weight,
                                 __global const float *cost, __global const uint *centre,
                                 __global const uint *cell, __global uint *moves,
                                 __global float *kept, uint points, uint dimensions, uint centres,
                                 uint candidate)
{
	uint point = get_global_id(0);
	float distance = 0.0f;

	if (point >= points)
		return;
	for (uint d = 0; d < dimensions; d++) {
		float difference = coordinate[d * points + point] - coordinate[d * points + candidate];

		distance += difference * difference;
	}
	float would_cost = distance * weight[point];
	float costs = cost[point];

	if (would_cost < costs) {
		moves[point] = 1;
		kept[point * (centres + 1) + centres] += costs - would_cost;
	} else {
		kept[point * (centres + 1) + cell[centre[point]]] += would_cost - costs;
	}
}
