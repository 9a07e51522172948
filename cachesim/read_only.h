/*
 * read_only - which reads go through the read-only cache of their SM, a texture cache, instead of
 * L1, as an option (SEMANTICS 5).
 *
 * A list is rules with commas between them: site:N, line:N (where the access is written in the
 * source), argument:NAME (of the kernel), buffer:N (of the recording). A read goes that way when
 * one of them names it. Writes and atomics never do, and nothing takes a line out of the read-only
 * cache when it is written: on hardware a kernel must not read so what it writes.
 *
 * The cache is read_only_* of the GPU. Its lines are L1's; a miss takes as long as one of L1.
 */
#ifndef READ_ONLY_H
#define READ_ONLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct gpu;
struct kernel_table;

enum read_only_kind { READ_ONLY_SITE, READ_ONLY_LINE, READ_ONLY_ARGUMENT, READ_ONLY_BUFFER };

struct read_only_rule {
	enum read_only_kind kind;
	uint64_t number;
	char *name; /* of an argument; else NULL */
};

/* Zeroed: no rule. */
struct read_only_list {
	struct read_only_rule *rules;
	size_t count;
};

/* Read `text`. Returns 0, ERR_USAGE or ERR_NOMEM; release in every case. */
int read_only_list_parse(struct read_only_list *list, const char *text, struct err *err);
void read_only_list_release(struct read_only_list *list);

/* Whether a rule names any read of the kernel; of one for a buffer that is not known: false. */
bool read_only_rule_meets(const struct read_only_rule *rule, const struct kernel_table *table);

/* is_read_only[site_count of the table]: the reads that a rule for a site, a line or an argument
 * names become true, the others stay. */
void read_only_list_mark(const struct read_only_list *list, const struct kernel_table *table,
                         bool *is_read_only);

/* Whether a rule names this buffer. */
bool read_only_list_has_buffer(const struct read_only_list *list, int64_t buffer);

/* *out is `gpu` with the read-only cache in place of its L1. Returns 0, or ERR_CONFIG when it has
 * none, or one that cannot be. */
int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err);

#endif
