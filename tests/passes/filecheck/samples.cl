// Groups outside a sample of local memory run a copy of the kernel's code in which nothing of local
// memory is recorded, and site 2, the barrier, tells the iteration as it does in the code. A kernel that
// takes no sample has no copy, nor has one whose probes are calls.
// OPTIONS: --spaces sample --address-bits 64 --slots 0
__kernel void copied(__global int *a, __local int *l, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		l[get_local_id(0)] = a[i];
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += l[i ^ 1];
	}
	a[n] = sum;
}
// CHECK-LABEL: define {{.*}}@copied(
// CHECK: [[BITS:%.*]] = call {{.*}}@warpline_in_sample_alike(
// CHECK: %warpline.sample = icmp ne i32 [[BITS]], 0
// CHECK: br i1 {{.*}}, label %warpline.tell, label %warpline.choice
// CHECK: warpline.tell:
// CHECK: br label %warpline.choice
// CHECK: warpline.choice:
// CHECK-NEXT: br i1 %warpline.sample, label %[[CODE:.*]], label %warpline.copy
// CHECK: {{^}}[[CODE]]:
// CHECK: store i32 {{.*}} addrspace(3){{\*?}}
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 2, i64 0, i64 1)
// CHECK: call {{.*}}@_Z7barrierj(
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 3, i64 {{%.*}}, i64 0)
// CHECK: load i32, ptr addrspace(3)
// CHECK: call {{.*}}@warpline_run({{.*}}, i32 0,
// CHECK: br i1 true, label %[[LOCAL:[^ ,]*]],
// CHECK: {{^}}[[LOCAL]]:
// CHECK: call {{.*}}@warpline_run({{.*}}, i32 1,
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 4,
// CHECK: call {{.*}}@warpline_leave(
// CHECK-NEXT: ret void
// CHECK: {{^}}warpline.copy:
// CHECK: [[HEAD:warpline.copy[0-9]+]]:
// CHECK: phi i32 [ 0, %warpline.copy ], [ [[SUM:%.*]], %[[LATCH:.*]] ]
// CHECK: [[LATCH]]:
// CHECK: store i32 {{.*}} addrspace(3){{\*?}}
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 2, i64 0, i64 1)
// CHECK: call {{.*}}@_Z7barrierj(
// CHECK-NOT: @warpline_point(
// CHECK: load i32, ptr addrspace(3)
// CHECK: [[SUM]] = add
// CHECK: br label %[[HEAD]]
// CHECK: call {{.*}}@warpline_run({{.*}}, i32 0,
// CHECK: br i1 false, label
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 4,
// CHECK: call {{.*}}@warpline_leave(
// CHECK-NEXT: ret void
// CHECK-NEXT: }

__kernel void plain(__global int *a)
{
	a[0] = get_global_id(0);
}
// CHECK-LABEL: define {{.*}}@plain(
// CHECK-NOT: warpline.choice
// CHECK-NOT: warpline.copy
// CHECK: ret void
// CHECK-NEXT: }

#define FOUR(x) x; x; x; x
__kernel void many(__global int *a, __local int *l)
{
	l[get_local_id(0)] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	FOUR(FOUR(FOUR(a[l[a[0]]]++)));
}
// CHECK-LABEL: define {{.*}}@many(
// CHECK: call {{.*}}@warpline_in_sample(
// CHECK-NOT: warpline.copy
// CHECK: call {{.*}}@warpline_point_apart(
// CHECK-NOT: warpline.copy
// CHECK: ret void
// CHECK-NEXT: }

// Of sites in local memory half count: 40 sites, 32 of them in local memory, are not too many.
__kernel void halves(__global int *a, __local int *l, int n)
{
	FOUR(FOUR(l[n] = l[n + 1]));
	FOUR(a[n]++);
}
// CHECK-LABEL: define {{.*}}@halves(
// CHECK: call {{.*}}@warpline_in_sample_alike(
// CHECK: br i1 %warpline.sample, label %{{.*}}, label %warpline.copy

