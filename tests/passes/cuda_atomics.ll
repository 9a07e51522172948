; Each work-item does each atomic once, on cells that all share: global ones, and local ones that the
; first work-item of the group then copies out.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32) nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.atomic.load.inc.32.p1i32(i32 addrspace(1)*, i32)
declare i32 @llvm.nvvm.atomic.load.dec.32.p1i32(i32 addrspace(1)*, i32)
declare i32 @llvm.nvvm.atomic.load.inc.32.p3i32(i32 addrspace(3)*, i32)
declare i32 @llvm.nvvm.atomic.load.dec.32.p3i32(i32 addrspace(3)*, i32)

@atomics.cells = internal addrspace(3) global [20 x i64] undef, align 8

define spir_kernel void @atomics(i64 addrspace(1)* %g, i64 addrspace(1)* %out) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %wide = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id = trunc i64 %wide to i32
  %neg = sub i32 0, %id
  %low = and i32 %id, 15
  %bit = shl i32 1, %low
  %clear = xor i32 %bit, -1
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %begin, label %begun
begin:
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 0), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 1), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 2), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 3), align 8
  store i64 65535, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 4), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 5), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 6), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 7), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 8), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 9), align 8
  store i64 -1, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 10), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 11), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 12), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 13), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 14), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 15), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 16), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 17), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 18), align 8
  store i64 0, i64 addrspace(3)* getelementptr ([20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 19), align 8
  br label %begun
begun:
  call void @llvm.nvvm.membar.gl()
  call void @llvm.nvvm.barrier0()
  %gb0 = getelementptr i64, i64 addrspace(1)* %g, i64 0
  %lb0 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 0
  %gb1 = getelementptr i64, i64 addrspace(1)* %g, i64 1
  %lb1 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 1
  %gb2 = getelementptr i64, i64 addrspace(1)* %g, i64 2
  %lb2 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 2
  %gb3 = getelementptr i64, i64 addrspace(1)* %g, i64 3
  %lb3 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 3
  %gb4 = getelementptr i64, i64 addrspace(1)* %g, i64 4
  %lb4 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 4
  %gb5 = getelementptr i64, i64 addrspace(1)* %g, i64 5
  %lb5 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 5
  %gb6 = getelementptr i64, i64 addrspace(1)* %g, i64 6
  %lb6 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 6
  %gb7 = getelementptr i64, i64 addrspace(1)* %g, i64 7
  %lb7 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 7
  %gb8 = getelementptr i64, i64 addrspace(1)* %g, i64 8
  %lb8 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 8
  %gb9 = getelementptr i64, i64 addrspace(1)* %g, i64 9
  %lb9 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 9
  %gb10 = getelementptr i64, i64 addrspace(1)* %g, i64 10
  %lb10 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 10
  %gb11 = getelementptr i64, i64 addrspace(1)* %g, i64 11
  %lb11 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 11
  %gb12 = getelementptr i64, i64 addrspace(1)* %g, i64 12
  %lb12 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 12
  %gb13 = getelementptr i64, i64 addrspace(1)* %g, i64 13
  %lb13 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 13
  %gb14 = getelementptr i64, i64 addrspace(1)* %g, i64 14
  %lb14 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 14
  %gb15 = getelementptr i64, i64 addrspace(1)* %g, i64 15
  %lb15 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 15
  %gb16 = getelementptr i64, i64 addrspace(1)* %g, i64 16
  %lb16 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 16
  %gb17 = getelementptr i64, i64 addrspace(1)* %g, i64 17
  %lb17 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 17
  %gb18 = getelementptr i64, i64 addrspace(1)* %g, i64 18
  %lb18 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 18
  %gb19 = getelementptr i64, i64 addrspace(1)* %g, i64 19
  %lb19 = getelementptr [20 x i64], [20 x i64] addrspace(3)* @atomics.cells, i64 0, i64 19
  %g0 = bitcast i64 addrspace(1)* %gb0 to i32 addrspace(1)*
  %gr0 = atomicrmw add i32 addrspace(1)* %g0, i32 7 monotonic
  %g1 = bitcast i64 addrspace(1)* %gb1 to i32 addrspace(1)*
  %gr1 = atomicrmw sub i32 addrspace(1)* %g1, i32 3 monotonic
  %g2 = bitcast i64 addrspace(1)* %gb2 to i32 addrspace(1)*
  %gr2 = atomicrmw min i32 addrspace(1)* %g2, i32 %neg monotonic
  %g3 = bitcast i64 addrspace(1)* %gb3 to i32 addrspace(1)*
  %gr3 = atomicrmw umax i32 addrspace(1)* %g3, i32 %id monotonic
  %g4 = bitcast i64 addrspace(1)* %gb4 to i32 addrspace(1)*
  %gr4 = atomicrmw and i32 addrspace(1)* %g4, i32 %clear monotonic
  %g5 = bitcast i64 addrspace(1)* %gb5 to i32 addrspace(1)*
  %gr5 = atomicrmw or i32 addrspace(1)* %g5, i32 %bit monotonic
  %g6 = bitcast i64 addrspace(1)* %gb6 to i32 addrspace(1)*
  %gr6 = atomicrmw xor i32 addrspace(1)* %g6, i32 %bit monotonic
  %g7 = bitcast i64 addrspace(1)* %gb7 to i32 addrspace(1)*
  %gr7 = atomicrmw nand i32 addrspace(1)* %g7, i32 -1 monotonic
  %g8 = bitcast i64 addrspace(1)* %gb8 to i64 addrspace(1)*
  %gr8 = atomicrmw add i64 addrspace(1)* %g8, i64 %wide monotonic
  %g9 = bitcast i64 addrspace(1)* %gb9 to i64 addrspace(1)*
  %gr9 = atomicrmw max i64 addrspace(1)* %g9, i64 %wide monotonic
  %g10 = bitcast i64 addrspace(1)* %gb10 to i64 addrspace(1)*
  %gr10 = atomicrmw umin i64 addrspace(1)* %g10, i64 %wide monotonic
  %g11 = bitcast i64 addrspace(1)* %gb11 to i32 addrspace(1)*
  %gr11 = atomicrmw xchg i32 addrspace(1)* %g11, i32 5 monotonic
  %g12 = bitcast i64 addrspace(1)* %gb12 to float addrspace(1)*
  %gr12 = atomicrmw fadd float addrspace(1)* %g12, float 1.0 monotonic
  %g13 = bitcast i64 addrspace(1)* %gb13 to float addrspace(1)*
  %gr13 = atomicrmw fsub float addrspace(1)* %g13, float 0.5 monotonic
  %g14 = bitcast i64 addrspace(1)* %gb14 to double addrspace(1)*
  %gr14 = atomicrmw fadd double addrspace(1)* %g14, double 0.25 monotonic
  %g15 = bitcast i64 addrspace(1)* %gb15 to i32 addrspace(1)*
  %gr15 = call i32 @llvm.nvvm.atomic.load.inc.32.p1i32(i32 addrspace(1)* %g15, i32 9)
  %g16 = bitcast i64 addrspace(1)* %gb16 to i32 addrspace(1)*
  %gr16 = call i32 @llvm.nvvm.atomic.load.dec.32.p1i32(i32 addrspace(1)* %g16, i32 9)
  %gh = bitcast i64 addrspace(1)* %gb17 to i16 addrspace(1)*
  %ghh = getelementptr i16, i16 addrspace(1)* %gh, i64 1
  %gcas = cmpxchg i16 addrspace(1)* %ghh, i16 0, i16 77 monotonic monotonic
  %gok = extractvalue { i16, i1 } %gcas, 1
  %gone = zext i1 %gok to i32
  %gwon = bitcast i64 addrspace(1)* %gb18 to i32 addrspace(1)*
  %gwins = atomicrmw add i32 addrspace(1)* %gwon, i32 %gone monotonic
  %l0 = bitcast i64 addrspace(3)* %lb0 to i32 addrspace(3)*
  %lr0 = atomicrmw add i32 addrspace(3)* %l0, i32 7 monotonic
  %l1 = bitcast i64 addrspace(3)* %lb1 to i32 addrspace(3)*
  %lr1 = atomicrmw sub i32 addrspace(3)* %l1, i32 3 monotonic
  %l2 = bitcast i64 addrspace(3)* %lb2 to i32 addrspace(3)*
  %lr2 = atomicrmw min i32 addrspace(3)* %l2, i32 %neg monotonic
  %l3 = bitcast i64 addrspace(3)* %lb3 to i32 addrspace(3)*
  %lr3 = atomicrmw umax i32 addrspace(3)* %l3, i32 %id monotonic
  %l4 = bitcast i64 addrspace(3)* %lb4 to i32 addrspace(3)*
  %lr4 = atomicrmw and i32 addrspace(3)* %l4, i32 %clear monotonic
  %l5 = bitcast i64 addrspace(3)* %lb5 to i32 addrspace(3)*
  %lr5 = atomicrmw or i32 addrspace(3)* %l5, i32 %bit monotonic
  %l6 = bitcast i64 addrspace(3)* %lb6 to i32 addrspace(3)*
  %lr6 = atomicrmw xor i32 addrspace(3)* %l6, i32 %bit monotonic
  %l7 = bitcast i64 addrspace(3)* %lb7 to i32 addrspace(3)*
  %lr7 = atomicrmw nand i32 addrspace(3)* %l7, i32 -1 monotonic
  %l8 = bitcast i64 addrspace(3)* %lb8 to i64 addrspace(3)*
  %lr8 = atomicrmw add i64 addrspace(3)* %l8, i64 %wide monotonic
  %l9 = bitcast i64 addrspace(3)* %lb9 to i64 addrspace(3)*
  %lr9 = atomicrmw max i64 addrspace(3)* %l9, i64 %wide monotonic
  %l10 = bitcast i64 addrspace(3)* %lb10 to i64 addrspace(3)*
  %lr10 = atomicrmw umin i64 addrspace(3)* %l10, i64 %wide monotonic
  %l11 = bitcast i64 addrspace(3)* %lb11 to i32 addrspace(3)*
  %lr11 = atomicrmw xchg i32 addrspace(3)* %l11, i32 5 monotonic
  %l12 = bitcast i64 addrspace(3)* %lb12 to float addrspace(3)*
  %lr12 = atomicrmw fadd float addrspace(3)* %l12, float 1.0 monotonic
  %l13 = bitcast i64 addrspace(3)* %lb13 to float addrspace(3)*
  %lr13 = atomicrmw fsub float addrspace(3)* %l13, float 0.5 monotonic
  %l14 = bitcast i64 addrspace(3)* %lb14 to double addrspace(3)*
  %lr14 = atomicrmw fadd double addrspace(3)* %l14, double 0.25 monotonic
  %l15 = bitcast i64 addrspace(3)* %lb15 to i32 addrspace(3)*
  %lr15 = call i32 @llvm.nvvm.atomic.load.inc.32.p3i32(i32 addrspace(3)* %l15, i32 9)
  %l16 = bitcast i64 addrspace(3)* %lb16 to i32 addrspace(3)*
  %lr16 = call i32 @llvm.nvvm.atomic.load.dec.32.p3i32(i32 addrspace(3)* %l16, i32 9)
  %lh = bitcast i64 addrspace(3)* %lb17 to i16 addrspace(3)*
  %lhh = getelementptr i16, i16 addrspace(3)* %lh, i64 1
  %lcas = cmpxchg i16 addrspace(3)* %lhh, i16 0, i16 77 monotonic monotonic
  %lok = extractvalue { i16, i1 } %lcas, 1
  %lone = zext i1 %lok to i32
  %lwon = bitcast i64 addrspace(3)* %lb18 to i32 addrspace(3)*
  %lwins = atomicrmw add i32 addrspace(3)* %lwon, i32 %lone monotonic
  call void @llvm.nvvm.barrier0()
  br i1 %first, label %copy, label %done
copy:
  %group = lshr i64 %wide, 6
  %at = mul i64 %group, 20
  %c0 = load i64, i64 addrspace(3)* %lb0
  %t0 = add i64 %at, 0
  %q0 = getelementptr i64, i64 addrspace(1)* %out, i64 %t0
  store i64 %c0, i64 addrspace(1)* %q0
  %c1 = load i64, i64 addrspace(3)* %lb1
  %t1 = add i64 %at, 1
  %q1 = getelementptr i64, i64 addrspace(1)* %out, i64 %t1
  store i64 %c1, i64 addrspace(1)* %q1
  %c2 = load i64, i64 addrspace(3)* %lb2
  %t2 = add i64 %at, 2
  %q2 = getelementptr i64, i64 addrspace(1)* %out, i64 %t2
  store i64 %c2, i64 addrspace(1)* %q2
  %c3 = load i64, i64 addrspace(3)* %lb3
  %t3 = add i64 %at, 3
  %q3 = getelementptr i64, i64 addrspace(1)* %out, i64 %t3
  store i64 %c3, i64 addrspace(1)* %q3
  %c4 = load i64, i64 addrspace(3)* %lb4
  %t4 = add i64 %at, 4
  %q4 = getelementptr i64, i64 addrspace(1)* %out, i64 %t4
  store i64 %c4, i64 addrspace(1)* %q4
  %c5 = load i64, i64 addrspace(3)* %lb5
  %t5 = add i64 %at, 5
  %q5 = getelementptr i64, i64 addrspace(1)* %out, i64 %t5
  store i64 %c5, i64 addrspace(1)* %q5
  %c6 = load i64, i64 addrspace(3)* %lb6
  %t6 = add i64 %at, 6
  %q6 = getelementptr i64, i64 addrspace(1)* %out, i64 %t6
  store i64 %c6, i64 addrspace(1)* %q6
  %c7 = load i64, i64 addrspace(3)* %lb7
  %t7 = add i64 %at, 7
  %q7 = getelementptr i64, i64 addrspace(1)* %out, i64 %t7
  store i64 %c7, i64 addrspace(1)* %q7
  %c8 = load i64, i64 addrspace(3)* %lb8
  %t8 = add i64 %at, 8
  %q8 = getelementptr i64, i64 addrspace(1)* %out, i64 %t8
  store i64 %c8, i64 addrspace(1)* %q8
  %c9 = load i64, i64 addrspace(3)* %lb9
  %t9 = add i64 %at, 9
  %q9 = getelementptr i64, i64 addrspace(1)* %out, i64 %t9
  store i64 %c9, i64 addrspace(1)* %q9
  %c10 = load i64, i64 addrspace(3)* %lb10
  %t10 = add i64 %at, 10
  %q10 = getelementptr i64, i64 addrspace(1)* %out, i64 %t10
  store i64 %c10, i64 addrspace(1)* %q10
  %c11 = load i64, i64 addrspace(3)* %lb11
  %t11 = add i64 %at, 11
  %q11 = getelementptr i64, i64 addrspace(1)* %out, i64 %t11
  store i64 %c11, i64 addrspace(1)* %q11
  %c12 = load i64, i64 addrspace(3)* %lb12
  %t12 = add i64 %at, 12
  %q12 = getelementptr i64, i64 addrspace(1)* %out, i64 %t12
  store i64 %c12, i64 addrspace(1)* %q12
  %c13 = load i64, i64 addrspace(3)* %lb13
  %t13 = add i64 %at, 13
  %q13 = getelementptr i64, i64 addrspace(1)* %out, i64 %t13
  store i64 %c13, i64 addrspace(1)* %q13
  %c14 = load i64, i64 addrspace(3)* %lb14
  %t14 = add i64 %at, 14
  %q14 = getelementptr i64, i64 addrspace(1)* %out, i64 %t14
  store i64 %c14, i64 addrspace(1)* %q14
  %c15 = load i64, i64 addrspace(3)* %lb15
  %t15 = add i64 %at, 15
  %q15 = getelementptr i64, i64 addrspace(1)* %out, i64 %t15
  store i64 %c15, i64 addrspace(1)* %q15
  %c16 = load i64, i64 addrspace(3)* %lb16
  %t16 = add i64 %at, 16
  %q16 = getelementptr i64, i64 addrspace(1)* %out, i64 %t16
  store i64 %c16, i64 addrspace(1)* %q16
  %c17 = load i64, i64 addrspace(3)* %lb17
  %t17 = add i64 %at, 17
  %q17 = getelementptr i64, i64 addrspace(1)* %out, i64 %t17
  store i64 %c17, i64 addrspace(1)* %q17
  %c18 = load i64, i64 addrspace(3)* %lb18
  %t18 = add i64 %at, 18
  %q18 = getelementptr i64, i64 addrspace(1)* %out, i64 %t18
  store i64 %c18, i64 addrspace(1)* %q18
  %c19 = load i64, i64 addrspace(3)* %lb19
  %t19 = add i64 %at, 19
  %q19 = getelementptr i64, i64 addrspace(1)* %out, i64 %t19
  store i64 %c19, i64 addrspace(1)* %q19
  br label %done
done:
  ret void
}

!0 = !{i32 1, i32 1}
!1 = !{!"none", !"none"}
!2 = !{!"long*", !"long*"}
!3 = !{!"", !""}
