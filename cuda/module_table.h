/*
 * module_table - the instrumenter's table of a CUDA module (--cuda-table): how its kernels'
 * parameters become OpenCL arguments, and its variables.
 */
#ifndef MODULE_TABLE_H
#define MODULE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct kernel_param {
	size_t offset, bytes; /* in CUDA's parameter buffer */
};

/* An OpenCL argument made of a part of a parameter. */
struct kernel_part {
	size_t param, offset, bytes; /* param: index; the part lies within it */
	bool is_pointer;
};

/* An argument after the program's own that the program does not know of. */
struct kernel_hidden {
	bool is_dynamic_shared;
	size_t symbol; /* else the index of a variable */
};

struct kernel_entry {
	char *name;
	struct kernel_param *params;
	size_t param_count;
	struct kernel_part *parts;
	size_t part_count;
	struct kernel_hidden *hidden;
	size_t hidden_count;
	size_t static_shared_bytes, max_threads, local_bytes, constant_bytes; /* 0: not known */
	char *refusal; /* why it cannot run, or NULL */
};

enum symbol_space { SYMBOL_GLOBAL, SYMBOL_CONSTANT, SYMBOL_MANAGED };

/* A word at `offset` that is the address of another variable plus an addend. */
struct symbol_relocation {
	size_t offset, symbol;
	int64_t addend;
};

struct symbol_entry {
	char *name;
	enum symbol_space space;
	size_t bytes, align;
	unsigned char *initial; /* initial value, `bytes` bytes; NULL: zeros */
	struct symbol_relocation *relocations;
	size_t relocation_count;
};

struct module_table {
	struct kernel_entry *kernels;
	size_t kernel_count;
	struct symbol_entry *symbols;
	size_t symbol_count;
	char **textures; /* names that are not supported */
	size_t texture_count;
};

/* Parse a table. Release *t in every case. Returns 0, ERR_FORMAT with the fault and its place, or
 * ERR_NOMEM. */
int module_table_parse(struct module_table *t, const char *text, size_t length, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void module_table_release(struct module_table *t);

/* Find a kernel, a symbol by name. Return NULL, or symbol_count, when nothing has this name. */
const struct kernel_entry *module_table_kernel(const struct module_table *t, const char *name);
size_t module_table_symbol(const struct module_table *t, const char *name);

#endif
