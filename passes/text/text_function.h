/*
 * text_function - one function of the module while it becomes OpenCL C (private to the text door).
 *
 * Failures stick: the first one is kept in `ret` and `err`, and whatever is written afterwards is
 * lost, so that only text_function_write()'s caller looks. ERR_UNSUPPORTED means that the function
 * has a construct which cannot be expressed; the message names it and its place in the source.
 *
 * Every integer is of an unsigned type in the text, i1 is bool, a vector of i1 is a char vector
 * of 0 and -1. A pointer is `uchar *` of its address space (warpline_global, ...), and its type is
 * said where memory is accessed. An array is a struct with one member `e`.
 */
#ifndef TEXT_FUNCTION_H
#define TEXT_FUNCTION_H

#include "kernel_flow.h"
#include "pointer_map.h"
#include "str.h"
#include "text_module.h"

#include <llvm-c/Core.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>

struct err;

struct text_function {
	struct text_module *module;
	LLVMValueRef function;
	bool is_kernel;
	LLVMValueRef at;         /* the instruction that is being written, or NULL */
	struct str *out;         /* where text goes */
	struct str declarations; /* variables of the whole function */
	struct str body;
	unsigned indent;
	bool is_dry;                /* nothing is written: labels are only asked for */
	struct kernel_flow flow;    /* its control flow */
	struct pointer_map numbers; /* values that have a variable: its number */
	struct pointer_map objects; /* values that are events, images, ...: enum text_object */
	struct pointer_map inlined; /* has instructions that are written where they are used */
	bool is_frozen; /* has a freeze: nothing that is undefined in C may be written */
	uint32_t number_count;
	int ret; /* 0 or what went wrong first */
	struct err *err;
};

/* Append to f->out, or to another text. Nothing after a failure or while is_dry. */
void text_put(struct text_function *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_put_to(struct text_function *f, struct str *to, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void text_append(struct text_function *f, struct str *to, const struct str *text);

/* Begin a line: its tabs. */
void text_line(struct text_function *f);

/* Refuse the function for a construct ("a vector of 5 elements"), at f->at's place. */
void text_refuse(struct text_function *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Note the failure `ret` of a call that has set f->err. */
void text_check(struct text_function *f, int ret);

/*
 * Append the whole of a function to *out, which is as it was when it cannot be written. Returns 0,
 * ERR_UNSUPPORTED, ERR_NOMEM, ERR_LIMIT.
 */
int text_function_write(struct text_module *m, LLVMValueRef function, const char *name,
                        struct str *out, struct err *err);

/* What metadata of a kernel says about its arguments and its launches. */

/*
 * String `index` of the metadata `kind` ("kernel_arg_type_qual") in `text`, cut at `size`; false
 * when it is absent.
 */
bool text_kernel_metadata(LLVMValueRef function, const char *kind, unsigned index, char *text,
                          size_t size);

#endif
