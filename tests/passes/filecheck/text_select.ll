; An optimising compiler makes a choice lane by lane of a comparison: select(), which takes its second
; argument where a lane of the third is true.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

define spir_kernel void @chosen(<4 x i32> addrspace(1)* %a, <4 x i32> addrspace(1)* %b,
                                <4 x i32> addrspace(1)* %c) {
  %v = load <4 x i32>, <4 x i32> addrspace(1)* %a, align 16
  %w = load <4 x i32>, <4 x i32> addrspace(1)* %b, align 16
  %less = icmp slt <4 x i32> %v, %w
  %product = mul <4 x i32> %w, <i32 100, i32 100, i32 100, i32 100>
  %chosen = select <4 x i1> %less, <4 x i32> %v, <4 x i32> %product
  store <4 x i32> %chosen, <4 x i32> addrspace(1)* %c, align 16
  ret void
}
; TEXT: uint4 [[V:v[0-9]+]] = *(__global uint4 *)
; TEXT-NEXT: uint4 [[W:v[0-9]+]] = *(__global uint4 *)
; TEXT-NEXT: char4 [[LESS:v[0-9]+]] = convert_char4(as_int4([[V]]) < as_int4([[W]]));
; TEXT-NEXT: uint4 [[PRODUCT:v[0-9]+]] = [[W]] * (uint4)(100u, 100u, 100u, 100u);
; TEXT-NEXT: = select([[PRODUCT]], [[V]], convert_int4([[LESS]]));
