; Atomics of the CUDA library are one access each, of the width of what they change, in the memory that
; it lies in; what they do inside is none. What orders or counts a group is a barrier.
; OPTIONS: --records raw --spaces local
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare spir_func float @warpline_cuda_atomic_fadd_f32_1(float addrspace(1)*, float) nounwind
declare spir_func double @warpline_cuda_atomic_fadd_f64_3(double addrspace(3)*, double) nounwind
declare spir_func i32 @warpline_cuda_atomic_inc_i32_1(i32 addrspace(1)*, i32) nounwind
declare spir_func i64 @warpline_cuda_clock(i64 addrspace(1)*) nounwind
declare spir_func void @warpline_cuda_fence() nounwind
declare spir_func float @warpline_cuda_erfinvf(float) nounwind readnone willreturn

; CHECK-LABEL: @work(
; CHECK: @warpline_wide_point({{.*}}, i32 0,
; CHECK: call spir_func float @warpline_cuda_atomic_fadd_f32_1
; CHECK: @warpline_wide_point({{.*}}, i32 1,
; CHECK: call spir_func double @warpline_cuda_atomic_fadd_f64_3
; CHECK: @warpline_wide_point({{.*}}, i32 2,
; CHECK: call spir_func i32 @warpline_cuda_atomic_inc_i32_1
; CHECK: @warpline_wide_point({{.*}}, i32 3,
; CHECK: call spir_func void @warpline_cuda_fence
; CHECK-NOT: @warpline_wide_point
; CHECK: call spir_func i64 @warpline_cuda_clock
define spir_kernel void @work(float addrspace(1)* %f, double addrspace(3)* %d, i32 addrspace(1)* %i, i64 addrspace(1)* %clock) {
  %v = call spir_func float @warpline_cuda_erfinvf(float 0.5)
  %1 = call spir_func float @warpline_cuda_atomic_fadd_f32_1(float addrspace(1)* %f, float %v)
  %2 = call spir_func double @warpline_cuda_atomic_fadd_f64_3(double addrspace(3)* %d, double 1.0)
  %3 = call spir_func i32 @warpline_cuda_atomic_inc_i32_1(i32 addrspace(1)* %i, i32 7)
  call spir_func void @warpline_cuda_fence()
  %4 = call spir_func i64 @warpline_cuda_clock(i64 addrspace(1)* %clock)
  ret void
}
; TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":0,
; TABLE: {"kind":"atomic","bytes":8,"space":3,"loop":-1,"argument":1,
; TABLE: {"kind":"atomic","bytes":4,"space":1,"loop":-1,"argument":2,
; TABLE: {"kind":"fence","bytes":0,
; TABLE-NOT: {"kind"
; TABLE: "unrecorded":[]
; As text it is all in the kernel.
; TEXT: __kernel void work(
; TEXT: atomic_cmpxchg(
; TEXT: mem_fence(
; TEXT-NOT: warpline_cuda
