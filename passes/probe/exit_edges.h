/*
 * exit_edges - an edge out of a loop opened, so that code can be put on it.
 */
#ifndef EXIT_EDGES_H
#define EXIT_EDGES_H

#include <llvm-c/Types.h>

struct affine_exit;
struct affine_sites;
struct insertion;

struct exit_edge {
	LLVMBasicBlockRef from, to;
	LLVMBasicBlockRef first; /* of the new nodes on it */
};

/* Lead the edge to a new node, at whose end the builder is left. */
void exit_edge_open(struct exit_edge *e, struct insertion *in, const struct affine_exit *exit);

/*
 * Go on from where the builder is to where the edge led. Phis there are made anew: in *a and *in
 * they are replaced.
 */
void exit_edge_close(const struct exit_edge *e, struct insertion *in, struct affine_sites *a);

#endif
