; printf() and assert(): formats as OpenCL's, arguments out of the buffer, strings in constant memory.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare i32 @vprintf(i8*, i8*)
declare i32 @printf(i8*, ...)
declare void @__assertfail(i8*, i8*, i32, i8*, i64)
declare void @llvm.trap()

%printed = type { i32, i64, double, i8* }
@.format = private unnamed_addr constant [20 x i8] c"%5d %llu %-8.3f %s\0A\00"
@.word = private unnamed_addr constant [4 x i8] c"one\00"
@.other = private unnamed_addr constant [4 x i8] c"two\00"
@.plain = private unnamed_addr constant [6 x i8] c"100%%\00"
@.bad = private unnamed_addr constant [4 x i8] c"%*d\00"

; CHECK-DAG: [[FORMAT:@cuda.string.*]] = internal unnamed_addr addrspace(2) constant [19 x i8] c"%5d %lu %-8.3f %s\0A\00"
; CHECK-DAG: [[ONE:@cuda.string.*]] = internal unnamed_addr addrspace(2) constant [4 x i8] c"one\00"
; CHECK-DAG: [[TWO:@cuda.string.*]] = internal unnamed_addr addrspace(2) constant [4 x i8] c"two\00"
; CHECK-DAG: c"100%%\00"
; CHECK-DAG: c"two:%u: one: group [%u,%u,%u], work-item [%u,%u,%u] assertion `two` failed.\0A\00"
; CHECK-DAG: @__warpline_trap = addrspace(1) externally_initialized global i32 0

; CHECK-LABEL: @prints(
define spir_kernel void @prints(i32 %x, i64 %l, double %d, i1 %p, i32 addrspace(1)* %a) {
  %buffer = alloca %printed
  %1 = getelementptr %printed, %printed* %buffer, i32 0, i32 0
  store i32 %x, i32* %1
  %2 = getelementptr %printed, %printed* %buffer, i32 0, i32 1
  store i64 %l, i64* %2
  %3 = getelementptr %printed, %printed* %buffer, i32 0, i32 2
  store double %d, double* %3
  %4 = select i1 %p, i8* getelementptr ([4 x i8], [4 x i8]* @.word, i64 0, i64 0), i8* getelementptr ([4 x i8], [4 x i8]* @.other, i64 0, i64 0)
  %5 = getelementptr %printed, %printed* %buffer, i32 0, i32 3
  store i8* %4, i8** %5
  %6 = bitcast %printed* %buffer to i8*
  ; CHECK: [[X:%.*]] = load i32, ptr
  ; CHECK: getelementptr i8, ptr {{.*}}, i64 8
  ; CHECK: [[L:%.*]] = load i64, ptr
  ; CHECK: getelementptr i8, ptr {{.*}}, i64 16
  ; CHECK: [[D:%.*]] = load double, ptr
  ; CHECK: [[S:%.*]] = select i1 %p, ptr addrspace(2) {{.*}}[[ONE]]{{.*}}, ptr addrspace(2) {{.*}}[[TWO]]
  ; CHECK: call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) {{.*}}[[FORMAT]]{{.*}}, i32 [[X]], i64 [[L]], double [[D]], ptr addrspace(2) [[S]])
  %7 = call i32 @vprintf(i8* getelementptr ([20 x i8], [20 x i8]* @.format, i64 0, i64 0), i8* %6)
  ; CHECK: @printf(ptr addrspace(2) {{getelementptr inbounds \(.* i64 0, i64 0\)|@cuda.string[.0-9]*}})
  %8 = call i32 @vprintf(i8* getelementptr ([6 x i8], [6 x i8]* @.plain, i64 0, i64 0), i8* null)
  ; CHECK: call spir_func i64 @_Z12get_local_idj(i32 2)
  ; CHECK: @printf({{.*}}, i32 17, i32 %{{.*}}
  ; CHECK: call spir_func void @warpline_cuda_trap(ptr addrspace(1) @__warpline_trap, i32 1)
  ; The work-item ends there.
  ; CHECK-NEXT: br i1 true, label %[[END:.*]], label %[[TAIL:.*]]
  ; CHECK: {{^}}[[END]]:
  ; CHECK-NEXT: ret void
  ; CHECK: {{^}}[[TAIL]]:
  call void @__assertfail(i8* getelementptr ([4 x i8], [4 x i8]* @.other, i64 0, i64 0), i8* getelementptr ([4 x i8], [4 x i8]* @.other, i64 0, i64 0), i32 17, i8* getelementptr ([4 x i8], [4 x i8]* @.word, i64 0, i64 0), i64 1)
  ; The result of vprintf() is how many values it printed.
  ; CHECK: store i32 4, ptr addrspace(1) %a
  store i32 %7, i32 addrspace(1)* %a
  ret void
}

; CHECK-LABEL: @stops(
; CHECK: call spir_func void @warpline_cuda_trap(ptr addrspace(1) @__warpline_trap, i32 2)
; CHECK-NEXT: ret void
define spir_kernel void @stops() {
  call void @llvm.trap()
  unreachable
}

; Others may wait for it: it goes on.
; CHECK-LABEL: @waits(
; CHECK: call spir_func void @warpline_cuda_trap(ptr addrspace(1) @__warpline_trap, i32 2)
; CHECK-NEXT: call spir_func void @_Z7barrierj(i32 3)
define spir_kernel void @waits() {
  call void @llvm.trap()
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.nvvm.barrier0()

; CHECK: define spir_kernel void @cannot(ptr %f) #[[REFUSED:[0-9]+]]
define spir_kernel void @cannot(i8* %f) {
  %1 = call i32 @vprintf(i8* %f, i8* null)
  ret void
}
; CHECK: define spir_kernel void @width(ptr %f) #[[WIDTH:[0-9]+]]
define spir_kernel void @width(i8* %f) {
  %1 = call i32 @vprintf(i8* getelementptr ([4 x i8], [4 x i8]* @.bad, i64 0, i64 0), i8* %f)
  ret void
}
; CHECK-DAG: attributes #[[REFUSED]] = { "warpline-refusal"="vprintf has a format that is not constant" }
; CHECK-DAG: attributes #[[WIDTH]] = { "warpline-refusal"="vprintf prints with a width that is not in its format" }
