/*
 * bypass_ptx - a bypass list put into PTX: `.cg` (or `.cs`) on the chosen loads.
 *
 * Only `ld.global` is changed, and nothing else of the text: whatever is not a chosen load comes
 * out byte for byte. Loads that no cache operator may be put on (ld.global.nc, volatile, ordered
 * and generic ones) are left as they are and named. The result is not assembled here.
 *
 * Sites are found by file, line and order (`-lineinfo`); with the recording also by the parameter
 * that a load's address comes from, because compilers change the order (bypass_ptx_match.h).
 */
#ifndef BYPASS_PTX_H
#define BYPASS_PTX_H

struct bypass_list;
struct err;
struct recording;

struct bypass_ptx_job {
	const char *input;  /* path of the PTX; "-": stdin */
	const char *output; /* path; "-": stdout */
	const struct bypass_list *list;
	const struct recording *recording; /* that the list was made from; NULL: not at hand */
	const char *cache_op;              /* "cg" or "cs"; NULL: "cg" */
};

/*
 * Rewrite the PTX. What was done to each kernel, and each rule that could not be applied, is said
 * on stderr as `warpline bypass`. Returns 0; EXIT_UNMATCHED when it is written and some rule
 * matched nothing or cannot be put into PTX; ERR_USAGE (the cache operator), ERR_FORMAT with
 * "FILE:LINE: ..." when the text is no PTX that can be read, ERR_IO, ERR_NOMEM, ERR_LIMIT.
 */
int bypass_ptx_rewrite(const struct bypass_ptx_job *job, struct err *err);

#endif
