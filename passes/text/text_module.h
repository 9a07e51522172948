/*
 * text_module - what the functions of one output share: types, constants, extensions (private to
 * this folder).
 */
#ifndef TEXT_MODULE_H
#define TEXT_MODULE_H

#include "array.h"
#include "pointer_map.h"
#include "str.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include <stdbool.h>

struct kernel_table;
struct settings;

enum text_extension {
#define TEXT_EXTENSION(name, extension) TEXT_EXTENSION_##name,
#include "text_extensions.def"
#undef TEXT_EXTENSION
	TEXT_EXTENSION_COUNT,
};

/* A function that is not a kernel, written when the first kernel calls it. */
struct text_callee {
	char *name;
	char *refusal; /* why it cannot be written, or NULL */
};

struct text_module {
	const struct settings *settings;
	LLVMModuleRef module;
	LLVMContextRef context;
	LLVMTargetDataRef layout;
	unsigned pointer_bytes; /* 4 or 8 */
	bool takes_generic;     /* the language has generic pointers */
	struct str types, constants, prototypes, functions;
	struct pointer_map type_numbers;     /* structs and arrays -> index in names */
	struct pointer_map constant_numbers; /* program-scope variables -> number */
	struct pointer_map callee_numbers;   /* functions -> index in callees */
	struct array names;                  /* char *: names of types, owned */
	struct array callees;                /* struct text_callee */
	uint32_t constant_count;
	struct kernel_table
		*table;    /* of the kernel being written; NULL: no bypass list is applied */
	bool has_bypasses; /* there are loads that bypass L1 */
	bool has_generic;  /* uses pointers to the generic address space */
	bool uses[TEXT_EXTENSION_COUNT];
};

#endif
