/*
 * bypass_ptx_edit - the text of a PTX module with the chosen loads changed, and nothing else.
 *
 * A chosen load gets the cache operator, in the place of the one it has. A load of a function with
 * a threshold of warps becomes two, of which one runs: as it was, in the warps below the threshold,
 * and with the operator in the others. The warp's number is that of the program (linear local id
 * divided by 32), worked out once where the function begins; that of the hardware would move with
 * the warp. New registers have names that the text does not have anywhere.
 */
#ifndef BYPASS_PTX_EDIT_H
#define BYPASS_PTX_EDIT_H

#include "bypass_ptx_match.h"

struct err;
struct str;

enum bypass_ptx_fate {
	BYPASS_PTX_STAYS,
	BYPASS_PTX_PASSES, /* has the operator */
	BYPASS_PTX_PAIRED, /* in some warps */
};

/* What becomes of load `load` of function `function`, as indexes of the module's; what has the
 * operator already passes in all warps. */
enum bypass_ptx_fate bypass_ptx_fate(const struct ptx_module *m, const struct bypass_ptx_match *x,
                                     size_t function, size_t load, const char *cache_op);

/* Append the text. `cache_op` is ".cg" or ".cs". Returns 0, ERR_NOMEM, ERR_LIMIT. */
int bypass_ptx_edit(const struct ptx_module *m, const struct bypass_ptx_match *x,
                    const char *cache_op, struct str *out, struct err *err);

#endif
