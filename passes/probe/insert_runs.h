/*
 * insert_runs - inserts the records of runs and grids at the exits of their loops.
 *
 * On each edge that leaves loops, for each of these from the innermost out: for a run, the record
 * of the activation that ends; for a grid, the row that ends is joined to the rows before it if it
 * continues them; and for grids whose rows are iterations of the loop that ends, the record. The
 * loop itself only gets a counter.
 *
 * If the address was not linear after all (a narrow index wrapped), each access becomes a run of
 * its own. A grid's loop is entered first, then: see insert_runs_may_enter().
 */
#ifndef INSERT_RUNS_H
#define INSERT_RUNS_H

#include <stdbool.h>
#include <stdint.h>

struct affine_sites;
struct err;
struct insertion;

/*
 * Whether the entry of a loop may be recorded when it is left, before its records: a nested loop
 * that has only grids. Such an entry records the iteration of the surrounding loop.
 */
bool insert_runs_may_enter(const struct insertion *in, uint32_t loop);

/*
 * Insert the records at the exits of loops. The loops' plan must be in force (insert_loops_run()).
 * Nodes of the flow stay; edges out of loops are split. Returns 0 or ERR_NOMEM.
 */
int insert_runs(struct insertion *in, struct affine_sites *a, struct err *err);

#endif
