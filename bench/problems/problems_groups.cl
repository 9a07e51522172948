/*
 * Local memory and how the work-items of a group add up. `// fault: NAME` marks the line that a
 * report on the pair NAME must name.
 */

/* Groups of 32x8, tiles of 32x32: a column of the tile is in one bank. */
__kernel void transpose_tile(__global const float *in, __global float *out, uint size)
{
	__local float tile[32][32];
	uint lx = get_local_id(0), ly = get_local_id(1);
	uint x = get_group_id(0) * 32, y = get_group_id(1) * 32;

	for (uint k = ly; k < 32; k += 8)
		tile[k][lx] = in[(y + k) * size + x + lx];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = ly; k < 32; k += 8)
		out[(x + k) * size + y + lx] = tile[lx][k]; // fault: banks-32
}

__kernel void transpose_tile_padded(__global const float *in, __global float *out, uint size)
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

/* Groups of 64 turn rows of 2 values into columns: a bank has the words of 2 lanes. */
__kernel void turn_2(__global const float *in, __global float *out)
{
	__local float rows[64 * 2];
	uint lid = get_local_id(0), first = get_group_id(0) * 64 * 2;

	for (uint k = 0; k < 2; k++) {
		uint at = k * 64 + lid;

		rows[at / 2 * 2 + at % 2] = in[first + at];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 2; k++)
		out[first + k * 64 + lid] = rows[lid * 2 + k]; // fault: banks-2
}

/* A plane for each column, begun so that what is stored together lies in all banks. */
__kernel void turn_2_planes(__global const float *in, __global float *out)
{
	__local float planes[2 * 80];
	uint lid = get_local_id(0), first = get_group_id(0) * 64 * 2;

	for (uint k = 0; k < 2; k++) {
		uint at = k * 64 + lid;

		planes[at % 2 * 80 + at / 2] = in[first + at];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 2; k++)
		out[first + k * 64 + lid] = planes[k * 80 + lid];
}

/* The same of rows of 4: a bank has the words of 4 lanes. */
__kernel void turn_4(__global const float *in, __global float *out)
{
	__local float rows[64 * 4];
	uint lid = get_local_id(0), first = get_group_id(0) * 64 * 4;

	for (uint k = 0; k < 4; k++) {
		uint at = k * 64 + lid;

		rows[at / 4 * 4 + at % 4] = in[first + at];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 4; k++)
		out[first + k * 64 + lid] = rows[lid * 4 + k]; // fault: banks-4
}

/* A plane for each column, begun so that what is stored together lies in all banks. */
__kernel void turn_4_planes(__global const float *in, __global float *out)
{
	__local float planes[4 * 72];
	uint lid = get_local_id(0), first = get_group_id(0) * 64 * 4;

	for (uint k = 0; k < 4; k++) {
		uint at = k * 64 + lid;

		planes[at % 4 * 72 + at / 4] = in[first + at];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 4; k++)
		out[first + k * 64 + lid] = planes[k * 72 + lid];
}

/* Groups of 256 sum their values by halves. */
__kernel void sum_interleaved(__global const uint *in, __global uint *out)
{
	__local uint sum[256];
	uint lid = get_local_id(0);

	sum[lid] = in[get_global_id(0)];
	for (uint apart = 1; apart < 256; apart *= 2) {
		uint at = 2 * apart * lid;

		barrier(CLK_LOCAL_MEM_FENCE);
		if (at < 256)
			sum[at] += sum[at + apart]; // fault: interleaved
	}
	if (lid == 0)
		out[get_group_id(0)] = sum[0];
}

__kernel void sum_every_other(__global const uint *in, __global uint *out)
{
	__local uint sum[256];
	uint lid = get_local_id(0);

	sum[lid] = in[get_global_id(0)];
	for (uint apart = 1; apart < 256; apart *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid % (2 * apart) == 0)
			sum[lid] += sum[lid + apart]; // fault: every-other
	}
	if (lid == 0)
		out[get_group_id(0)] = sum[0];
}

__kernel void sum_sequential(__global const uint *in, __global uint *out)
{
	__local uint sum[256];
	uint lid = get_local_id(0);

	sum[lid] = in[get_global_id(0)];
	for (uint apart = 128; apart > 0; apart /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < apart)
			sum[lid] += sum[lid + apart];
	}
	if (lid == 0)
		out[get_group_id(0)] = sum[0];
}

/* How many of a group's values, 16 a work-item, are odd. */
__kernel void count_together(__global const uint *in, __global uint *out)
{
	__local uint odd;
	uint i = get_global_id(0), items = get_global_size(0);

	if (get_local_id(0) == 0)
		odd = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 16; k++)
		atomic_add(&odd, in[k * items + i] & 1); // fault: local-atomic
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		out[get_group_id(0)] = odd;
}

__kernel void count_apart(__global const uint *in, __global uint *out)
{
	__local uint odd[256];
	uint i = get_global_id(0), items = get_global_size(0), lid = get_local_id(0), mine = 0;

	for (uint k = 0; k < 16; k++)
		mine += in[k * items + i] & 1;
	odd[lid] = mine;
	for (uint apart = 128; apart > 0; apart /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < apart)
			odd[lid] += odd[lid + apart];
	}
	if (lid == 0)
		out[get_group_id(0)] = odd[0];
}

