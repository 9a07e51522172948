// What a program's types and constants become: bytes and words without a sign behind byte pointers,
// packed structs as packed structs whose sizes the compiler is made to check, tables bit by bit.
struct __attribute__((packed)) tight { char c; int i; };
struct pair { float f; struct tight t[2]; };
union both { float f; uint u; uchar b[4]; };
__constant float table[4] = { 0.1f, -2.5f, 0x1p-149f, INFINITY };
__constant struct pair pairs[1] = { { 1.5f, { { 'a', 1 }, { 'b', 2 } } } };
__attribute__((reqd_work_group_size(8, 2, 1))) __attribute__((vec_type_hint(float4)))
__kernel void types(__global struct pair *p, __global double *d, __global half *h, volatile __global int *v, __local uchar *l, sampler_t s, read_only image2d_t im, long big)
{
	size_t i = get_global_id(0);
	union both u;
	u.f = p[i].f;
	u.u ^= 0x80000000u;
	p[i].t[1].i = u.b[1];
	d[i] = d[i] * 0.1 + table[i & 3] + pairs[i & 1].t[1].i;
	vstore_half((float)d[i], i, h);
	*v = *v + 1;
	l[i & 7] = (uchar)(big >> 40);
	barrier(CLK_LOCAL_MEM_FENCE);
	float4 c = read_imagef(im, s, (int2)(i, 1));
	p[i].f = dot(c, c.wzyx) + native_sin(c.x) + fma(c.y, c.z, 1.0f);
	atomic_add((volatile __global uint *)p, 3u);
}
// The table holds 0.1f = 0x3dcccccd, -2.5f = 0xc0200000, the least denormal, infinity = 0x7f800000.
// TEXT: #pragma OPENCL EXTENSION cl_khr_fp64 : enable
// TEXT: typedef struct { uchar m0; uint m1; } __attribute__((packed)) [[TIGHT:warpline_t[0-9]+]];
// TEXT-NEXT: typedef char [[TIGHT]]_fits[sizeof([[TIGHT]]) == 5 ? 1 : -1];
// TEXT: typedef struct { [[TIGHT]] e[2]; } [[TWO:warpline_t[0-9]+]];
// TEXT: typedef struct { float m0; [[TWO]] m1;{{( warpline_t[0-9]+ m2;)?}} } [[PAIR:warpline_t[0-9]+]];
// TEXT-NEXT: typedef char [[PAIR]]_fits[sizeof([[PAIR]]) == 16 ? 1 : -1];
// TEXT: __constant uchar [[BYTES:warpline_c[0-9]+]][16] __attribute__((aligned(4))) = {
// TEXT-NEXT: 205,204,204,61,0,0,32,192,1,0,0,0,0,0,128,127,
// TEXT: __constant {{.*}} [[PAIRS:warpline_c[0-9]+]] = { { { 0x1.8p+0f, { { { 97, 1u }, { 98, 2u } } }{{(, \{ \{ 0 \} \})?}} } } };
// TEXT: __attribute__((reqd_work_group_size(8, 2, 1)))
// TEXT-NEXT: __attribute__((vec_type_hint(float4)))
// TEXT-NEXT: __kernel void types(warpline_global a0, warpline_global a1, warpline_global a2, warpline_global a3, warpline_local a4, sampler_t a5, __read_only image2d_t a6, ulong a7)
// A union is a change of type, and 0x80000000 an exclusive or.
// TEXT: uint [[BITS:v[0-9]+]] = as_uint({{v[0-9]+}});
// TEXT-NEXT: uint [[NEGATED:v[0-9]+]] = [[BITS]] ^ 2147483648u;
// TEXT-NEXT: float {{v[0-9]+}} = as_float([[NEGATED]]);
// p[i].t[1].i lies at 4 + 5 + 1, and is not aligned.
// TEXT: {{v[0-9]+}} = {{v[0-9]+}} + 4;
// TEXT-NEXT: {{v[0-9]+}} = {{v[0-9]+}} + 5;
// TEXT-NEXT: {{v[0-9]+}} = {{v[0-9]+}} + 1;
// TEXT-NEXT: ((__global warpline_low_uint_at1 *)v{{[0-9]+}})->v =
// TEXT: * 0x1.999999999999ap-4 +
// TEXT: {{v[0-9]+}} = ((warpline_constant)&[[PAIRS]]) +
// TEXT: ((__constant warpline_low_uint_at1 *)v{{[0-9]+}})->v;
// TEXT: vstore_half({{v[0-9]+}}, (ulong){{v[0-9]+}}, (__global half *)a2);
// TEXT: = *(volatile __global uint *)a3;
// TEXT: *(volatile __global uint *)a3 =
// TEXT: = (ulong)((long)a7 >> 40ul);
// TEXT: barrier((uint)1u);
// TEXT: as_float4(read_imagef(a6, a5, as_int2(
// TEXT-NEXT: float4 {{v[0-9]+}} = {{v[0-9]+}}.s3210;
// TEXT: native_sin(
// TEXT: fma({{.*}}, 0x1p+0f);
// TEXT: atomic_add((volatile __global uint *)a0, (uint)3u);
