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

/* The source of the groups of a launch. */
struct group_source {
	void *context;
	/* Read a group into *out, packed or plain. It is borrowed until the next call, except for a
	 * store, which the caller owns. Called by one thread at a time, for ascending groups. */
	int (*read)(void *context, uint64_t group, struct group_items *out, struct err *err);
	/* Returns the first group >= `group` that can be read, or UINT64_MAX. NULL: all groups can
	 * be read. Called by any thread. */
	uint64_t (*next)(void *context, uint64_t group);
};

struct schedule_input {
	const struct launch_shape *shape;
	const struct kernel_table *table;
	const struct address_map *map; /* NULL: addresses as recorded */
	struct group_source groups;
	uint64_t local_bytes;       /* of a group */
	struct local_sample sample; /* groups whose accesses to local memory were recorded */
	uint32_t registers;         /* of a work-item; 0: not known, no limit */
	struct issue_order order;
	const struct reorder_config *reorder; /* for the order `reorder`: made for this launch;
	                                         NULL: the order is found from the events */
	struct dispatch_order dispatch;
	uint32_t sms;             /* to simulate, 1 .. sm_count; 0: all */
	uint32_t jobs;            /* threads; 0: one */
	_Atomic uint64_t *played; /* accesses are added as their groups end; may be NULL */
	bool has_patterns;        /* find the access patterns of the sites */
	bool is_sequence; /* the groups run one after another on SM 0: parts of one warp's work */
};

struct schedule_result {
	struct residency residency;
	bool *sm_is_played; /* gpu->sm_count of them; all results below are of simulated SMs only */
	uint64_t groups;    /* run by these SMs */
	uint64_t cycles;    /* until the last SM has finished */
	uint64_t lanes; /* accesses replayed; with those in `side`, before scaling, all accesses in
	                   the events */
	uint64_t instructions; /* warp memory instructions */
	uint64_t requests;
	uint64_t unmapped_lanes; /* accesses outside all recorded buffers (if a map is given) */
	uint64_t *sm_groups;     /* groups run by each SM, gpu->sm_count of them */
	uint64_t *sm_requests;   /* requests of each SM, gpu->sm_count of them */
	uint64_t *sm_reads;      /* of these, reads */
	struct access_pattern *patterns; /* per site, of the groups run; NULL: not requested */
	/*
	 * Per site of the table, accesses to local and constant memory. With a sample of groups,
	 * those to local memory are scaled from the sample to all groups that ran and rounded; 0 if
	 * no group of the sample ran.
	 */
	struct side_counts *sides;
	struct side_counts side;        /* their sum */
	struct side_sample side_sample; /* which of the groups that ran were in the sample */
};

/* Free what the result owns. Accepts a zeroed struct. */
void schedule_result_release(struct schedule_result *r);

/* Returns the number of SMs that schedule_launch() simulates, `played`. They are those with numbers
 * `floor(k * sm_count / played)`, k = 0 .. played - 1 (dispatcher.h has the reason). */
static inline uint32_t schedule_played(const struct gpu *gpu, const struct schedule_input *input)
{
	return input->sms ? input->sms : gpu->sm_count;
}

/* Returns whether an SM is simulated and may get a group. If a launch has fewer groups than the GPU
 * has SMs, the lowest SMs get them, unless dispatch is random. */
bool schedule_reaches(const struct gpu *gpu, const struct schedule_input *input, uint32_t sm);

/*
 * Simulate the launch. Groups are dispatched to SMs as described in dispatcher.h. Groups that
 * cannot be read are skipped, but residency counts them among the groups of the launch.
 *
 * If `sms` is less than the GPU's number of SMs, the SMs selected by dispatcher_plays() are
 * simulated. The first groups of each are exact. Its later groups depend on when the SMs that are
 * not simulated finish theirs; these are assumed to be as fast as the simulated SM that stands for
 * them.
 *
 * With `jobs` threads, port->request(), access(), next_answer() and port_free() are called by all
 * of them, but for any one SM by one thread at a time, and settle() while none of these is running.
 * The result is the same for any number of threads. settle(UINT64_MAX) is called when the launch
 * has been simulated to its end, and not if it fails.
 *
 * Memory: the streams of the resident groups (group_stream.h), the events of one group for each
 * thread, and what sm_crew.h describes. Streams of more than 128 KB are moved to a temporary file
 * where possible (stream_spill.h): not with port->access, nor in the order `reorder`.
 *
 * Fills *out; release it in every case. Returns 0; ERR_CONFIG (also for a port whose horizon_cycles
 * are fewer than 2); ERR_FORMAT for events that contradict the table; ERR_NOMEM; ERR_LIMIT; ERR_IO
 * for the temporary file; or what groups.read returns. If several groups fail, the error is that of
 * the lowest.
 */
int schedule_launch(const struct gpu *gpu, const struct schedule_input *input,
                    const struct memory_port *port, struct schedule_result *out, struct err *err);

/*
 * A launch that is a single sequence of accesses, such as an imported list of addresses
 * (schedule_input.is_sequence), is simulated without forming warps: one warp of one lane on SM 0.
 * An access issues when the previous one has its data (after a write: in the next cycle) and L1
 * takes a request. The result is that of the general simulation, computed faster.
 */

#endif
