; h -> {b1, b2}, b1 -> latch, b2 -> {exit, latch}: depth first, the exit comes before the latch,
; and the loop's sites would not be contiguous. They are: b1 0, b2 1, latch 2, exit 3. No point
; comes first in each iteration, so what is not yet told of it is in a variable.
; OPTIONS: --records raw
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: @order(
; CHECK: h:
; CHECK: b1:
; CHECK: [[RUN:%warpline.run[0-9]*]] = load i64
; CHECK: store i64 0,
; CHECK: @warpline_point({{.*}}, i32 0, i64 {{.*}}, i64 [[RUN]])
; CHECK: b2:
; CHECK: @warpline_point({{.*}}, i32 1, i64 {{.*}}, i64 %warpline.run
; CHECK: {{^}}exit:
; CHECK: @warpline_point({{.*}}, i32 3, i64 {{.*}}, i64 0)
; CHECK: latch:
; CHECK: @warpline_point({{.*}}, i32 2, i64 {{.*}}, i64 %warpline.run
define spir_kernel void @order(i32 addrspace(1)* %a, i32 %n) {
entry:
  %p1 = getelementptr i32, i32 addrspace(1)* %a, i64 1
  %p2 = getelementptr i32, i32 addrspace(1)* %a, i64 2
  %p3 = getelementptr i32, i32 addrspace(1)* %a, i64 3
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %b1, label %b2
b1:
  store i32 %i, i32 addrspace(1)* %a
  br label %latch
b2:
  store i32 %i, i32 addrspace(1)* %p1
  %done = icmp sgt i32 %i, %n
  br i1 %done, label %exit, label %latch
exit:
  store i32 %i, i32 addrspace(1)* %p3
  ret void
latch:
  store i32 %i, i32 addrspace(1)* %p2
  %next = add i32 %i, 1
  br label %h
}
; TABLE: {"kind":"write",{{.*}}"loop":0,
; TABLE: {"kind":"write",{{.*}}"loop":0,
; TABLE: {"kind":"write",{{.*}}"loop":0,
; TABLE: {"kind":"write",{{.*}}"loop":-1,
