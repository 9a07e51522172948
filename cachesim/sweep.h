/*
 * sweep - many L1 geometries in one pass over a recording: the second interface of this room.
 *
 * All caches have one line size and LRU, and get the same requests in the same order: the GPU's
 * order when its L1 has no time (latency = off), so that hits and misses do not change it. Each
 * cell has the counts of replay_launch() for such a GPU, summed over SMs and launches, except for
 * the classes of misses other than cold, which are 0.
 *
 * options->jobs threads replay an SM each; the counts are the same for any number.
 *
 * The GPU's sets, ways and l1_index are ignored. Memory: the stacks of each SM that has a group,
 * sets * ways * 4 bytes (8 from line number 2^32 - 1 on) for each geometry.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "counters.h"
#include "replay.h"

#include <stdbool.h>

struct sweep;

/* Most lines of the caches of all geometries together. */
#define SWEEP_LINES_MAX (1u << 24)

struct sweep_geometry {
	uint32_t index; /* enum gpu_l1_index */
	uint32_t sets;
};

/* Whether one pass can handle this GPU's policy, sectors and write policy. */
bool sweep_can(const struct gpu *gpu);

/*
 * For `count` geometries (1..65536), each with 1..`ways` (<= 1024) ways. Copies what it needs; free
 * with sweep_free(). Returns 0, ERR_CONFIG for a geometry that the GPU cannot have or if
 * sweep_can() is false, ERR_LIMIT for more than SWEEP_LINES_MAX lines, ERR_NOMEM.
 */
int sweep_create(struct sweep **out, const struct gpu *gpu, const struct sweep_geometry *list,
                 size_t count, uint32_t ways, struct err *err);

/* Free. NULL is allowed. */
void sweep_free(struct sweep *s);

/*
 * Replay a launch through all caches, which are empty at its start, and add to the counts.
 * *is_whole is set to whether its file held all of it. Returns the same as replay_launch(); after a
 * failure the counts are invalid.
 */
int sweep_launch(struct sweep *s, const struct recording *r, size_t launch,
                 const struct replay_options *options, bool *is_whole, struct err *err);

/* A request of an SM, outside a launch, and the end of such a launch: for tests and benchmarks. */
void sweep_request(struct sweep *s, uint32_t sm, const struct request *r);
int sweep_end(struct sweep *s, struct err *err);

/* Fill *out with the counts of the cache of geometry number `geometry` with `ways` ways. */
void sweep_cell(const struct sweep *s, size_t geometry, uint32_t ways, struct counters *out);

#endif
