/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

/* DIRECTED: 1 to 8 edges of each node, one way. BOTH_WAYS: each node draws 2 to 4 others and each
 * such edge leads back too, so that a node has 6 neighbours in the mean, 3 of them as a Poisson
 * number: how Rodinia's graph1MW_6 (a million nodes) was made. */
enum input { DIRECTED, BOTH_WAYS };
enum { MAX_DEGREE = 8, MIN_DRAWN = 2, MAX_DRAWN = 4 };
static const cl_uint not_reached = UINT32_MAX; /* -1 in the kernel */

/* A directed graph: the neighbours of node i are neighbour[row[i]] up to neighbour[row[i + 1]]. */
struct graph {
	size_t nodes;
	cl_uint *row, *neighbour;
};

struct device_graph {
	cl_mem row, neighbour, level, reached, found;
	cl_kernel expand, advance;
};

static void graph_init_directed(struct graph *g, const struct host *host)
{
	uint64_t seed = 1;
	cl_uint edges = 0;

	g->neighbour = host_alloc(host, g->nodes * MAX_DEGREE, sizeof(*g->neighbour));
	for (size_t node = 0; node < g->nodes; node++) {
		size_t degree = 1 + host_random(&seed) % MAX_DEGREE;

		g->row[node] = edges;
		for (size_t i = 0; i < degree; i++)
			g->neighbour[edges++] = (cl_uint)(host_random(&seed) % g->nodes);
	}
	g->row[g->nodes] = edges;
}

/* Draw all edges; add both ends of each to `place` of its node and, where neighbour is not NULL,
 * put the other end there before. */
static void draw_both_ways(const struct graph *g, cl_uint *place)
{
	uint64_t seed = 1;

	for (size_t node = 0; node < g->nodes; node++) {
		size_t degree = MIN_DRAWN + host_random(&seed) % (MAX_DRAWN - MIN_DRAWN + 1);

		for (size_t i = 0; i < degree; i++) {
			size_t other = host_random(&seed) % g->nodes;

			if (g->neighbour)
				g->neighbour[place[node]] = (cl_uint)other;
			place[node]++;
			if (g->neighbour)
				g->neighbour[place[other]] = (cl_uint)node;
			place[other]++;
		}
	}
}

static void graph_init_both_ways(struct graph *g, const struct host *host)
{
	cl_uint *place = host_alloc(host, g->nodes, sizeof(*place));

	draw_both_ways(g, place);
	for (size_t node = 0; node < g->nodes; node++) {
		g->row[node + 1] = g->row[node] + place[node];
		place[node] = g->row[node];
	}
	g->neighbour = host_alloc(host, g->row[g->nodes], sizeof(*g->neighbour));
	draw_both_ways(g, place);
	free(place);
}

static void graph_init(struct graph *g, const struct host *host)
{
	*g = (struct graph){ .nodes = host->size };
	g->row = host_alloc(host, g->nodes + 1, sizeof(*g->row));
	if (host->input == BOTH_WAYS)
		graph_init_both_ways(g, host);
	else
		graph_init_directed(g, host);
}

static void clear_levels(const struct graph *g, cl_uint *level)
{
	for (size_t node = 0; node < g->nodes; node++)
		level[node] = not_reached;
	level[0] = 0;
}

/* Levels from node 0 by a queue, as in a textbook. */
static void search_on_host(const struct host *host, const struct graph *g, cl_uint *level)
{
	cl_uint *queue = host_alloc(host, g->nodes, sizeof(*queue));
	size_t head = 0, tail = 0;

	clear_levels(g, level);
	queue[tail++] = 0;
	while (head < tail) {
		cl_uint node = queue[head++];

		for (cl_uint edge = g->row[node]; edge < g->row[node + 1]; edge++) {
			cl_uint other = g->neighbour[edge];

			if (level[other] == not_reached) {
				level[other] = level[node] + 1;
				queue[tail++] = other;
			}
		}
	}
	free(queue);
}

