// Halves are read and written without the extension cl_khr_fp16, in every rounding and width; lines
// and names are the program's.
// OPTIONS: --extensions cl_khr_fp64 --spaces local,constant
__kernel void halves(__global half *g, __local half *l, __constant half *c)
{
	float16 a = vload_half16(0, g);
	float3 b = vload_half3(1, c), d = vloada_half3(1, l);
	vstore_half(a.s0, 3, g);
	vstore_half2_rte(a.s01, 3, g);
	vstorea_half4_rtz(a.s0123, 3, g);
	vstore_half8_rtp((double8)(1), 3, l);
	vstorea_half3_rtn(b + d, 3, g);
}
// TABLE: {"kind":"read","bytes":32,"space":1,{{.*}}"place":["half.cl",6,
// TABLE: {"kind":"read","bytes":6,"space":2,{{.*}}"argument":2,"place":["half.cl",7,13]
// TABLE: {"kind":"read","bytes":6,"space":3,{{.*}}"argument":1,"place":["half.cl",7,36]
// TABLE: {"kind":"write","bytes":2,"space":1,{{.*}}"argument":0,
// TABLE: {"kind":"write","bytes":4,"space":1,{{.*}}"argument":0,
// TABLE: {"kind":"write","bytes":8,"space":1,{{.*}}"argument":0,
// TABLE: {"kind":"write","bytes":16,"space":3,{{.*}}"argument":1,
// TABLE: {"kind":"write","bytes":6,"space":1,{{.*}}"argument":0,
// TABLE-NOT: {"kind"
