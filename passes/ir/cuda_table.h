/*
 * cuda_table - what a CUDA program must know about device code that became OpenCL kernels: how the
 * parameter buffer of a launch becomes arguments, and which device variables there are.
 *
 * Does not use LLVM. retarget.h builds it; the library that stands in for CUDA's reads it as JSON.
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

/* An argument after those: dynamic shared memory, or the address of the variable `symbol`. */
struct cuda_hidden {
	char *symbol; /* NULL: dynamic shared memory */
};

struct cuda_kernel {
	char *name;
	struct array params; /* struct cuda_param */
	struct array args;   /* struct cuda_argument, in the OpenCL kernel's order */
	struct array hidden; /* struct cuda_hidden, following args */
	uint64_t static_shared_bytes, local_bytes, constant_bytes;
	uint64_t max_threads; /* per group; 0: not given */
	char *refusal;        /* why the code lacks this kernel, or NULL */
};

/*
 * Eight bytes of a variable's initial contents that hold another variable's address plus `addend`.
 */
struct cuda_relocation {
	uint64_t offset;
	char *symbol;
	int64_t addend;
};

enum cuda_space { CUDA_GLOBAL, CUDA_CONSTANT, CUDA_MANAGED };

/* A device variable that the program can look up by name. */
struct cuda_symbol {
	char *name;
	enum cuda_space space;
	uint64_t bytes, align;
	uint8_t *initial;         /* `bytes` bytes; NULL: zeros */
	struct array relocations; /* struct cuda_relocation */
};

struct cuda_table {
	struct array kernels;  /* struct cuda_kernel */
	struct array symbols;  /* struct cuda_symbol */
	struct array textures; /* char *: names that are refused as textures or surfaces */
};

/* Make an empty table. Release with cuda_table_release(). */
void cuda_table_init(struct cuda_table *t);
void cuda_table_release(struct cuda_table *t);

/* Append a kernel or symbol with that name, otherwise zeroed. The pointer is valid until the next
 * is added. NULL with ERR_NOMEM or ERR_LIMIT. */
struct cuda_kernel *cuda_table_add_kernel(struct cuda_table *t, const char *name, struct err *err);
struct cuda_symbol *cuda_table_add_symbol(struct cuda_table *t, const char *name, struct err *err);

/* The kernel or symbol with that name, or NULL. */
struct cuda_kernel *cuda_table_kernel(const struct cuda_table *t, const char *name);
struct cuda_symbol *cuda_table_symbol(const struct cuda_table *t, const char *name);

/* Append. Return 0, ERR_NOMEM or ERR_LIMIT. */
int cuda_kernel_add_param(struct cuda_kernel *k, struct cuda_param param, struct err *err);
int cuda_kernel_add_argument(struct cuda_kernel *k, struct cuda_argument argument, struct err *err);
int cuda_kernel_add_hidden(struct cuda_kernel *k, const char *symbol, struct err *err);
int cuda_symbol_add_relocation(struct cuda_symbol *s, uint64_t offset, const char *symbol,
                               int64_t addend, struct err *err);

/* Write the table to the file `path`. Returns 0, ERR_IO or ERR_NOMEM. */
int cuda_table_write(const struct cuda_table *t, const char *path, struct err *err);

#endif
