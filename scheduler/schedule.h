/*
 * schedule - simulates one launch on a GPU: work-items become warps, warps go to SMs, lanes become
 * requests, in the GPU's order and time (SEMANTICS 2-4).
 *
 * It knows nothing of caches: it asks a memory_port for the latency of each request. Deterministic:
 * the same input gives the same requests.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "access_pattern.h"
#include "dispatcher.h"
#include "gpu.h"
#include "issue_order.h"
#include "item_events.h"
#include "launch_shape.h"
#include "request.h"
#include "residency.h"
#include "side_counts.h"

#include <stdbool.h>
#include <stdint.h>

struct address_map;
struct err;
struct reorder_config;

/* Where the groups of a launch come from. */
struct group_source {
	void *context;
	/* *out, packed or plain, is borrowed until the next call, except a store, which the caller
	 * owns. One thread at a time; groups ascend. */
	int (*read)(void *context, uint64_t group, struct group_items *out, struct err *err);
	/* The first group >= `group` that can be read, or UINT64_MAX; NULL: all can. Any thread. */
	uint64_t (*next)(void *context, uint64_t group);
};

struct schedule_input {
	const struct launch_shape *shape;
	const struct kernel_table *table;
	const struct address_map *map; /* NULL: addresses as recorded */
	struct group_source groups;
	uint64_t local_bytes;       /* of a group */
	struct local_sample sample; /* groups whose accesses to local memory the events have */
	uint32_t registers;         /* of a work-item; 0: not known, no limit */
	struct issue_order order;
	const struct reorder_config *reorder; /* for the order `reorder`: made for this launch;
	                                         NULL: the order is found from the events */
	struct dispatch_order dispatch;
	uint32_t sms;             /* to simulate, 1 .. sm_count; 0: all */
	uint32_t jobs;            /* threads; 0: one */
	_Atomic uint64_t *played; /* accesses are added to it as their groups end; may be NULL */
	bool has_patterns;        /* find the access patterns of the sites */
	bool is_sequence; /* the groups follow one another on SM 0: pieces of one warp's work */
};

struct schedule_result {
	struct residency residency;
	bool *sm_is_played;    /* of gpu->sm_count; all below is of the simulated SMs alone */
	uint64_t groups;       /* that they ran */
	uint64_t cycles;       /* until the last SM is done */
	uint64_t lanes;        /* accesses played; with those in `side`, as they were
	                      counted, all accesses in the events */
	uint64_t instructions; /* warp memory instructions */
	uint64_t requests;
	uint64_t unmapped_lanes;         /* accesses that lie in no recorded buffer (map given) */
	uint64_t *sm_groups;             /* groups run by each SM, gpu->sm_count of them */
	uint64_t *sm_requests;           /* requests of each SM: reads, */
	uint64_t *sm_reads;              /* of which reads */
	struct access_pattern *patterns; /* per site, of the groups that were run; NULL: not asked
	                                    for */
	/*
	 * Per site of the table, accesses to local and constant memory. With a sample of groups,
	 * those to local memory are scaled from the sample to all groups that ran and rounded; 0 if
	 * no group of the sample ran.
	 */
	struct side_counts *sides;
	struct side_counts side;        /* their sum */
	struct side_sample side_sample; /* of the groups that ran, which were in the sample */
};

/* Free what the result owns. Accepts a zeroed struct. */
void schedule_result_release(struct schedule_result *r);

/* How many SMs schedule_launch() simulates: SMs floor(k * sm_count / played) for
 * k = 0 .. played - 1 (dispatcher.h has the reason). */
static inline uint32_t schedule_played(const struct gpu *gpu, const struct schedule_input *input)
{
	return input->sms ? input->sms : gpu->sm_count;
}

/* Whether a simulated SM may get a group: if a launch has fewer groups than the GPU has SMs, the
 * lowest SMs get them, unless dispatch is random. */
bool schedule_reaches(const struct gpu *gpu, const struct schedule_input *input, uint32_t sm);

/*
 * Play the launch. Groups go to SMs as dispatcher.h says; those that cannot be read are passed over
 * as if they were not there, but count where residency asks how many groups the launch has.
 *
 * With `sms` fewer than the GPU has, those are played that dispatcher_plays() names. Exact are then
 * the groups that each has first; which of the others it gets depends on when the SMs end theirs
 * that are not played, and those are taken to be as fast as the played one that stands for them.
 *
 * With `jobs` threads port->request(), access(), next_answer() and port_free() are called from all
 * of them, but for one SM from one at a time, and settle() while none of these is; the result is
 * the same for any number. settle(UINT64_MAX) is called when the launch has been played to its end,
 * and not when it fails.
 *
 * Memory: the streams of the resident groups (group_stream.h), of which those of more than 128 KB
 * lie in a temporary file where they can (stream_spill.h: not with port->access, nor in the order
 * `reorder`), the events of one group for each thread, and what sm_crew.h says.
 *
 * Fills *out (release it in every case). Returns 0, ERR_CONFIG (also for a port whose
 * horizon_cycles are fewer than 2), ERR_FORMAT (events that contradict the table), ERR_NOMEM,
 * ERR_LIMIT, ERR_IO (the temporary file), or what groups.read returns: of several groups that fail,
 * for the lowest.
 */
int schedule_launch(const struct gpu *gpu, const struct schedule_input *input,
                    const struct memory_port *port, struct schedule_result *out, struct err *err);

/*
 * sequence - plays a launch that is one sequence of single accesses, without forming warps: an
 * imported list of addresses (schedule_input.is_sequence).
 *
 * One warp of one lane on SM 0: an access goes when the one before it has its data (a write: in the
 * next cycle) and L1 takes a request. What comes out is what the general way gives, sooner.
 */

#endif
