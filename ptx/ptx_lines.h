/*
 * ptx_lines - the loads of a function by the lines of the source that they come from.
 */
#ifndef PTX_LINES_H
#define PTX_LINES_H

#include "ptx_module.h"

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

#endif
