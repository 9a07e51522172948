// Count mode: a counter for what is passed equally often, told at each return, nothing for what all
// work-items pass or constants tell; a kernel with a barrier under a condition is refused where
// work-items are mixed, and then has no hidden argument.
// OPTIONS: --records count --mixes-items 1 --wide-addresses 0
__kernel void counted(__global int *a, __global int *b, int n)
{
	for (int i = 0; i < n; i++)
		a[i] += b[i];
}

// Five times for each work-item, each time twice; and once.
__kernel void constant_loops(__global int *a)
{
	for (int i = 0; i < 5; i++)
		for (int k = 2; k > 0; k--)
			a[i] = a[k];
	a[7] = 1;
}

// All sites of a branch share a flag; those of the other have one of their own.
__kernel void branches(__global int *a, int n)
{
	if (n > 3) {
		a[0] = 1;
		a[1] = 2;
	} else {
		a[2] = 3;
	}
	a[3] = 4;
}

// A loop with two ways out is no number; before the way out is more often than behind it.
__kernel void two_exits(__global int *a)
{
	for (int i = 0; i < 5; i++) {
		a[0] = 1;
		if (a[1])
			break;
		a[2] = 2;
	}
}

__kernel void refused(__global int *a, int n)
{
	if (n)
		barrier(CLK_LOCAL_MEM_FENCE);
	a[0] = 1;
}
// CHECK-LABEL: define {{.*}}@refused(
// CHECK-NOT: warpline
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@counted(
// CHECK: call {{.*}}@warpline_enter_slot({{.*}}, i32 1)
// CHECK-NOT: @warpline_slot_point
// CHECK-COUNT-1: %warpline.count{{[0-9]*}} = add i64 {{.*}}, 1
// CHECK-NOT: %warpline.count{{[0-9]*}} = add
// CHECK: call {{.*}}@warpline_counter({{.*}}, i64 0, i64
// CHECK: ret void
// CHECK-LABEL: define {{.*}}@constant_loops(
// CHECK-NOT: %warpline.count{{[0-9]*}} = add
// CHECK: ret void
// CHECK-LABEL: define {{.*}}@branches(
// CHECK-COUNT-2: %warpline.count{{[0-9]*}} = add i64 {{.*}}, 1
// CHECK-NOT: %warpline.count{{[0-9]*}} = add
// CHECK: call {{.*}}@warpline_flag({{.*}}, i64 0, i64 0, i64
// CHECK: call {{.*}}@warpline_flag({{.*}}, i64 0, i64 1, i64
// CHECK: ret void
// TABLE: "name":"counted"{{.*}}"item_words":1
// TABLE: "counts":{{\[}}[0,1],[0,1],[0,1]],"counters":1,"cells":1
// TABLE: "name":"constant_loops"{{.*}}"item_words":1
// TABLE: "counts":{{\[}}[-1,10],[-1,10],[-1,1]],"counters":0,"cells":0
// TABLE: "name":"branches"{{.*}}"item_words":1
// TABLE: "counts":{{\[}}[0,1],[0,1],[1,1],[-1,1]],"counters":0,"cells":2
// TABLE: "name":"two_exits"{{.*}}"item_words":2
// TABLE: "counts":{{\[}}[0,1],[0,1],[1,1]],"counters":2,"cells":2
// TABLE: "name":"refused"{{.*}}"refusal":"count: a barrier under a condition
