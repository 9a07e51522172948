// Sites that come with the word of another of the same node: how far their addresses are apart must be
// known, and the same for all work-items.

// A load and a store of one element; other arguments at the same index.
// SITE: update 0 read line [[@LINE+6]]: point
// SITE: update 1 read line [[@LINE+5]]: companion of 0, after 0, offset 0, difference 0{{$}}
// SITE: update 2 write line [[@LINE+4]]: companion of 0, after 0, offset 0, difference 0{{$}}
// SITE: update 3 atomic line [[@LINE+4]]: companion of 0, after 0, offset 12{{$}}
__kernel void update(__global int *a, __global int *b)
{
	b[get_global_id(0)] += a[get_global_id(0)] + 1;
	atomic_inc(a + get_global_id(0) + 3);
}

// Signed numbers do not wrap; differences of arguments are made of products.
// SITE: rows 0 read line [[@LINE+5]]: point
// SITE: rows 1 write line [[@LINE+4]]: companion of 0, after 0, offset -4, difference 0{{$}}
__kernel void rows(__global int *a, int x, int w)
{
	int i = get_global_id(0) + x;
	a[(i + 1) * w - 1] = a[i * w];
}

// Unsigned ones may, and what is cut may too.
// SITE: wraps 0 read line [[@LINE+7]]: point
// SITE: wraps 1 write line [[@LINE+6]]: point
// SITE: wraps 2 read line [[@LINE+6]]: point
// SITE: wraps 3 write line [[@LINE+5]]: point
__kernel void wraps(__global int *a, __global char *b)
{
	uint i = get_global_id(0);
	a[i + 1] = a[i];
	b[(uchar)(i + 1)] = b[(uchar)i];
}

// Extended with its sign it is another number than with zeros; the other comparison chooses otherwise.
// SITE: signs 0 read line [[@LINE+7]]: point
// SITE: signs 1 write line [[@LINE+7]]: point
// SITE: signs 2 write line [[@LINE+7]]: point
// SITE: signs 3 write line [[@LINE+7]]: point
// SITE: signs 4 write line [[@LINE+7]]: companion of 3, after 3, offset 4{{$}}
__kernel void signs(__global int *a, int n)
{
	int i = a[get_global_id(0)];
	a[i] = 1;
	a[(uint)i] = 2;
	a[i < n ? i : n] = 3;
	a[(i < n ? i : n) + 1] = 4;
	// SITE: signs 5 write line [[@LINE+1]]: point
	a[i > n ? i : n] = 5;
}

// In 64 bits it is no matter; and what was loaded is a number like others, the same one.
// SITE: longs 0 read line [[@LINE+5]]: point
// SITE: longs 1 read line [[@LINE+5]]: point
// SITE: longs 2 write line [[@LINE+4]]: companion of 1, after 1, offset -8{{$}}
__kernel void longs(__global ulong *a, __global const uint *index)
{
	uint k = index[get_global_id(0)];
	a[k - 1ul] = a[k];
}

// Loaded twice it may be another number.
// SITE: loaded 0 read line [[@LINE+5]]: point
// SITE: loaded 1 read line [[@LINE+5]]: companion of 0
// SITE: loaded 2 write line [[@LINE+5]]: point
__kernel void loaded(__global int *a, volatile __global int *n)
{
	int i = n[1];
	int k = n[1];
	a[k + 1] = 1;
	// SITE: loaded 3 write line [[@LINE+1]]: point
	a[i] = 1;
}

// Not the same for all work-items; not of the launch alone.
// SITE: items 0 read line [[@LINE+5]]: point
// SITE: items 1 write line [[@LINE+4]]: point
__kernel void items(__global int *a)
{
	size_t i = get_global_id(0);
	a[2 * i] = a[i];
}

// Sizes of the NDRange and of all groups; a division might trap.
// SITE: sizes 0 read line [[@LINE+8]]: point
// SITE: sizes 1 write line [[@LINE+7]]: companion of 0, after 0, offset 0, difference 0{{$}}
// SITE: sizes 2 write line [[@LINE+7]]: companion of 0, after 0, offset 0, difference 1{{$}}
// SITE: sizes 3 write line [[@LINE+7]]: point
// SITE: sizes 4 write line [[@LINE+7]]: companion of 0, after 3, offset 0, difference 2{{$}}
__kernel void sizes(__global int *a, int n)
{
	size_t i = get_global_id(0);
	a[i + get_global_size(0)] = a[i];
	a[i + get_local_size(0)] = 2;
	a[i + 100 / n] = 3;
	a[i + n / 4] = 4;
}

// Another node, another word; a barrier between.
// SITE: nodes 0 read line [[@LINE+9]]: point
// SITE: nodes 1 read line [[@LINE+9]]: point
// SITE: nodes 2 write line [[@LINE+8]]: companion of 1, after 1, offset -4{{$}}
// SITE: nodes 3 write line [[@LINE+8]]: point
// SITE: nodes 4 barrier line [[@LINE+8]]: point
// SITE: nodes 5 write line [[@LINE+8]]: companion of 3, after 4, offset 0{{$}}
__kernel void nodes(__global int *a, int n)
{
	size_t i = get_global_id(0);
	if (a[i] > n)
		a[i] = a[i + 1];
	a[i] = 1;
	barrier(CLK_GLOBAL_MEM_FENCE);
	a[i] = 2;
}

// In a loop: a run stays a run, and stands between.
// SITE: loop 0 read line [[@LINE+7]]: run
// SITE: loop 1 read line [[@LINE+7]]: point
// SITE: loop 2 read line [[@LINE+6]]: run
// SITE: loop 3 write line [[@LINE+5]]: companion of 1, after 1, offset 0{{$}}
__kernel void loop(__global int *a, __global const int *b, int n)
{
	for (int i = 0; i < n; i++) {
		int k = b[i];
		a[k] = a[k] + b[i + n];
	}
}

// A structure's members and elements of a vector's type.
// SITE: structure 0 read line [[@LINE+6]]: point
// SITE: structure 1 write line [[@LINE+5]]: companion of 0, after 0, offset 20{{$}}
// SITE: structure 2 write line [[@LINE+5]]: companion of 0, after 0, offset 16, difference 0{{$}}
struct part { int x, y[3]; };
__kernel void structure(__global struct part *p, __global float4 *v, int n)
{
	p[get_global_id(0) + 1].y[0] = p[get_global_id(0)].x;
	v[get_global_id(0) + 1] = 1.0f;
}