// More than 2000 instructions are not copied.
#define TEN(x) x; x; x; x; x; x; x; x; x; x
__kernel void large(__global int *a, __local int *l, int n)
{
	int x = l[n];

	TEN(TEN(TEN(x = x * x + n)));
	a[0] = x;
}
// CHECK-LABEL: define {{.*}}@large(
// CHECK: call {{.*}}@warpline_in_sample(
// CHECK-NOT: warpline.copy
// CHECK: ret void
// CHECK-NEXT: }

// Sites 0 to 3 are a, l, a, a; points 4, 5 and 6 the loops. The copy tells the beginning of the loop that
// has global memory in it (6), and in what iteration that is; not that of the other (5).
__kernel void nested(__global int *a, __local int *l, int n)
{
	for (int i = 0; i < n; i++) {
		for (int j = a[i]; j; j = l[j])
			;
		for (int j = a[i]; j; j = a[j])
			;
	}
}
// CHECK-LABEL: define {{.*}}@nested(
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 5, i64 0,
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 1,
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 6, i64 0,
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 3,
// CHECK: {{^}}warpline.copy:
// CHECK: [[RUN:%.*]] = load i64, ptr %warpline.untold,
// CHECK-NEXT: store i64 [[RUN]], ptr %warpline.untold,
// CHECK-NOT: @warpline_point(
// CHECK: [[RUN:%.*]] = load i64, ptr %warpline.untold,
// CHECK-NEXT: store i64 0, ptr %warpline.untold,
// CHECK-NEXT: call {{.*}}@warpline_point({{.*}}, i32 6, i64 0, i64 [[RUN]])
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 3,
// CHECK-NOT: @warpline_point(
// CHECK: ret void

// The same of an iteration that a site in local memory would tell.
__kernel void skipped(__global int *a, __local int *l, int n)
{
	for (int i = 0; i < n; i++) {
		if (n & i)
			l[i * i] = i;
		if (n ^ i)
			a[i * i] = i;
	}
}
// CHECK-LABEL: define {{.*}}@skipped(
// CHECK: {{^}}warpline.copy:
// CHECK: [[RUN:%.*]] = load i64, ptr %warpline.untold,
// CHECK-NEXT: store i64 [[RUN]], ptr %warpline.untold,
// CHECK-NOT: @warpline_point(
// CHECK: [[RUN:%.*]] = load i64, ptr %warpline.untold,
// CHECK-NEXT: store i64 0, ptr %warpline.untold,
// CHECK-NEXT: call {{.*}}@warpline_point({{.*}}, i32 1, i64 {{%.*}}, i64 [[RUN]])
// CHECK: ret void

// So is it where the site in local memory always comes first.
__kernel void both(__global int *a, __local int *l, int n)
{
	for (int i = 0; i < n; i++) {
		l[i * i] = i;
		a[i * i] = i;
	}
}
// CHECK-LABEL: define {{.*}}@both(
// CHECK: {{^}}warpline.copy:
// CHECK: store i32 {{.*}} addrspace(3){{\*?}}
// CHECK: [[RUN:%.*]] = load i64, ptr %warpline.untold,
// CHECK-NEXT: store i64 0, ptr %warpline.untold,
// CHECK-NEXT: call {{.*}}@warpline_point({{.*}}, i32 1, i64 {{%.*}}, i64 [[RUN]])

// The last access would come with the first (companion_sites.h), were it not for one between them whose record
// is not always there.
__kernel void between(__global int *a, __local int *l)
{
	int x = a[get_local_id(0)];

	a[x] = 1;
	l[x * x] = 2;
	a[x + 1] = 3;
}
// CHECK-LABEL: define {{.*}}@between(
// CHECK: {{^}}warpline.copy:
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 1,
// CHECK-NOT: @warpline_point(
// CHECK: store i32 2, ptr addrspace(3)
// CHECK: call {{.*}}@warpline_point({{.*}}, i32 3,
// CHECK: store i32 3,
