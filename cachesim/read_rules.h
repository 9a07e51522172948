/*
 * read_rules - checks the rules of an option that name reads (bypass_list.h) against a recording.
 */
#ifndef READ_RULES_H
#define READ_RULES_H

/*
 * read_only - selects the reads that go through the read-only cache of their SM, a texture cache,
 * instead of L1 (SEMANTICS 5).
 *
 * A list is comma-separated rules: site:N, line:N (the line of the access in the source),
 * argument:NAME (of the kernel), buffer:N (of the recording); bypass_list.h has more kinds. A read
 * goes through the read-only cache if a rule names it. Writes and atomics never do, and a write
 * does not remove the line from the read-only cache: on hardware, a kernel must not read through it
 * what it writes.
 *
 * The cache is described by the GPU's read_only_* keys. Its lines are L1's; a miss takes as long as
 * a miss of L1.
 */

struct bypass_list;
struct err;
struct gpu;

/* Read `text` into *list, which must be empty. Returns 0, ERR_USAGE, ERR_LIMIT or ERR_NOMEM;
 * release it with bypass_list_release() in every case. */
int read_only_list_parse(struct bypass_list *list, const char *text, struct err *err);

/* Set *out to `gpu` with the read-only cache in place of its L1. Returns 0, or ERR_CONFIG if the
 * GPU has no read-only cache or its keys are invalid. */
int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err);

struct recording;

/*
 * Check that each rule is for a kernel of the recording and names one of its reads, a buffer of the
 * recording, or an SM of the GPU (NULL: SMs are not checked), and that a site is at the place that
 * the rule gives. Whether a warp number occurs, or an address is read, is not checked: only a
 * replay can find out. Returns 0, or ERR_USAGE with "OPTION: ..." for the first rule that fails.
 */
int read_rules_check(const struct bypass_list *list, const char *option, const struct recording *r,
                     const struct gpu *gpu, struct err *err);

/* Load `text_or_path`, the value of `option`, into *list and check it; if it is NULL, the list
 * stays empty. Returns 0, ERR_USAGE, or an error of bypass_list_load(); release it with
 * bypass_list_release() in every case. */
int read_rules_load(struct bypass_list *list, const char *option, const char *text_or_path,
                    const struct recording *r, const struct gpu *gpu, struct err *err);

/* Load and check the list kept in the recording; *list stays empty if there is none. Returns as
 * read_rules_load() does. */
int read_rules_load_kept(struct bypass_list *list, const struct recording *r, const struct gpu *gpu,
                         struct err *err);

#endif
