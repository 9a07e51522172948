/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_core.h"
#include "cuda_device.h"
#include "cuda_error.h"
#include "cuda_properties.h"
#include "cudart.h"

static int fill(void *prop, int device, int layout)
{
	int rc = cuda_device_check(device);

	if (rc == cudaSuccess && !prop)
		rc = cudaErrorInvalidValue;
	if (rc == cudaSuccess)
		cuda_properties_fill(&cuda_core()->gpu, layout, prop);
	return rc;
}

/* A program of 12 that asks by the old name has the structure of 11. */
int cudart_GetDeviceProperties(void *prop, int device, int major)
{
	return fill(prop, device, major == 12 ? 11 : major);
}

int cudart_GetDeviceProperties_v2(void *prop, int device)
{
	return fill(prop, device, 12);
}
