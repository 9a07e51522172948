/*
 * l1_stats - attributes the requests, misses and bytes of a launch to sites, buffers, sets, groups
 * and windows of time; and counts how often lines are used before they are evicted.
 *
 * It observes the L1s of all SMs (l1_observer.h). Requests count when they are served. A line
 * counts for the request that first asked for it, from then until it is evicted: `bytes_used` of
 * `bytes_moved`, and `uses`, the reads after the first. A line that a write brought in moved no
 * bytes, and its first read is a further use. `bytes_used` never exceeds `bytes_moved`: requested
 * bytes that never moved are not in it.
 *
 * Memory does not grow with the launch: per SM, a row for each site, buffer and set, and at most
 * L1_STATS_ROWS for groups and windows. If there are more groups, 2, 4, 8, ... neighbours share a
 * row; if there are more windows, neighbours are merged and windows become twice as long. Costs
 * about 10 additions per request and requested table.
 */
#ifndef L1_STATS_H
#define L1_STATS_H

#include "l1_observer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct l1_stats;

enum l1_stats_table {
	L1_STATS_SITES,   /* by number */
	L1_STATS_BUFFERS, /* row 0: unknown; row n + 1: buffer n */
	L1_STATS_SETS,
	L1_STATS_GROUPS,
	L1_STATS_WINDOWS,
	L1_STATS_TABLES,
};

enum { L1_STATS_ROWS = 4096, L1_STATS_FEW = 64 };

struct l1_stats_row {
#define L1_STAT(name) uint64_t name;
#include "site_counters.def"
#undef L1_STAT
};

struct l1_stats_list {
	struct l1_stats_row *rows;
	size_t count;
	uint64_t unit; /* groups or cycles per row; else 1 */
};

/* Stays of lines, by further uses: 0..7 each alone, 8..15, 16..31, ... 2^63 and more. */
enum { L1_STATS_USES_EXACT = 8, L1_STATS_USES = L1_STATS_USES_EXACT + 61 };

struct l1_stats_uses {
	uint64_t lines, bytes_moved, bytes_used;
};

struct l1_stats_reuse {
	struct l1_stats_uses uses[L1_STATS_USES];
	uint64_t reasons[L1_LEAVE_END + 1]; /* why lines left: enum l1_leave */
};

struct l1_stats_setup {
	bool is_wanted[L1_STATS_TABLES];
	uint32_t sm_count;
	size_t site_count;
	size_t buffer_count;
	uint32_t set_count;
	uint64_t group_count;   /* of the launch */
	uint64_t window_cycles; /* L1_STATS_ROWS windows of at least this many; 0: L1_STATS_FEW of
	                           any */
};

/* Create the statistics of one launch. Free with l1_stats_free(). Returns 0 or ERR_NOMEM. */
int l1_stats_create(struct l1_stats **out, const struct l1_stats_setup *setup, struct err *err);

/* Free. NULL is allowed. */
void l1_stats_free(struct l1_stats *s);

/* Pass it as replay_options.observer, with the stats as the context. */
const struct l1_observer *l1_stats_observer(void *stats, uint32_t sm_id);

/* Add up the SMs' rows, after the launch. Returns 0 or ERR_NOMEM. */
int l1_stats_end(struct l1_stats *s, struct err *err);

/* The results of all SMs, after l1_stats_end(). Borrowed; rows are NULL for a table that was not
 * requested. */
const struct l1_stats_list *l1_stats_list(const struct l1_stats *s, enum l1_stats_table table);
const struct l1_stats_list *l1_stats_lists(const struct l1_stats *s); /* by table */
const struct l1_stats_row *l1_stats_total(const struct l1_stats *s);
const struct l1_stats_reuse *l1_stats_reuse(const struct l1_stats *s);

/* Reads, bypassing ones too, writes and atomics of a row. */
uint64_t l1_stats_requests(const struct l1_stats_row *row);

/* Add every field of *more to *sum. */
void l1_stats_add(struct l1_stats_row *sum, const struct l1_stats_row *more);
void l1_stats_reuse_add(struct l1_stats_reuse *sum, const struct l1_stats_reuse *more);

/* The bin of a number of uses, and the first number of a bin. */
static inline uint32_t l1_stats_bin(uint64_t uses)
{
	return uses < L1_STATS_USES_EXACT
	               ? (uint32_t)uses
	               : L1_STATS_USES_EXACT + 60 - (uint32_t)__builtin_clzll(uses);
}

static inline uint64_t l1_stats_bin_first(uint32_t bin)
{
	return bin < L1_STATS_USES_EXACT ? bin : UINT64_C(8) << (bin - L1_STATS_USES_EXACT);
}

#endif
