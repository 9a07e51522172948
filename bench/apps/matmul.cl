/* A product of square matrices: one work-item computes one element (Crawford 2014, listing 7.1). */
__kernel void matmul(__global const float *A, __global const float *B, __global float *C,
                     uint width, uint height)
{
	uint row = get_global_id(1);
	uint column = get_global_id(0);
	float sum = 0.0f;

	for (uint index = 0; index < width; index++)
		sum += A[row * width + index] * B[index * width + column];
	C[row * width + column] = sum;
}
