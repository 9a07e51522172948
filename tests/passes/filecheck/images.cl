// Writes to images of three dimensions.
// OPTIONS: --extensions cl_khr_3d_image_writes
__kernel void images(write_only image3d_t a, write_only image2d_array_t b)
{
	write_imagei(a, (int4)(0), (int4)(1));
	write_imagei(b, (int4)(0), (int4)(1));
	write_imagef(a, (int4)(0), (float4)(1));
}
// CHECK: call {{.*}}@_Z12write_imagei14ocl_image3d_woDv4_iS0_(
// CHECK: call {{.*}}@_Z12write_imagei20ocl_image2d_array_woDv4_iS0_(
// CHECK: call {{.*}}@_Z12write_imagef14ocl_image3d_woDv4_iDv4_f(
// TABLE: {"what":"image write","place":["images.cl",5,
// TABLE: {"what":"image write","place":["images.cl",6,
// TABLE: {"what":"image write","place":["images.cl",7,
