/*
 * text_function - one function of the module while it is written as OpenCL C, and what all share
 * (private to this folder).
 *
 * Failures are sticky: the first is kept in `ret` and `err`, and anything written afterwards is
 * discarded, so only the caller of text_function_write() needs to check. ERR_UNSUPPORTED means that
 * the function has a construct that cannot be expressed; the message names it and its source
 * position.
 *
 * In the output every integer has an unsigned type, i1 is bool, a vector of i1 is a char vector of
 * 0 and -1. A pointer is `uchar *` in its address space (warpline_global, ...); the accessed type
 * is written at each access. An array is a struct with one member `e`.
 */
#ifndef TEXT_FUNCTION_H
#define TEXT_FUNCTION_H

#include "array.h"
#include "kernel_flow.h"
#include "pointer_map.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>

struct kernel_table;
struct settings;

/* Extensions that the output enables with a pragma if it uses them. */
enum text_extension {
	TEXT_EXTENSION_FP64,
	TEXT_EXTENSION_FP16,
	TEXT_EXTENSION_INT64_BASE,
	TEXT_EXTENSION_INT64_MORE,
	TEXT_EXTENSION_IMAGE_3D,
	TEXT_EXTENSION_DEPTH,
	TEXT_EXTENSION_MSAA,
	TEXT_EXTENSION_SUBGROUPS,
	TEXT_EXTENSION_COUNT,
};

/* A function that is not a kernel, written when the first kernel calls it. */
struct text_callee {
	char *name;
	char *refusal; /* why it cannot be written, or NULL */
};

/* What the functions of one output share: types, constants, extensions. */
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
	struct kernel_table *table; /* of the kernel being written; NULL: no bypasses */
	bool has_bypasses;          /* there are loads that bypass L1 */
	bool has_generic;           /* uses pointers to the generic address space */
	bool uses[TEXT_EXTENSION_COUNT];
};

struct err;

struct text_function {
	struct text_module *module;
	LLVMValueRef function;
	bool is_kernel;
	LLVMValueRef at;         /* the instruction being written, or NULL */
	struct str *out;         /* where output goes */
	struct str declarations; /* variables of the whole function */
	struct str body;
	unsigned indent;
	bool is_dry;                /* discard output: only labels are being collected */
	struct kernel_flow flow;    /* its control flow */
	struct pointer_map numbers; /* the variable number of each value that has one */
	struct pointer_map objects; /* events, images, ...: enum text_object of each value */
	struct pointer_map inlined; /* instructions that are written where they are used */
	bool is_frozen; /* contains a freeze: nothing that is undefined in C may be written */
	uint32_t number_count;
	int ret; /* 0 or the first error */
	struct err *err;
};

/* Append to f->out, or to another string. Nothing is written after a failure or while is_dry. */
void text_put(struct text_function *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_put_to(struct text_function *f, struct str *to, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void text_append(struct text_function *f, struct str *to, const struct str *text);

/* Begin a line: write its tabs. */
void text_line(struct text_function *f);

/* Refuse the function because of a construct ("a vector of 5 elements"), at f->at's source
 * position. */
void text_refuse(struct text_function *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Note the error `ret` of a call that has set f->err. */
void text_check(struct text_function *f, int ret);

/*
 * Append a whole function to *out, which is unchanged if it cannot be written. Returns 0,
 * ERR_UNSUPPORTED, ERR_NOMEM or ERR_LIMIT.
 */
int text_function_write(struct text_module *m, LLVMValueRef function, const char *name,
                        struct str *out, struct err *err);

/* What the metadata of a kernel says about its arguments and launches. */

/*
 * Copy string `index` of the metadata `kind` ("kernel_arg_type_qual") to `text`, truncated to
 * `size`; false when it is absent.
 */
bool text_kernel_metadata(LLVMValueRef function, const char *kind, unsigned index, char *text,
                          size_t size);

#endif
