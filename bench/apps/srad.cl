/*
 * Speckle-reducing anisotropic diffusion of an image (Yu and Acton 2002), two launches a step: the
 * differences to four neighbours and a coefficient, each into a plane of its own; then the update.
 * Beyond the border lies the border.
 */
__kernel void srad_coefficient(__global const float *image, __global float *north,
                               __global float *south, __global float *west, __global float *east,
                               __global float *coefficient, uint size, float q0_squared)
{
	uint x = get_global_id(0), y = get_global_id(1);
	uint at = y * size + x;
	float here = image[at];
	float dn = image[(y == 0 ? 0 : y - 1) * size + x] - here;
	float ds = image[(y == size - 1 ? y : y + 1) * size + x] - here;
	float dw = image[y * size + (x == 0 ? 0 : x - 1)] - here;
	float de = image[y * size + (x == size - 1 ? x : x + 1)] - here;
	float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
	float laplacian = (dn + ds + dw + de) / here;
	float scale = 1.0f + 0.25f * laplacian;
	float q_squared = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scale * scale);
	float c = 1.0f / (1.0f + (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared)));

	north[at] = dn;
	south[at] = ds;
	west[at] = dw;
	east[at] = de;
	coefficient[at] = clamp(c, 0.0f, 1.0f);
}

__kernel void srad_update(__global float *image, __global const float *north,
                          __global const float *south, __global const float *west,
                          __global const float *east, __global const float *coefficient, uint size,
                          float quarter_lambda)
{
	uint x = get_global_id(0), y = get_global_id(1);
	uint at = y * size + x;
	float c = coefficient[at];
	float c_south = coefficient[(y == size - 1 ? y : y + 1) * size + x];
	float c_east = coefficient[y * size + (x == size - 1 ? x : x + 1)];

	image[at] += quarter_lambda *
	             (c * north[at] + c_south * south[at] + c * west[at] + c_east * east[at]);
}
