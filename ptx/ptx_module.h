/*
 * ptx_module - what a bypass list must know of a PTX text: its functions, their loads, the places
 * in the source that these come from, and how addresses flow from parameters to them.
 *
 * No check of PTX as such: what is between functions and is no directive is passed over, and so is
 * an instruction that is not known. All offsets are bytes of the text.
 */
#ifndef PTX_MODULE_H
#define PTX_MODULE_H

#include "array.h"
#include "ptx_items.h"

#include <stdbool.h>
#include <stdint.h>

struct err;

#define PTX_FROM_PARAMETER (UINT32_C(1) << 31) /* in a flow's `from` */

/* What a `.loc` says. */
struct ptx_place {
	uint32_t file, line, column;
	uint32_t caller; /* the place that this was inlined at, an index of the places; or PTX_NONE
	                  */
};

/* Register `to` may hold an address that `from` holds: a register, or PTX_FROM_PARAMETER and the
 * parameter's number in its function. */
struct ptx_flow {
	uint32_t to, from;
};

/* A load that is of global memory, or may be. */
struct ptx_load {
	size_t begin, end;     /* the statement, its guard and its semicolon included */
	size_t opcode;         /* where it begins after the guard */
	struct ptx_word guard; /* the register of `@%p`; empty: none */
	bool is_negated;       /* `@!%p` */
	struct ptx_word space; /* `.global`; empty: none, a generic address */
	struct ptx_word op;    /* the cache operator that it has; empty: none */
	const char *obstacle;  /* why it cannot be changed, or NULL; static storage */
	uint32_t place;        /* index of the places, or PTX_NONE */
	uint32_t address;      /* the register, or PTX_NONE */
};

struct ptx_module_function {
	char *name;
	bool is_entry;
	size_t start;   /* of the first instruction's line or of itself: new ones may stand there */
	uint32_t place; /* its first, or PTX_NONE */
	size_t first_parameter, parameter_count; /* of the items' parameters */
	size_t first_flow, flow_count;
	size_t first_load, load_count;
	uint32_t register_count;
};

struct ptx_module {
	const char *path, *text; /* borrowed */
	size_t length;
	struct ptx_items items;
	struct array files, paths; /* struct ptx_file, and char * of each */
	struct array places, flows, loads, functions;
};

/*
 * Read PTX source; release in every case. Path and text are borrowed until then. Returns 0;
 * ERR_FORMAT with "PATH:LINE: ..."; ERR_LIMIT, ERR_NOMEM.
 */
int ptx_module_read(struct ptx_module *m, const char *path, const char *text, size_t length,
                    struct err *err);

/* Accepts a zeroed struct. */
void ptx_module_release(struct ptx_module *m);

const struct ptx_module_function *ptx_module_function(const struct ptx_module *m, size_t index);
const struct ptx_load *ptx_module_load(const struct ptx_module *m, size_t index);
/* Whether a parameter is `.ptr`, or a number as wide as an address. */
bool ptx_module_is_pointer(const struct ptx_module *m, const struct ptx_module_function *f,
                           size_t parameter);
bool ptx_module_is_wide(const struct ptx_module *m, const struct ptx_module_function *f,
                        size_t parameter);

/* NULL for PTX_NONE. */
const struct ptx_place *ptx_module_place(const struct ptx_module *m, uint32_t index);

/* The path that `.file` gives to a number; "" when it gives none. */
const char *ptx_module_file(const struct ptx_module *m, uint32_t number);

#endif
