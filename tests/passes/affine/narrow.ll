; Pointers of 32 bits: the address is extended, so that it too may wrap.
target datalayout = "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir-unknown-unknown"

; SITE: narrow 0 read line 0: run, loop 0, 1 checked
define spir_kernel void @narrow(i8 addrspace(1)* %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %p = getelementptr i8, i8 addrspace(1)* %a, i32 %i
  %v = load i8, i8 addrspace(1)* %p
  %d = icmp ult i32 %next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
