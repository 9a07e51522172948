/*
 * bypass_ptx_match - which loads of a PTX text the rules of a bypass list mean.
 *
 * A rule of a kernel is of the functions that have its name (ptx_lines.h), one of all kernels is of
 * all functions. `all` means every load. `line N` means the loads of line N in the file in which
 * the function begins. `argument NAME` means the loads whose address comes from that parameter, and
 * `buffer N` the same where the parameter holds that buffer in each launch; both need the
 * recording. `warps PI` pairs the loads that no other rule means. An address is of a run: no rule
 * of that kind is applied.
 *
 * A site is sought among the loads of its line. Where the columns of the line tell its loads apart
 * as they do its sites (compilers made of clang), these decide; then, with the recording, the
 * parameters that the addresses come from, if all of them are known. What is left are n loads for
 * m sites. When all m are chosen, all n are; when n is a multiple of m, each m-th, in order (loops
 * are unrolled so); else the rule is not applied. Without the recording m is not known: the load
 * with the site's number in its line is taken, and that order decided is said.
 */
#ifndef BYPASS_PTX_MATCH_H
#define BYPASS_PTX_MATCH_H

#include "array.h"
#include "ptx_module.h"

struct bypass_list;
struct err;
struct recording;

#define BYPASS_PTX_ALL_WARPS UINT32_MAX

struct bypass_ptx_match {
	bool *is_chosen;    /* per load of the module */
	uint32_t *warps;    /* per function: warps from this one on bypass; BYPASS_PTX_ALL_WARPS: no
	                       rule says so */
	struct array notes; /* of char *: sentences on what to know */
	size_t notes_left;  /* of those that there was no room for */
	size_t left_rules;  /* not applied to anything; each has a sentence, or is counted */
};

/*
 * Find them; `recording` may be NULL. Release in either case. Returns 0; ERR_USAGE when a site's
 * place in the list is not the recording's; ERR_NOMEM, ERR_LIMIT.
 */
int bypass_ptx_match_init(struct bypass_ptx_match *out, const struct ptx_module *m,
                          const struct bypass_list *list, const struct recording *recording,
                          struct err *err);
void bypass_ptx_match_release(struct bypass_ptx_match *out);

#endif