__kernel void add_to_one(__global const uint *in, __global uint *total)
{
	atomic_add(total, in[get_global_id(0)]); // fault: one-word
}

/* Groups of 256. */
__kernel void add_by_group(__global const uint *in, __global uint *total)
{
	__local uint sum[256];
	uint lid = get_local_id(0);

	sum[lid] = in[get_global_id(0)];
	for (uint apart = 128; apart > 0; apart /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < apart)
			sum[lid] += sum[lid + apart];
	}
	if (lid == 0)
		atomic_add(total, sum[0]);
}

__kernel void histogram_shared(__global const uint *in, __global uint *bins)
{
	uint i = get_global_id(0), items = get_global_size(0);

	for (uint k = 0; k < 8; k++)
		atomic_inc(&bins[in[k * items + i] & 255]); // fault: few-lines
}

/* Groups of 256. */
__kernel void histogram_private(__global const uint *in, __global uint *bins)
{
	__local uint own[256];
	uint i = get_global_id(0), items = get_global_size(0), lid = get_local_id(0);

	own[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 8; k++)
		atomic_inc(&own[in[k * items + i] & 255]);
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&bins[lid], own[lid]);
}

/* Groups of 256, each with bins of its own. */
__kernel void histogram_of_group(__global const uint *in, __global uint *bins)
{
	uint i = get_global_id(0), items = get_global_size(0), lid = get_local_id(0);
	__global uint *own = &bins[256 * get_group_id(0)];

	own[lid] = 0;
	barrier(CLK_GLOBAL_MEM_FENCE);
	for (uint k = 0; k < 16; k++)
		atomic_inc(&own[in[k * items + i] & 255]); // fault: histogram-each
}

__kernel void histogram_of_group_local(__global const uint *in, __global uint *bins)
{
	__local uint own[256];
	uint i = get_global_id(0), items = get_global_size(0), lid = get_local_id(0);

	own[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < 16; k++)
		atomic_inc(&own[in[k * items + i] & 255]);
	barrier(CLK_LOCAL_MEM_FENCE);
	bins[256 * get_group_id(0) + lid] = own[lid];
}

/* What is odd is kept, in any order; *next counts it. */
__kernel void keep_odd(__global const uint *in, __global uint *kept, __global uint *next)
{
	uint value = in[get_global_id(0)];

	if (value & 1)
		kept[atomic_inc(next)] = value; // fault: one-counter
}

/* Groups of 256: a place in the group's part, then one for the group. */
__kernel void keep_odd_by_group(__global const uint *in, __global uint *kept, __global uint *next)
{
	__local uint scan[2][256], first;
	uint value = in[get_global_id(0)], lid = get_local_id(0), from = 0;

	scan[0][lid] = value & 1;
	for (uint apart = 1; apart < 256; apart *= 2, from ^= 1) {
		barrier(CLK_LOCAL_MEM_FENCE);
		scan[from ^ 1][lid] =
			scan[from][lid] + (lid >= apart ? scan[from][lid - apart] : 0);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid == 255)
		first = atomic_add(next, scan[from][255]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (value & 1)
		kept[first + scan[from][lid] - 1] = value;
}

/* One work-item in eight has something to do: `rank` says which one it is of those. */
__kernel void sparse_lanes(__global const uint *rank, __global const float *in,
                           __global float *out, uint steps)
{
	uint mine = rank[get_global_id(0)], active = get_global_size(0) / 8;
	float sum = 0;

	if (mine == ~0u)
		return;
	for (uint k = 0; k < steps; k++)
		sum += in[k * active + mine]; // fault: divergent
	out[mine] = sum;
}

__kernel void dense_lanes(__global const float *in, __global float *out, uint steps)
{
	uint i = get_global_id(0), active = get_global_size(0);
	float sum = 0;

	for (uint k = 0; k < steps; k++)
		sum += in[k * active + i];
	out[i] = sum;
}

/* A launch of any size goes over all values. */
__kernel void scale_all(__global const float *in, __global float *out, uint count)
{
	for (uint i = get_global_id(0); i < count; i += get_global_size(0))
		out[i] = 2 * in[i];
}

/* One warp a group; each value read decides which one is read next. */
__kernel void one_in_flight(__global const float *in, __global float *out, uint steps)
{
	uint i = get_global_id(0), items = get_global_size(0);
	float sum = 0;

	for (uint k = 0; k < steps; k++)
		sum += in[k * items + i]; // fault: in-flight
	out[i] = sum;
}

__kernel void four_in_flight(__global const float *in, __global float *out, uint steps)
{
	uint i = get_global_id(0), items = get_global_size(0);
	float sum = 0;

	for (uint k = 0; k < steps; k += 4) {
		float a = in[k * items + i], b = in[(k + 1) * items + i];
		float c = in[(k + 2) * items + i], d = in[(k + 3) * items + i];

		sum += a + b + c + d;
	}
	out[i] = sum;
}
