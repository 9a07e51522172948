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
// OPTIONS: --options -Dbarrier_free(x)=(void)(x)
// CHECK-LABEL: define {{.*}}@loops(
// Entering the while, from iteration [[I]] of the for: loop 1 is 0x40000001.
// CHECK: [[I:%warpline.iteration[0-9]*]] = phi i64 [ 0, {{.*}} ], [ [[INEXT:%warpline.next[0-9]*]], {{.*}} ]
// CHECK: @warpline_epoch({{.*}}, i32 1073741824, i64 [[I]])
// CHECK: [[INEXT]] = add i64 [[I]], 1
// CHECK: @warpline_probe({{.*}}, i64 [[I]], i32 536870913, i32 0)
// CHECK: [[J:%warpline.iteration[0-9]*]] = phi i64 [ 0, {{.*}} ], [ [[JNEXT:%warpline.next[0-9]*]], {{.*}} ]
// CHECK: @warpline_epoch({{.*}}, i32 1073741825, i64 [[J]])
// CHECK: [[J32:%.*]] = trunc i64 [[J]] to i32
// CHECK: @warpline_probe({{.*}}, i32 0, i32 [[J32]])
// CHECK: @warpline_probe({{.*}}, i64 [[J]], i32 536870914, i32 0)
// CHECK: [[K:%warpline.iteration[0-9]*]] = phi i64 [ 0, {{.*}} ], [
// CHECK: [[K32:%.*]] = trunc i64 [[K]] to i32
// CHECK: @warpline_probe({{.*}}, i32 1, i32 [[K32]])
// CHECK: [[I32:%.*]] = trunc i64 [[I]] to i32
// CHECK: @warpline_probe({{.*}}, i32 2, i32 [[I32]])
// TABLE: "max_events":0
// TABLE: {"kind":"read",{{.*}}"loop":1,"argument":0,"place":["loops.cl",8,
// TABLE: {"kind":"read",{{.*}}"loop":2,"argument":0,"place":["loops.cl",13,
// TABLE: {"kind":"write",{{.*}}"loop":0,"argument":0,"place":["loops.cl",19,
// TABLE: {"parent":-1,"depth":1,"place":["loops.cl",4,
// TABLE: {"parent":0,"depth":2,"place":["loops.cl",7,
// TABLE: {"parent":1,"depth":3,"place":["loops.cl",12,
// TABLE-NOT: "depth"
