// In which iterations a site is passed.

// Invariant conditions, one in the other, and joined again.
// SITE: invariant 0 write line [[@LINE+6]]: run, loop 0, 1 checked, 1 conditions{{$}}
// SITE: invariant 1 write line [[@LINE+6]]: run, loop 0, 1 checked, 2 conditions{{$}}
// SITE: invariant 2 write line [[@LINE+9]]: run, loop 0, 1 checked{{$}}
__kernel void invariant(__global int *a, int n, int c)
{
	for (int i = 0; i < n; i++) {
		if (c > 3) { a[i] = 1;
			if (get_local_id(0) < c) a[i + 1] = 1;
		} else {
			n--;
		}
		a[i + 2] = 1;
	}
}

// A condition that divides is not computed where the kernel may not have.
// SITE: divides 0 write line [[@LINE+4]]: point (under conditions that change)
__kernel void divides(__global int *a, int n, int c)
{
	for (int i = 0; i < n; i++)
		if (n / c > 2) a[i] = 1;
}

// SITE: changing 0 write line [[@LINE+4]]: point (under conditions that change)
__kernel void changing(__global int *a, int n, int c)
{
	for (int i = 0; i < n; i++)
		if (i > c) a[i] = 1;
}

// Before the first way out, between, after; and what is passed on the way out only is in no loop.
// SITE: leaving 0 read line [[@LINE+7]]: run, loop 0, 1 checked{{$}}
// SITE: leaving 1 read line [[@LINE+10]]: run, loop 0, 1 checked, 1 conditions{{$}}
// SITE: leaving 2 write line [[@LINE+11]]: run, loop 0, 1 checked{{$}}
// SITE: leaving 3 write line [[@LINE+5]]: point (in no loop)
__kernel void leaving(__global int *a, __global int *b, int n)
{
	for (int i = 0; i < n; i++) {
		if (a[i] == 7) {
			b[0] = 1;
			break;
		}
		if (n > 3 && a[i + 1] == 5)
			return;
		b[i] = 1;
	}
}

// Inside a condition that changes, one that does not.
// SITE: inside 0 read
// SITE: inside 1 write line [[@LINE+4]]: point (under conditions that change)
__kernel void inside(__global int *a, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] > 3) if (n > 2) a[i] = 1;
}

// Past a loop that lies in the loop.
// SITE: past 0 read line [[@LINE+8]]: run, loop 1, 1 checked
// SITE: past 1 write line [[@LINE+8]]: run, loop 0, 1 checked{{$}}
__kernel void past(__global int *a, int n)
{
	for (int i = 0; i < n; i++) {
		int sum = 0;

		for (int j = 0; j < i; j++)
			sum += a[j];
		a[i] = sum;
	}
}

// With `continue` there is one way back.
// SITE: skipping 0 read line [[@LINE+6]]: run, loop 0, 1 checked{{$}}
// SITE: skipping 1 write line [[@LINE+6]]: point (under conditions that change)
// SITE: skipping 2 write line [[@LINE+6]]: run, loop 0, 1 checked, 1 conditions{{$}}
__kernel void skipping(__global int *a, int n)
{
	for (int i = 0; i < n; i++) {
		if (a[i] == 0)
			{ a[i + 1] = 1; }
		if (n < 5) continue; a[i + 2] = 1;
	}
}

// Eight are allowed, nine are not. The stores keep the conditions apart.
// SITE: many 7 write line [[@LINE+6]]: run, loop 0, stride 0, 8 conditions
// SITE: many 8 write line [[@LINE+6]]: point (under conditions that change)
__kernel void many(__global int *a, int n, int c)
{
	for (int i = 0; i < n; i++)
		if (c > 0) { a[0] = 1; if (c > 1) { a[1] = 1; if (c > 2) { a[2] = 1; if (c > 3) {
			a[3] = 1; if (c > 4) { a[4] = 1; if (c > 5) { a[5] = 1; if (c > 6) { a[6] = 1; if (c > 7) { a[7] = 1;
			if (c > 8) a[8] = 1; } } } } } } } }
}
