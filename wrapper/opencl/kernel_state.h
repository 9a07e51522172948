/*
 * kernel_state - what we know of a cl_kernel: its program's build and its arguments by value.
 */
#ifndef KERNEL_STATE_H
#define KERNEL_STATE_H

#include "opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_build;
struct program_state;
struct session;

/* The call that set a pointer to memory which host and device address alike. */
enum pointer_call {
	POINTER_BY_NONE,
	POINTER_BY_SVM, /* clSetKernelArgSVMPointer() */
	POINTER_BY_ARM, /* clSetKernelArgSVMPointerARM() */
	POINTER_BY_USM, /* clSetKernelArgMemPointerINTEL() */
};

/* One argument as the application set it. */
struct kernel_value {
	bool is_set;
	enum pointer_call pointer; /* not NONE: `bytes` are the pointer */
	size_t bytes;              /* argument size */
	unsigned char *data;       /* a copy; NULL: local memory, or a NULL buffer */
};

/* The arguments of clSetKernelExecInfo(): each name once, with its last value. */
struct kernel_fact {
	cl_kernel_exec_info name;
	size_t bytes;
	unsigned char *data; /* a copy; NULL: no fact */
};

#define KERNEL_FACTS 8
/* Named by the session's map while the application holds the kernel; the session's lock guards it.
 */
struct kernel_state {
	uint32_t app_refs;           /* the application's own references */
	struct program_state *owner; /* its program, which counts it */
	struct program_build *build;
	char *name;
	bool has_lost_facts; /* there was no room for one: the kernel cannot be run by us */
	struct kernel_fact facts[KERNEL_FACTS];
	cl_uint value_count;
	struct kernel_value *values;
};

/* A state for a kernel with `count` arguments; takes `build`, copies `name`. NULL: no memory. */
struct kernel_state *kernel_state_create(struct program_state *owner, struct program_build *build,
                                         const char *name, cl_uint count);

/* A reference to the kernel's build, and its name, on the heap; NULL when the kernel is not known.
 * No lock may be held. */
struct program_build *kernel_state_build(struct session *s, cl_kernel kernel, char **name);

/* Free it, its build and its values. NULL is allowed. No lock may be held. */
void kernel_state_free(void *kernel_state);

/* The handle or the pointer that a value holds; NULL: none, or it is of another size. */
void *kernel_value_handle(const struct kernel_value *value);

/* Copy the values of `from` (of the same kernel) into `to`. False when memory ran out. */
bool kernel_values_copy(struct kernel_value *to, const struct kernel_value *from, cl_uint count);

/* Copy KERNEL_FACTS facts into zeroed ones (false when memory ran out), and free what they own. */
bool kernel_facts_copy(struct kernel_fact *to, const struct kernel_fact *from);

void kernel_facts_release(struct kernel_fact *facts);

/*
 * Keep a kernel in the map although the application releases it (false: it is not there), and stop
 * doing so: for command buffers, which retain kernels. No lock may be held.
 */
bool kernel_state_retain(struct session *s, cl_kernel kernel);

void kernel_state_release(struct session *s, cl_kernel kernel);

/* Free `count` values and the array. NULL is allowed. */
void kernel_values_free(struct kernel_value *values, cl_uint count);

#endif
