/*
 * ptx_symbols - the meaning of names in PTX source, by scope: registers, variables, functions,
 * labels.
 *
 * A range of registers (%r<100>) is one symbol; slots for its values are created on first use.
 */
#ifndef PTX_SYMBOLS_H
#define PTX_SYMBOLS_H

#include "ptx_statements.h"

#include <llvm-c/Types.h>

struct err;

enum ptx_symbol_kind {
	PTX_SYMBOL_REGISTER, /* value: its slot, or NULL; for `count` of them: slots
	                      */
	PTX_SYMBOL_VARIABLE, /* value: its address */
	PTX_SYMBOL_FUNCTION,
	PTX_SYMBOL_LABEL,
	PTX_SYMBOL_TARGETS, /* `statement` lists them */
};

struct ptx_symbol {
	struct ptx_word name;
	enum ptx_symbol_kind kind;
	enum ptx_type type;
	enum ptx_space space;
	LLVMValueRef value;
	LLVMValueRef *slots; /* for a range: `count` of them, owned */
	LLVMBasicBlockRef node;
	uint64_t count, bytes;
	const struct ptx_statement *statement;
	uint32_t scope;
	uint32_t function; /* index of a function */
	uint32_t next;     /* the next older symbol in the bucket */
};

struct ptx_symbols {
	struct array list; /* struct ptx_symbol */
	uint32_t *buckets; /* the newest symbol of each, or PTX_NONE */
};

/* Start empty. Returns 0 or ERR_NOMEM. Release accepts a zeroed struct. */
int ptx_symbols_init(struct ptx_symbols *y, struct err *err);
void ptx_symbols_release(struct ptx_symbols *y);

/* Add a symbol, which hides older ones of that name. Valid until the next is added; NULL when out
 * of memory. */
struct ptx_symbol *ptx_symbols_add(struct ptx_symbols *y, const struct ptx_symbol *symbol,
                                   struct err *err);

/* The newest symbol of this name, or NULL; the next older one of the same name. */
struct ptx_symbol *ptx_symbols_find(const struct ptx_symbols *y, struct ptx_word name);
struct ptx_symbol *ptx_symbols_older(const struct ptx_symbols *y, const struct ptx_symbol *of);

/* Remove all but the oldest `count`. */
void ptx_symbols_cut(struct ptx_symbols *y, size_t count);

/*
 * Where the value of a register is stored, found by its name or as part of a range. NULL when there
 * is no such register. *type is its type.
 */
LLVMValueRef *ptx_symbols_register(struct ptx_symbols *y, struct ptx_word name,
                                   enum ptx_type *type);

#endif
