/*
 * cuda_module - device code with its kernels and variables, compiled when it is first used.
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
 * cuda_module_file - modules of what programs load while they run: PTX, bitcode or a fat binary,
 * from memory or a file.
 */

/* Copy the image and compile it. Returns 0, or what cuda_module_load() does. */
int cuda_module_from_memory(const void *image, struct cuda_module **out);

/* The same of a file's contents. cudaErrorFileNotFound. */
int cuda_module_from_file(const char *path, struct cuda_module **out);

/* A kernel of a module, which is loaded. cudaErrorSymbolNotFound when it has none of this name. */
int cuda_module_find_function(struct cuda_module *m, const char *name, struct cuda_function **out);

/*
 * cuda_function_facts - what the interfaces report about a kernel.
 *
 * The number of registers is not known: it is reported as 32, for programs that divide by it.
 */

struct cuda_function_facts {
	size_t static_shared_bytes, constant_bytes, local_bytes;
	int max_items, registers, architecture; /* 70 for 7.0 */
	int max_dynamic_bytes;
};

/* Of a loaded kernel. */
void cuda_function_facts_get(const struct cuda_function *f, struct cuda_function_facts *facts);

/* Set an attribute by the interfaces' number: 8 dynamic shared memory at most, 9 the carveout,
 * others up to 15 have no effect. Returns 0 or cudaErrorInvalidValue. */
int cuda_function_facts_set(struct cuda_function *f, int attribute, int value);

struct cuda_function {
	struct cuda_module *module;
	char *name;
	const struct kernel_entry *entry; /* once the module is loaded and has it */
	cl_kernel kernel;           /* under the core's order lock; NULL before the first launch */
	size_t dynamic_limit_bytes; /* cudaFuncSetAttribute; 0: as the device has it */
	int carveout;
	bool is_named; /* its refusal was said */
};

/* A module of `image`: what a compiler embeds (borrowed), or with `length` a copy of that many
 * bytes. NULL: out of memory. */
struct cuda_module *cuda_module_create(const void *image, size_t length);

/* Free it with its variables; nothing of it may run. NULL is allowed. */
void cuda_module_free(struct cuda_module *m);

/* Its program ends or is unloaded: nothing begins it any more. It stays, since this comes when the
 * driver may be gone. */
void cuda_module_retire(struct cuda_module *m);

/* Whether it is a module that was not freed. */
bool cuda_module_exists(const struct cuda_module *m);

/*
 * Compile it unless that was done, and make its variables. Returns 0 or the code that the
 * application gets: a failure is reported to the user once, in a sentence.
 */
int cuda_module_load(struct cuda_module *m);

/* The kernel of this name, created if needed: whether the module has it shows when it is loaded.
 * NULL: out of memory. Lives as long as the module. */
struct cuda_function *cuda_module_function(struct cuda_module *m, const char *name);

/* Number n of the loaded module's kernels, in their order; NULL past the last. */
struct cuda_function *cuda_module_function_at(struct cuda_module *m, size_t n);

/* Whether a handle is a kernel of an existing module. */
bool cuda_function_exists(const struct cuda_function *f);

/* Load the kernel's module and find it there: 0, what cuda_module_load() returns, or
 * cudaErrorInvalidDeviceFunction, which is reported to the user once. */
int cuda_function_load(struct cuda_function *f);

/* Why we cannot run a kernel that a GPU could; NULL: we can, or its module is not loaded or has no
 * kernel of this name. The string lives as long as the kernel's module. */
const char *cuda_function_refusal(const struct cuda_function *f);

/* The OpenCL kernel, created if needed; the core's order lock must be held. NULL on failure. */
cl_kernel cuda_function_kernel(struct cuda_function *f);

/* The memory of a variable. Loads the module. 0, what cuda_module_load() returns, or
 * cudaErrorInvalidSymbol. */
int cuda_module_variable(struct cuda_module *m, const char *name, void **memory, size_t *bytes);

/* The same by its number in the table of a loaded module. */
void *cuda_module_memory(const struct cuda_module *m, size_t symbol);

/* Note that a kernel of it is running: it may report an assertion. */
void cuda_module_launched(struct cuda_module *m);

/* Ask the modules whose kernels ran for failed assertions and traps. Returns what broke the device,
 * or 0. */
int cuda_module_check(void);

/* Give the variables of all modules their initial values again. Nothing may be running. */
void cuda_module_reset_all(void);

/*
 * cuda_launch - a kernel launch: CUDA's parameters become OpenCL arguments, and the kernel is
 * enqueued.
 */

struct cuda_launch {
	struct cuda_function *function;
	unsigned grid[3], group[3]; /* groups; work-items of one */
	size_t shared_bytes;        /* dynamic */
	void **params;              /* address of each parameter; or */
	const void *buffer;         /* all of them, each at its offset */
	size_t buffer_bytes;
	bool is_cooperative; /* all groups are to be resident at once */
};

/*
 * Returns 0 once it is enqueued. cudaErrorInvalidConfiguration for sizes that no GPU takes,
 * cudaErrorLaunchOutOfResources for more work-items than the kernel takes,
 * cudaErrorInvalidValue for more shared memory than there is and for missing parameters,
 * cudaErrorCooperativeLaunchTooLarge; what cuda_function_load() returns.
 */
int cuda_launch_run(const struct cuda_launch *launch, struct cuda_stream *s);

/*
 * cuda_binding - which kernel or variable of which module an address of the host's program stands
 * for.
 *
 * Programs register a stub of each kernel and a shadow of each variable before main() begins.
 */

struct cuda_binding {
	uintptr_t host;
	struct cuda_module *module;
	struct cuda_function *function; /* of a kernel */
	const char *name; /* of a variable, in the module; borrowed from the program */
	void **managed;   /* where the program wants a managed variable's address; or NULL */
};

/* False: out of memory. An address that is registered again stands for the new one. */
bool cuda_binding_add_function(const struct cuda_binding *binding);
bool cuda_binding_add_variable(const struct cuda_binding *binding);

/* What an address stands for. False: nothing. */
bool cuda_binding_find_function(const void *host, struct cuda_binding *out);
bool cuda_binding_find_variable(const void *host, struct cuda_binding *out);

/* Tell each managed variable's place of a module where the variable is: find_name(context, name).
 */
void cuda_binding_publish(const struct cuda_module *module,
                          void *(*find_name)(void *context, const char *name), void *context);

/* Forget all of a module. */
void cuda_binding_remove(const struct cuda_module *module);

#endif
