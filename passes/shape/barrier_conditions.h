/*
 * barrier_conditions - whether a barrier of a kernel is reached only under a condition.
 *
 * A loop around a barrier does not count as a condition, as long as it is left at its header or
 * from where it jumps back: `for (...) barrier()` has none. An `if` around the
 * barrier is one, and so is a return, break or continue that goes past it.
 */
#ifndef BARRIER_CONDITIONS_H
#define BARRIER_CONDITIONS_H

#include <stdbool.h>

struct err;
struct kernel_flow;

/* Look at all barriers of the function of this flow. Sets *is_conditional. 0 or ERR_NOMEM. */
int barrier_conditions_find(const struct kernel_flow *flow, bool *is_conditional, struct err *err);

#endif
