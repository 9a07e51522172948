/*
 * bypass_candidates - what of a kernel a bypass list may name, and what is known of it: its read
 * sites, arguments or buffers, with the sums of Huangfu's criterion.
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
	uint64_t reads;          /* requests of it that L1 was asked */
	struct address_use_sum use;
	bool is_poor; /* the criterion names it */
};

/*
 * Those with any read in `use` (after address_use_end()), whose launches are the table's; by bytes
 * moved, then by reads, the most first, then by number. A site carries its place. An argument has
 * the sums of the sites whose pointer comes from it; one without a name is none, and reads of
 * buffers that are not known have no rule either. *out is the caller's to free(), the table is
 * borrowed for as long as it. Returns 0 or ERR_NOMEM.
 */
int bypass_candidates_sites(const struct address_use *use, const struct kernel_table *table,
                            struct bypass_candidate **out, size_t *count, struct err *err);
int bypass_candidates_arguments(const struct address_use *use, const struct kernel_table *table,
                                struct bypass_candidate **out, size_t *count, struct err *err);
int bypass_candidates_buffers(const struct address_use *use, const struct kernel_table *table,
                              size_t buffer_count, struct bypass_candidate **out, size_t *count,
                              struct err *err);

#endif
