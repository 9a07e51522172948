// What is accessed, as the source has it; the function; the arguments' types as declared.
// OPTIONS: --source-name e.cl
#define AT(m, r, c) m[(r) * n + (c)]
#define BUMP(p) ((p)[2] += 1)
struct pair {
	float x, y;
	int k[4];
};
static float helper(const __global float *q, int i)
{
	return q[i + 1] * 2;
}
__kernel void all(__global float *C, const __global float *restrict A, __global struct pair *s,
                  int n, __global float4 *v, volatile __global int *h)
{
	int i = get_global_id(0), j = get_global_id(1);
	float4 t;

	C[i * n + j] = AT(A, i, j) * A[j * n
	                               + i];
	C[i] += helper(A, i);
	s[i].x = s[i + 1].y;
	s[j] = s[n];
	(&s[i])->k[j]++;
	*h = 3;
	atomic_add(h + i, 2);
	v[i].xy = vload2(i, C);
	h++[1] = 4;
	--s[2].k[1];
	AT(C, 1, 2) = s->x;
	t = v[j];
	vstore4(t, 0, C);
	C[7] /* odd */ = /* place */ 5;
	BUMP(h);
	/* Cut: 199 bytes, a blank and a byte more. */
	C[i + 1 + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n + n] = 6;
}
// TABLE: {"kind":"read",{{.*}}"e.cl",19,{{[0-9]+}}],{{.*}}"expression":"AT(A, i, j)","function":"all"
// TABLE: {"kind":"read",{{.*}}"expression":"A[j * n + i]"
// TABLE: {"kind":"write",{{.*}}"expression":"C[i * n + j]"
// TABLE: {"kind":"read",{{.*}}"expression":"q[i + 1]","function":"helper"
// TABLE: {"kind":"read",{{.*}}"expression":"C[i]","function":"all"
// TABLE: {"kind":"write",{{.*}}"expression":"C[i]"
// TABLE: {"kind":"read",{{.*}}"expression":"s[i + 1].y"
// TABLE: {"kind":"write",{{.*}}"expression":"s[i].x"
// TABLE: {"kind":"read",{{.*}}"expression":"s[n]"
// TABLE: {"kind":"write",{{.*}}"expression":"s[j]"
// TABLE: {"kind":"read",{{.*}}"expression":"(&s[i])->k[j]"
// TABLE: {"kind":"write",{{.*}}"expression":"(&s[i])->k[j]"
// TABLE: {"kind":"write",{{.*}}"expression":"*h"
// TABLE: {"kind":"atomic",{{.*}}"expression":"atomic_add(h + i, 2)"
// TABLE: {"kind":"read",{{.*}}"expression":"vload2(i, C)"
// TABLE: {"kind":"read",{{.*}}"expression":"v[i].xy"
// TABLE: {"kind":"write",{{.*}}"expression":"v[i].xy"
// TABLE: {"kind":"write",{{.*}}"expression":"h++[1]"
// TABLE: {"kind":"read",{{.*}}"expression":"s[2].k[1]"
// TABLE: {"kind":"write",{{.*}}"expression":"s[2].k[1]"
// TABLE: {"kind":"read",{{.*}}"expression":"s->x"
// TABLE: {"kind":"write",{{.*}}"expression":"AT(C, 1, 2)"
// TABLE: {"kind":"read",{{.*}}"expression":"v[j]"
// TABLE: {"kind":"write",{{.*}}"expression":"vstore4(t, 0, C)"
// TABLE: {"kind":"write",{{.*}}"expression":"C[7]"
// TABLE: {"kind":"read",{{.*}}"expression":"BUMP(h)"
// TABLE: {"kind":"write",{{.*}}"expression":"BUMP(h)"
// TABLE: {"kind":"write",{{.*}}"expression":"C[i + 1{{[ +n]+}}...","function":"all"
// TABLE: "type":"__global float *"
// TABLE: "type":"const __global float *restrict"
// TABLE: "type":"__global struct pair *"
// TABLE: "type":"int"
// TABLE: "type":"__global float4 *"
// TABLE: "type":"volatile __global int *"
