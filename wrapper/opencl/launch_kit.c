/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_kit.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "own_objects.h"

#include <stdlib.h>

void launch_kits_init(struct launch_kits *kits)
{
	pthread_mutex_init(&kits->lock, NULL);
	kits->idle = NULL;
}

/* A kernel object of ours that lives on comes (1) or goes (-1). */
static void count_kernel(cl_kernel kernel, int more)
{
	cl_context context = NULL;

	if (opencl_real()->clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(context),
	                                   (void *)&context, NULL) == CL_SUCCESS)
		own_objects_change(context, OWN_KERNEL, more);
}

static void free_kit(struct launch_kit *kit)
{
	if (kit->kernel) {
		count_kernel(kit->kernel, -1);
		opencl_real()->clReleaseKernel(kit->kernel);
	}
	if (kit->has_decoder)
		group_decoder_release(&kit->decoder);
	free(kit);
}

void launch_kits_release(struct launch_kits *kits)
{
	while (kits->idle) {
		struct launch_kit *kit = kits->idle;

		kits->idle = kit->next;
		free_kit(kit);
	}
	pthread_mutex_destroy(&kits->lock);
}

static struct launch_kit *make_kit(cl_program program, const struct kernel_table *table,
                                   struct err *err)
{
	struct launch_kit *kit = array_alloc(1, sizeof(*kit), "kernel", err);
	cl_int rc = CL_SUCCESS;

	if (!kit)
		return NULL;
	kit->table = table;
	kit->kernel = opencl_real()->clCreateKernel(program, table->name, &rc);
	if (kit->kernel) {
		count_kernel(kit->kernel, 1);
		return kit;
	}
	err_set(err, ERR_DEVICE, "the driver cannot create the instrumented kernel: %d", rc);
	free(kit);
	return NULL;
}

struct launch_kit *launch_kits_take(struct launch_kits *kits, cl_program program,
                                    const struct kernel_table *table, struct err *err)
{
	struct launch_kit **at, *kit;

	pthread_mutex_lock(&kits->lock);
	for (at = &kits->idle; *at && (*at)->table != table;)
		at = &(*at)->next;
	kit = *at;
	if (kit)
		*at = kit->next;
	pthread_mutex_unlock(&kits->lock);
	return kit ? kit : make_kit(program, table, err);
}

void launch_kits_give(struct launch_kits *kits, struct launch_kit *kit)
{
	if (!kit)
		return;
	pthread_mutex_lock(&kits->lock);
	kit->next = kits->idle;
	kits->idle = kit;
	pthread_mutex_unlock(&kits->lock);
}

struct group_decoder *launch_kit_decoder(struct launch_kit *kit, struct err *err)
{
	if (!kit->has_decoder && group_decoder_init(&kit->decoder, kit->table, err) < 0) {
		group_decoder_release(&kit->decoder);
		return NULL;
	}
	kit->has_decoder = true;
	group_decoder_begin(&kit->decoder);
	return &kit->decoder;
}
