; Special registers, barriers and fences, mathematics, atomics: OpenCL's where it has them.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.bar.sync(i32)
declare void @llvm.nvvm.membar.gl()
declare float @__nv_sinf(float)
declare i32 @__nv_popcll(i64)
declare i32 @__nv_float_as_int(float)
declare i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32*, i32)
declare i32 @llvm.nvvm.atomic.load.inc.32.p0i32(i32*, i32)

@tile = internal addrspace(3) global [32 x i32] undef
; CHECK: @__warpline_clock = addrspace(1) externally_initialized global i64 0

; CHECK-LABEL: @work(
define spir_kernel void @work(i32 addrspace(1)* %a, float addrspace(1)* %f, double addrspace(1)* %d, i64 addrspace(1)* %l) {
  ; CHECK: [[ID:%.*]] = call spir_func i64 @_Z12get_local_idj(i32 0)
  ; CHECK: trunc i64 [[ID]] to i32
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ; CHECK: call spir_func i64 @_Z12get_group_idj(i32 1)
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  ; CHECK: call spir_func i32 @warpline_cuda_laneid()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  ; CHECK: call spir_func i64 @warpline_cuda_clock(ptr addrspace(1) @__warpline_clock)
  %t = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  ; CHECK: call spir_func void @_Z7barrierj(i32 3)
  call void @llvm.nvvm.barrier0()
  ; CHECK: call spir_func void @_Z7barrierj(i32 3)
  call void @llvm.nvvm.bar.sync(i32 0)
  ; CHECK: call spir_func void @warpline_cuda_fence()
  call void @llvm.nvvm.membar.gl()
  %v = load float, float addrspace(1)* %f
  ; CHECK: [[SIN:%.*]] = call spir_func float @_Z3sinf(float %v)
  %s = call float @__nv_sinf(float %v)
  ; CHECK: bitcast float [[SIN]] to i32
  %i = call i32 @__nv_float_as_int(float %s)
  ; CHECK: call spir_func i32 @warpline_cuda_popcll(i64 {{.*}})
  %p = call i32 @__nv_popcll(i64 %t)
  %g = addrspacecast i32 addrspace(1)* %a to i32*
  ; CHECK: load i32, ptr addrspace(1) {{%(a|[0-9]+)}}, align 8
  %ldg = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %g, i32 8)
  ; CHECK: call spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %a, i32 {{.*}})
  %a1 = atomicrmw add i32 addrspace(1)* %a, i32 %i monotonic
  ; CHECK: call spir_func i32 @_Z10atomic_maxPU3AS3Vjj(ptr addrspace(3)
  %a2 = atomicrmw umax i32 addrspace(3)* getelementptr ([32 x i32], [32 x i32] addrspace(3)* @tile, i64 0, i64 4), i32 %i monotonic
  ; CHECK: call spir_func i64 @_Z8atom_minPU3AS1Vll(ptr addrspace(1) %l, i64 {{.*}})
  %a3 = atomicrmw min i64 addrspace(1)* %l, i64 %t monotonic
  ; CHECK: call spir_func float @warpline_cuda_atomic_fadd_f32_1(ptr addrspace(1) %f, float %v)
  %a4 = atomicrmw fadd float addrspace(1)* %f, float %v monotonic
  ; CHECK: [[BEFORE:%.*]] = call spir_func i32 @_Z14atomic_cmpxchgPU3AS1Viii(ptr addrspace(1) %a, i32 [[I:%.*]], i32 {{.*}})
  ; CHECK: icmp eq i32 [[BEFORE]], [[I]]
  %a5 = cmpxchg i32 addrspace(1)* %a, i32 %i, i32 %p monotonic monotonic
  %a6 = extractvalue { i32, i1 } %a5, 1
  ; CHECK: call spir_func i32 @warpline_cuda_atomic_inc_i32_1(ptr addrspace(1) %a, i32 {{.*}})
  %a7 = call i32 @llvm.nvvm.atomic.load.inc.32.p0i32(i32* %g, i32 %p)
  %sum0 = add i32 %p, %ldg
  %sum = add i32 %sum0, %x
  store i32 %sum, i32 addrspace(1)* %a
  ; CHECK: ret void
  ret void
}
; CHECK-NOT: llvm.nvvm
; CHECK-NOT: @__nv_
