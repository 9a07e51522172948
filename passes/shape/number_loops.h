/* number_loops - the loops of a kernel's table: those that hold sites, parents first. */
#ifndef NUMBER_LOOPS_H
#define NUMBER_LOOPS_H

#include <stdbool.h>

struct err;
struct kernel;

/*
 * Fill k->table->loops and k->table_loop. has_sites[n] tells whether node n of k->flow holds a
 * site. Loops are numbered in the order of the nodes. Returns 0, ERR_NOMEM or ERR_LIMIT.
 */
int number_loops(struct kernel *k, const bool *has_sites, struct err *err);

#endif
