// What touches memory and has no site is named, with its place.
__kernel void unrecorded(read_only image2d_t in,
                         write_only image2d_t out, sampler_t s)
{
	float4 v = read_imagef(in, s, (int2)(0, 0));
	write_imagef(out, (int2)(1, 1), v);
}
// TABLE: "is_repeatable":false
// TABLE-NOT: {"kind"
// TABLE: {"name":"in",{{.*}}"space":0,"is_written":false}
// TABLE: {"name":"out",{{.*}}"space":0,"is_written":true}
// TABLE: {"what":"image read","place":["unrecorded.cl",5,
// TABLE: {"what":"image write","place":["unrecorded.cl",6,
// TABLE-NOT: {"what"
