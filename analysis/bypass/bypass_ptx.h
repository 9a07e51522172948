/*
 * bypass_ptx - applies a bypass list to a PTX module: finds the loads that the rules mean, and
 * makes the text with these loads changed.
 *
 * A rule of a kernel applies to the functions that have its name (ptx_lines.h), a rule of all
 * kernels to all functions. `all` means every load. `line N` means the loads of line N in the file
 * in which the function begins. `argument NAME` means the loads whose address comes from that
 * parameter, and `buffer N` the same where the parameter holds that buffer in each launch; both
 * need the recording. `warps PI` pairs the loads that no other rule means. An address is valid only
 * in one run: rules of that kind are never applied.
 *
 * A site is looked for among the loads of its line. If columns distinguish both the loads and the
 * sites of the line (compilers based on clang), they decide; then, with the recording, the
 * parameters that the addresses come from, if all of them are known. That leaves n loads for m
 * sites. If all m are chosen, all n are; if n is a multiple of m, every m-th, in order (loops are
 * unrolled that way); otherwise the rule is not applied. Without the recording m is unknown: the
 * load with the site's number in its line is chosen, and a note says that order decided.
 */
#ifndef BYPASS_PTX_H
#define BYPASS_PTX_H

#include "array.h"
#include "ptx_module.h"

struct bypass_list;
struct err;
struct recording;
struct str;

#define BYPASS_PTX_ALL_WARPS UINT32_MAX

struct bypass_ptx_match {
	bool *is_chosen;    /* per load of the module */
	uint32_t *warps;    /* per function: warps from this one on bypass; BYPASS_PTX_ALL_WARPS: no
	                       rule names one */
	struct array notes; /* of char *: sentences for the user */
	size_t notes_left;  /* notes for which there was no room */
	size_t left_rules;  /* rules applied to nothing; each has a note, or is counted in one */
};

/*
 * Match the rules; `recording` may be NULL. Release in either case. Returns 0; ERR_USAGE when a
 * site's place in the list differs from the recording's; ERR_NOMEM, ERR_LIMIT.
 */
int bypass_ptx_match_init(struct bypass_ptx_match *out, const struct ptx_module *m,
                          const struct bypass_list *list, const struct recording *recording,
                          struct err *err);
void bypass_ptx_match_release(struct bypass_ptx_match *out);

/* Returns the number of recorded launches of kernel `kernel` (an index) whose argument `argument`
 * was the buffer; *launches gets the kernel's number of recorded launches. */
size_t bypass_buffer_launches(const struct recording *r, size_t kernel, size_t argument,
                              uint64_t buffer, size_t *launches);

enum bypass_ptx_fate {
	BYPASS_PTX_STAYS,
	BYPASS_PTX_PASSES, /* gets the operator */
	BYPASS_PTX_PAIRED, /* gets it in some warps */
};

/* Returns what becomes of load `load` of function `function`, both indexes in the module. A load
 * that already has the operator passes in all warps. */
enum bypass_ptx_fate bypass_ptx_fate(const struct ptx_module *m, const struct bypass_ptx_match *x,
                                     size_t function, size_t load, const char *cache_op);

/*
 * Append the module's text with the chosen loads changed, and nothing else. `cache_op` is ".cg" or
 * ".cs". Returns 0, ERR_NOMEM or ERR_LIMIT.
 *
 * A chosen load gets the cache operator instead of its own. A load of a function with a threshold
 * of warps becomes two, of which one runs: unchanged in warps below the threshold, with the
 * operator in the others. The warp's number is the program's (linear local id divided by 32),
 * computed once at the function's beginning; the hardware's number can change while the warp runs.
 * New registers have names that occur nowhere in the text.
 */
int bypass_ptx_edit(const struct ptx_module *m, const struct bypass_ptx_match *x,
                    const char *cache_op, struct str *out, struct err *err);

#endif
