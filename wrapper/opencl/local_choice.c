/* SPDX-License-Identifier: Apache-2.0 */
#include "local_choice.h"

#include "device_info.h"
#include "engine.h"
#include "err.h"
#include "launch_job.h"
#include "session.h"

#include <stdbool.h>

/* What every GPU takes, and what fills a warp of every GPU but half of one of AMD's. */
#define GPU_ITEMS  1024
#define WARP_ITEMS 32

/* The driver's answer for the application's own kernel and queue. */
static bool ask_driver(const struct launch_request *r, struct launch_shape *shape)
{
	const struct opencl_ext *ext = opencl_ext_of(r->queue);
	size_t local[3] = { 1, 1, 1 };
	cl_int rc = CL_INVALID_OPERATION;

	if (ext->clGetKernelSuggestedLocalWorkSizeKHR)
		rc = ext->clGetKernelSuggestedLocalWorkSizeKHR(r->queue, r->kernel, r->work_dim,
		                                               r->offset, r->global, local);
	else if (ext->clGetKernelSuggestedLocalWorkSizeINTEL)
		rc = ext->clGetKernelSuggestedLocalWorkSizeINTEL(r->queue, r->kernel, r->work_dim,
		                                                 r->offset, r->global, local);
	if (rc != CL_SUCCESS)
		return false;
	for (cl_uint d = 0; d < r->work_dim && d < 3; d++) {
		if (!local[d])
			return false;
		shape->local[d] = local[d];
	}
	return true;
}

/* Whether the kernel takes groups that large: if not, the driver would have chosen otherwise. */
static bool is_taken(const struct engine *e, cl_kernel kernel, const struct launch_shape *shape)
{
	size_t most = 0;

	if (opencl_real()->clGetKernelWorkGroupInfo(kernel, e->device, CL_KERNEL_WORK_GROUP_SIZE,
	                                            sizeof(most), &most, NULL) != CL_SUCCESS)
		return true;
	return shape->local[0] * shape->local[1] * shape->local[2] <= most;
}

int local_choice_find(struct engine *e, struct session *s, const struct launch_request *request,
                      struct launch_shape *shape, struct err *err)
{
	if (ask_driver(request, shape))
		return 0;
	if (engine_choose_local(e, s, shape, err) < 0)
		return ERR_DEVICE;
	if (!is_taken(e, request->kernel, shape))
		return err_set(err, ERR_DEVICE,
		               "which local size the device chooses for this kernel is not known");
	return 0;
}

/* Most work-items of a group, where the program leaves that open. */
static uint64_t most_items(const struct engine *e, const struct session *s)
{
	if (s->settings.max_group)
		return s->settings.max_group;
	return device_info_number(e->device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU ? GPU_ITEMS
	                                                                          : UINT64_MAX;
}

/* The largest number, `most` (> 0) at most, that divides n. */
static uint64_t divisor(uint64_t n, uint64_t most)
{
	while (n % most)
		most--;
	return most;
}

void local_choice_limit(const struct engine *e, const struct session *s, struct launch_shape *shape)
{
	uint64_t most = most_items(e, s), local[3], items = 1;

	for (int d = 0; d < 3; d++) {
		local[d] = shape->local[d];
		items *= local[d];
	}
	/* x last: neighbours in a warp are neighbours there. */
	for (int d = 2; d >= 0 && items > most; d--) {
		uint64_t others = items / local[d];

		local[d] = divisor(shape->global[d], others < most ? most / others : 1);
		items = others * local[d];
	}
	if (items > most || (items < WARP_ITEMS && items < most))
		return;
	for (int d = 0; d < 3; d++)
		shape->local[d] = local[d];
}
