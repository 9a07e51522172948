/*
 * cuda_binding - which kernel or variable of which module an address of the host's program stands
 * for.
 *
 * Programs register a stub of each kernel and a shadow of each variable before main() begins.
 */
#ifndef CUDA_BINDING_H
#define CUDA_BINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_function;
struct cuda_module;

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
