/*
 * export_list - the accesses of a recording as a list of addresses (address_file.h), in the order
 * in which they were recorded or in that of a replay.
 *
 * din holds reads and writes and their addresses, u64 only addresses. What of the recording it does
 * not hold is counted. Local memory is not in such a list.
 */
#ifndef EXPORT_LIST_H
#define EXPORT_LIST_H

#include "address_file.h"
#include "dump.h"
#include "player.h"

struct err;
struct player;

/* Whose accesses come when: group by group and work-item by work-item; those of an SM in a replay,
 * lane by lane; or the requests of an SM to its L1, with the addresses that the replay gives them.
 */
enum export_order { EXPORT_RECORDED, EXPORT_ACCESSES, EXPORT_REQUESTS };

struct export_list {
	FILE *out;
	enum address_format format;
	enum export_order order;
	uint32_t sm;                       /* of a replay */
	const struct recording *recording; /* being replayed, */
	const struct kernel_table *table;  /* and of the current launch */
	uint64_t written;
	/* What the list does not hold. */
	uint64_t lost_kinds, lost_sizes, lost_atomics, lost_others, lost_local;
	uint64_t other_sms; /* accesses or requests of the SMs that are not written */
};

/* The accesses of launches in the recorded order; *played (or NULL) counts them as they are
 * written. *is_whole becomes false when a file lacks groups. Returns 0 or as dump_launch(). */
int export_list_recorded(struct export_list *x, const struct launch_choice *choice,
                         _Atomic uint64_t *played, bool *is_whole, struct err *err);

/* The same in the order of a replay by a player, whose launches, GPU and options are set; these are
 * changed. Returns 0 or as player_play(). */
int export_list_replayed(struct export_list *x, struct player *player, struct err *err);

#endif
