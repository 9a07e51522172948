/*
 * Kernels whose accesses leave as runs and grids: test_runs_on_device.c records each twice, that way
 * and access by access. All have the same arguments: `a` has 2^18 values, of which they are given
 * the middle; `b` is 64 numbers from 0 to 7; n is 5, m is 3. What they write is always 1.
 */
#define KERNEL(name) __kernel void name(__global int *a, __global const int *b, int n, int m)
#define ID           ((int)get_global_id(0))

KERNEL(rows)
{
	for (int y = 0; y < n; y++)
		for (int x = 0; x < m; x++)
			a[y * 10 + x + ID] = 1;
}

/* Zero rows, zero columns, one of each: lengths from the data and the work-item. */
KERNEL(lengths)
{
	for (int y = 0; y < b[ID]; y++)
		for (int x = 0; x < ID % 3; x++)
			a[y * 10 - x] = 1;
}

/* A grid whose rows stop going on as they did. */
KERNEL(bent)
{
	__global int *p = a;

	for (int y = 0; y < 12; y++, p += 7) {
		for (int x = 0; x < m; x++)
			p[x] = 1;
		if (y == 4)
			p += 100;
	}
}

/* Rows left out: those before go one way, those behind another. */
KERNEL(holes)
{
	for (int y = 0; y < 12; y++) {
		if (b[y] == 3)
			continue;
		for (int x = 0; x < m; x++) {
			a[y * 20 + x] = 1;
			a[x] = 1;
		}
	}
}

KERNEL(three)
{
	for (int z = 0; z < m; z++)
		for (int y = n; y > 0; y--)
			for (int x = 0; x < 4; x++)
				a[(z * 5 - y) * 4 + x] = b[x + y];
}

/* Points, runs and grids in the same loops. */
KERNEL(mixed)
{
	for (int y = 0; y < n; y++) {
		a[y] = b[b[y]];
		for (int x = 0; x < m; x++) {
			a[y * 10 + x] = 1;
			if (b[x + y] > 3)
				a[x] = 1;
			for (int k = 0; k < x; k++)
				a[k * y] = b[b[k]];
		}
		a[2 * y] = 1;
	}
}

/* Ways out: out of one loop, out of two, out of the kernel. */
KERNEL(ways_out)
{
	for (int y = 0; y < 20; y++) {
		for (int x = 0; x < 20; x++) {
			a[y * 20 + x] = 1;
			if (b[x + ID] == 5)
				break;
			a[y * 20 + x + 1] = 1;
			if (b[x + y] == 6)
				goto out;
			if (b[2 * x] == 7 && y > 2)
				return;
			a[y - x] = 1;
		}
		a[y] = 1;
	}
out:
	a[1] = 1;
}

KERNEL(conditions)
{
	for (int y = 0; y < n; y++) {
		if (n > 3)
			a[y] = 1;
		else
			a[y + 1] = 1;
		if (ID > 2) {
			if (b[y] == 6)
				break;
			if (m == 3)
				a[3 * y] = 1;
		}
		if (ID & 1)
			for (int x = 0; x < m; x++)
				if (ID & 2)
					a[x + 7 * y] = 1;
	}
}

/* Divisions by 0 where they are not reached. */
KERNEL(divisions)
{
	for (int y = 0; y < ID; y++)
		if (ID > 2)
			a[y + 7 % ID] = 1;
	for (int y = 0; y < ID; y++)
		a[y + 7 / ID] = 1;
}

/* The value on entry comes from the loop before; the second index moves the other way. */
KERNEL(carried)
{
	int j = 0;

	for (int y = 0; y < n; y++)
		if (b[y] > 2)
			a[j++] = 1;
	for (uint y = 0; y < 4; y++)
		a[j--] = 1;
	do {
		a[j += 3] = 1;
	} while (j < 20);
}

/* Unsigned, long, pointers, structures, vectors. */
struct pair {
	int first;
	short second[6];
};

KERNEL(kinds)
{
	__global struct pair *q = (__global struct pair *)a;
	__global int *p = a;
	long far = -5;

	for (uint i = 0xfffffffau; i != 6; i++) {
		a[(int)(i * 3)] = 1;
		q[(int)i].second[m] = 1;
		vstore4((int4)(1), i + 6, a);
		atomic_or(a + far, 1);
		*p = 1;
		p -= 2;
		far += m;
	}
}

/* Each group of loops entered several times. */
KERNEL(again)
{
	for (int t = 0; t < 4; t++) {
		for (int y = 0; y < b[t]; y++)
			for (int x = 0; x < m; x++)
				a[y * 10 + x + t] = 1;
		for (int x = 0; x < b[t + 8]; x++)
			a[x * t] = 1;
	}
}
