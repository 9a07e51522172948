/* Kernels whose accesses test_probes_on_device.c works out by hand. */

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
	int i = get_global_id(1), j = get_global_id(0);
	float sum = 0.0f;

	for (int k = 0; k < n; k++)
		sum += a[i * n + k] * b[k * n + j];
	c[i * n + j] = sum;
}

/* Trip counts from data; continue and break; two loops deep. */
__kernel void nested(__global const int *length, __global const int *in, __global int *out)
{
	int id = get_global_id(0), total = 0;

	for (int i = 0; i < length[id]; i++) {
		if (i == 1)
			continue;
		total += in[i + 8];
		for (int j = 0; j <= i; j++) {
			if (j == 3)
				break;
			total += in[i + j];
		}
		out[id] = total;
	}
}

/* A tree in local memory: barriers in a loop, an early return after them. */
__kernel void reduce(__global const int *in, __global int *out, __local int *part)
{
	int id = get_local_id(0), size = get_local_size(0);

	part[id] = in[get_global_id(0)];
	for (int step = size / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (id < step)
			part[id] += part[id + step];
	}
	if (id != 0)
		return;
	out[get_group_id(0)] = part[0];
}

struct pair {
	int first, second;
};

/* Vectors, structs, atomics, a read-modify-write, a function with an early return. */
static int clipped(__global const int *in, int i)
{
	if (i == 0)
		return 7;
	return in[i];
}

__kernel void kinds(__global int *v, __global struct pair *p, __global int *count,
                    __global const int *w)
{
	int id = get_global_id(0);
	int4 x = vload4(id, v);
	struct pair y = p[id];

	vstore4(x + 1, id, v);
	p[id].second += clipped(w, id);
	atomic_add(count, y.first);
	atom_inc(count + 1);
}

/* Statements that a compiler may or may not contract into one rounding. */
__kernel void rounding(__global const float *a, __global const float *b, __global float *c)
{
	int id = get_global_id(0);
	float product = a[id] * b[id];
	float sum = product + a[id + 1];

	c[id] = sum * b[id] - product / a[id] + sqrt(b[id]);
}

/* What SPIR libraries lack, or have under another name than clang gives it. */
__kernel void absent(__global const float *in, __global float *out, __local float *part)
{
	int id = get_local_id(0), first = get_group_id(0) * get_local_size(0);
	event_t copied = async_work_group_copy(part, in + first, get_local_size(0), 0);

	wait_group_events(1, &copied);
	out[first + id] = half_cos(part[id]) + half_divide(part[id], 3.0f) + half_recip(part[0]);
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	out[first + id] *= half_powr(part[id], 1.5f);
	read_mem_fence(CLK_LOCAL_MEM_FENCE);
}

/* Points in some iterations only: in every 20th, in an inner loop that is entered in some. */
__kernel void sparse(__global const int *in, __global int *out, int n)
{
	int id = get_global_id(0), total = 0;

	for (int i = 0; i < n; i++) {
		if (i % 20 == id)
			total += in[i];
		if (i % 3 == 2)
			for (int j = 0; j < i % 7; j++)
				if (j & 1)
					total += in[j];
	}
	out[id] = total;
}

/* Loops of constant length: bounded, so that records have slots. The second one jumps by 4. */
__kernel void constant_loops(__global const int *in, __global int *out)
{
	int id = get_global_id(0), total = 0;

	for (int i = 0; i < 3; i++)
		for (int j = 8; j > 0; j -= 4)
			total += in[id + i + j];
	if (id & 1)
		total *= in[0];
	out[id] = total;
}

/* What slices must not change. */
__kernel void range(__global uint *out, uint d)
{
	uint at = get_global_id(0) - get_global_offset(0) +
	          (get_global_id(1) - get_global_offset(1)) * get_global_size(0);

	out[at * 4] = get_group_id(0) + 100 * get_group_id(1) + 10000 * get_group_id(d);
	out[at * 4 + 1] = get_num_groups(0) + 100 * get_num_groups(1) + 10000 * get_num_groups(d);
	out[at * 4 + 2] = get_global_size(1) + 1000 * get_global_size(d) + 7 * get_global_size(5);
	out[at * 4 + 3] = get_global_id(0) + 1000 * get_global_id(1) + get_global_offset(d) +
	                  get_local_id(d) + get_local_size(d) + get_work_dim();
}

/* More sites than are put in line. */
#define FOUR(i)    out[id] += in[i] ^ (int)(i), out[id + 32] -= in[(i) + 1]
#define SIXTEEN(i) FOUR(i), FOUR((i) + 3), FOUR((i) + 5), FOUR((i) + 7)
__kernel void many(__global const int *in, __global int *out)
{
	int id = get_global_id(0);

	SIXTEEN(id);
	for (int i = 0; i < id % 3; i++)
		SIXTEEN(i);
}

/* A barrier under a condition that all work-items of a group decide alike. */
__kernel void conditional(__global const int *in, __global int *out, __local int *part)
{
	int id = get_global_id(0), l = get_local_id(0), size = get_local_size(0);

	if (in[get_group_id(0)] & 1)
		return;
	part[l] = in[id];
	for (int i = 0; i < 2; i++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (in[i] > 3) {
			out[id] += part[size - 1 - l];
			barrier(CLK_LOCAL_MEM_FENCE);
			part[l] += i;
		}
	}
	out[id] += part[l];
}
