/*
 * mangle - what the mangled name of an OpenCL builtin says: its name and its parameters as OpenCL C
 * writes them.
 *
 * Reads the Itanium mangling as far as clang uses it for OpenCL C: scalars, vectors, pointers with
 * address spaces and qualifiers, _Atomic, images, samplers, events, enumerations, substitutions. No
 * templates, no namespaces. Pointers of the IR do not say what they point to: this does.
 */
#ifndef MANGLE_H
#define MANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define MANGLE_MAX_PARAMETERS 16
#define MANGLE_MAX_TYPE       96 /* bytes of a type's text, with the final NUL */

enum mangle_kind {
	MANGLE_VOID,
	MANGLE_SCALAR, /* a number or an enumeration */
	MANGLE_VECTOR,
	MANGLE_POINTER,
	MANGLE_OBJECT, /* image, sampler, event, ...: no arithmetic, no casts */
};

struct mangle_parameter {
	enum mangle_kind kind;
	bool has_space; /* while it is read: `text` names its address space */
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
 * Objects by number: the name of number `i`, NULL after the last; the number of a name
 * ("event_t"), or -1.
 */
const char *mangle_object(unsigned i);
int mangle_object_number(const char *text);

/* Read `symbol`; false when it is not the mangled name of such a function. */
bool mangle_read(struct mangle *m, const char *symbol);

/*
 * Fill *pointee for parameter `index`; false if the symbol does not say how many bytes and lanes it
 * points to.
 */
bool mangle_pointee(const char *symbol, unsigned index, struct mangle_parameter *pointee);

#endif
