/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>

/* Coordinates are small whole numbers, so that every distance is exact. */
enum {
	DIMENSIONS = 32,
	CENTRES = 8,
	CANDIDATES = 4,
	RANGE = 16,
	MAX_WEIGHT = 4,
	COLUMNS = CENTRES + 1
};

struct clustering {
	size_t points;
	float *coordinate, *weight, *cost;
	cl_uint *centre;     /* of each point: the point that it is */
	cl_uint *cell;       /* of each point that is a centre: which one */
	cl_uint at[CENTRES]; /* the centres */
	cl_uint *moves;
	float *kept;
};

static float cost_of(const struct clustering *c, size_t point, size_t centre)
{
	float sum = 0;

	for (size_t d = 0; d < DIMENSIONS; d++) {
		float difference = c->coordinate[d * c->points + point] -
		                   c->coordinate[d * c->points + centre];

		sum += difference * difference;
	}
	return sum * c->weight[point];
}

static void clustering_init(struct clustering *c, const struct host *host)
{
	size_t n = c->points = host->size ? host->size : 1;
	uint64_t seed = 1;

	c->coordinate = host_alloc(host, n * DIMENSIONS, sizeof(*c->coordinate));
	c->weight = host_alloc(host, n, sizeof(*c->weight));
	c->cost = host_alloc(host, n, sizeof(*c->cost));
	c->centre = host_alloc(host, n, sizeof(*c->centre));
	c->cell = host_alloc(host, n, sizeof(*c->cell));
	c->moves = host_alloc(host, n, sizeof(*c->moves));
	c->kept = host_alloc(host, n * COLUMNS, sizeof(*c->kept));
	for (size_t i = 0; i < n * DIMENSIONS; i++)
		c->coordinate[i] = (float)(host_random(&seed) % RANGE);
	for (size_t i = 0; i < n; i++)
		c->weight[i] = (float)(1 + host_random(&seed) % MAX_WEIGHT);
	for (cl_uint k = 0; k < CENTRES; k++) {
		c->at[k] = (cl_uint)(host_random(&seed) % n);
		c->cell[c->at[k]] = k;
	}
	for (size_t i = 0; i < n; i++) {
		c->centre[i] = c->at[0];
		for (unsigned k = 1; k < CENTRES; k++)
			if (cost_of(c, i, c->at[k]) < cost_of(c, i, c->centre[i]))
				c->centre[i] = c->at[k];
		c->cost[i] = cost_of(c, i, c->centre[i]);
	}
}

static void clustering_release(struct clustering *c)
{
	free(c->coordinate);
	free(c->weight);
	free(c->cost);
	free(c->centre);
	free(c->cell);
	free(c->moves);
	free(c->kept);
}

/* The points that are tried, spread over all. */
static cl_uint candidate_of(const struct clustering *c, unsigned i)
{
	return (cl_uint)(c->points * i / CANDIDATES);
}

static void check(const struct host *host, const struct clustering *c, const cl_uint *moves,
                  const float *kept)
{
	size_t n = c->points;
	cl_uint *want_moves = host_alloc(host, n, sizeof(*want_moves));
	double *want = host_alloc(host, n * COLUMNS, sizeof(*want));

	for (unsigned i = 0; i < CANDIDATES; i++)
		for (size_t point = 0; point < n; point++) {
			float cost = cost_of(c, point, candidate_of(c, i));
			double more = (double)cost - (double)c->cost[point];

			if (more < 0) {
				want_moves[point] = 1;
				want[point * COLUMNS + CENTRES] -= more;
			} else {
				want[point * COLUMNS + c->cell[c->centre[point]]] += more;
			}
		}
	host_check_words(host, moves, want_moves, n);
	host_check_floats(host, kept, want, n * COLUMNS);
	free(want_moves);
	free(want);
}

static void run(struct host *host)
{
	enum { BUFFERS = 7, MOVES = 5, KEPT = 6 };
	struct clustering c;

	clustering_init(&c, host);
	size_t n = c.points, row = n * sizeof(float), items = host_cover(host, 0, n);
	const size_t bytes[BUFFERS] = { row * DIMENSIONS, row, row, row, row, row, row * COLUMNS };
	const void *data[BUFFERS] = { c.coordinate, c.weight, c.cost, c.centre,
		                      c.cell,       c.moves,  c.kept };
	cl_mem buffer[BUFFERS];
	cl_kernel kernel = host_kernel(host, "streamcluster_gain");

	for (cl_uint b = 0; b < BUFFERS; b++) {
		buffer[b] = host_buffer(host, CL_MEM_READ_WRITE, bytes[b], data[b]);
		host_set_mem(host, kernel, b, buffer[b]);
	}
	host_set_uint(host, kernel, 7, (cl_uint)n);
	host_set_uint(host, kernel, 8, DIMENSIONS);
	host_set_uint(host, kernel, 9, CENTRES);
	for (unsigned r = 0; r < host->repeat; r++) {
		host_write(host, buffer[KEPT], c.kept, bytes[KEPT]);
		for (unsigned i = 0; i < CANDIDATES; i++) {
			host_set_uint(host, kernel, 10, candidate_of(&c, i));
			host_launch(host, kernel, &items);
		}
		host_lap(host);
	}
	host_read(host, buffer[MOVES], c.moves, bytes[MOVES]);
	host_read(host, buffer[KEPT], c.kept, bytes[KEPT]);
	check(host, &c, c.moves, c.kept);
	host_set_checksum(host, c.kept, bytes[KEPT]);

	clReleaseKernel(kernel);
	for (unsigned b = 0; b < BUFFERS; b++)
		clReleaseMemObject(buffer[b]);
	clustering_release(&c);
}

int main(int argc, char **argv)
{
	static const struct host_spec spec = {
		.name = "streamcluster",
		.summary = "What four further centres would gain in a clustering of points, one "
			   "work-item a point.",
		.size_text = "points",
		.size = 8192,
		.size_min = 1,
		.size_max = 1 << 22,
		.dimensions = 1,
		.group = { 512, 1, 1 },
		.run = run,
	};

	return host_main(argc, argv, &spec);
}
