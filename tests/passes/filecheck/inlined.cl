// A macro's place is where it is used; a chain of calls is kept, innermost first.
// Pointers through a select come from no single argument, and both may be written.
// OPTIONS: --source-name sources/program-0000.cl
#define PUT(p, x) ((p)[1] = (x))
static void low(__global int *p, int x)
{
	*p = x;
}
inline void middle(__global int *p)
{
	low(p + 4, 2);
}
__attribute__((noinline)) void high(__global int *p)
{
	middle(p);
}
__kernel void chain(__global int *a, __global int *b, __global const int *c)
{
	high(a);
	PUT(a, c[0]);
	*(a[0] ? a : b) = 1;
}
// TABLE: "writes_unknown":false
// TABLE: {"kind":"write",{{.*}}"argument":0,"place":["sources/program-0000.cl",7,{{[0-9]+}}],"inlined_at":{{\[\[}}"sources/program-0000.cl",11,{{[0-9]+}}],["sources/program-0000.cl",15,{{[0-9]+}}],["sources/program-0000.cl",19,{{[0-9]+\]\]}}
// TABLE: {"kind":"read",{{.*}}"argument":2,"place":["sources/program-0000.cl",20,
// TABLE: {"kind":"write",{{.*}}"argument":0,"place":["sources/program-0000.cl",20,
// TABLE: {"kind":"read",{{.*}}"argument":0,
// TABLE: {"kind":"write",{{.*}}"argument":-1,"place":["sources/program-0000.cl",21,
// TABLE: {"name":"a",{{.*}}"is_written":true}
// TABLE: {"name":"b",{{.*}}"is_written":true}
// TABLE: {"name":"c",{{.*}}"is_written":false}
