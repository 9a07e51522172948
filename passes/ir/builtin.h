/*
 * builtin - what a built-in function does to memory, looked up by its mangled name.
 *
 * Decodes names only (Itanium mangling); parameter types come from LLVM.
 */
#ifndef BUILTIN_H
#define BUILTIN_H

#include <stddef.h>
#include <stdint.h>

enum builtin_class {
	BUILTIN_NONE, /* not in the table */
	BUILTIN_ATOMIC,
	BUILTIN_ATOMIC_COMPARE,
	BUILTIN_INIT,
	BUILTIN_LOAD,
	BUILTIN_STORE,
	BUILTIN_RESULT,
	BUILTIN_COPY,
	BUILTIN_READ,
	BUILTIN_PREFETCH,
	BUILTIN_BARRIER,
	BUILTIN_BARRIER_FULL,
	BUILTIN_COLLECTIVE,
	BUILTIN_FENCE,
	BUILTIN_WAIT,
	BUILTIN_NOTHING,
	BUILTIN_PASSED,
	BUILTIN_EFFECT,
};

struct builtin {
	enum builtin_class class;
	const char *what; /* static storage; "" where the table has no description */
	uint32_t lanes;   /* LOAD, STORE: elements moved; else 1 */
	uint32_t stride;  /* LOAD, STORE: elements from one offset to the next; else 1 */
};

/* Look up a function by its name in the IR ("_Z6vload4mPU3AS1Kf", "printf"), or in NVPTX code
 * ("llvm.nvvm.barrier0"), which has a table of its own. */
struct builtin builtin_find(const char *symbol);

/*
 * Returns the first character of the source-level name inside a mangled one, and its length in
 * *length. A name that is not mangled is returned unchanged.
 */
const char *builtin_source_name(const char *symbol, size_t *length);

#endif
