/*
 * read_rules - the rules of an option that name reads (bypass_list.h), checked against a recording.
 */
#ifndef READ_RULES_H
#define READ_RULES_H

/*
 * read_only - which reads go through the read-only cache of their SM, a texture cache, instead of
 * L1, as an option (SEMANTICS 5).
 *
 * A list is rules with commas between them: site:N, line:N (where the access is written in the
 * source), argument:NAME (of the kernel), buffer:N (of the recording). A read goes that way when
 * one of them names it (bypass_list.h, which has rules of more kinds). Writes and atomics never do,
 * and nothing takes a line out of the read-only cache when it is written: on hardware a kernel must
 * not read so what it writes.
 *
 * The cache is read_only_* of the GPU. Its lines are L1's; a miss takes as long as one of L1.
 */

struct bypass_list;
struct err;
struct gpu;

/* Read `text` into *list, an empty one. Returns 0, ERR_USAGE, ERR_LIMIT or ERR_NOMEM; release it
 * with bypass_list_release() in every case. */
int read_only_list_parse(struct bypass_list *list, const char *text, struct err *err);

/* *out is `gpu` with the read-only cache in place of its L1. Returns 0, or ERR_CONFIG when it has
 * none, or one that cannot be. */
int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err);

struct recording;

/*
 * Each rule must be for a kernel of the recording and name one of its reads, a buffer of the
 * recording, or an SM of the GPU (NULL: SMs are not checked); a site must be at the place that the
 * rule gives. Whether a warp number occurs, or an address is read, is not checked: only a replay
 * knows. Returns 0, or ERR_USAGE with "OPTION: ..." for the first rule that fails.
 */
int read_rules_check(const struct bypass_list *list, const char *option, const struct recording *r,
                     const struct gpu *gpu, struct err *err);

/* Load `text_or_path`, of the same option, into *list and check it. NULL: the list stays empty.
 * Returns 0, ERR_USAGE, or an error of bypass_list_load(); release it with bypass_list_release()
 * in every case. */
int read_rules_load(struct bypass_list *list, const char *option, const char *text_or_path,
                    const struct recording *r, const struct gpu *gpu, struct err *err);

/* The same for the list that the recording keeps; *list stays empty if there is none. */
int read_rules_load_kept(struct bypass_list *list, const struct recording *r, const struct gpu *gpu,
                         struct err *err);

#endif
