/*
 * ptx_lines - the loads of a function by what a recording knows them by: the line of the source,
 * the names of kernel and file, and the parameter that the address comes from.
 */
#ifndef PTX_LINES_H
#define PTX_LINES_H

#include "ptx_module.h"

#include <stdbool.h>

struct err;

/* A load at a line: of its own place (depth 0), or of a call that it was inlined at. */
struct ptx_line_load {
	uint32_t line, file, column, depth;
	uint32_t load; /* index in the function */
};

struct ptx_lines {
	struct ptx_line_load *items; /* by line, then as the loads stand */
	size_t count;
};

/* Release with ptx_lines_release(). Returns 0, ERR_NOMEM, ERR_LIMIT. */
int ptx_lines_init(struct ptx_lines *l, const struct ptx_module *m,
                   const struct ptx_module_function *f, struct err *err);
void ptx_lines_release(struct ptx_lines *l);

/*
 * Copy to `out` the loads at a line of `file`, in their order: those written there, or if there are
 * none, those of the nearest calls inlined there. `file` NULL is the one in which the function
 * begins. `out` has room for all of *l; returns how many there are.
 */
size_t ptx_lines_find(const struct ptx_lines *l, const struct ptx_module *m,
                      const struct ptx_module_function *f, const char *file, uint32_t line,
                      struct ptx_line_load *out);

/* The names of kernels and files in PTX source, compared with those of a recording. */

/*
 * Whether a function of the text is this kernel: it has the name, or it is a C++ name that has it
 * inside. `mm` and `ns::mm` are both in _ZN2ns2mmEPf, `mm` is in _Z2mmIfEvPT_, for every template
 * argument.
 */
bool ptx_name_is(const char *function, const char *kernel);

/* Whether two paths may be of one file: one is the other, or its end from a '/' on; "./" says
 * nothing. */
bool ptx_file_is(const char *path, const char *other);

/*
 * Which parameter of its function each load's address comes from, as the passes report it of sites:
 * through additions of offsets, conversions and choices, not through memory.
 */

/* Not known: from none, or from several. */
#define PTX_ORIGIN_UNKNOWN (-1)

/*
 * For each load of the function the number of a parameter, or PTX_ORIGIN_UNKNOWN. `is_pointer` says
 * of each parameter whether it may be; NULL: those with `.ptr`, or if none has it all that are
 * wide enough. The caller frees the result; NULL with ERR_NOMEM.
 */
int32_t *ptx_origin_of_loads(const struct ptx_module *m, const struct ptx_module_function *f,
                             const bool *is_pointer, struct err *err);

#endif
