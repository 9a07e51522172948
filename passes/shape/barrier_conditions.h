/*
 * barrier_conditions - whether a barrier of a kernel is reached only under a condition.
 *
 * A loop around a barrier does not count as a condition if it exits only at its header or its
 * latch: `for (...) barrier()` has none. An `if` around the barrier is one, and so is a return,
 * break or continue that skips it.
 */
#ifndef BARRIER_CONDITIONS_H
#define BARRIER_CONDITIONS_H

#include <stdbool.h>

struct err;
struct kernel_flow;

/* Examine all barriers of the flow's function. Sets *is_conditional. Returns 0 or ERR_NOMEM. */
int barrier_conditions_find(const struct kernel_flow *flow, bool *is_conditional, struct err *err);

#endif
