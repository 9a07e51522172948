/*
 * group_check - whether the events of a group may go into a launch file; private to trace/.
 */
#ifndef GROUP_CHECK_H
#define GROUP_CHECK_H

#include "group_events.h"
#include "launch_writer.h"

/*
 * Check g against the table and count its events into *totals (set, not added to). `group` is
 * for messages. Returns 0, ERR_FORMAT, or ERR_LIMIT for more than 2^64 - 1 accesses.
 */
int group_check(const struct group_events *g, uint64_t group, const struct kernel_table *t,
                struct launch_totals *totals, struct err *err);

#endif
