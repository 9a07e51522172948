; Generic pointers whose origin shows are what they are; others are asked at run time. Memory of a length
; that shows only at run time has no size in the table, and a word for it.
; OPTIONS: --records raw
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare void @llvm.memcpy.p1i8.p1i8.i64(i8 addrspace(1)*, i8 addrspace(1)*, i64, i1)
declare spir_func void @outside(i32 addrspace(1)*)

; CHECK-LABEL: @generic(
; CHECK: @warpline_wide_point({{.*}}, i32 0, i64 {{.*}}, i64 0)
; CHECK: @warpline_wide_sized({{.*}}, i32 1, i64 {{.*}}, i64 0, i64 %n)
; CHECK: @warpline_wide_sized({{.*}}, i32 2, i64 {{.*}}, i64 0, i64 %n)
; CHECK-NEXT: call void @llvm.memcpy
; CHECK: [[GLOBAL:%.*]] = call {{.*}}@__to_global(
; CHECK: [[IS:%.*]] = icmp ne {{.*}}[[GLOBAL]], null
; CHECK: br i1 [[IS]], label %[[THEN:.*]], label %[[TAIL:.*]]
; CHECK: {{^}}[[THEN]]:
; CHECK: ptrtoint ptr addrspace(1) [[GLOBAL]] to i64
; CHECK: br label %[[TAIL]]
; CHECK: {{^}}[[TAIL]]:
; CHECK-NEXT: store i32 1, ptr addrspace(4)
define spir_kernel void @generic(i32 addrspace(1)* %a, i32 addrspace(3)* %l, i8 addrspace(1)* %to, i8 addrspace(1)* %from, i64 %n, i32 addrspace(4)* addrspace(1)* %table) {
  %g = addrspacecast i32 addrspace(1)* %a to i32 addrspace(4)*
  %x = load i32, i32 addrspace(4)* %g
  %m = addrspacecast i32 addrspace(3)* %l to i32 addrspace(4)*
  store i32 %x, i32 addrspace(4)* %m
  call void @llvm.memcpy.p1i8.p1i8.i64(i8 addrspace(1)* %to, i8 addrspace(1)* %from, i64 %n, i1 false)
  %u = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %table
  store i32 1, i32 addrspace(4)* %u
  call spir_func void @outside(i32 addrspace(1)* %a)
  ret void
}
; TABLE: "writes_unknown":true,"is_repeatable":false
; A word for each of five sites, one of them under a condition, and one more for each of two.
; TABLE: "item_words":7,"least_words":6
; TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":0,
; TABLE: {"kind":"read","bytes":0,"space":1,"loop":-1,"argument":3,
; TABLE: {"kind":"write","bytes":0,"space":1,"loop":-1,"argument":2,
; TABLE: {"kind":"read","bytes":8,"space":1,"loop":-1,"argument":5,
; TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":-1,
; TABLE-NOT: {"kind"
; TABLE: {"what":"call of outside"
; TABLE-NOT: {"what"
