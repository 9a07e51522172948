; Pointers that are into a memory by their type, as the reader of PTX leaves them.
; OPTIONS: --records none
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@c = addrspace(4) global [16 x float] zeroinitializer
@s = internal addrspace(3) global [64 x i8] undef, align 4
define void @k(float* %out, i64 %n) {
entry:
  %depot = alloca [8 x i32]
  %d5 = addrspacecast [8 x i32]* %depot to [8 x i32] addrspace(5)*
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi float addrspace(4)* [ getelementptr ([16 x float], [16 x float] addrspace(4)* @c, i64 0, i64 1), %entry ], [ %q, %loop ]
  %q = getelementptr float, float addrspace(4)* %p, i64 1
  %v = load float, float addrspace(4)* %p
  %g = addrspacecast float* %out to float addrspace(1)*
  %w = getelementptr float, float addrspace(1)* %g, i64 %i
  store float %v, float addrspace(1)* %w
  %l = getelementptr [8 x i32], [8 x i32] addrspace(5)* %d5, i64 0, i64 %i
  store i32 7, i32 addrspace(5)* %l
  %sa = ptrtoint [64 x i8] addrspace(3)* @s to i32
  %t = trunc i64 %i to i32
  %sb = add i32 %sa, %t
  %sp = inttoptr i32 %sb to i32 addrspace(3)*
  store i32 3, i32 addrspace(3)* %sp
  %next = add i64 %i, 1
  %e = icmp eq i64 %next, %n
  br i1 %e, label %done, label %loop
done:
  ret void
}
; CHECK: define spir_kernel void @k(ptr addrspace(1) %out, i64 %n, ptr addrspace(2) %c)
; CHECK: %depot = alloca [8 x i32]
; CHECK: phi ptr addrspace(2)
; CHECK: load float, ptr addrspace(2)
; CHECK: store float %v, ptr addrspace(1)
; CHECK: store i32 7, ptr %
; CHECK: store i32 3, ptr addrspace(3)
;
; The number of an argument is that of the pointer in its memory.
define void @number(ptr %out) {
  %n = ptrtoint ptr %out to i64
  %g = addrspacecast ptr %out to ptr addrspace(1)
  store i64 %n, ptr addrspace(1) %g
  ret void
}
; CHECK: define spir_kernel void @number(
; CHECK: ptrtoint ptr addrspace(1) %out to i64
; CHECK-NOT: addrspacecast
; CHECK: ret void
; CUDA: {"name":"k"
; CUDA: "static_shared_bytes":64,"max_threads":0,"local_bytes":32,"constant_bytes":64
!nvvm.annotations = !{!0, !1}
!0 = !{void (float*, i64)* @k, !"kernel", i32 1}
!1 = !{ptr @number, !"kernel", i32 1}
