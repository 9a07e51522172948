/*
 * ptx_origin - which parameter of its function each load's address comes from, as the passes tell
 * it of sites: through additions of offsets, conversions and choices, not through memory.
 */
#ifndef PTX_ORIGIN_H
#define PTX_ORIGIN_H

#include "ptx_module.h"

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
