; A cycle entered at two places becomes a loop, and the table says so. The other kernel is not
; accused.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

define spir_kernel void @tangle(i32 addrspace(1)* %a, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = load i32, i32 addrspace(1)* %a
  %stop = icmp eq i32 %x, 0
  br i1 %stop, label %exit, label %right
right:
  store i32 1, i32 addrspace(1)* %a
  br label %left
exit:
  ret void
}

define spir_kernel void @plain(i32 addrspace(1)* %a) {
  store i32 1, i32 addrspace(1)* %a
  ret void
}
; TABLE: "name":"tangle",{{.*}}"is_irreducible":true
; TABLE-DAG: {"kind":"read",{{.*}}"loop":0,"argument":0,
; TABLE-DAG: {"kind":"write",{{.*}}"loop":0,"argument":0,
; TABLE: "name":"plain",{{.*}}"is_irreducible":false
