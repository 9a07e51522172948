; A kernel of which the source's reader could read the parameters only has a reason and no code.
; OPTIONS: --records raw
target triple = "nvptx64-nvidia-cuda"
define void @unread(i64 %p) "warpline-refusal"="ptx: tex.2d at k.ptx:7 is not supported" {
  ret void
}
define void @kept(i64 %p) {
  %q = inttoptr i64 %p to i32 addrspace(1)*
  store i32 1, i32 addrspace(1)* %q
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{void (i64)* @unread, !"kernel", i32 1}
!1 = !{void (i64)* @kept, !"kernel", i32 1}
; TABLE: "name":"unread",{{.*}}"refusal":"ptx: tex.2d at k.ptx:7 is not supported"
; TABLE: "name":"kept",{{.*}}"records":"raw","refusal":null
; TABLE-NEXT: "kind":"write","bytes":4,"space":1
; PTX-NOT: unread
; PTX: .visible .entry kept(
