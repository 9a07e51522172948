/*
 * insert_counts - which counters give the number of passes of each site of a kernel (count mode).
 *
 * Nodes of the graph that are always passed equally often share a cell: one dominates the other,
 * which in turn is on every way from it to the end of the iteration that both are in, or of the
 * kernel. What every work-item passes exactly once needs no cell, and a loop that constants bound
 * and that is left in one place only makes a number of what enters it.
 */
#ifndef INSERT_COUNTS_H
#define INSERT_COUNTS_H

#include "kernel_table.h"

struct err;
struct insertion;

struct node_counts {
	struct site_count *sites; /* per site of the kernel's table */
	uint32_t *node;           /* per cell: whose passes it counts */
	uint32_t counter_count; /* cells of nodes in loops; after them those passed at most once */
	uint32_t cell_count;
};

/* Free what it owns and zero it. Accepts a zeroed struct. */
void node_counts_release(struct node_counts *n);

#endif
