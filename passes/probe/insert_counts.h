/*
 * insert_counts - which counters give the number of executions of each site of a kernel (count
 * mode).
 *
 * Nodes that are always executed equally often share a cell: one dominates the other, which in turn
 * is on every path from it to the end of the iteration that both are in, or of the kernel. What
 * every work-item executes exactly once needs no cell. A loop with constant bounds and a single
 * exit only multiplies the count of what enters it.
 */
#ifndef INSERT_COUNTS_H
#define INSERT_COUNTS_H

#include "kernel_table.h"

struct err;
struct insertion;

struct node_counts {
	struct site_count *sites; /* per site of the kernel's table */
	uint32_t *node;           /* per cell: the node whose executions it counts */
	uint32_t counter_count;   /* cells of nodes in loops; those executed at most once follow */
	uint32_t cell_count;
};

/* Free what it owns and zero it. Accepts a zeroed struct. */
void node_counts_release(struct node_counts *n);

#endif
