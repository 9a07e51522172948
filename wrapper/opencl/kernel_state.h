/*
 * kernel_state - what the recorder knows of a cl_kernel: its program's build and the values of its
 * arguments.
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
	enum pointer_call pointer; /* not NONE: `data` is the pointer */
	size_t bytes;              /* argument size */
	unsigned char *data;       /* a copy; NULL: local memory, or a NULL buffer */
};

/* The arguments of clSetKernelExecInfo(), each name with its last value. */
struct kernel_fact {
	cl_kernel_exec_info name;
	size_t bytes;
	unsigned char *data; /* a copy; NULL: no fact */
};

#define KERNEL_FACTS 8
/* In the session's map while the application holds the kernel. Guarded by the session's lock.
 */
struct kernel_state {
	uint32_t app_refs;           /* the application's own references */
	struct program_state *owner; /* its program, in whose kernel_refs it is counted */
	struct program_build *build;
	char *name;
	bool has_lost_facts; /* a fact could not be kept: the recorder cannot run the kernel */
	struct kernel_fact facts[KERNEL_FACTS];
	cl_uint value_count;
	struct kernel_value *values;
};

/* Create a state for a kernel with `count` arguments. Takes `build`, copies `name`. NULL: out of
 * memory. */
struct kernel_state *kernel_state_create(struct program_state *owner, struct program_build *build,
                                         const char *name, cl_uint count);

/* Returns a reference to the kernel's build, and *name on the heap; NULL when the kernel is not
 * known. No lock may be held. */
struct program_build *kernel_state_build(struct session *s, cl_kernel kernel, char **name);

/* Free a state and its values, and release its build. NULL is allowed. No lock may be held. */
void kernel_state_free(void *kernel_state);

/* Returns the handle or pointer that a value contains; NULL if there is none or its size differs.
 */
void *kernel_value_handle(const struct kernel_value *value);

/* Copy the values of `from` (of the same kernel) into `to`. False when memory ran out. */
bool kernel_values_copy(struct kernel_value *to, const struct kernel_value *from, cl_uint count);

/* Copy KERNEL_FACTS facts into zeroed ones (false when memory ran out), and free what they own. */
bool kernel_facts_copy(struct kernel_fact *to, const struct kernel_fact *from);

void kernel_facts_release(struct kernel_fact *facts);

/*
 * For command buffers, which retain kernels: keep a kernel in the map although the application
 * releases it (false: it is not in the map), until kernel_state_release(). No lock may be held.
 */
bool kernel_state_retain(struct session *s, cl_kernel kernel);

void kernel_state_release(struct session *s, cl_kernel kernel);

/* Free `count` values and the array. NULL is allowed. */
void kernel_values_free(struct kernel_value *values, cl_uint count);

#endif
