// One probe before each access, in the order of the text: load b, load c, store a. OPTIONS: --records raw
// CHECK: define {{.*}}void @add({{.*}} addrspace(1){{.*}} %warpline_buffer){{.*}} !kernel_arg_addr_space [[SPACE:![0-9]+]] !kernel_arg_access_qual {{![0-9]+}} !kernel_arg_type [[TYPE:![0-9]+]] !kernel_arg_base_type [[TYPE]]{{.*}} !kernel_arg_name [[NAME:![0-9]+]]
// CHECK: call {{.*}} @warpline_wide_point({{.*}}, i32 0, i64 {{%.*}}, i64 0)
// CHECK: load float, ptr addrspace(1)
// CHECK: @warpline_wide_point({{.*}}, i32 1, i64 {{.*}}, i64 0)
// CHECK: load float, ptr addrspace(1)
// CHECK: @warpline_wide_point({{.*}}, i32 2, i64 {{.*}}, i64 0)
// CHECK: store float {{.*}}, ptr addrspace(1)
// CHECK-NEXT: ret void
// CHECK-NOT: warpline.mark
// What describes the arguments describes the hidden one too.
// CHECK-DAG: [[SPACE]] = !{i32 1, i32 1, i32 1, i32 1}
// CHECK-DAG: [[TYPE]] = !{!"float*", !"float*", !"float*", !"uchar*"}
// CHECK-DAG: [[NAME]] = !{!"a", !"b", !"c", !"warpline_buffer"}
__kernel void add(__global float *a, __global const float *b, __global const float *c)
{
	size_t i = get_global_id(0);
	a[i] = b[i] + c[i];
}
// TABLE: "name":"add","writes_unknown":false,"is_repeatable":true,"is_irreducible":false
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":1,"place":["load_store.cl",18,
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":2,"place":["load_store.cl",18,
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":0,"place":["load_store.cl",18,
// TABLE: {"name":"a","type":"__global float *","space":1,"is_written":true}
// TABLE: {"name":"b","type":"const __global float *","space":1,"is_written":false}
// TABLE: {"name":"c","type":"const __global float *","space":1,"is_written":false}
// TABLE: "unrecorded":[]
