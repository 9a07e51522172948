/*
 * mangle - decodes the mangled name of an OpenCL built-in function: its name, and its parameters as
 * written in OpenCL C.
 *
 * Reads the Itanium mangling as far as clang uses it for OpenCL C: scalars, vectors, pointers with
 * address spaces and qualifiers, _Atomic, images, samplers, events, enumerations, substitutions. No
 * templates, no namespaces. This is the only place that knows what a pointer points to: pointers of
 * the IR do not say.
 */
#ifndef MANGLE_H
#define MANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define MANGLE_MAX_PARAMETERS 16
#define MANGLE_MAX_TYPE       96 /* bytes of a type's string, with the final NUL */

enum mangle_kind {
	MANGLE_VOID,
	MANGLE_SCALAR, /* a number or an enumeration */
	MANGLE_VECTOR,
	MANGLE_POINTER,
	MANGLE_OBJECT, /* image, sampler, event, ...: no arithmetic, no casts */
};

struct mangle_parameter {
	enum mangle_kind kind;
	bool has_space; /* while it is being read: `text` names its address space */
	/* Of a number, a vector, or what a pointer points to; 0 bytes: unknown. */
	unsigned element_bytes, lanes;
	char text[MANGLE_MAX_TYPE]; /* "uint4", "volatile __global int *", "event_t" */
};

struct mangle {
	const char *name; /* in the symbol, not terminated by NUL */
	size_t length;
	struct mangle_parameter parameters[MANGLE_MAX_PARAMETERS];
	unsigned parameter_count;
};

/*
 * Objects are numbered. Returns the name of object `i`, NULL after the last; or the number of a
 * name ("event_t"), or -1.
 */
const char *mangle_object(unsigned i);
int mangle_object_number(const char *text);

/* Decode `symbol`; false when it is not the mangled name of such a function. */
bool mangle_read(struct mangle *m, const char *symbol);

/*
 * Fill *pointee for parameter `index`. Returns false if the symbol does not give the number of
 * bytes and lanes that it points to.
 */
bool mangle_pointee(const char *symbol, unsigned index, struct mangle_parameter *pointee);

#endif
