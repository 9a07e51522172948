/*
 * sparse_graph - random graphs in compressed rows, for our searches, and levels from node 0 by the
 * book.
 *
 * Both kinds are made by a fixed generator: the same number of nodes gives the same graph.
 */
#ifndef SPARSE_GRAPH_H
#define SPARSE_GRAPH_H

#include "host.h"

/* DIRECTED: 1 to 8 edges of each node, one way. BOTH_WAYS: each node draws 2 to 4 others and each
 * such edge leads back too, so that a node has 6 neighbours in the mean, 3 of them a Poisson
 * number: as graph1MW_6, a graph of a million nodes that published work uses, was made. */
enum graph_kind { GRAPH_DIRECTED, GRAPH_BOTH_WAYS };

/* For host_spec.inputs. */
#define GRAPH_INPUTS { [GRAPH_DIRECTED] = "directed", [GRAPH_BOTH_WAYS] = "both-ways", NULL }

/* The neighbours of node i are neighbour[row[i]] up to neighbour[row[i + 1]]. */
struct sparse_graph {
	size_t nodes;
	cl_uint *row, *neighbour;
};

/* host->size nodes, of the kind host->input. Release it. */
void sparse_graph_init(struct sparse_graph *g, const struct host *host);
void sparse_graph_release(struct sparse_graph *g);

/* The level of each node, UINT32_MAX for those that cannot be reached. */
void sparse_graph_levels(const struct sparse_graph *g, const struct host *host, cl_uint *level);

#endif
