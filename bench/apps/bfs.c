/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <stdlib.h>

enum { MAX_DEGREE = 8 };
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

static void graph_init(struct graph *g, const struct app *app)
{
	uint64_t seed = 1;
	cl_uint edges = 0;

	g->nodes = app->size;
	g->row = app_alloc(app, g->nodes + 1, sizeof(*g->row));
	g->neighbour = app_alloc(app, g->nodes * MAX_DEGREE, sizeof(*g->neighbour));
	for (size_t node = 0; node < g->nodes; node++) {
		size_t degree = 1 + app_random(&seed) % MAX_DEGREE;

		g->row[node] = edges;
		for (size_t i = 0; i < degree; i++)
			g->neighbour[edges++] = (cl_uint)(app_random(&seed) % g->nodes);
	}
	g->row[g->nodes] = edges;
}

static void clear_levels(const struct graph *g, cl_uint *level)
{
	for (size_t node = 0; node < g->nodes; node++)
		level[node] = not_reached;
	level[0] = 0;
}

/* Levels from node 0 by a queue, as in a textbook. */
static void search_on_host(const struct app *app, const struct graph *g, cl_uint *level)
{
	cl_uint *queue = app_alloc(app, g->nodes, sizeof(*queue));
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

static void device_graph_init(struct device_graph *d, const struct app *app, const struct graph *g)
{
	size_t nodes = g->nodes;

	d->row = app_buffer(app, CL_MEM_READ_ONLY, (nodes + 1) * sizeof(cl_uint), g->row);
	d->neighbour =
		app_buffer(app, CL_MEM_READ_ONLY, g->row[nodes] * sizeof(cl_uint), g->neighbour);
	d->level = app_buffer(app, CL_MEM_READ_WRITE, nodes * sizeof(cl_uint), NULL);
	d->reached = app_buffer(app, CL_MEM_READ_WRITE, nodes * sizeof(cl_uint), NULL);
	d->found = app_buffer(app, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL);

	d->expand = app_kernel(app, "bfs_expand");
	app_set_mem(app, d->expand, 0, d->row);
	app_set_mem(app, d->expand, 1, d->neighbour);
	app_set_mem(app, d->expand, 2, d->level);
	app_set_mem(app, d->expand, 3, d->reached);
	app_set_uint(app, d->expand, 5, (cl_uint)nodes);

	d->advance = app_kernel(app, "bfs_advance");
	app_set_mem(app, d->advance, 0, d->level);
	app_set_mem(app, d->advance, 1, d->reached);
	app_set_mem(app, d->advance, 2, d->found);
	app_set_uint(app, d->advance, 4, (cl_uint)nodes);
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

static void search_on_device(struct app *app, const struct device_graph *d, const struct graph *g)
{
	size_t items = (g->nodes + app->group[0] - 1) / app->group[0] * app->group[0];
	cl_uint found = 1;

	for (cl_uint current = 0; found; current++) {
		found = 0;
		app_write(app, d->found, &found, sizeof(found));
		app_set_uint(app, d->expand, 4, current);
		app_launch(app, d->expand, &items);
		app_set_uint(app, d->advance, 3, current);
		app_launch(app, d->advance, &items);
		app_read(app, d->found, &found, sizeof(found));
	}
}

static void run(struct app *app)
{
	struct graph graph;
	struct device_graph device;

	graph_init(&graph, app);
	size_t bytes = graph.nodes * sizeof(cl_uint);
	cl_uint *start = app_alloc(app, graph.nodes, sizeof(*start));
	cl_uint *want = app_alloc(app, graph.nodes, sizeof(*want));
	cl_uint *level = app_alloc(app, graph.nodes, sizeof(*level));
	cl_uint *zeroes = app_alloc(app, graph.nodes, sizeof(*zeroes));

	clear_levels(&graph, start);
	device_graph_init(&device, app, &graph);
	for (unsigned r = 0; r < app->repeat; r++) {
		app_write(app, device.level, start, bytes);
		app_write(app, device.reached, zeroes, bytes);
		search_on_device(app, &device, &graph);
		app_lap(app);
	}
	app_read(app, device.level, level, bytes);
	search_on_host(app, &graph, want);
	app_check_words(app, level, want, graph.nodes);
	app_set_checksum(app, level, bytes);

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
	static const struct app_spec spec = {
		.name = "bfs",
		.summary = "Breadth-first search of a random graph, one work-item a node, "
			   "two launches a level.",
		.size_text = "nodes",
		.size = 65536,
		.size_min = 1,
		.size_max = 1 << 24,
		.dimensions = 1,
		.group = { 64, 1, 1 },
		.run = run,
	};

	return app_main(argc, argv, &spec);
}
