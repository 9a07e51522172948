// A device of 32 bits: addresses are widened.
// OPTIONS: --address-bits 32
__kernel void narrow(__global int *a)
{
	a[get_global_id(0)] = 1;
}
// CHECK: target triple = "spir-unknown-unknown"
// CHECK: ptrtoint ptr addrspace(1) {{.*}} to i64
// CHECK: @warpline_wide_point({{.*}}, i32 0, i64 {{.*}}, i64 0)
