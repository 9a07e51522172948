/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse_graph.h"

#include <stdlib.h>

struct search {
	size_t nodes;
	cl_mem node, neighbour, mask, next, visited, level, found;
	cl_kernel visit, turn;
};

/* First and count of each node's neighbours. */
static cl_mem buffer_of_nodes(const struct host *host, const struct sparse_graph *g)
{
	cl_uint *pairs = host_alloc(host, g->nodes * 2, sizeof(*pairs));

	for (size_t i = 0; i < g->nodes; i++) {
		pairs[2 * i] = g->row[i];
		pairs[2 * i + 1] = g->row[i + 1] - g->row[i];
	}
	cl_mem buffer = host_buffer(host, CL_MEM_READ_ONLY, g->nodes * 2 * sizeof(*pairs), pairs);

	free(pairs);
	return buffer;
}

static void search_init(struct search *s, const struct host *host, const struct sparse_graph *g)
{
	size_t n = g->nodes;

	s->nodes = n;
	s->node = buffer_of_nodes(host, g);
	s->neighbour =
		host_buffer(host, CL_MEM_READ_ONLY, g->row[n] * sizeof(cl_uint), g->neighbour);
	s->mask = host_buffer(host, CL_MEM_READ_WRITE, n, NULL);
	s->next = host_buffer(host, CL_MEM_READ_WRITE, n, NULL);
	s->visited = host_buffer(host, CL_MEM_READ_WRITE, n, NULL);
	s->level = host_buffer(host, CL_MEM_READ_WRITE, n * sizeof(cl_uint), NULL);
	s->found = host_buffer(host, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL);

	const cl_mem visit[] = { s->node, s->neighbour, s->mask, s->next, s->visited, s->level };
	const cl_mem turn[] = { s->mask, s->next, s->visited, s->found };

	s->visit = host_kernel(host, "bfs_visit");
	for (cl_uint i = 0; i < 6; i++)
		host_set_mem(host, s->visit, i, visit[i]);
	host_set_uint(host, s->visit, 6, (cl_uint)n);
	s->turn = host_kernel(host, "bfs_turn");
	for (cl_uint i = 0; i < 4; i++)
		host_set_mem(host, s->turn, i, turn[i]);
	host_set_uint(host, s->turn, 4, (cl_uint)n);
}

static void search_release(struct search *s)
{
	const cl_mem all[] = { s->node,    s->neighbour, s->mask, s->next,
		               s->visited, s->level,     s->found };

	clReleaseKernel(s->visit);
	clReleaseKernel(s->turn);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		clReleaseMemObject(all[i]);
}

/* `first` marks node 0 alone, `level` is not reached but for it. */
static void search_run(const struct search *s, struct host *host, const unsigned char *first,
                       const unsigned char *none, const cl_uint *level)
{
	size_t items = host_cover(host, 0, s->nodes);
	cl_uint found = 1;

	host_write(host, s->mask, first, s->nodes);
	host_write(host, s->visited, first, s->nodes);
	host_write(host, s->next, none, s->nodes);
	host_write(host, s->level, level, s->nodes * sizeof(*level));
	while (found) {
		found = 0;
		host_write(host, s->found, &found, sizeof(found));
		host_launch(host, s->visit, &items);
		host_launch(host, s->turn, &items);
		host_read(host, s->found, &found, sizeof(found));
	}
	host_lap(host);
}

static void run(struct host *host)
{
	struct sparse_graph graph;
	struct search search;

	sparse_graph_init(&graph, host);
	size_t n = graph.nodes, bytes = n * sizeof(cl_uint);
	cl_uint *start = host_alloc(host, n, sizeof(*start));
	cl_uint *level = host_alloc(host, n, sizeof(*level));
	cl_uint *want = host_alloc(host, n, sizeof(*want));
	unsigned char *first = host_alloc(host, n, 1), *none = host_alloc(host, n, 1);

	first[0] = 1;
	for (size_t i = 1; i < n; i++)
		start[i] = UINT32_MAX;
	search_init(&search, host, &graph);
	for (unsigned r = 0; r < host->repeat; r++)
		search_run(&search, host, first, none, start);
	host_read(host, search.level, level, bytes);
	sparse_graph_levels(&graph, host, want);
	host_check_words(host, level, want, n);
	host_set_checksum(host, level, bytes);

	search_release(&search);
	free(start);
	free(level);
	free(want);
	free(first);
	free(none);
	sparse_graph_release(&graph);
}

int main(int argc, char **argv)
{
	static const char *const inputs[] = GRAPH_INPUTS;
	static const struct host_spec spec = {
		.name = "bfs_masks",
		.summary = "Breadth-first search of a random graph with masks of bytes, one "
			   "work-item a "
			   "node, two launches a level.",
		.size_text = "nodes",
		.size = 65536,
		.size_min = 1,
		.size_max = 1 << 24,
		.dimensions = 1,
		.group = { 512, 1, 1 },
		.inputs = inputs,
		.run = run,
	};

	return host_main(argc, argv, &spec);
}
