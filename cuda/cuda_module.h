/*
 * cuda_module - device code with its kernels and variables, compiled at its first use.
 */
#ifndef CUDA_MODULE_H
#define CUDA_MODULE_H

#include "cuda_core.h"
#include "module_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_function;
struct cuda_module;
struct cuda_stream;

/*
 * cuda_module_file - modules that programs load at run time from memory or a file: PTX, bitcode or
 * a fat binary.
 */

/* Copy the image and compile it. Returns as cuda_module_load(). */
int cuda_module_from_memory(const void *image, struct cuda_module **out);

/* Compile the contents of a file. Fails also with cudaErrorFileNotFound. */
int cuda_module_from_file(const char *path, struct cuda_module **out);

/* Load the module and find a kernel of it. Fails with cudaErrorSymbolNotFound when it has none of
 * this name. */
int cuda_module_find_function(struct cuda_module *m, const char *name, struct cuda_function **out);

/*
 * cuda_function_facts - what the APIs report about a kernel.
 *
 * The number of registers is unknown and reported as 32, for programs that divide by it.
 */

struct cuda_function_facts {
	size_t static_shared_bytes, constant_bytes, local_bytes;
	int max_items, registers, architecture; /* 70 for 7.0 */
	int max_dynamic_bytes;
};

/* Get the facts of a loaded kernel. */
void cuda_function_facts_get(const struct cuda_function *f, struct cuda_function_facts *facts);

/* Set an attribute by its number: 8 is the maximum dynamic shared memory, 9 the carveout; others up
 * to 15 have no effect. Returns 0 or cudaErrorInvalidValue. */
int cuda_function_facts_set(struct cuda_function *f, int attribute, int value);

struct cuda_function {
	struct cuda_module *module;
	char *name;
	const struct kernel_entry *entry; /* set once the module is loaded, if it has the kernel */
	cl_kernel kernel; /* guarded by the core's order lock; NULL before the first launch */
	size_t dynamic_limit_bytes; /* set by cudaFuncSetAttribute; 0: the device's limit */
	int carveout;
	bool is_named; /* its refusal was reported */
};

/* Create a module of `image`: embedded by a compiler (borrowed), or with `length`, a copy of that
 * many bytes. NULL: out of memory. */
struct cuda_module *cuda_module_create(const void *image, size_t length);

/* Free a module with its variables; no kernel of it may be running. NULL is allowed. */
void cuda_module_free(struct cuda_module *m);

/* Retire a module whose program ends or is unloaded: it cannot be launched any more. It is not
 * freed, since the driver may be gone by then. */
void cuda_module_retire(struct cuda_module *m);

/* Whether a handle is a module that was not freed. */
bool cuda_module_exists(const struct cuda_module *m);

/*
 * Compile a module unless that was done, and allocate its variables. Returns 0 or the code for the
 * application. A failure is reported to the user once.
 */
int cuda_module_load(struct cuda_module *m);

/* Returns the kernel of this name, created if needed; whether the module has it is known only once
 * it is loaded. NULL: out of memory. Lives as long as the module. */
struct cuda_function *cuda_module_function(struct cuda_module *m, const char *name);

/* Returns kernel number n of a loaded module, or NULL after the last. */
struct cuda_function *cuda_module_function_at(struct cuda_module *m, size_t n);

/* Whether a handle is a kernel of an existing module. */
bool cuda_function_exists(const struct cuda_function *f);

/* Load the kernel's module and look the kernel up. Returns as cuda_module_load(), or
 * cudaErrorInvalidDeviceFunction, which is reported to the user once. */
int cuda_function_load(struct cuda_function *f);

/* Returns why we cannot run a kernel that a GPU could run. NULL: we can, or its module is not
 * loaded or has no such kernel. The string lives as long as the module. */
const char *cuda_function_refusal(const struct cuda_function *f);

/* Returns the OpenCL kernel, created if needed, or NULL on failure. Called with the core's order
 * lock held. */
cl_kernel cuda_function_kernel(struct cuda_function *f);

/* Get the memory of a variable; loads the module. Returns as cuda_module_load(), or
 * cudaErrorInvalidSymbol. */
int cuda_module_variable(struct cuda_module *m, const char *name, void **memory, size_t *bytes);

/* Returns the memory of a variable by its number in the table of a loaded module. */
void *cuda_module_memory(const struct cuda_module *m, size_t symbol);

/* Note that a kernel of the module is running, which may report an assertion. */
void cuda_module_launched(struct cuda_module *m);

/* Check the modules whose kernels ran for failed assertions and traps. Returns the error that broke
 * the device, or 0. */
int cuda_module_check(void);

/* Reset the variables of all modules to their initial values. No kernel may be running. */
void cuda_module_reset_all(void);

/*
 * cuda_launch - a kernel launch: CUDA's parameters become OpenCL arguments, and the kernel is
 * enqueued.
 */

struct cuda_launch {
	struct cuda_function *function;
	unsigned grid[3], group[3]; /* groups; work-items of one */
	size_t shared_bytes;        /* dynamic */
	void **params;              /* address of each parameter, or: */
	const void *buffer;         /* a buffer of all parameters */
	size_t buffer_bytes;
	bool is_cooperative; /* all groups must be resident at the same time */
};

/*
 * Enqueue a launch. Returns 0; cudaErrorInvalidConfiguration for sizes that no GPU takes;
 * cudaErrorLaunchOutOfResources for more work-items than the kernel takes; cudaErrorInvalidValue
 * for too much shared memory and for missing parameters; cudaErrorCooperativeLaunchTooLarge; or the
 * codes of cuda_function_load().
 */
int cuda_launch_run(const struct cuda_launch *launch, struct cuda_stream *s);

/*
 * cuda_binding - the kernel or variable that an address in the host program stands for.
 *
 * Programs register a stub for each kernel and a shadow for each variable before main() begins.
 */

struct cuda_binding {
	uintptr_t host;
	struct cuda_module *module;
	struct cuda_function *function; /* of a kernel */
	const char *name; /* of a variable, in the module; borrowed from the program */
	void **managed;   /* where to store a managed variable's address, or NULL */
};

/* Register an address; a new registration replaces an older one. False: out of memory. */
bool cuda_binding_add_function(const struct cuda_binding *binding);
bool cuda_binding_add_variable(const struct cuda_binding *binding);

/* Look up an address. False: it is not registered. */
bool cuda_binding_find_function(const void *host, struct cuda_binding *out);
bool cuda_binding_find_variable(const void *host, struct cuda_binding *out);

/* Store the address of each managed variable of a module, find_name(context, name), in the program.
 */
void cuda_binding_publish(const struct cuda_module *module,
                          void *(*find_name)(void *context, const char *name), void *context);

/* Remove all bindings of a module. */
void cuda_binding_remove(const struct cuda_module *module);

#endif
