; Narrow numbers that wrap, as test_runs_on_device.c wants its kernels (run_kernels.cl).
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32) convergent nounwind readnone

; 16 bits, unsigned: 0, 20000, 40000, 60000, 14464, ...
define spir_kernel void @wraps_up(i32 addrspace(1)* %a, i32 addrspace(1)* %b, i32 %n, i32 %m) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  br label %loop
loop:
  %i = phi i16 [ 0, %entry ], [ %next, %loop ]
  %t = phi i32 [ 0, %entry ], [ %u, %loop ]
  %next = add i16 %i, 20000
  %x = zext i16 %i to i64
  %p = getelementptr i32, i32 addrspace(1)* %a, i64 %x
  store i32 1, i32 addrspace(1)* %p
  %u = add i32 %t, 1
  %d = icmp slt i32 %u, 9
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; Signed, in a loop in a loop: rows that wrap (every fourth work-item begins with one) and rows that
; do not.
define spir_kernel void @wraps_rows(i32 addrspace(1)* %a, i32 addrspace(1)* %b, i32 %n, i32 %m) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %small = trunc i64 %id to i16
  %first = shl i16 %small, 14
  br label %outer
outer:
  %y = phi i16 [ %first, %entry ], [ %ynext, %outerlatch ]
  %t = phi i32 [ 0, %entry ], [ %tnext, %outerlatch ]
  br label %loop
loop:
  %i = phi i16 [ %y, %outer ], [ %next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %snext, %loop ]
  %next = add i16 %i, 500
  %x = sext i16 %i to i64
  %p = getelementptr i32, i32 addrspace(1)* %a, i64 %x
  store i32 1, i32 addrspace(1)* %p
  %minus = sub i16 0, %i
  %w = sext i16 %minus to i64
  %q = getelementptr i32, i32 addrspace(1)* %a, i64 %w
  store i32 1, i32 addrspace(1)* %q
  %snext = add i32 %s, 1
  %d = icmp slt i32 %snext, %n
  br i1 %d, label %loop, label %outerlatch
outerlatch:
  %ynext = add i16 %y, 1500
  %tnext = add i32 %t, 1
  %e = icmp slt i32 %tnext, 12
  br i1 %e, label %outer, label %exit
exit:
  ret void
}

; The same with a point in the outer loop before, and one behind: told once each.
define spir_kernel void @wraps_between(i32 addrspace(1)* %a, i32 addrspace(1)* %b, i32 %n, i32 %m) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  br label %outer
outer:
  %y = phi i16 [ 31000, %entry ], [ %ynext, %outerlatch ]
  %t = phi i32 [ 0, %entry ], [ %tnext, %outerlatch ]
  %c = icmp eq i32 %t, 2
  br i1 %c, label %before, label %inner
before:
  %bp = load i32, i32 addrspace(1)* %b
  br label %inner
inner:
  br label %loop
loop:
  %i = phi i16 [ %y, %inner ], [ %next, %loop ]
  %s = phi i32 [ 0, %inner ], [ %snext, %loop ]
  %next = add i16 %i, 500
  %x = sext i16 %i to i64
  %p = getelementptr i32, i32 addrspace(1)* %a, i64 %x
  store i32 1, i32 addrspace(1)* %p
  %snext = add i32 %s, 1
  %d = icmp slt i32 %snext, %n
  br i1 %d, label %loop, label %outerlatch
outerlatch:
  %sq = mul i32 %t, %t
  %bq = getelementptr i32, i32 addrspace(1)* %b, i32 %sq
  %bv = load i32, i32 addrspace(1)* %bq
  %ynext = sub i16 %y, 250
  %tnext = add i32 %t, 1
  %e = icmp slt i32 %tnext, 6
  br i1 %e, label %outer, label %exit
exit:
  ret void
}

; Unsigned and falling through zero: 700, 400, 100, 65336, ...
define spir_kernel void @wraps_down(i32 addrspace(1)* %a, i32 addrspace(1)* %b, i32 %n, i32 %m) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  br label %loop
loop:
  %i = phi i16 [ 700, %entry ], [ %next, %loop ]
  %t = phi i32 [ 0, %entry ], [ %u, %loop ]
  %next = sub i16 %i, 300
  %x = zext i16 %i to i64
  %p = getelementptr i32, i32 addrspace(1)* %a, i64 %x
  store i32 1, i32 addrspace(1)* %p
  %u = add i32 %t, 1
  %d = icmp slt i32 %u, 7
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; Each row is linear, but between rows the number wraps: 0, 16384, -32768, -16384, 0, ...
define spir_kernel void @wraps_after_rows(i32 addrspace(1)* %a, i32 addrspace(1)* %b, i32 %n, i32 %m) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  br label %outer
outer:
  %y = phi i16 [ 0, %entry ], [ %ynext, %outerlatch ]
  %t = phi i32 [ 0, %entry ], [ %tnext, %outerlatch ]
  br label %loop
loop:
  %i = phi i16 [ %y, %outer ], [ %next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %snext, %loop ]
  %next = add i16 %i, 500
  %x = sext i16 %i to i64
  %p = getelementptr i32, i32 addrspace(1)* %a, i64 %x
  store i32 1, i32 addrspace(1)* %p
  %snext = add i32 %s, 1
  %d = icmp slt i32 %snext, %n
  br i1 %d, label %loop, label %outerlatch
outerlatch:
  %ynext = add i16 %y, 16384
  %tnext = add i32 %t, 1
  %e = icmp slt i32 %tnext, 11
  br i1 %e, label %outer, label %exit
exit:
  ret void
}

; An edge from the inner loop out of both: the row that ends, the grid and the outer loop's run.
define spir_kernel void @two_at_once(i32 addrspace(1)* %a, i32 addrspace(1)* %b, i32 %n, i32 %m) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %outer
outer:
  %y = phi i64 [ 0, %entry ], [ %ynext, %outerlatch ]
  %o = getelementptr i32, i32 addrspace(1)* %a, i64 %y
  store i32 1, i32 addrspace(1)* %o
  br label %loop
loop:
  %x = phi i64 [ 0, %outer ], [ %xnext, %looplatch ]
  %row = mul i64 %y, 100
  %index = add i64 %row, %x
  %p = getelementptr i32, i32 addrspace(1)* %a, i64 %index
  store i32 1, i32 addrspace(1)* %p
  %stop = icmp eq i64 %x, %id
  br i1 %stop, label %exit, label %looplatch
looplatch:
  %xnext = add i64 %x, 1
  %d = icmp ult i64 %xnext, 7
  br i1 %d, label %loop, label %outerlatch
outerlatch:
  %ynext = add i64 %y, 1
  %e = icmp ult i64 %ynext, 6
  br i1 %e, label %outer, label %exit
exit:
  %last = phi i64 [ %x, %loop ], [ %ynext, %outerlatch ]
  %q = getelementptr i32, i32 addrspace(1)* %a, i64 %last
  store i32 1, i32 addrspace(1)* %q
  ret void
}

!0 = !{i32 1, i32 1, i32 0, i32 0}
!1 = !{!"none", !"none", !"none", !"none"}
!2 = !{!"int*", !"int*", !"int", !"int"}
!3 = !{!"", !"", !"", !""}
