// Constant and local memory, asked for. Local addresses are offsets: variables one after another at
// their alignment, what arguments point to by itself. No argument of global memory is written.
// OPTIONS: --spaces constant,local
__constant int table[4] = { 1, 2, 3, 4 };
__kernel void streams(__constant int *c, __local int *l, __global int *g, int which)
{
	__local char flag[3];
	__local long tile[16];
	size_t i = get_local_id(0);

	flag[i] = 1;
	tile[i] = c[i] + table[i & 3];
	barrier(CLK_LOCAL_MEM_FENCE);
	l[i] = tile[i];
	atomic_add(which ? &l[1] : (__local int *)tile, 1);
	g[i] = l[0];
}
// CHECK-LABEL: spir_kernel void @streams(
// The three bytes of flag lie at 0, so tile lies at 8.
// CHECK: [[FLAG:%.*]] = ptrtoint ptr addrspace(3) @streams.flag to i64
// CHECK: sub i64 {{.*}}, [[FLAG]]
// CHECK: [[TILE:%.*]] = ptrtoint ptr addrspace(3) @streams.tile to i64
// CHECK: [[OFFSET:%.*]] = sub i64 {{.*}}, [[TILE]]
// CHECK: add i64 [[OFFSET]], 8
// CHECK: ptrtoint ptr addrspace(3) %{{.*}} to i64
// Either of two: no offset can be told.
// CHECK: select i1 {{.*}}, ptr addrspace(3)
// CHECK-NOT: sub i64
// CHECK: call {{.*}}atomic_add
// TABLE: {"kind":"write","bytes":1,"space":3,"loop":-1,"argument":-1,
// TABLE: {"kind":"read","bytes":4,"space":2,"loop":-1,"argument":0,
// TABLE: {"kind":"read","bytes":4,"space":2,"loop":-1,"argument":-1,
// TABLE: {"kind":"write","bytes":8,"space":3,"loop":-1,"argument":-1,
// TABLE: {"kind":"barrier","bytes":0,"space":3,
// TABLE: {"kind":"read","bytes":8,"space":3,"loop":-1,"argument":-1,
// TABLE: {"kind":"write","bytes":4,"space":3,"loop":-1,"argument":1,
// TABLE: {"kind":"atomic","bytes":4,"space":3,
// TABLE: {"kind":"read","bytes":4,"space":3,"loop":-1,"argument":1,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":2,
// TABLE-NOT: {"kind"
// TABLE: {"name":"c",{{.*}}"is_written":false}
// TABLE: {"name":"l",{{.*}}"is_written":false}
// TABLE: {"name":"g",{{.*}}"is_written":true}
