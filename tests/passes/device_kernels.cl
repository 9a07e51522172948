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

/* Functions with two names; vectors of every width. */
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
