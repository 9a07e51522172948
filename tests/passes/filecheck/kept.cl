// No access is merged, hoisted or dropped: the record is of the source.
__kernel void kept(__global int *a, __global int *b, int n)
{
	a[0];
	b[0] = a[1] + a[1];
	b[0] = 1;
	b[0] = 2;
	if (n)
		b[1] = 3;
	else
		b[1] = 3;
	b[2] = 1;
	if (n > 3)
		b[2] = 2;
}
// TABLE: {"kind":"read",{{.*}}"place":["kept.cl",4
// TABLE: {"kind":"read",{{.*}}"place":["kept.cl",5
// TABLE: {"kind":"read",{{.*}}"place":["kept.cl",5
// TABLE: {"kind":"write",{{.*}}"place":["kept.cl",5
// TABLE: {"kind":"write",{{.*}}"place":["kept.cl",6
// TABLE: {"kind":"write",{{.*}}"place":["kept.cl",7
// TABLE: {"kind":"write",{{.*}}"place":["kept.cl",9
// TABLE: {"kind":"write",{{.*}}"place":["kept.cl",11
// TABLE: {"kind":"write",{{.*}}"place":["kept.cl",12
// TABLE: {"kind":"write",{{.*}}"place":["kept.cl",14
// TABLE-NOT: {"kind"
// The last store is still under its condition.
// CHECK: @warpline_wide_point({{.*}}, i32 8, i64 {{.*}}, i64 0)
// CHECK: br i1
// CHECK: @warpline_wide_point({{.*}}, i32 9, i64 {{.*}}, i64 0)
