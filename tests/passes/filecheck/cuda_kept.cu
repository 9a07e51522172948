// Each access of the source stays, as wide as it is there: a load that nobody needs, a structure that is
// read whole for one part of it, two numbers that are written at once.
// OPTIONS: --records none
struct four { float x, y, z, w; };
struct pair { float a; int b; };

extern "C" __global__ void kept(volatile int *v, const four *f, float *out, long long *both)
{
	int unused = *v;
	four t = f[1];
	pair p;

	(void)unused;
	out[0] = t.z;
	p.a = t.x;
	p.b = 3;
	both[0] = *(long long *)&p;
	out[1] = f[2].y;
	int gone = v[3], never = ((const int *)both)[9];
}

// CHECK-LABEL: define spir_kernel void @kept(
// CHECK: load volatile i32, ptr addrspace(1) %v
// CHECK: store i64 {{.*}}, ptr addrspace(1) %{{.*}}
// CHECK-NOT: store i32 {{.*}} addrspace(1){{\*?}}
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":0,"place":["cuda_kept.cu",9,15]
// TABLE-SAME: "expression":"*v","function":"kept"
// TABLE: {"kind":"read","bytes":16,"space":1,"loop":-1,"argument":1,"place":["cuda_kept.cu",10,11]
// TABLE-SAME: "expression":"f[1]"
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":2,"place":["cuda_kept.cu",14,9]
// TABLE: {"kind":"write","bytes":8,"space":1,"loop":-1,"argument":3,"place":["cuda_kept.cu",17,10]
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":1,"place":["cuda_kept.cu",18,16]
// TABLE: {"kind":"write","bytes":4,"space":1,"loop":-1,"argument":2,"place":["cuda_kept.cu",18,9]
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":0,"place":["cuda_kept.cu",19,13]
// TABLE: {"kind":"read","bytes":4,"space":1,"loop":-1,"argument":3,"place":["cuda_kept.cu",19,27]
// TABLE-NOT: {"kind"
// TABLE: {"name":"v","type":"{{.*}}int *","space":1
