/*
 * ptx_lines - finds the loads of a function by the names that a recording uses: line of the source,
 * names of kernel and file, and the parameter that the address comes from.
 */
#ifndef PTX_LINES_H
#define PTX_LINES_H

#include "ptx_module.h"

#include <stdbool.h>

struct err;

/* A load at a line: the line of the load (depth 0), or of a call through which it was inlined. */
struct ptx_line_load {
	uint32_t line, file, column, depth;
	uint32_t load; /* index in the function */
};

struct ptx_lines {
	struct ptx_line_load *items; /* by line, then in the order of the loads */
	size_t count;
};

/* Find all loads of a function. Release with ptx_lines_release(). Returns 0, ERR_NOMEM or
 * ERR_LIMIT. */
int ptx_lines_init(struct ptx_lines *l, const struct ptx_module *m,
                   const struct ptx_module_function *f, struct err *err);
void ptx_lines_release(struct ptx_lines *l);

/*
 * Copy to `out` the loads at a line of `file`, in order: those written there, or, if there are
 * none, those of the nearest calls inlined there. If `file` is NULL, it is the file in which the
 * function begins. `out` must have room for all loads of *l. Returns their number.
 */
size_t ptx_lines_find(const struct ptx_lines *l, const struct ptx_module *m,
                      const struct ptx_module_function *f, const char *file, uint32_t line,
                      struct ptx_line_load *out);

/* The names of kernels and files in PTX source, compared with those of a recording. */

/*
 * Returns whether a function of the PTX is this kernel: it has the name, or is a mangled C++ name
 * that contains it. `mm` and `ns::mm` both match _ZN2ns2mmEPf; `mm` matches _Z2mmIfEvPT_, for any
 * template argument.
 */
bool ptx_name_is(const char *function, const char *kernel);

/* Returns whether two paths may be of the same file: they are equal, or one is the end of the other
 * from a '/' on; "./" is ignored. */
bool ptx_file_is(const char *path, const char *other);

/*
 * Finds the parameter of its function that each load's address comes from, as the passes report it
 * for sites: through additions of offsets, conversions and selections, not through memory.
 */

/* Unknown: from no parameter, or from several. */
#define PTX_ORIGIN_UNKNOWN (-1)

/*
 * Returns, for each load of the function, the number of a parameter or PTX_ORIGIN_UNKNOWN.
 * `is_pointer` says which parameters may be it; NULL: those with `.ptr`, or, if none has it, all
 * that are as wide as an address. The caller frees the result. Returns NULL with ERR_NOMEM.
 */
int32_t *ptx_origin_of_loads(const struct ptx_module *m, const struct ptx_module_function *f,
                             const bool *is_pointer, struct err *err);

#endif
