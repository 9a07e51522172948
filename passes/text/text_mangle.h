/*
 * text_mangle - what the mangled name of an OpenCL builtin says: its name and its
 * parameters as OpenCL C writes them.
 *
 * Reads the Itanium mangling as far as clang uses it for OpenCL C: scalars,
 * vectors, pointers with address spaces and qualifiers, _Atomic, images, samplers,
 * events, enumerations, substitutions. No templates, no namespaces.
 */
#ifndef TEXT_MANGLE_H
#define TEXT_MANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define TEXT_MANGLE_MAX_PARAMETERS 16
#define TEXT_MANGLE_MAX_TYPE       96 /* bytes of a type's text, with the final NUL */

enum text_parameter_kind {
	TEXT_PARAMETER_VOID,
	TEXT_PARAMETER_SCALAR, /* a number or an enumeration */
	TEXT_PARAMETER_VECTOR,
	TEXT_PARAMETER_POINTER,
	TEXT_PARAMETER_OBJECT, /* image, sampler, event, ...: no arithmetic, no casts */
};

struct text_parameter {
	enum text_parameter_kind kind;
	bool has_space; /* while it is read: `text` names the address space it lies in */
	char text[TEXT_MANGLE_MAX_TYPE]; /* "uint4", "volatile __global int *", "event_t" */
};

struct text_mangle {
	const char *name; /* in the symbol, not ended by NUL */
	size_t length;
	struct text_parameter parameters[TEXT_MANGLE_MAX_PARAMETERS];
	unsigned parameter_count;
};

/*
 * Objects by number: the name of number `i`, NULL after the last; the number of a name
 * ("event_t"), or -1.
 */
const char *text_mangle_object(unsigned i);
int text_mangle_object_number(const char *text);

/* Read `symbol`; false when it is not the mangled name of such a function. */
bool text_mangle_read(struct text_mangle *m, const char *symbol);

#endif
