/*
 * flow_run_private - what a work-item alone and a warp have in common: decisions.
 */
#ifndef FLOW_RUN_PRIVATE_H
#define FLOW_RUN_PRIVATE_H

#include "flow_run.h"

/* The side of fork n that a work-item takes; it has come there once more. */
int flow_run_decide(struct flow_run *r, int n, uint32_t item);

#endif
