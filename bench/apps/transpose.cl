/* Transpose a matrix: one work-item copies one element (Crawford 2014, listing 7.2). */
__kernel void transpose(__global float *out, __global const float *in, int width, int height)
{
	uint row = get_global_id(1);
	uint column = get_global_id(0);

	out[column * height + row] = in[row * width + column];
}
