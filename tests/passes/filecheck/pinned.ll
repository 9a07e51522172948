; LLVM would make two of the node `both`, one for each way it is reached: a site stays one.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

define spir_kernel void @pinned(i32 addrspace(1)* %a, i32 %n) {
entry:
  %p = getelementptr i32, i32 addrspace(1)* %a, i64 1
  %q = getelementptr i32, i32 addrspace(1)* %a, i64 2
  %c = icmp eq i32 %n, 0
  br i1 %c, label %once, label %both
once:
  store i32 1, i32 addrspace(1)* %a
  br label %both
both:
  %known = phi i1 [ true, %once ], [ false, %entry ]
  store i32 2, i32 addrspace(1)* %p
  br i1 %known, label %then, label %end
then:
  store i32 3, i32 addrspace(1)* %q
  br label %end
end:
  ret void
}
; TABLE: {"kind":"write"
; TABLE: {"kind":"write"
; TABLE: {"kind":"write"
; TABLE-NOT: {"kind"
