/*
 * One step of a 7-point Jacobi stencil over nx * ny * nz values: the inner ones are computed,
 * seven reads and one write each (Crawford 2014, listing 7.3). The guard is on x alone: groups
 * must divide ny - 2 and nz - 2.
 */
#define AT(i, j, k) ((i) + nx * ((j) + ny * (k)))

__kernel void stencil(float c0, float c1, __global float *A0, __global float *Anext, int nx,
                      int ny, int nz)
{
	int i = get_global_id(0) + 1;
	int j = get_global_id(1) + 1;
	int k = get_global_id(2) + 1;

	if (i < nx - 1) {
		Anext[AT(i, j, k)] = c1 * (A0[AT(i, j, k + 1)] +
		                           A0[AT(i, j, k - 1)] +
		                           A0[AT(i, j + 1, k)] +
		                           A0[AT(i, j - 1, k)] +
		                           A0[AT(i + 1, j, k)] +
		                           A0[AT(i - 1, j, k)]) -
		                     A0[AT(i, j, k)] * c0;
	}
}
