; Inline PTX that names memory: by its text; what is not in the table is refused.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: @work(
define spir_kernel void @work(i32 addrspace(1)* %a, float addrspace(1)* %f) {
  ; CHECK: call spir_func i64 @warpline_cuda_sync(i32 19, i32 -1, i64 0, i32 0)
  %active = call i32 asm sideeffect "activemask.b32 $0;", "=r"()
  ; CHECK: load i32, ptr addrspace(1) %a
  %g = addrspacecast i32 addrspace(1)* %a to i32*
  %x = call i32 asm sideeffect "ld.global.cg.s32 $0, [$1];", "=r,l"(i32* %g)
  ; CHECK: store i32 {{.*}}, ptr addrspace(1) %a
  call void asm sideeffect "st.global.cs.u32 [$0], $1;", "l,r,~{memory}"(i32* %g, i32 %x)
  ; CHECK: call spir_func void @warpline_cuda_prefetch(ptr addrspace(1) {{.*}}, i64 32)
  call void asm sideeffect "prefetch.global.L2 [$0];", "l"(i32* %g)
  %s4 = add i32 %x, %active
  store i32 %s4, i32 addrspace(1)* %a
  ret void
}
; CHECK: define spir_kernel void @unread() #[[UNREAD:[0-9]+]]
define spir_kernel void @unread() {
  call void asm sideeffect "griddepcontrol.wait;", ""()
  ret void
}
; CHECK-DAG: attributes #[[UNREAD]] = { "warpline-refusal"="asm griddepcontrol.wait; is inline PTX that is not supported" }
