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
#ifndef READ_ONLY_H
#define READ_ONLY_H

struct bypass_list;
struct err;
struct gpu;

/* Read `text` into *list, an empty one. Returns 0, ERR_USAGE, ERR_LIMIT or ERR_NOMEM; release it
 * with bypass_list_release() in every case. */
int read_only_list_parse(struct bypass_list *list, const char *text, struct err *err);

/* *out is `gpu` with the read-only cache in place of its L1. Returns 0, or ERR_CONFIG when it has
 * none, or one that cannot be. */
int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err);

#endif
