// A loop with several ways back is one loop, whichever variables change on each.
__kernel void several(__global int *a, int n)
{
	int best = 0, i = 0;

	while (i < n) {
		if (a[i] > 3) {
			i += 2;
			continue;
		}
		best += a[i + 1];
		i++;
	}
	a[n] = best;
}
// TABLE: {"kind":"read",{{.*}}"loop":0,
// TABLE: {"kind":"read",{{.*}}"loop":0,
// TABLE: {"parent":-1,"depth":1,"place":["continue.cl",6,
// TABLE-NOT: "depth"
