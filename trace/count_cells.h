/*
 * count_cells - sums of what work-items counted (probe_abi.h, count mode), and the counts of sites
 * that they stand for (struct site_count). Sums that do not fit in 64 bits stay at 2^64 - 1.
 */
#ifndef COUNT_CELLS_H
#define COUNT_CELLS_H

#include "kernel_table.h"

/*
 * Add the cells of a group of `items` work-items, all of whose words begin at `words`, to
 * sums[t->cell_count].
 */
void count_cells_add(const struct kernel_table *t, const uint64_t *words, uint32_t items,
                     uint64_t *sums);

/* Add what sums over `items` work-items make of each site to counts[t->site_count]. */
void count_cells_tell(const struct kernel_table *t, const uint64_t *sums, uint64_t items,
                      uint64_t *counts);

#endif
