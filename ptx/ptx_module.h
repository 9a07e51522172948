/*
 * ptx_module - what a bypass list needs from PTX source: its functions, their loads, the source
 * lines of these, and how addresses flow from parameters to them.
 *
 * It does not check the PTX. Anything between functions that is not a directive is skipped, and so
 * are unknown instructions. All offsets are bytes of the text.
 */
#ifndef PTX_MODULE_H
#define PTX_MODULE_H

#include "array.h"
#include "ptx_items.h"

#include <stdbool.h>
#include <stdint.h>

struct err;

#define PTX_FROM_PARAMETER (UINT32_C(1) << 31) /* flag in ptx_flow.from */

/* A `.loc` directive. */
struct ptx_place {
	uint32_t file, line, column;
	uint32_t caller; /* index of the place where this was inlined, or PTX_NONE */
};

/* Register `to` may hold an address that `from` holds: a register, or PTX_FROM_PARAMETER plus the
 * number of a parameter of the function. */
struct ptx_flow {
	uint32_t to, from;
};

/* A load that is, or may be, of global memory. */
struct ptx_load {
	size_t begin, end;     /* the statement, including guard and semicolon */
	size_t opcode;         /* where the opcode begins, after the guard */
	struct ptx_word guard; /* the register of `@%p`; empty: none */
	bool is_negated;       /* `@!%p` */
	struct ptx_word space; /* `.global`; empty: none, a generic address */
	struct ptx_word op;    /* its cache operator; empty: none */
	const char *obstacle;  /* why it cannot be changed, or NULL; static storage */
	uint32_t place;        /* index of the places, or PTX_NONE */
	uint32_t address;      /* the register, or PTX_NONE */
};

struct ptx_module_function {
	char *name;
	bool is_entry;
	size_t start;   /* where new instructions can be inserted: at the first instruction, or its
	                   line */
	uint32_t place; /* its first place, or PTX_NONE */
	size_t first_parameter, parameter_count; /* in items.parameters */
	size_t first_flow, flow_count;
	size_t first_load, load_count;
	uint32_t register_count;
};

struct ptx_module {
	const char *path, *text; /* borrowed */
	size_t length;
	struct ptx_items items;
	struct array files, paths; /* struct ptx_file, and its path (char *) */
	struct array places, flows, loads, functions;
};

/*
 * Read PTX source; release in every case. Path and text are borrowed until then. Returns 0,
 * ERR_FORMAT with "PATH:LINE: ...", ERR_LIMIT or ERR_NOMEM.
 */
int ptx_module_read(struct ptx_module *m, const char *path, const char *text, size_t length,
                    struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void ptx_module_release(struct ptx_module *m);

const struct ptx_module_function *ptx_module_function(const struct ptx_module *m, size_t index);
const struct ptx_load *ptx_module_load(const struct ptx_module *m, size_t index);
/* Returns whether a parameter is `.ptr`; whether it is a number as wide as an address. */
bool ptx_module_is_pointer(const struct ptx_module *m, const struct ptx_module_function *f,
                           size_t parameter);
bool ptx_module_is_wide(const struct ptx_module *m, const struct ptx_module_function *f,
                        size_t parameter);

/* Returns NULL for PTX_NONE. */
const struct ptx_place *ptx_module_place(const struct ptx_module *m, uint32_t index);

/* Returns the path of a `.file` number; "" if there is none. */
const char *ptx_module_file(const struct ptx_module *m, uint32_t number);

#endif
