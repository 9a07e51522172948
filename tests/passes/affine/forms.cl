// Addresses that are affine in their loop, and those that are not.

// SITE: straight 0 write line [[@LINE+1]]: point (in no loop)
__kernel void straight(__global int *a) { a[get_global_id(0)] = 1; }

// SITE: rising 0 write line [[@LINE+4]]: run, loop 0{{$}}
__kernel void rising(__global int *a, ulong n)
{
	for (ulong i = 0; i < n; i++)
		a[i] = 1;
}

// SITE: falling 0 write line [[@LINE+4]]: run, loop 0, 1 checked{{$}}
__kernel void falling(__global int *a, int n)
{
	for (int i = n - 1; i >= 0; i -= 3)
		a[i] = 1;
}

// The step is an argument; so is the factor; an offset from the work-item, computed in the loop.
// SITE: steps 0 write line [[@LINE+4]]: run, loop 0, 1 checked{{$}}
__kernel void steps(__global int *a, int n, int step, int factor)
{
	for (int i = 0; i < n; i += step)
		a[(get_local_id(0) / 3 + (i << 1)) * factor + 7 - step] = 1;
}

// Unsigned: the sum wraps, or not; the checks tell. One for each extension.
// SITE: two 0 read line [[@LINE+5]]: run, loop 0, 1 checked{{$}}
// SITE: two 1 write line [[@LINE+4]]: run, loop 0, 2 checked{{$}}
__kernel void two(__global int *a, uint from, uint to, uint k)
{
	for (uint i = from; i != to; i++)
		a[(ulong)(i + k) + (long)(int)(2 * i)] = a[i + k];
}

// A pointer that moves; a structure in an array; vectors.
struct pair { int first; short second[6]; };
// SITE: moving 0 read line [[@LINE+7]]: run, loop 0{{$}}
// SITE: moving 1 write line [[@LINE+6]]: run, loop 0, 1 checked{{$}}
// SITE: moving 2 read line [[@LINE+6]]: run, loop 0, stride 0{{$}}
// SITE: moving 3 write line [[@LINE+5]]: run, loop 0, 1 checked{{$}}
__kernel void moving(__global const int *p, __global struct pair *q, __global float4 *v, int n)
{
	for (int i = 0; i < n; i++, p += 2) {
		q[i + 1].second[n] = *p;
		vstore4(v[0], i, (__global float *)v);
	}
}

// Always the same address, computed in the loop.
// SITE: same 0 read line [[@LINE+4]]: run, loop 0, stride 0{{$}}
__kernel void same(__global int *a, int n)
{
	for (int i = 0; i < n; i++)
		a[n / 3];
}

// SITE: power 0 write line [[@LINE+4]]: point (address: not stepped by a constant amount)
__kernel void power(__global int *a, int n)
{
	for (int i = 1; i < n; i *= 2)
		a[i] = 1;
}

// SITE: square 0 write line [[@LINE+4]]: point (address: a product of two values that change)
__kernel void square(__global int *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i * i] = 1;
}

// SITE: triangle 0 write line [[@LINE+4]]: point (address: its step changes)
__kernel void triangle(__global int *a, int n)
{
	for (int i = 0, j = 0; i < n; j += i, i++)
		a[j] = 1;
}

// SITE: masked 0 write line [[@LINE+6]]: point (address: an operation that is not affine)
// SITE: masked 1 write line [[@LINE+6]]: point (address: an operation that is not affine)
// SITE: masked 2 write line [[@LINE+6]]: point (address: truncated to a few bits)
__kernel void masked(__global int *a, int n)
{
	for (int i = 0; i < n; i++) {
		a[i & 15] = 1;
		a[i / 2] = 1;
		a[(uchar)i] = 1;
	}
}

// Of an address in memory: its index is a run, what it leads to is not.
// SITE: indirect 0 read line [[@LINE+5]]: run, loop 0, 1 checked{{$}}
// SITE: indirect 1 write line [[@LINE+4]]: point (address: loaded in the loop)
__kernel void indirect(__global int *a, __global const int *index, int n)
{
	for (int i = 0; i < n; i++)
		a[index[i]] = 1;
}

// Stepped on one way only.
// SITE: sometimes 0 read line [[@LINE+8]]: run, loop 0, 1 checked{{$}}
// SITE: sometimes 1 write line [[@LINE+7]]: point (address: not stepped by a constant amount)
// The last value of the loop before is as good as any other.
// SITE: sometimes 2 write line [[@LINE+7]]: run, loop 1, 1 checked{{$}}
__kernel void sometimes(__global int *a, __global const int *b, int n)
{
	int j = 0;
	for (int i = 0; i < n; i++)
		if (b[i]) a[j++] = 1;
	for (; n > 0; n--)
		a[j++] = 1;
}
