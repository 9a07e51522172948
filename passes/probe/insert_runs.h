/*
 * insert_runs - puts the records of sites that are runs and grids on the ways out of
 * their loops.
 *
 * On each edge that leaves loops, for each of these from the innermost out: of a run,
 * the record of the activation that ends; of a grid, the row that ends is joined to
 * the rows before it if it goes on as they do; and of grids whose rows are iterations of
 * the loop that ends, the record. Nothing is added to a loop but its counter.
 *
 * Where the address was not linear after all (a narrow index wrapped), each access
 * becomes a run of its own. A grid's loop is entered first, then: see
 * insert_runs_may_enter().
 */
#ifndef INSERT_RUNS_H
#define INSERT_RUNS_H

#include <stdbool.h>
#include <stdint.h>

struct affine_sites;
struct err;
struct insertion;

/*
 * Whether, where a loop is left, its entry may be recorded then, before its records: a loop in
 * a loop, with grids and nothing else. Such an entry records the iteration of the loop around it.
 */
bool insert_runs_may_enter(const struct insertion *in, uint32_t loop);

/*
 * Put in what leaves the loops. The loops' plan is made and in force (insert_loops_run()); nodes of
 * the flow stay, edges out of loops are split. Returns 0 or ERR_NOMEM.
 */
int insert_runs(struct insertion *in, struct affine_sites *a, struct err *err);

#endif
