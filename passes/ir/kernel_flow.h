/*
 * kernel_flow - the control flow of one function: its graph, its loops, and its nodes in the order
 * in which sites are numbered.
 *
 * A node of the graph is what LLVM calls a basic block; node 0 is the entry. While the flow is in
 * use, the function may be changed only inside nodes.
 */
#ifndef KERNEL_FLOW_H
#define KERNEL_FLOW_H

#include "graph.h"

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;

struct kernel_flow {
	struct graph graph;
	struct loop_forest forest;
	LLVMBasicBlockRef *node;     /* per node of the graph */
	uint32_t *order;             /* order_count nodes, ordered by node_order_compute() */
	size_t order_count;          /* reachable nodes */
	struct node_number *numbers; /* private: from LLVM's reference to the number */
};

/* Read the flow of `function`; release with kernel_flow_release(). Returns 0, ERR_NOMEM or
 * ERR_LIMIT. */
int kernel_flow_init(struct kernel_flow *f, LLVMValueRef function, struct err *err);

/* The number of a node; GRAPH_NONE if the function did not have it when the flow was read. */
uint32_t kernel_flow_find(const struct kernel_flow *f, LLVMBasicBlockRef node);

/* Free what it owns and zero it. Accepts a zeroed flow. */
void kernel_flow_release(struct kernel_flow *f);

/*
 * Whether any barrier of the flow's function is reached only under a condition. A loop around a
 * barrier does not count as a condition if it exits only at its header or its latch:
 * `for (...) barrier()` has none. An `if` around the barrier is one, and so is a return, break or
 * continue that skips it. Returns 0 or ERR_NOMEM.
 */
int kernel_flow_find_conditions(const struct kernel_flow *flow, bool *is_conditional,
                                struct err *err);

#endif
