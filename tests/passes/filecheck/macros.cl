// Places: of a macro's use, not of its definition, also inside another macro; of the line that #line
// says; through calls the whole chain.
#define AT(p, i) ((p)[(i)])
#define TWICE(p, i) (AT(p, i) + AT(p, (i) + 1))
int get(__global int *p, int i) { return AT(p, i); }
int sum(__global int *p, int i) { return get(p, i) + get(p, i + 1); }
__kernel void macros(__global int *a)
{
	a[0] = TWICE(a, 1);
	a[1] = sum(a, 1);
#line 100 "other.h"
	a[2] = 1;
}
// TABLE: {"kind":"read",{{.*}}"place":["macros.cl",9,9],"inlined_at":[]
// TABLE: {"kind":"read",{{.*}}"place":["macros.cl",9,9],"inlined_at":[]
// TABLE: {"kind":"write",{{.*}}"place":["macros.cl",9,7],
// TABLE: {"kind":"read",{{.*}}"place":["macros.cl",5,42],"inlined_at":{{\[\[}}"macros.cl",6,42],["macros.cl",10,9]]
// TABLE: {"kind":"read",{{.*}}"place":["macros.cl",5,42],"inlined_at":{{\[\[}}"macros.cl",6,54],["macros.cl",10,9]]
// TABLE: {"kind":"write",{{.*}}"place":["macros.cl",10,
// TABLE: {"kind":"write",{{.*}}"place":["other.h",100,7],
