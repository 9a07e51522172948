// What random programs seldom have: run natively and as text by text_round_trip.

// Values that change places in each iteration: the copies at the jump back go in circles.
__kernel void swaps(__global uint *out, __global const uint *in)
{
	size_t id = get_global_id(0);
	uint a = in[id], b = in[id + 1], c = in[id + 2], d = 1;

	for (uint i = 0; i < (in[id] & 15); i++) {
		uint old = a;

		a = b;
		b = c;
		c = old;
		if (d & 1) {
			old = a;
			a = d;
			d = old;
		}
		out[id * 8 + 4 + (i & 3)] = a;
	}
	out[id * 8] = a;
	out[id * 8 + 1] = b;
	out[id * 8 + 2] = c;
	out[id * 8 + 3] = d;
}

// The value from before the copy is used behind the loop.
__kernel void last_but_one(__global uint *out, __global const uint *in)
{
	size_t id = get_global_id(0);
	uint now = in[id] | 1, before = 0;

	do {
		before = now;
		now = now * 1664525u + 1013904223u;
	} while (now & 7);
	out[id] = before;
}

// Tables with values that have no literals; the sign of zero.
__constant float odd[4] = { INFINITY, -0.0f, 0x1p-149f, 3.0f };
__constant struct { char a; float3 b; ushort c[2]; } mixed[2] = {
	{ 'x', (float3)(1, 2, 3), { 4, 5 } }, { 'y', (float3)(-1, -2, -3), { 6, 7 } }
};

__kernel void tables(__global float *out, __global uint *bits)
{
	size_t id = get_global_id(0);

	out[id] = odd[id & 3] + mixed[id & 1].b.y + (float)mixed[id & 1].c[id >> 1 & 1];
	bits[id] = as_uint(odd[id & 3]) ^ as_uint(-odd[id & 3]);
}

struct packed {
	char a;
	int b;
	double c;
} __attribute__((packed));

// Members at odd addresses; a struct by value.
__kernel void packed(__global struct packed *s, struct packed by_value, __global float3 *f)
{
	size_t id = get_global_id(0);
	struct packed mine = s[id];

	mine.b = (int)((uint)mine.b + (uint)by_value.b);
	mine.a ^= 5;
	s[id] = mine;
	vstore3((float3)(id), id, (__global float *)f);
}

// Out of a loop in a loop, past code; a switch that falls through, in a loop that goes on.
__kernel void jumps(__global uint *out, __global const uint *in)
{
	size_t id = get_global_id(0);
	uint n = 0;

	for (uint i = 0; i < 9; i++) {
		for (uint k = 0; k < 5; k++) {
			n += in[id + i * 5 + k] & 3;
			if ((in[id + k] & 63) == i)
				goto found;
		}
		switch (n % 4) {
		case 0:
			continue;
		case 1:
			n += 3;
		case 2:
			n ^= 9;
			break;
		}
		n += 1;
	}
	n |= 0x80000000u;
found:
	out[id] = n;
}

// Copies by the group, their events in an array.
__kernel void events(__global uint *out, __global const uint *in, __local uint *l)
{
	event_t e[2];

	e[0] = async_work_group_copy(l, in + get_group_id(0) * 16, 16, 0);
	e[1] = async_work_group_strided_copy(l + 16, in, 16, 2, 0);
	wait_group_events(2, e);
	out[get_global_id(0)] = l[get_local_id(0)] * 3 + l[31 - get_local_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
}

// The same bits as other types.
__kernel void unions(__global uint *out, __global const float *in)
{
	union {
		float f;
		uint u;
		uchar b[4];
	} u;
	size_t id = get_global_id(0);

	u.f = in[id];
	u.b[id & 3] ^= 0x11;
	u.u += 7;
	out[id] = u.u + as_uint(as_float2(as_ulong((uint2)(u.u, 3))).x);
}

// A circle of three and one of two at the same jump.
__kernel void turns(__global uint *out, __global const uint *in)
{
	size_t id = get_global_id(0);
	uint a = in[id], b = in[id + 1], c = in[id + 2], x = 1, y = 2;

	for (uint i = 0; i < (in[id] & 15); i++) {
		uint old = a;

		a = b;
		b = c;
		c = old;
		old = x;
		x = y;
		y = old;
	}
	out[id] = a + 3 * b + 5 * c + 7 * x + 11 * y;
}

// The inner loop is left to the code behind it and to the end of the outer one.
__kernel void two_ways_out(__global uint *out, __global const uint *in)
{
	size_t id = get_global_id(0);
	uint n = 0;

	for (uint i = 0; i < 7; i++) {
		for (uint k = 0; k < 4; k++) {
			if ((in[id + k] >> i & 3) == 0)
				goto next;
			n += in[id + i] & 7;
		}
		n = n * 3 + 1;
		if (n & 1)
			n ^= in[id + i];
	next:
		n += i;
	}
	out[id] = n;
}
