/*
 * schedule - plays one launch on a GPU: work-items to warps, warps to SMs,
 * lanes to requests, in the GPU's order and time (SEMANTICS 2-4).
 *
 * It knows nothing of caches: it asks a memory_port for the latency of each
 * request. Memory: the formed instructions of the resident groups and the
 * events of one group. Deterministic: the same input gives the same requests.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "group_events.h"
#include "issue_order.h"
#include "launch_shape.h"
#include "request.h"
#include "residency.h"
#include "side_counts.h"

#include <stdbool.h>
#include <stdint.h>

struct address_map;
struct err;
struct gpu;
struct reorder_config;

/* Where the groups of a launch come from, packed or plain; *out is borrowed until the next call. */
struct group_source {
	void *context;
	int (*read)(void *context, uint64_t group, struct group_events *out, struct err *err);
};

struct schedule_input {
	const struct launch_shape *shape;
	const struct kernel_table *table;
	const struct address_map *map; /* NULL: addresses as recorded */
	struct group_source groups;
	uint64_t local_bytes; /* of a group */
	uint32_t registers;   /* of a work-item; 0: not known, no limit */
	struct issue_order order;
	const struct reorder_config *reorder; /* for the order `reorder`: made for this launch;
	                                         NULL: the order is found from the events */
	bool is_sequence; /* the groups follow one another on SM 0: pieces of one warp's work */
};

struct schedule_result {
	struct residency residency;
	uint64_t cycles; /* until the last SM is done */
	uint64_t lanes;  /* accesses played; with those in `side` all accesses in the events */
	uint64_t instructions; /* warp memory instructions */
	uint64_t requests;
	uint64_t unmapped_lanes;   /* accesses that lie in no recorded buffer (map given) */
	uint64_t *sm_groups;       /* groups run by each SM, gpu->sm_count of them */
	uint64_t *sm_requests;     /* requests of each SM: reads, */
	uint64_t *sm_reads;        /* of which reads */
	struct side_counts *sides; /* per site of the table: what went beside L1 */
	struct side_counts side;   /* their sum */
};

/* Free what the result owns. Accepts a zeroed struct. */
void schedule_result_release(struct schedule_result *r);

/*
 * Play the launch: initial groups go round robin over SMs, a further one starts on the SM that
 * frees a slot first (lowest SM on a tie).
 * Fills *out (release it in every case). Returns 0, ERR_CONFIG, ERR_FORMAT (events that
 * contradict the table), ERR_NOMEM, ERR_LIMIT, or what groups.read returns.
 */
int schedule_launch(const struct gpu *gpu, const struct schedule_input *input,
                    const struct memory_port *port, struct schedule_result *out, struct err *err);

#endif