static void device_graph_init(struct device_graph *d, const struct host *host,
                              const struct graph *g)
{
	size_t nodes = g->nodes;

	d->row = host_buffer(host, CL_MEM_READ_ONLY, (nodes + 1) * sizeof(cl_uint), g->row);
	d->neighbour =
		host_buffer(host, CL_MEM_READ_ONLY, g->row[nodes] * sizeof(cl_uint), g->neighbour);
	d->level = host_buffer(host, CL_MEM_READ_WRITE, nodes * sizeof(cl_uint), NULL);
	d->reached = host_buffer(host, CL_MEM_READ_WRITE, nodes * sizeof(cl_uint), NULL);
	d->found = host_buffer(host, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL);

	d->expand = host_kernel(host, "bfs_expand");
	host_set_mem(host, d->expand, 0, d->row);
	host_set_mem(host, d->expand, 1, d->neighbour);
	host_set_mem(host, d->expand, 2, d->level);
	host_set_mem(host, d->expand, 3, d->reached);
	host_set_uint(host, d->expand, 5, (cl_uint)nodes);

	d->advance = host_kernel(host, "bfs_advance");
	host_set_mem(host, d->advance, 0, d->level);
	host_set_mem(host, d->advance, 1, d->reached);
	host_set_mem(host, d->advance, 2, d->found);
	host_set_uint(host, d->advance, 4, (cl_uint)nodes);
}

static void device_graph_release(struct device_graph *d)
{
	clReleaseKernel(d->expand);
	clReleaseKernel(d->advance);
	clReleaseMemObject(d->row);
	clReleaseMemObject(d->neighbour);
	clReleaseMemObject(d->level);
	clReleaseMemObject(d->reached);
	clReleaseMemObject(d->found);
}

static void search_on_device(struct host *host, const struct device_graph *d, const struct graph *g)
{
	size_t items = (g->nodes + host->group[0] - 1) / host->group[0] * host->group[0];
	cl_uint found = 1;

	for (cl_uint current = 0; found; current++) {
		found = 0;
		host_write(host, d->found, &found, sizeof(found));
		host_set_uint(host, d->expand, 4, current);
		host_launch(host, d->expand, &items);
		host_set_uint(host, d->advance, 3, current);
		host_launch(host, d->advance, &items);
		host_read(host, d->found, &found, sizeof(found));
	}
}

static void run(struct host *host)
{
	struct graph graph;
	struct device_graph device;

	graph_init(&graph, host);
	size_t bytes = graph.nodes * sizeof(cl_uint);
	cl_uint *start = host_alloc(host, graph.nodes, sizeof(*start));
	cl_uint *want = host_alloc(host, graph.nodes, sizeof(*want));
	cl_uint *level = host_alloc(host, graph.nodes, sizeof(*level));
	cl_uint *zeroes = host_alloc(host, graph.nodes, sizeof(*zeroes));

	clear_levels(&graph, start);
	device_graph_init(&device, host, &graph);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_write(host, device.level, start, bytes);
		host_write(host, device.reached, zeroes, bytes);
		search_on_device(host, &device, &graph);
		host_lap(host);
	}
	host_read(host, device.level, level, bytes);
	search_on_host(host, &graph, want);
	host_check_words(host, level, want, graph.nodes);
	host_set_checksum(host, level, bytes);

	device_graph_release(&device);
	free(start);
	free(want);
	free(level);
	free(zeroes);
	free(graph.row);
	free(graph.neighbour);
}

int main(int argc, char **argv)
{
	static const char *const inputs[] = {
		[DIRECTED] = "directed", [BOTH_WAYS] = "both-ways", NULL
	};
	static const struct host_spec spec = {
		.name = "bfs",
		.summary = "Breadth-first search of a random graph, one work-item a node, "
			   "two launches a level.",
		.size_text = "nodes",
		.size = 65536,
		.size_min = 1,
		.size_max = 1 << 24,
		.dimensions = 1,
		.group = { 64, 1, 1 },
		.inputs = inputs,
		.run = run,
	};

	return host_main(argc, argv, &spec);
}
