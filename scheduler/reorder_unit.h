/*
 * reorder_unit - sends the accesses of an SM to its cache in static order, whatever the order in
 * which its warps issue them (Huangfu and Zhang, ISORC 2016, section 4.4.5).
 *
 * Each warp has a channel, in which an access waits from its issue until its turn. The unit always
 * waits for one particular access: of all accesses that the resident groups have not made yet, the
 * first in the static order, whether or not it has issued. That order compares, in turn:
 *
 *   phase   barriers that the warp has passed before it;
 *   place   the loops' iterations and the site, as in the order within a warp (SEMANTICS 2): the
 *           lowest instruction address that is still to be executed. So no access after a join
 *           reaches the cache before all those of the branches;
 *   group   the lowest id;
 *   warp    the lowest of the group.
 *
 * A reorder configuration (reorder_config.h), if there is one, gives the place as a number. The
 * paper has neither barriers nor loops; the phase ensures that a warp can always reach the access
 * that the unit waits for.
 *
 * The sequence depends only on the groups that the SM gets. When a group has made its last access,
 * the unit waits until the group has ended and its slot is filled again, because the next group's
 * accesses may come before all others. Once a slot stays empty there are no more groups, and the
 * unit no longer waits for any.
 *
 * It assumes that a warp issues its accesses in program order, and each only after the unit has
 * sent the previous one: a channel holds one access. The unit takes no time.
 */
#ifndef REORDER_UNIT_H
#define REORDER_UNIT_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct group_stream;
struct kernel_table;
struct reorder_unit;

/* Create a unit for `group_slots` slots of `warps_per_group` warps each: warp w of slot g is warp
 * slot g * warps_per_group + w. `table` is borrowed until the unit is freed. Returns 0 or
 * ERR_NOMEM. */
int reorder_unit_create(struct reorder_unit **out, const struct kernel_table *table,
                        uint32_t group_slots, uint32_t warps_per_group, struct err *err);

/* Free. NULL is allowed. */
void reorder_unit_free(struct reorder_unit *u);

/* Start a group in an empty slot. Its stream, whose maker must keep paths, is borrowed until the
 * group ends. */
void reorder_unit_start_group(struct reorder_unit *u, uint32_t group_slot,
                              const struct group_stream *stream);

/* End a group; all its accesses must have been sent. */
void reorder_unit_end_group(struct reorder_unit *u, uint32_t group_slot);

/* Set whether no more groups will start. */
void reorder_unit_set_last(struct reorder_unit *u, bool has_last_groups);

/* Put the warp's next access, which it has issued, into its channel, which must be empty. */
void reorder_unit_enter(struct reorder_unit *u, uint32_t warp_slot);

/* Returns whether the next access in the order is in its channel, with its warp slot in *warp_slot.
 */
bool reorder_unit_next(const struct reorder_unit *u, uint32_t *warp_slot);

/* Record that this access has been sent. */
void reorder_unit_sent(struct reorder_unit *u);

#endif
