/*
 * sm - one streaming multiprocessor: resident groups, warp schedulers, time.
 *
 * Time is in cycles of the SM. Each of the GPU's `schedulers` issues at most one
 * warp instruction a cycle, of the warp that the issue_order names.
 * Warp w of the group in slot g has warp slot g * (warps of a group) + w, and
 * belongs to scheduler (warp slot) modulo `schedulers`. Schedulers issue in order of their number,
 * beginning after the one that took the memory port last, when it is limited: l1_request_cycles is
 * not 0, or the port has port_free() (request.h), as an L1 with MSHR limits has.
 *
 * The memory port takes one request every `l1_request_cycles`: an access issues
 * when the port is free, and its requests go out one after another, in order. A
 * scheduler whose turn is at an access that finds it taken issues nothing.
 * With 0 there is no limit, and all go out in the cycle of issue. A port with
 * port_free() (request.h) takes no access before the cycle that it says either.
 * After a read or an atomic the warp is ready again when the last of its data is
 * there, but not before the next cycle; after a write in the next cycle. At a barrier it waits
 * until all unfinished warps of its group are at one; they go on in the next cycle, or when it was
 * the end of a warp that they waited for, in that one. Only accesses and barriers take time. A warp
 * has finished when it would be ready for an instruction that does not exist; a group has when its
 * last warp has.
 *
 * With scoreboard = in_order a warp that has issued a read goes on in the next cycle and waits
 * before the first instruction that is not surely independent of what it has asked for. Of
 * registers a recording knows nothing. What it knows is which sites are companions
 * (kernel_table.h): their addresses are sums of the address of a leader in the same node of the
 * flow and of constants of the launch, so a read there depends on no data asked for after its
 * leader; and a leader that issues has waited for all that was asked for before (prefetches, and
 * what goes beside L1, issue nothing). Such reads do not wait. All else does: leaders, writes and
 * atomics (of their operands nothing is known), barriers, and the warp's end. This assumes that the
 * compiler has put the independent reads before any arithmetic on what was read.
 *
 * Large warps (lwf): the sub-warps of an access issue in consecutive cycles, or as the port takes
 * them; no other warp of the scheduler issues between. After the last one the large warp waits for
 * the data of all. Large warp w of a group takes a warp slot as a warp does.
 *
 * reorder: an access that issues goes into its warp's channel and takes no port; the reorder unit
 * sends it in its turn, which may be in the same cycle, and as many as the port takes. The warp
 * goes on as above, counted from then; so it waits for its writes to be sent.
 *
 * Orders on work-items (sequential, random, roundrobin) have a time of their own: each work-item is
 * a warp of one lane, with requests of its own, an SM has a single scheduler, and it makes one
 * access after another: a step begins when the data of the one before is there and the port
 * is free, after a write in the next cycle. So nothing is on its way when an access comes, and the
 * cache sees a plain sequence. Barriers hold, and take a cycle of each work-item; groups are
 * resident as they would be otherwise.
 *
 * SMs share nothing here but the order in which groups are given out, so each may run ahead of the
 * others until it has a slot to give, or to the end of the round when answers come later
 * (request.h). These change nothing of the above but when it is computed.
 */
#ifndef SM_H
#define SM_H

#include "issue_order.h"
#include "request.h"

struct err;
struct gpu;
struct group_stream;
struct sm;

/* What happened to all requests of an SM. */
struct sm_counts {
	uint64_t groups;
	uint64_t requests;
	uint64_t reads;
};

struct sm_shape {
	uint32_t number; /* of the SM, for the port */
	uint32_t schedulers;
	uint32_t request_cycles; /* l1_request_cycles */
	uint32_t group_slots;
	uint32_t warps_per_group; /* of the largest group */
	struct issue_order order;
	bool is_in_order; /* scoreboard = in_order */
	uint64_t horizon; /* end of the first round, or UINT64_MAX when the port does not settle */
	bool has_cold_rounds; /* so many others run in between that the processor forgets it */
};

/* `table` and `port` are borrowed until sm_free(). Returns 0 or ERR_NOMEM. */
int sm_create(struct sm **out, const struct sm_shape *shape, const struct kernel_table *table,
              const struct memory_port *port, struct err *err);

/* Free; streams stay their owner's. NULL is allowed. */
void sm_free(struct sm *sm);

/*
 * Make a group resident in an empty slot, now; a slot that is empty when the SM issues stays empty.
 * `stream` is borrowed until the group has ended; it has at most warps_per_group warps.
 */
void sm_start_group(struct sm *sm, uint32_t slot, const struct group_stream *stream);

/*
 * Run until a group ends: true, and its slot, which is empty again; the time is sm_now(). Groups
 * that end in the same cycle are reported one by one, before that cycle issues. False when no
 * group is resident, or when sm_now() has come to `until`, the end of the round, or beyond: then
 * nothing has issued in or after it, and all ends up to it have been reported.
 */
bool sm_run(struct sm *sm, uint64_t until, uint32_t *slot);

/* Begin the next round, after port->settle(): fetch the answers, send what is left of an access up
 * to `horizon`, a later cycle than before, and ask port->port_free(). */
void sm_begin_round(struct sm *sm, uint64_t horizon);

/* The cycle of the first request that waits for a later round, UINT64_MAX when there is none. */
uint64_t sm_kept_from(struct sm *sm);

/* Memory for such requests ran out: what follows is not to be used. */
bool sm_is_out_of_memory(const struct sm *sm);

/* The SM's cycle, from 0; and its counts: borrowed, valid until sm_free(). */
uint64_t sm_now(const struct sm *sm);
const struct sm_counts *sm_counts(const struct sm *sm);

#endif
