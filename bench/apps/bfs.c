/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse_graph.h"

#include <stdlib.h>

static const cl_uint not_reached = UINT32_MAX; /* -1 in the kernel */

struct device_graph {
	cl_mem row, neighbour, level, reached, found;
	cl_kernel expand, advance;
};

static void device_graph_init(struct device_graph *d, const struct host *host,
                              const struct sparse_graph *g)
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

static void search_on_device(struct host *host, const struct device_graph *d,
                             const struct sparse_graph *g)
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
	struct sparse_graph graph;
	struct device_graph device;

	sparse_graph_init(&graph, host);
	size_t bytes = graph.nodes * sizeof(cl_uint);
	cl_uint *start = host_alloc(host, graph.nodes, sizeof(*start));
	cl_uint *want = host_alloc(host, graph.nodes, sizeof(*want));
	cl_uint *level = host_alloc(host, graph.nodes, sizeof(*level));
	cl_uint *zeroes = host_alloc(host, graph.nodes, sizeof(*zeroes));

	for (size_t node = 1; node < graph.nodes; node++)
		start[node] = not_reached;
	device_graph_init(&device, host, &graph);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_write(host, device.level, start, bytes);
		host_write(host, device.reached, zeroes, bytes);
		search_on_device(host, &device, &graph);
		host_lap(host);
	}
	host_read(host, device.level, level, bytes);
	sparse_graph_levels(&graph, host, want);
	host_check_words(host, level, want, graph.nodes);
	host_set_checksum(host, level, bytes);

	device_graph_release(&device);
	free(start);
	free(want);
	free(level);
	free(zeroes);
	sparse_graph_release(&graph);
}

int main(int argc, char **argv)
{
	static const char *const inputs[] = GRAPH_INPUTS;
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
