/*
 * sm - simulates one streaming multiprocessor: resident groups, warp schedulers, time.
 *
 * Time is in cycles of the SM. Each of the GPU's `schedulers` issues at most one warp instruction a
 * cycle; the issue_order chooses the warp. Warp w of the group in slot g has warp slot g * (warps
 * of a group) + w, and belongs to scheduler (warp slot) modulo `schedulers`. Schedulers issue in
 * ascending order. If the memory port is limited, the one after the scheduler that took the port
 * last goes first. The port is limited if l1_request_cycles is not 0 or if it has port_free()
 * (request.h), as an L1 with MSHR limits has.
 *
 * The memory port takes one request every `l1_request_cycles` cycles: an access issues when the
 * port is free, and its requests go out one after another, in order. With 0 there is no limit, and
 * all go out in the cycle of issue. A port with port_free() also takes no access before the cycle
 * that port_free() returns. A scheduler whose chosen warp has an access while the port is busy
 * issues nothing.
 *
 * After a read or an atomic the warp is ready again when the last of its data has arrived, but not
 * before the next cycle; after a write, in the next cycle. At a barrier it waits until all
 * unfinished warps of its group are at one. They continue in the cycle after the last of them
 * arrives, or, if the barrier opens because a warp finished, in the cycle in which it finished.
 * Only accesses and barriers take time. A warp has finished when it would be ready for its next
 * instruction but has none left. A group has ended when its last warp has finished.
 *
 * With scoreboard = in_order, a warp that has issued a read continues in the next cycle. It waits
 * before the first instruction that may depend on data it has requested. A recording has no
 * registers, but it says which sites are companions (kernel_table.h): their addresses are the
 * address of a leader, in the same node of the control flow graph, plus constants of the launch. So
 * a companion's read depends on no data requested after its leader, and a leader that issues has
 * waited for all data requested before it. Such reads do not wait. (Prefetches and accesses to
 * local or constant memory do not issue; a read with such a leader waits.) All other instructions
 * wait: leaders, writes and atomics (their operands are unknown), barriers, and the end of the
 * warp. This assumes that the compiler places the independent reads before any arithmetic on their
 * results.
 *
 * Large warps (lwf): the sub-warps of an access issue in consecutive cycles, or as the port takes
 * them; no other warp of the scheduler issues between them. After the last one the large warp waits
 * for the data of all. A large warp takes one warp slot, as a warp does.
 *
 * reorder: an access that issues goes into its warp's channel and does not take the port. The
 * reorder unit sends it when its turn comes, possibly in the same cycle, and sends as many accesses
 * as the port takes. The warp continues as above, counted from that cycle; so it also waits for its
 * writes to be sent.
 *
 * Orders of work-items (sequential, random, roundrobin) have their own time. Each work-item is a
 * warp of one lane that makes its own requests. The SM has a single scheduler and makes one access
 * after another: an access issues when the data of the previous one has arrived and the port is
 * free; after a write, in the next cycle in which the port is free. So no request is in flight when
 * an access issues, and the cache sees a plain sequence. Barriers hold, and take one cycle of each
 * work-item. Groups are resident as in the other orders.
 *
 * SMs share nothing here but the order in which groups are dispatched. So each may run ahead of the
 * others until one of its groups ends, or to the end of the round when answers come later
 * (request.h). This affects only when something is computed, not the result.
 */
#ifndef SM_H
#define SM_H

#include "issue_order.h"
#include "request.h"

struct err;
struct gpu;
struct group_stream;
struct sm;

/* Totals of an SM. */
struct sm_counts {
	uint64_t groups;
	uint64_t requests;
	uint64_t reads;
};

struct sm_shape {
	uint32_t number; /* the SM's number, for the port */
	uint32_t schedulers;
	uint32_t request_cycles; /* l1_request_cycles */
	uint32_t group_slots;
	uint32_t warps_per_group; /* of the largest group */
	struct issue_order order;
	bool is_in_order; /* scoreboard = in_order */
	uint64_t horizon; /* end of the first round, or UINT64_MAX when the port does not settle */
	bool has_cold_rounds; /* other SMs run between rounds and evict this one from the host's
	                         caches */
};

/* Create an SM without groups. `table` and `port` are borrowed until sm_free(). Returns 0 or
 * ERR_NOMEM. */
int sm_create(struct sm **out, const struct sm_shape *shape, const struct kernel_table *table,
              const struct memory_port *port, struct err *err);

/* Free the SM, not the streams, which it borrows. NULL is allowed. */
void sm_free(struct sm *sm);

/*
 * Make a group resident in an empty slot, in cycle sm_now(). A slot that is empty when the SM
 * issues stays empty in that cycle. `stream` is borrowed until the group has ended; it has at most
 * warps_per_group warps.
 */
void sm_start_group(struct sm *sm, uint32_t slot, const struct group_stream *stream);

/*
 * Run until a group ends or sm_now() reaches `until` or the end of the round. Returns true if a
 * group has ended, in cycle sm_now(), with its slot in *slot, which is empty again. Groups that end
 * in the same cycle are reported one by one, before that cycle issues. Returns false if no group is
 * resident, or if sm_now() is at or beyond that end: then nothing has issued at or beyond it, and
 * all groups that end up to it have been reported.
 */
bool sm_run(struct sm *sm, uint64_t until, uint32_t *slot);

/* Begin the next round, after port->settle(): fetch the answers, send the kept requests up to
 * `horizon`, which must be later than the previous one, and call port->port_free(). */
void sm_begin_round(struct sm *sm, uint64_t horizon);

/* The cycle of the first request that is kept for a later round, or UINT64_MAX if there is none. */
uint64_t sm_kept_from(struct sm *sm);

/* Whether memory for kept requests ran out: then the results must not be used. */
bool sm_is_out_of_memory(const struct sm *sm);

/* The current cycle, from 0; the counts, borrowed until sm_free(). */
uint64_t sm_now(const struct sm *sm);
const struct sm_counts *sm_counts(const struct sm *sm);

#endif
