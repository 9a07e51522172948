/*
 * How data lies in memory, and how lanes walk over it. `// fault: NAME` marks the line that a report
 * on the pair NAME must name.
 */
struct particle {
	float x, y, z, mass, vx, vy, vz, charge;
};

__kernel void sum_of_structures(__global const struct particle *p, __global float *out)
{
	uint i = get_global_id(0);

	out[i] = p[i].x + p[i].y + p[i].z; // fault: structures
}

__kernel void sum_of_arrays(__global const float *fields, __global float *out)
{
	uint i = get_global_id(0), count = get_global_size(0);
	__global const float *x = fields, *y = fields + count, *z = fields + 2 * count;

	out[i] = x[i] + y[i] + z[i];
}

__kernel void row_each(__global const float *in, __global float *out, uint columns)
{
	uint row = get_global_id(0);
	float sum = 0;

	for (uint c = 0; c < columns; c++)
		sum += in[row * columns + c]; // fault: row-each
	out[row] = sum;
}

__kernel void column_each(__global const float *in, __global float *out, uint rows)
{
	uint column = get_global_id(0), columns = get_global_size(0);
	float sum = 0;

	for (uint r = 0; r < rows; r++)
		sum += in[r * columns + column];
	out[column] = sum;
}

/* A group of 32 work-items, a warp, has a row. */
__kernel void row_a_warp(__global const float *in, __global float *out, uint columns)
{
	__local float part[32];
	uint row = get_group_id(0), lane = get_local_id(0);
	float sum = 0;

	for (uint c = lane; c < columns; c += 32)
		sum += in[row * columns + c];
	part[lane] = sum;
	for (uint half_of = 16; half_of > 0; half_of /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lane < half_of)
			part[lane] += part[lane + half_of];
	}
	if (lane == 0)
		out[row] = part[0];
}

__kernel void transpose_direct(__global const float *in, __global float *out, uint size)
{
	uint x = get_global_id(0), y = get_global_id(1);

	out[x * size + y] = in[y * size + x]; // fault: transpose
}

/* Groups of 32x8, tiles of 32x32. */
__kernel void transpose_padded(__global const float *in, __global float *out, uint size)
{
	__local float tile[32][33];
	uint lx = get_local_id(0), ly = get_local_id(1);
	uint x = get_group_id(0) * 32, y = get_group_id(1) * 32;

	for (uint k = ly; k < 32; k += 8)
		tile[k][lx] = in[(y + k) * size + x + lx];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = ly; k < 32; k += 8)
		out[(x + k) * size + y + lx] = tile[lx][k];
}

/* What begins `first` values after an aligned address. */
__kernel void scale_from(__global const float *in, __global float *out, uint first)
{
	uint i = get_global_id(0);

	out[i] = 2 * in[first + i]; // fault: misaligned-base
}

__kernel void scale_rows(__global const float *in, __global float *out, uint pitch)
{
	uint x = get_global_id(0), y = get_global_id(1), columns = get_global_size(0);

	out[y * columns + x] = 2 * in[y * pitch + x]; // fault: misaligned-rows
}

/* Groups walk over strips of 32 columns of their own, four times. */
__kernel void walk_strips(__global const float *in, __global float *out, uint rows, uint pitch)
{
	uint lane = get_local_id(0), i = get_global_id(0);
	float sum = 0;

	for (uint pass = 0; pass < 4; pass++)
		for (uint row = 0; row < rows; row++)
			sum += in[row * pitch + i]; // fault: set-conflict
	out[i] = sum;
}

/* All groups begin at the top of their strips and go down together: one line of each row at a time. */
__kernel void go_down(__global const float *in, __global float *out, uint rows, uint pitch)
{
	uint row0 = get_group_id(0), lane = get_local_id(0);
	float sum = 0;

	for (uint k = 0; k < rows; k++)
		sum += in[(row0 * rows + k) * pitch + lane]; // fault: camping
	out[get_global_id(0)] = sum;
}

__kernel void gather(__global const uint *index, __global const float *in, __global float *out)
{
	uint i = get_global_id(0);

	out[i] = in[index[i]]; // fault: gather
}

__kernel void add_bytes(__global const uchar *in, __global uchar *out)
{
	uint i = get_global_id(0);

	out[i] = in[i] + 1; // fault: bytes
}

__kernel void add_vectors(__global const uchar4 *in, __global uchar4 *out)
{
	uint i = get_global_id(0);

	out[i] = in[i] + (uchar4)(1);
}

__kernel void polynomial_global(__global const float *in, __global const float *factor,
                                __global float *out)
{
	uint i = get_global_id(0);
	float x = in[i], sum = 0;

	for (uint k = 0; k < 16; k++)
		sum = sum / 2 + x * factor[k]; // fault: uniform
	out[i] = sum;
}

__kernel void polynomial_constant(__global const float *in, __constant float *factor,
                                  __global float *out)
{
	uint i = get_global_id(0);
	float x = in[i], sum = 0;

	for (uint k = 0; k < 16; k++)
		sum = sum / 2 + x * factor[k];
	out[i] = sum;
}
