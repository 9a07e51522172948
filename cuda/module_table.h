/*
 * module_table - what the instrumenter says of a CUDA module (--cuda-table): how the parameters of
 * its kernels become OpenCL arguments, and which variables it has.
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

/* An argument that the program does not know of, after its own. */
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

/* At `offset` lies the address of another variable and what is added to it. */
struct symbol_relocation {
	size_t offset, symbol;
	int64_t addend;
};

struct symbol_entry {
	char *name;
	enum symbol_space space;
	size_t bytes, align;
	unsigned char *initial; /* `bytes` of them; NULL: zeros */
	struct symbol_relocation *relocations;
	size_t relocation_count;
};

struct module_table {
	struct kernel_entry *kernels;
	size_t kernel_count;
	struct symbol_entry *symbols;
	size_t symbol_count;
	char **textures; /* names that the program cannot have */
	size_t texture_count;
};

/* Read the text of a table. Release *t in every case. Returns 0, ERR_FORMAT with what is wrong
 * where, ERR_NOMEM. */
int module_table_parse(struct module_table *t, const char *text, size_t length, struct err *err);

/* Free. Accepts a zeroed one. */
void module_table_release(struct module_table *t);

/* Find by name. Returns NULL, or symbol_count, when nothing has this name. */
const struct kernel_entry *module_table_kernel(const struct module_table *t, const char *name);
size_t module_table_symbol(const struct module_table *t, const char *name);

#endif
