/*
 * bypass_candidates - what a bypass list may name in a kernel: its read sites, arguments or
 * buffers, with the sums of Huangfu's criterion.
 */
#ifndef BYPASS_CANDIDATES_H
#define BYPASS_CANDIDATES_H

#include "address_use.h"
#include "bypass_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;

struct bypass_candidate {
	struct bypass_rule rule; /* its strings are the table's */
	uint64_t reads;          /* its requests to L1 */
	struct address_use_sum use;
	bool is_poor; /* the criterion selects it */
};

/*
 * The candidates with any read in `use` (after address_use_end()), whose launches are those of the
 * table; by bytes moved, then by reads, descending, then by number. A site has its place. An
 * argument has the sums of the sites whose pointer comes from it. Arguments without a name, and
 * unknown buffers, are not candidates. The caller frees *out; the table is borrowed as long.
 * Returns 0 or ERR_NOMEM.
 */
int bypass_candidates_sites(const struct address_use *use, const struct kernel_table *table,
                            struct bypass_candidate **out, size_t *count, struct err *err);
int bypass_candidates_arguments(const struct address_use *use, const struct kernel_table *table,
                                struct bypass_candidate **out, size_t *count, struct err *err);
int bypass_candidates_buffers(const struct address_use *use, const struct kernel_table *table,
                              size_t buffer_count, struct bypass_candidate **out, size_t *count,
                              struct err *err);

#endif
