/*
 * read_only - which reads go through the read-only cache of their SM, a texture cache, instead of
 * L1, as an option (SEMANTICS 5).
 *
 * A list is comma-separated rules: site:N, line:N (the line of the access in the source),
 * argument:NAME (of the kernel), buffer:N (of the recording). A read uses the cache if a rule names
 * it (bypass_list.h, which has more kinds of rules). Writes and atomics never do, and a write never
 * removes a line from the read-only cache: on hardware a kernel must not write what it reads this
 * way.
 *
 * The cache has the geometry read_only_* of the GPU and L1's lines; a miss takes as long as in L1.
 */
#ifndef READ_ONLY_H
#define READ_ONLY_H

struct bypass_list;
struct err;
struct gpu;

/* Parse `text` into *list, which is empty. Returns 0, ERR_USAGE, ERR_LIMIT or ERR_NOMEM; release
 * it with bypass_list_release() in every case. */
int read_only_list_parse(struct bypass_list *list, const char *text, struct err *err);

/* *out is `gpu` with the read-only cache in place of its L1. Returns 0, or ERR_CONFIG when it has
 * none, or one that cannot be. */
int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err);

#endif
