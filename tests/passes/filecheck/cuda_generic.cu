// Generic pointers: a null one comes from where the others come from; constant and global memory that come
// together are global; a pointer that was loaded is; variables whose addresses other variables hold, too.
// OPTIONS: --records none
__constant__ int fixed[4];
struct node { node *next; int value; };

extern "C" __global__ void null(int *a, int n)
{
	int *p = nullptr;

	for (int i = 0; i < n; i++)
		if (a[i] == 3)
			p = a + i;
	if (p)
		*p = 4;
}

extern "C" __global__ void joined(const int *a, int *out, int n)
{
	const int *p = n > 4 ? a : fixed;

	out[0] = p[n];
}

extern "C" __global__ void listed(const node *head, int *out)
{
	int sum = 0;

	for (const node *p = head; p; p = p->next)
		sum += p->value;
	*out = sum;
}

extern "C" __global__ void held(int *out, int n)
{
	__shared__ int tile[8];
	int *p = tile, **pp = &p;

	(*pp)[n] = 1;
	*pp = out;
	(*pp)[n] = 2;
}

// CHECK-LABEL: define spir_kernel void @null(
// CHECK: phi ptr addrspace(1) {{.*}}null
// CHECK: store i32 4, ptr addrspace(1)
// CHECK-LABEL: define spir_kernel void @joined(
// CHECK: addrspacecast ptr addrspace(2) {{.*}} to ptr addrspace(1)
// CHECK: load i32, ptr addrspace(1)
// CHECK-LABEL: define spir_kernel void @listed(
// CHECK: phi {{.*}} addrspace(1){{\*?}}
// CHECK: icmp ne {{.*}} addrspace(1){{\*?}} %{{.*}}, null
// CHECK: load i32, ptr addrspace(1)
// CHECK: load ptr addrspace(1), ptr addrspace(1)
// CHECK-LABEL: define spir_kernel void @held(
// CHECK: store i32 1, ptr addrspace(3)
// CHECK: store i32 2, ptr addrspace(1)
