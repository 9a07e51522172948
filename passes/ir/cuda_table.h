/*
 * cuda_table - what a program of CUDA must know of device code that became OpenCL kernels: how the
 * parameter buffer of a launch becomes arguments, which variables of the device there are.
 *
 * No LLVM in it. Made by retarget.h, written as JSON for the library that stands in for CUDA's.
 */
#ifndef CUDA_TABLE_H
#define CUDA_TABLE_H

#include "array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* A parameter as CUDA passes it. */
struct cuda_param {
	uint64_t offset; /* bytes, in the parameter buffer */
	uint64_t bytes;
};

/* An argument of the OpenCL kernel: `bytes` bytes at `offset` of parameter number `param`. */
struct cuda_argument {
	uint32_t param;
	uint64_t offset, bytes;
	bool is_pointer;
};

/* An argument after those: dynamic shared memory, or where the variable `symbol` lies. */
struct cuda_hidden {
	char *symbol; /* NULL: dynamic shared memory */
};

struct cuda_kernel {
	char *name;
	struct array params; /* struct cuda_param */
	struct array args;   /* struct cuda_argument, in OpenCL's order */
	struct array hidden; /* struct cuda_hidden, after them */
	uint64_t static_shared_bytes, local_bytes, constant_bytes;
	uint64_t max_threads; /* of a group; 0: not said */
	char *refusal;        /* why there is no such kernel in the code, or NULL */
};

/* Eight bytes of a variable's initial contents that are the address of another, plus `addend`. */
struct cuda_relocation {
	uint64_t offset;
	char *symbol;
	int64_t addend;
};

enum cuda_space { CUDA_GLOBAL, CUDA_CONSTANT, CUDA_MANAGED };

/* A variable of the device that the program can ask for by name. */
struct cuda_symbol {
	char *name;
	enum cuda_space space;
	uint64_t bytes, align;
	uint8_t *initial;         /* `bytes` of them; NULL: zeros */
	struct array relocations; /* struct cuda_relocation */
};

struct cuda_table {
	struct array kernels;  /* struct cuda_kernel */
	struct array symbols;  /* struct cuda_symbol */
	struct array textures; /* char *: names of what is refused as texture or surface */
};

/* An empty table. Release with cuda_table_release(). */
void cuda_table_init(struct cuda_table *t);
void cuda_table_release(struct cuda_table *t);

/* Append a kernel or symbol of that name, zeroed otherwise. Valid until the next. NULL: ERR_NOMEM,
 * ERR_LIMIT. */
struct cuda_kernel *cuda_table_add_kernel(struct cuda_table *t, const char *name, struct err *err);
struct cuda_symbol *cuda_table_add_symbol(struct cuda_table *t, const char *name, struct err *err);

/* The kernel or symbol of a name, or NULL. */
struct cuda_kernel *cuda_table_kernel(const struct cuda_table *t, const char *name);
struct cuda_symbol *cuda_table_symbol(const struct cuda_table *t, const char *name);

/* Append. 0, ERR_NOMEM or ERR_LIMIT. */
int cuda_kernel_add_param(struct cuda_kernel *k, struct cuda_param param, struct err *err);
int cuda_kernel_add_argument(struct cuda_kernel *k, struct cuda_argument argument, struct err *err);
int cuda_kernel_add_hidden(struct cuda_kernel *k, const char *symbol, struct err *err);
int cuda_symbol_add_relocation(struct cuda_symbol *s, uint64_t offset, const char *symbol,
                               int64_t addend, struct err *err);

/* Write the table into the file `path`. 0, ERR_IO or ERR_NOMEM. */
int cuda_table_write(const struct cuda_table *t, const char *path, struct err *err);

#endif
