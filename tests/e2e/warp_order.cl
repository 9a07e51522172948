// Branches, loops and jumps whose order inside a warp warp_order.c computes beside them.
// run: nested    100 50 : int[8]=iota int[512]=zero
// run: turns     10x6x6 5x3x3 : int[4096]=zero
// run: leaving   96 48 : int[96]=iota int[512]=zero
// run: returning 100 50 : int[512]=zero
// run: twice     64 64 : int[64]=iota int[512]=zero

// Loops with work-items' own counts in a loop; break and continue in a branch of a branch.
__kernel void nested(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int k = 0; k < in[i & 7]; k++) {
		if ((i + k) % 3 == 0) {
			out[i] = k;
			if (k == 4)
				break;
			if (i & 1)
				continue;
			out[i + 100] = k;
		}
		for (int n = 0; n <= (i + k) % 4; n++) {
			if (n == 2 && i % 5 == 1)
				break;
			out[i + 200] = n;
		}
		out[i + 300] = k;
	}
	out[i + 400] = in[0];
}

// Barriers in a loop, three dimensions, a loop that is tested at its foot, an early return.
__kernel void turns(__global int *out)
{
	int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
	int i = x + 5 * (y + 3 * z), n = 0;

	for (int k = 0; k < 3; k++) {
		if (x > y) {
			out[i] = k;
		} else {
			out[i + 100] = k;
			if (z)
				out[i + 200] = k;
		}
		barrier(CLK_GLOBAL_MEM_FENCE);
		out[i + 300] = k;
	}
	do {
		out[i + 400] = n;
		n++;
	} while (n <= x % 3 + z);
	if (y == 1)
		return;
	out[i + 500] = n;
}

// A write in a branch that leaves its loop is no part of the loop: it comes once, after it.
__kernel void leaving(__global const int *in, __global int *out)
{
	int i = get_global_id(0);

	for (int k = 0; k < 6; k++) {
		if (in[(i + k) % 96] % 7 == 3) {
			out[i] = k;
			break;
		}
		out[i + 100] = k;
	}
	out[i + 200] = 1;
}

// Returns from a loop, and from a branch in a loop in a branch.
__kernel void returning(__global int *out)
{
	int i = get_global_id(0);

	if (i % 3) {
		for (int k = 0; k < 4; k++) {
			out[i] = k;
			if (k == i % 5)
				return;
			if (k > i % 2) {
				if (i % 7 == k)
					return;
				out[i + 100] = k;
			}
		}
		out[i + 200] = 1;
	}
	out[i + 300] = 2;
}

// Two loops with data for their counts, one behind the other: those who are early wait between.
__kernel void twice(__global const int *in, __global int *out)
{
	int i = get_global_id(0), v = in[i], n = (v * 5 + v / 8) % 6;

	while (n > 0) {
		out[i] = n;
		n -= 1 + (i & 1);
	}
	while (n < 3) {
		n++;
		if (n == 2)
			continue;
		out[i + 100] = n;
	}
}
