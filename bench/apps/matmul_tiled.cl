/* The product of matmul.cl by tiles of 16x16 in local memory, each read once by a group. */
#define TILE 16

__kernel void matmul(__global const float *A, __global const float *B, __global float *C,
                     uint width, uint height)
{
	__local float a[TILE][TILE], b[TILE][TILE];
	uint row = get_global_id(1), y = get_local_id(1);
	uint column = get_global_id(0), x = get_local_id(0);
	float sum = 0.0f;

	for (uint first = 0; first < width; first += TILE) {
		a[y][x] = A[row * width + first + x];
		b[y][x] = B[(first + y) * width + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint i = 0; i < TILE; i++)
			sum += a[y][i] * b[i][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	C[row * width + column] = sum;
}
