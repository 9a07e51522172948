; Functions with several results, asynchronous copies, what a pointer points into, what cannot be.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare void @__nv_sincosf(float, float*, float*)
declare float @__nv_frexpf(float, i32*)
declare double @__nv_modf(double, double*)
declare void @llvm.nvvm.cp.async.ca.shared.global.8(i8 addrspace(3)*, i8 addrspace(1)*)
declare void @llvm.nvvm.cp.async.wait.all()
declare i1 @llvm.nvvm.isspacep.shared(i8*)
declare float @__nv_nanf(i8*)
declare float @llvm.nvvm.div.rm.f(float, float)
declare i32 @llvm.nvvm.f2i.rp.ftz(float)
declare float @llvm.fma.f32(float, float, float)
declare float @__nv_fmul_rn(float, float)
declare float @_ZL4fdimff(float, float)
declare float @_ZL4fdimffff(float, float, float, float)
declare i32 @unknown(i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64, i32)

; CHECK-LABEL: @work(
define spir_kernel void @work(float addrspace(1)* %f, double addrspace(1)* %d, i8 addrspace(3)* %s, i8 addrspace(1)* %g) {
  %own = alloca i32
  %x = load float, float addrspace(1)* %f
  %fp = addrspacecast float addrspace(1)* %f to float*
  %cp = getelementptr float, float* %fp, i64 1
  ; CHECK: [[SIN:%.*]] = call spir_func float @_Z3sinf(float %x)
  ; CHECK: store float [[SIN]], ptr addrspace(1) %f
  ; CHECK: [[COS:%.*]] = call spir_func float @_Z3cosf(float %x)
  ; CHECK: store float [[COS]], ptr addrspace(1)
  call void @__nv_sincosf(float %x, float* %fp, float* %cp)
  ; CHECK: call spir_func float @warpline_cuda_frexpf(float %x)
  ; CHECK: [[E:%.*]] = call spir_func i32 @warpline_cuda_frexpf_exponent(float %x)
  ; CHECK: store i32 [[E]], ptr %own
  %m = call float @__nv_frexpf(float %x, i32* %own)
  ; CHECK: [[WORDS:%.*]] = load <2 x i32>, ptr addrspace(1)
  ; CHECK: store <2 x i32> [[WORDS]], ptr addrspace(3)
  call void @llvm.nvvm.cp.async.ca.shared.global.8(i8 addrspace(3)* %s, i8 addrspace(1)* %g)
  call void @llvm.nvvm.cp.async.wait.all()
  %sp = addrspacecast i8 addrspace(3)* %s to i8*
  %is = call i1 @llvm.nvvm.isspacep.shared(i8* %sp)
  %nan = call float @__nv_nanf(i8* null)
  ; CHECK: call spir_func float @warpline_cuda_fdiv_rd(float %x, float 0x7FF8000000000000)
  %q = call float @llvm.nvvm.div.rm.f(float %x, float %nan)
  ; CHECK: call spir_func i32 @warpline_cuda_float2int_ru(float
  %i = call i32 @llvm.nvvm.f2i.rp.ftz(float %q)
  ; CHECK: call spir_func float @_Z3fmafff(
  %a = call float @llvm.fma.f32(float %q, float %q, float %m)
  ; CHECK: call spir_func float @warpline_cuda_fmul_rn(
  %b = call float @__nv_fmul_rn(float %a, float %q)
  %c = sitofp i32 %i to float
  %e = fadd float %b, %c
  ; CHECK: select i1 true,
  %r = select i1 %is, float %e, float %b
  store float %r, float addrspace(1)* %f
  ret void
}
; In the end the library is inlined, and a product is no part of a fused sum.
; LINKED-LABEL: @work(
; LINKED-NOT: @warpline_cuda
; LINKED: fmul float
; LINKED: ret void

; Overloads of clang's headers.
; CHECK-LABEL: @overload(
; CHECK: call spir_func float @_Z4fdimff(float %x, float %x)
define spir_kernel void @overload(float %x) {
  %1 = call float @_ZL4fdimff(float %x, float %x)
  ret void
}
; CHECK: define spir_kernel void @no_overload(float %x) #[[NO:[0-9]+]]
define spir_kernel void @no_overload(float %x) {
  %1 = call float @_ZL4fdimffff(float %x, float %x, float %x, float %x)
  ret void
}
; CHECK: define spir_kernel void @foreign() #[[FOREIGN:[0-9]+]]
define spir_kernel void @foreign() {
  %1 = call i32 @unknown(i32 1)
  ret void
}
; CHECK: define spir_kernel void @texture() #[[TEXTURE:[0-9]+]]
define spir_kernel void @texture() {
  %1 = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64 0, i32 1)
  ret void
}
; CHECK: define spir_kernel void @private() #[[PRIVATE:[0-9]+]]
define spir_kernel void @private() {
  %own = alloca i32
  %1 = atomicrmw add i32* %own, i32 1 monotonic
  ret void
}
; CHECK-DAG: attributes #[[NO]] = { "warpline-refusal"="_ZL4fdimffff is called with argument types that it does not take" }
; CHECK-DAG: attributes #[[FOREIGN]] = { "warpline-refusal"="unknown is not defined" }
; CHECK-DAG: attributes #[[TEXTURE]] = { "warpline-refusal"="llvm.nvvm.tex.unified.1d.v4s32.s32 reads a texture, which is not replayed" }
; CHECK-DAG: attributes #[[PRIVATE]] = { "warpline-refusal"="an atomic is in the memory of one work-item" }
