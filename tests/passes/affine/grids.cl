// Two loops at once.

// SITE: rows 0 write line [[@LINE+5]]: grid, loop 1 in 0, 1 checked{{$}}
__kernel void rows(__global int *a, int w, int h)
{
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			a[y * w + x] = 1;
}

// The inner loop's address does not change with it; the pointer moves in the outer loop.
// SITE: repeated 0 read line [[@LINE+6]]: grid, loop 1 in 0, stride 0{{$}}
// SITE: repeated 1 write line [[@LINE+5]]: grid, loop 1 in 0, 1 checked{{$}}
__kernel void repeated(__global const int *p, __global int *q, int w, int h)
{
	for (int y = 0; y < h; y++, p += 3)
		for (int x = 0; x < w; x++)
			q[x] = *p;
}

// Of three loops the inner two.
// SITE: three 0 write line [[@LINE+6]]: grid, loop 2 in 1, 1 checked{{$}}
__kernel void three(__global int *a, int n)
{
	for (int z = 0; z < n; z++)
		for (int y = 0; y < n; y++)
			for (int x = 0; x < n; x++)
				a[(z * n + y) * n + x] = 1;
}

// Lengths that change: each row for itself.
// SITE: growing 0 write line [[@LINE+5]]: run, loop 1, 1 checked{{$}}
__kernel void growing(__global int *a, int n)
{
	for (int y = 0; y < n; y++)
		for (int x = 0; x < y; x++)
			a[y * n + x] = 1;
}

// Lengths and places from memory.
// SITE: sparse 0 read
// SITE: sparse 1 read
// SITE: sparse 2 read line [[@LINE+6]]: run, loop 1, 1 checked{{$}}
// SITE: sparse 3 read line [[@LINE+5]]: point (address: loaded in the loop)
__kernel void sparse(__global const int *row, __global const int *column, __global float *x, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = row[i]; j < row[i + 1]; j++)
			x[column[j]];
}

// Rows of equal length, at places from memory.
// SITE: scattered 0 read line [[@LINE+6]]: run, loop 0, 1 checked{{$}}
// SITE: scattered 1 write line [[@LINE+7]]: run, loop 1, 1 checked{{$}}
__kernel void scattered(__global const int *place, __global int *a, int n)
{
	for (int i = 0; i < n; i++)
	{
		int at = place[i];

		for (int j = 0; j < 8; j++) a[at + j] = 1;
	}
}

// Left early: where depends on the data.
// SITE: searching 0 read line [[@LINE+5]]: run, loop 1, 1 checked{{$}}
__kernel void searching(__global int *a, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (a[i * n + j] == 3)
				break;
}
