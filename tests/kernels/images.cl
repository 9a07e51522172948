// Images and samplers.
// run: image_read    8x8 4x4 : image[8x8]=random uint[64]=zero
// run: image_sampled 8x8 4x4 : imagef[8x8]=random sampler float[256]=zero
// run: image_write   8x8 4x4 : uchar[256]=random target[8x8]
// run: image_both    8x8 4x4 : image[8x8]=random target[8x8] int[64]=zero
// run: image_facts   4x4 2x2 : image[9x5]=zero int[16]=zero

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                               CLK_FILTER_NEAREST;

__kernel void image_read(__read_only image2d_t in, __global uint *out)
{
	int x = get_global_id(0), y = get_global_id(1);
	uint4 v = read_imageui(in, nearest, (int2)(7 - x, y));

	out[y * 8 + x] = v.x << 24 | v.y << 16 | v.z << 8 | v.w;
}

__kernel void image_sampled(__read_only image2d_t in, sampler_t how, __global float4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * 8 + x] = read_imagef(in, how, (int2)(x - 2, y + 3));
}

__kernel void image_write(__global const uchar4 *in, __write_only image2d_t out)
{
	int x = get_global_id(0), y = get_global_id(1);

	write_imageui(out, (int2)(x, 7 - y), convert_uint4(in[y * 8 + x]));
}

__kernel void image_both(__read_only image2d_t in, __write_only image2d_t out, __global int *sum)
{
	int x = get_global_id(0), y = get_global_id(1);
	uint4 v = (uint4)(0);

	for (int k = -1; k <= 1; k++)
		v += read_imageui(in, nearest, (int2)(x + k, y));
	write_imageui(out, (int2)(x, y), v / 3u);
	sum[y * 8 + x] = (int)v.x;
}

__kernel void image_facts(__read_only image2d_t in, __global int *out)
{
	int i = get_global_id(1) * 4 + get_global_id(0);

	out[i] = get_image_width(in) * 100 + get_image_height(in) * 10 + get_image_dim(in).y;
}
