/*
 * launch_kit - what a launch needs and the next one can reuse: a kernel object of an instrumented
 * kernel, and a decoder of its records.
 *
 * One thread uses a kit at a time. The build of the kernel's program keeps the idle ones.
 */
#ifndef LAUNCH_KIT_H
#define LAUNCH_KIT_H

#include "group_decoder.h"
#include "opencl.h"

#include <pthread.h>
#include <stdbool.h>

struct err;
struct kernel_table;

struct launch_kit {
	struct launch_kit *next;
	const struct kernel_table *table; /* borrowed from the build */
	cl_kernel kernel;
	struct group_decoder decoder;
	bool has_decoder;
};

struct launch_kits {
	pthread_mutex_t lock;
	struct launch_kit *idle;
};

void launch_kits_init(struct launch_kits *kits);

/* Free the idle kits. All must have been given back; the driver's objects are released: no lock may
 * be held. */
void launch_kits_release(struct launch_kits *kits);

/*
 * A kit for the kernel of `table`, of a program that is built. NULL with ERR_DEVICE, ERR_NOMEM. To
 * be given back with launch_kits_give(). No lock may be held.
 */
struct launch_kit *launch_kits_take(struct launch_kits *kits, cl_program program,
                                    const struct kernel_table *table, struct err *err);

void launch_kits_give(struct launch_kits *kits, struct launch_kit *kit);

/* The kit's decoder, which has no groups and no counts; NULL with ERR_NOMEM. */
struct group_decoder *launch_kit_decoder(struct launch_kit *kit, struct err *err);

#endif
