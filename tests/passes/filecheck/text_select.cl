// An optimising compiler makes a choice lane by lane of it: select(), which takes its second argument
// where a lane of the third is true.
// OPTIONS: --opt 2
__kernel void chosen(__global const int4 *a, __global const int4 *b, __global int4 *c)
{
	int i = get_global_id(0);
	int4 v = a[i], w = b[i];

	c[i] = v < w ? v : w * 100;
}
// TEXT: = a0 +
// TEXT-NEXT: uint4 [[V:v[0-9]+]] = *(__global uint4 *)
// TEXT: = a1 +
// TEXT-NEXT: uint4 [[W:v[0-9]+]] = *(__global uint4 *)
// TEXT-NEXT: char4 [[LESS:v[0-9]+]] = convert_char4(as_int4([[V]]) < as_int4([[W]]));
// TEXT-NEXT: uint4 [[PRODUCT:v[0-9]+]] = [[W]] * (uint4)(100u, 100u, 100u, 100u);
// TEXT-NEXT: = select([[PRODUCT]], [[V]], convert_int4([[LESS]]));
