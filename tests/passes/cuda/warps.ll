; What waits for others: warpline_cuda_sync(kind, mask, value, argument), kinds by their place in sync_kinds.def.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.bfly.i32(i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)

; CHECK-LABEL: @warps(
define spir_kernel void @warps(i32 addrspace(1)* %a, i32 %x, i32 %m, float %f, i64 %l, i1 %p) {
  ; CHECK: [[B:%.*]] = and i32 %x, 31
  ; CHECK: [[ARG:%.*]] = or i32 [[B]], 2031616
  ; CHECK: [[V:%.*]] = zext i32 %x to i64
  ; CHECK: [[R:%.*]] = call spir_func i64 @warpline_cuda_sync(i32 2, i32 %m, i64 [[V]], i32 [[ARG]])
  ; CHECK: trunc i64 [[R]] to i32
  %1 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %m, i32 %x, i32 %x, i32 31)
  ; CHECK: bitcast float %f to i32
  ; CHECK: [[R2:%.*]] = call spir_func i64 @warpline_cuda_sync(i32 0, i32 %m, i64 {{.*}}, i32 522125315)
  ; CHECK: [[R3:%.*]] = trunc i64 [[R2]] to i32
  ; CHECK: bitcast i32 [[R3]] to float
  %2 = call float @llvm.nvvm.shfl.sync.idx.f32(i32 %m, float %f, i32 3, i32 7967)
  ; CHECK: [[UP:%.*]] = call spir_func i64 @warpline_cuda_sync(i32 1,
  ; CHECK: lshr i64 [[UP]], 32
  %3 = call { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %x, i32 1, i32 0)
  ; CHECK: @warpline_cuda_sync(i32 3, i32 -1, i64 {{.*}}, i32 2031632)
  %4 = call i32 @llvm.nvvm.shfl.bfly.i32(i32 %x, i32 16, i32 31)
  ; CHECK: [[P:%.*]] = zext i1 %p to i64
  ; CHECK: [[ANY:%.*]] = call spir_func i64 @warpline_cuda_sync(i32 4, i32 %m, i64 [[P]], i32 0)
  ; CHECK: trunc i64 [[ANY]] to i1
  %5 = call i1 @llvm.nvvm.vote.any.sync(i32 %m, i1 %p)
  ; CHECK: @warpline_cuda_sync(i32 7, i32 %m,
  %6 = call i32 @llvm.nvvm.vote.ballot.sync(i32 %m, i1 %p)
  ; CHECK: [[MATCH:%.*]] = call spir_func i64 @warpline_cuda_sync(i32 8, i32 %m, i64 %l, i32 0)
  %7 = call i32 @llvm.nvvm.match.any.sync.i64(i32 %m, i64 %l)
  ; CHECK: @warpline_cuda_sync(i32 9, i32 %m,
  %8 = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 %m, i32 %x)
  ; CHECK: @warpline_cuda_sync(i32 12, i32 %m, i64 {{.*}}, i32 0)
  %9 = call i32 @llvm.nvvm.redux.sync.umax(i32 %x, i32 %m)
  ; CHECK: @warpline_cuda_sync(i32 19, i32 -1, i64 0, i32 0)
  %active = call i32 @llvm.nvvm.activemask()
  ; CHECK: @warpline_cuda_sync(i32 18, i32 %m, i64 0, i32 0)
  call void @llvm.nvvm.bar.warp.sync(i32 %m)
  ; CHECK: [[NOT:%.*]] = icmp ne i32 %x, 0
  ; CHECK: [[ONE:%.*]] = zext i1 [[NOT]] to i64
  ; CHECK: call spir_func i64 @warpline_cuda_group_sync(i32 20, i64 [[ONE]])
  %10 = call i32 @llvm.nvvm.barrier0.popc(i32 %x)
  %11 = extractvalue { i32, i1 } %3, 1
  %12 = select i1 %11, i32 %1, i32 %4
  %13 = bitcast float %2 to i32
  %14 = select i1 %5, i32 %12, i32 %13
  %15 = add i32 %14, %active
  store i32 %15, i32 addrspace(1)* %a
  ret void
}
; CHECK: declare spir_func i64 @warpline_cuda_sync(i32, i32, i64, i32) #[[SYNC:.*]]
; CHECK: attributes #[[SYNC]] = { convergent nounwind }
