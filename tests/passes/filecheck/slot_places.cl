// Where words lie in slots: ways that exclude each other share them, a loop's words follow its iteration.
// OPTIONS: --wide-addresses 0 --records raw
__kernel void ways(__global int *a)
{
	if (a[0])
		a[1] = 1;
	else
		a[2] = a[3];
	a[4] = 1;
}
// CHECK-LABEL: define {{.*}}@ways(
// CHECK: call {{.*}}@warpline_enter_slot({{.*}}, i32 64, i32 4)
// One way leaves word 2 out; words 0, 1 and 3 are on both.
// CHECK-NOT: @warpline_slot_clear({{.*}}, i64 {{[013]}})
// CHECK: @warpline_slot_clear({{.*}}, i64 2)
// CHECK-NOT: @warpline_slot_clear({{.*}}, i64 {{[013]}})
// CHECK: @warpline_slot_point({{.*}}, i64 0, i32 0,
// CHECK-DAG: @warpline_slot_point({{.*}}, i64 1, i32 {{[123]}},
// CHECK-DAG: @warpline_slot_point({{.*}}, i64 1, i32 {{[123]}},
// CHECK-DAG: @warpline_slot_point({{.*}}, i64 2, i32 {{[123]}},
// CHECK: @warpline_slot_point({{.*}}, i64 3, i32 4,

__kernel void rounds(__global int *a)
{
	a[0] = 1;
	for (int i = 0; i < 8; i++) {
		int at = a[i * i];
		a[at] = 2;
	}
	a[1] = 3;
}
// Each of eight iterations has two words, of which none can be left out.
// CHECK-LABEL: define {{.*}}@rounds(
// CHECK: call {{.*}}@warpline_enter_slot({{.*}}, i32 64, i32 18)
// CHECK-NOT: @warpline_slot_clear
// CHECK: @warpline_slot_point({{.*}}, i64 0, i32 0,
// CHECK: [[FIRST:%.*]] = mul i64 %warpline.iteration, 2
// CHECK: [[WORD:%.*]] = add i64 [[FIRST]], 1
// CHECK: @warpline_slot_point({{.*}}, i64 [[WORD]], i32 1,
// CHECK: [[SECOND:%.*]] = mul i64 %warpline.iteration, 2
// CHECK: [[WORD2:%.*]] = add i64 [[SECOND]], 2
// CHECK: @warpline_slot_point({{.*}}, i64 [[WORD2]], i32 2,
// CHECK: @warpline_slot_point({{.*}}, i64 17, i32 3,

__kernel void leaves(__global int *a)
{
	for (int i = 0; i < 4; i++)
		if (a[i * i] < 0)
			break;
}
// Only the first word is sure: but it is not told apart from the others of its loop.
// CHECK-LABEL: define {{.*}}@leaves(
// CHECK: call {{.*}}@warpline_enter_slot({{.*}}, i32 64, i32 4)
// CHECK: @warpline_slot_clear({{.*}}, i64 3)
