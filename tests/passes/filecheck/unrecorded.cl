// What touches memory and has no site is named, with its place.
__kernel void unrecorded(__global int *a, __local int *l, read_only image2d_t in,
                         write_only image2d_t out, sampler_t s)
{
	event_t e = async_work_group_copy(l, a, 4, 0);
	wait_group_events(1, &e);
	prefetch(a, 4);
	float4 v = read_imagef(in, s, (int2)(0, 0));
	write_imagef(out, (int2)(1, 1), v);
}
// TABLE: "is_repeatable":false
// TABLE-NOT: {"kind"
// TABLE: {"name":"in",{{.*}}"space":0,"is_written":false}
// TABLE: {"name":"out",{{.*}}"space":0,"is_written":true}
// TABLE: {"what":"async_work_group_copy","place":["unrecorded.cl",5,
// TABLE: {"what":"wait_group_events","place":["unrecorded.cl",6,
// TABLE: {"what":"prefetch","place":["unrecorded.cl",7,
// TABLE: {"what":"image read","place":["unrecorded.cl",8,
// TABLE: {"what":"image write","place":["unrecorded.cl",9,
// TABLE-NOT: {"what"
