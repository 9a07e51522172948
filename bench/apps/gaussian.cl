/*
 * Gaussian elimination of a x = b without pivoting, one column a step. Neighbouring work-items have
 * neighbouring rows, so a warp's accesses to a matrix in rows lie a row apart.
 */

/* The factors of column `step`, of the rows below the pivot. */
__kernel void gaussian_factors(__global const float *a, __global float *factor, uint size, uint step)
{
	uint row = step + 1 + get_global_id(0);

	if (row < size)
		factor[row * size + step] = a[row * size + step] / a[step * size + step];
}

/* Take the pivot's row off all rows below it. Item i: row i modulo their number. */
__kernel void gaussian_rows(__global float *a, __global float *b, __global const float *factor,
                            uint size, uint step)
{
	uint rows = size - 1 - step;
	uint row = step + 1 + get_global_id(0) % rows;
	uint column = step + get_global_id(0) / rows;

	if (column >= size)
		return;
	float times = factor[row * size + step];

	a[row * size + column] -= times * a[step * size + column];
	if (column == step)
		b[row] -= times * b[step];
}
