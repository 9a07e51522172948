/* Nothing is wrong with these: a report has nothing to say. */
__kernel void saxpy(__global const float *x, __global float *y, uint a)
{
	uint i = get_global_id(0);

	y[i] = (float)a * x[i] + y[i];
}

__kernel void copy(__global const float *in, __global float *out)
{
	uint i = get_global_id(0);

	out[i] = in[i];
}

/* A step of a two-dimensional FDTD: the electric field from the magnetic one. Rows have `pitch` values. */
__kernel void fdtd(__global const float *ex, __global const float *ey, __global float *hz,
                   uint pitch)
{
	uint x = get_global_id(0), y = get_global_id(1), at = y * pitch + x;

	hz[at] -= 0.5f * (ex[at + pitch] - ex[at] + ey[at + 1] - ey[at]);
}

/* Groups of 16x16. */
__kernel void product(__global const float *a, __global const float *b, __global float *c,
                      uint depth)
{
	__local float tile_a[16][16], tile_b[16][16];
	uint x = get_global_id(0), y = get_global_id(1), columns = get_global_size(0);
	uint lx = get_local_id(0), ly = get_local_id(1);
	float sum = 0;

	for (uint first = 0; first < depth; first += 16) {
		tile_a[ly][lx] = a[y * depth + first + lx];
		tile_b[ly][lx] = b[(first + ly) * columns + x];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint k = 0; k < 16; k++)
			sum += tile_a[ly][k] * tile_b[k][lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[y * columns + x] = sum;
}

/* Groups of 256, sequential addressing; each work-item begins with the sum of eight values. */
__kernel void reduce(__global const uint *in, __global uint *out)
{
	__local uint sum[256];
	uint lid = get_local_id(0), i = get_global_id(0), items = get_global_size(0), mine = 0;

	for (uint k = 0; k < 8; k++)
		mine += in[k * items + i];
	sum[lid] = mine;
	for (uint apart = 128; apart > 0; apart /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < apart)
			sum[lid] += sum[lid + apart];
	}
	if (lid == 0)
		out[get_group_id(0)] = sum[0];
}

/* The indices ascend: neighbouring lanes read neighbouring values, some of them the same. */
__kernel void scan_sorted(__global const uint *index, __global const float *in,
                          __global float *out)
{
	uint i = get_global_id(0);

	out[i] = in[index[i]];
}

/* Atomics, but each word has its own, and lanes have neighbouring words. */
__kernel void add_evenly(__global const uint *in, __global uint *sums, uint words)
{
	uint i = get_global_id(0);

	atomic_add(&sums[i % words], in[i]);
}
