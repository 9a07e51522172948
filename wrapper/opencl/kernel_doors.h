/*
 * kernel_doors - which of a program's shadows has a kernel, and why the others have not.
 */
#ifndef KERNEL_DOORS_H
#define KERNEL_DOORS_H

#include "shadow_program.h"

#include <stdbool.h>

struct launch_filter;

/* A kernel's way to a device. */
struct kernel_doors {
	const struct shadow_program *shadow; /* that has it; NULL: none */
	const struct kernel_table *table;    /* its table there */
	const struct kernel_table *facts;    /* a table that any shadow has of it; NULL: none */
	char *reason; /* why the shadows before that have it not, on the heap; NULL: there are none
	               */
};

/*
 * Look for kernel `name` in those of `shadows` that are for `device`, in their order. The caller
 * frees reason, which is NULL when memory runs out.
 */
void kernel_doors_find(struct kernel_doors *out, const struct shadow_program *shadows, size_t count,
                       cl_device_id device, const char *name);

/* Whether another door should be tried: a kernel that the filter wants is in none of them. */
bool kernel_doors_lack_some(const struct shadow_program *shadows, size_t count, cl_device_id device,
                            const struct launch_filter *filter);

#endif
