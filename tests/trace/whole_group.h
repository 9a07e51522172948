/*
 * whole_group - all events of a group in memory at once, as the tests want them.
 *
 * What is handed out is borrowed until the next call of any of these.
 */
#ifndef WHOLE_GROUP_H
#define WHOLE_GROUP_H

#include "event.h"

struct err;
struct kernel_table;
struct launch_reader;

/* As they are stored. Returns 0 or what the reader returns. */
int whole_group_stored(struct launch_reader *r, uint64_t g, struct group_events *out,
                       struct err *err);

/* The plain ones of group `number`, which is for messages. Returns 0 or what an expander returns.
 */
int whole_group_expand(const struct kernel_table *t, const struct group_events *stored,
                       uint64_t number, struct group_events *out, struct err *err);

/* Both. */
int whole_group_plain(struct launch_reader *r, const struct kernel_table *t, uint64_t g,
                      struct group_events *out, struct err *err);

#endif
