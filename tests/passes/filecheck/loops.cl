// Three deep, with continue in a while (two jumps back, one loop all the same) and break.
__kernel void loops(__global int *a, int n)
{
	for (int i = 0; i < n; i++) {
		int j = 0, best = 0;

		while (j < i) {
			if (a[j] > 3) {
				j += 2;
				continue;
			}
			for (int k = 0;; k++) {
				if (k == a[j + k])
					break;
				best += k;
			}
			j++;
		}
		a[i] = best;
	}
	// No site in it: in no table.
	for (int i = 0; i < n; i++)
		barrier_free(i);
}
// OPTIONS: --records raw --options -Dbarrier_free(x)=(void)(x)
// CHECK-LABEL: define {{.*}}@loops(
// Points: sites 0 to 2, the while 4, the inner for 5. In each iteration of the for the entry of the
// while comes first, in those of the while the load, in those of the inner for the load there: each
// tells that one iteration has begun, and the others none.
// CHECK: @warpline_point({{.*}}, i32 4, i64 0, i64 1)
// CHECK: @warpline_point({{.*}}, i32 0, i64 {{.*}}, i64 1)
// CHECK: @warpline_point({{.*}}, i32 5, i64 0, i64 0)
// CHECK: @warpline_point({{.*}}, i32 1, i64 {{.*}}, i64 1)
// CHECK: @warpline_point({{.*}}, i32 2, i64 {{.*}}, i64 0)
// CHECK-NOT: @warpline_point({{.*}}, i32 3,
// TABLE: "item_words":0
// TABLE: {"kind":"read",{{.*}}"loop":1,"argument":0,"place":["loops.cl",8,
// TABLE: {"kind":"read",{{.*}}"loop":2,"argument":0,"place":["loops.cl",13,
// TABLE: {"kind":"write",{{.*}}"loop":0,"argument":0,"place":["loops.cl",19,
// TABLE: {"parent":-1,"depth":1,"place":["loops.cl",4,
// TABLE: {"parent":0,"depth":2,"place":["loops.cl",7,
// TABLE: {"parent":1,"depth":3,"place":["loops.cl",12,
// TABLE-NOT: "depth"
