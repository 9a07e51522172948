/*
 * export_addresses - the accesses of a recording as a list of addresses (address_file.h), in the
 * recorded order or in that of a replay.
 *
 * din holds addresses, and whether each is read or written; u64 has only addresses. What else
 * the recording has is counted as lost. Accesses to local memory are left out.
 */
#ifndef EXPORT_ADDRESSES_H
#define EXPORT_ADDRESSES_H

#include "address_file.h"

struct access_walk;
struct err;
struct kernel_table;
struct player;
struct recording;

/* RECORDED: group by group, work-item by work-item. Of one SM in a replay, ACCESSES: lane by lane;
 * REQUESTS: those of its L1, at the addresses that the replay assigns. */
enum export_order { EXPORT_RECORDED, EXPORT_ACCESSES, EXPORT_REQUESTS };

struct export_addresses {
	/* Set by the caller. */
	FILE *out; /* borrowed; callers check for write errors */
	enum address_format format;
	enum export_order order;
	uint32_t sm; /* of a replay */
	/* The launch being replayed. */
	const struct recording *recording;
	const struct kernel_table *table;
	/* What the list does not hold. */
	uint64_t lost_kinds, lost_sizes, lost_atomics, lost_others, lost_local;
	uint64_t other_sms; /* accesses or requests of the SMs that are not written */
};

/* Write the accesses of a walk whose launches are set. Returns 0 or as access_walk_run(). */
int export_addresses_recorded(struct export_addresses *x, struct access_walk *walk,
                              struct err *err);

/* Write the accesses of a replay by a player with launches, GPU and options; the options change.
 * Returns 0 or as player_play(). */
int export_addresses_replayed(struct export_addresses *x, struct player *player, struct err *err);

#endif
