/*
 * runtime - what is peculiar about an OpenCL implementation: its row of runtimes.def.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "opencl.h"

#include <stdbool.h>

struct runtime {
	bool is_inline;      /* runs commands inside the application's calls */
	bool is_immediate;   /* in the call that enqueues them; others wait for none */
	bool has_unit_local; /* a NULL local size means 1x1x1 */
	bool mixes_items;    /* by loops over them: control flow at barriers must stay */
	bool is_narrow;      /* addresses have 48 bits at most */
	bool loses_vectors;  /* wider than a register, as SPIR on the way to some builtins */
};

/* The peculiarities of a device; all false for one without a row. */
struct runtime runtime_of(cl_device_id device);

#endif
