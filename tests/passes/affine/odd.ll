; What the front end does not make: several ways back, tangles, generic pointers, odd types.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare i64 @pure(i64) readnone nounwind
declare i64 @impure(i64)

; Sums of widths that no check is made for.
; SITE: widths 0 read line 0: point (address: an extension of more than 32 bits)
; SITE: widths 1 read line 0: run, loop 0, 1 checked
; SITE: widths 2 read line 0: run, loop 0, stride 0
define spir_kernel void @widths(i8 addrspace(1)* %a, i48 %n) {
entry:
  br label %loop
loop:
  %i = phi i48 [ 0, %entry ], [ %next, %loop ]
  %next = add i48 %i, 3
  %x = zext i48 %i to i64
  %p = getelementptr i8, i8 addrspace(1)* %a, i64 %x
  %v = load i8, i8 addrspace(1)* %p
  %t = trunc i48 %i to i32
  %q = getelementptr i8, i8 addrspace(1)* %a, i32 %t
  %w = load i8, i8 addrspace(1)* %q
  %c = call i64 @pure(i64 7)
  %r = getelementptr i8, i8 addrspace(1)* %a, i64 %c
  %j = ptrtoint i8 addrspace(1)* %r to i64
  %k = inttoptr i64 %j to i8 addrspace(1)*
  %o = load i8, i8 addrspace(1)* %k
  %d = icmp ult i48 %next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; SITE: calls 0 read line 0: point (address: an operation that is not affine)
; SITE: calls 1 read line 0: run, loop 0, stride 0
define spir_kernel void @calls(i8 addrspace(1)* %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %x = call i64 @impure(i64 1)
  %p = getelementptr i8, i8 addrspace(1)* %a, i64 %x
  %v = load i8, i8 addrspace(1)* %p
  %y = call i64 @pure(i64 %n)
  %q = getelementptr i8, i8 addrspace(1)* %a, i64 %y
  %w = load i8, i8 addrspace(1)* %q
  %d = icmp ult i64 %next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; SITE: tangle 0 read line 0: point (irreducible)
define spir_kernel void @tangle(i32 addrspace(1)* %a, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = load i32, i32 addrspace(1)* %a
  %stop = icmp eq i32 %x, 0
  br i1 %stop, label %exit, label %right
right:
  br label %left
exit:
  ret void
}
