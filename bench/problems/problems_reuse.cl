/*
 * Data that is read again, and what was not made of that. `// fault: NAME` marks the line that a
 * report on the pair NAME must name.
 */
enum { TILE = 16, RADIUS = 2 };

__kernel void product_direct(__global const float *a, __global const float *b, __global float *c,
                             uint depth)
{
	uint x = get_global_id(0), y = get_global_id(1), columns = get_global_size(0);
	float sum = 0;

	for (uint k = 0; k < depth; k++)
		sum += a[y * depth + k] * b[k * columns + x]; // fault: product
	c[y * columns + x] = sum;
}

__kernel void product_tiled(__global const float *a, __global const float *b, __global float *c,
                            uint depth)
{
	__local float tile_a[TILE][TILE], tile_b[TILE][TILE];
	uint x = get_global_id(0), y = get_global_id(1), columns = get_global_size(0);
	uint lx = get_local_id(0), ly = get_local_id(1);
	float sum = 0;

	for (uint first = 0; first < depth; first += TILE) {
		tile_a[ly][lx] = a[y * depth + first + lx];
		tile_b[ly][lx] = b[(first + ly) * columns + x];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint k = 0; k < TILE; k++)
			sum += tile_a[ly][k] * tile_b[k][lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[y * columns + x] = sum;
}

/* The image has a border of RADIUS on all sides, and rows of `pitch` values. */
__kernel void filter_direct(__global const float *in, __constant float *weight, __global float *out,
                            uint pitch)
{
	uint x = get_global_id(0), y = get_global_id(1), columns = get_global_size(0);
	float sum = 0;

	for (uint dy = 0; dy <= 2 * RADIUS; dy++)
		for (uint dx = 0; dx <= 2 * RADIUS; dx++)
			sum += in[(y + dy) * pitch + x + dx] * weight[dy * 5 + dx]; // fault: filter
	out[y * columns + x] = sum;
}

__kernel void filter_tiled(__global const float *in, __constant float *weight, __global float *out,
                           uint pitch)
{
	__local float tile[8 + 2 * RADIUS][32 + 2 * RADIUS];
	uint lx = get_local_id(0), ly = get_local_id(1), columns = get_global_size(0);
	uint x = get_global_id(0), y = get_global_id(1);
	uint left = get_group_id(0) * 32, top = get_group_id(1) * 8;
	float sum = 0;

	for (uint ty = ly; ty < 8 + 2 * RADIUS; ty += 8)
		for (uint tx = lx; tx < 32 + 2 * RADIUS; tx += 32)
			tile[ty][tx] = in[(top + ty) * pitch + left + tx];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint dy = 0; dy <= 2 * RADIUS; dy++)
		for (uint dx = 0; dx <= 2 * RADIUS; dx++)
			sum += tile[ly + dy][lx + dx] * weight[dy * 5 + dx];
	out[y * columns + x] = sum;
}

__kernel void pairs_direct(__global const float *at, __global const float *bodies,
                           __global float *out, uint count)
{
	uint i = get_global_id(0);
	float here = at[i], sum = 0;

	for (uint j = 0; j < count; j++) {
		float way = bodies[j] - here; // fault: all-pairs
		sum += way * way;
	}
	out[i] = sum;
}

/* Groups of 256. */
__kernel void pairs_tiled(__global const float *at, __global const float *bodies,
                          __global float *out, uint count)
{
	__local float tile[256];
	uint i = get_global_id(0), lid = get_local_id(0);
	float here = at[i], sum = 0;

	for (uint first = 0; first < count; first += 256) {
		barrier(CLK_LOCAL_MEM_FENCE);
		tile[lid] = bodies[first + lid];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint j = 0; j < 256; j++) {
			float way = tile[j] - here;
			sum += way * way;
		}
	}
	out[i] = sum;
}

__kernel void columns_in_memory(__global const float *a, __global float *y, uint rows)
{
	uint j = get_global_id(0), columns = get_global_size(0);

	for (uint i = 0; i < rows; i++)
		y[j] += a[i * columns + j]; // fault: accumulate
}

__kernel void columns_in_register(__global const float *a, __global float *y, uint rows)
{
	uint j = get_global_id(0), columns = get_global_size(0);
	float sum = 0;

	for (uint i = 0; i < rows; i++)
		sum += a[i * columns + j];
	y[j] = sum;
}

/* A group goes over a part of its own several times. */
__kernel void passes_outside(__global const float4 *in, __global float4 *out, uint steps)
{
	uint lid = get_local_id(0), size = get_local_size(0);
	__global const float4 *part = in + get_group_id(0) * steps * size;
	float4 sum = 0;

	for (uint pass = 1; pass <= 3; pass++)
		for (uint k = 0; k < steps; k++)
			sum += part[k * size + lid] * (float)pass; // fault: thrash
	out[get_global_id(0)] = sum;
}

__kernel void passes_inside(__global const float4 *in, __global float4 *out, uint steps)
{
	uint lid = get_local_id(0), size = get_local_size(0);
	__global const float4 *part = in + get_group_id(0) * steps * size;
	float4 sum = 0;

	for (uint k = 0; k < steps; k++) {
		float4 value = part[k * size + lid];

		for (uint pass = 1; pass <= 3; pass++)
			sum += value * (float)pass;
	}
	out[get_global_id(0)] = sum;
}

__kernel void twice(__global const float *in, __global float *kept)
{
	uint i = get_global_id(0);

	kept[i] = 2 * in[i];
}

__kernel void plus_one(__global const float *kept, __global float *out)
{
	uint i = get_global_id(0);

	out[i] = kept[i] + 1; // fault: relaunch
}

__kernel void twice_plus_one(__global const float *in, __global float *out)
{
	uint i = get_global_id(0);

	out[i] = 2 * in[i] + 1;
}

/* A copy that is only there to be read once more, with what it was made of. */
__kernel void copy_aside(__global const float *in, __global float *kept)
{
	uint i = get_global_id(0);

	kept[i] = in[i];
}

__kernel void blend(__global const float *in, __global const float *kept, __global float *out)
{
	uint i = get_global_id(0);

	out[i] = in[i] + 3 * kept[i]; // fault: recopied
}

__kernel void blend_once(__global const float *in, __global float *out)
{
	uint i = get_global_id(0);
	float value = in[i];

	out[i] = value + 3 * value;
}
