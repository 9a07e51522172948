/*
 * builtin - what a function of the language does to memory, by its mangled name.
 *
 * Knows a table of them and how names are mangled (Itanium, as far as the
 * name itself goes); parameter types are LLVM's business.
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
	const char *what; /* static storage; "" where the table says nothing */
	uint32_t lanes;   /* LOAD, STORE: elements moved; else 1 */
	uint32_t stride;  /* LOAD, STORE: elements from one offset to the next; else 1 */
};

/* Look up a function's name as the IR has it ("_Z6vload4mPU3AS1Kf", "printf"), or, by
 * a second table, in code for NVPTX ("llvm.nvvm.barrier0"). */
struct builtin builtin_find(const char *symbol);

/*
 * The source-level name inside a mangled one: its first character, and its length in *length.
 * A name that is not mangled is its own.
 */
const char *builtin_source_name(const char *symbol, size_t *length);

#endif
