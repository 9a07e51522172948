/*
 * guide_choice - which sites of a chunk get which guide (site_guide.h); private to trace/.
 *
 * The writer's judgement from a sample of the chunk's first groups; a wrong one costs bytes, never
 * truth. A site whose strides tell most of its addresses keeps them. For the others the bits are
 * estimated that the sample takes with its strides, with an anchor, and with the mate that fits
 * most often among the sites that came shortly before it.
 */
#ifndef GUIDE_CHOICE_H
#define GUIDE_CHOICE_H

#include "group_events.h"
#include "site_guide.h"

struct err;
struct guide_choice;
struct kernel_table;

/* For the kernel of a table, borrowed; *out is NULL for one of more sites than are worth it.
 * Returns 0 or ERR_NOMEM. */
int guide_choice_create(struct guide_choice **out, const struct kernel_table *t, struct err *err);

/* Free. NULL is allowed. */
void guide_choice_free(struct guide_choice *c);

/*
 * Choose by `count` groups that have passed group_check(). guides[] has a place for each site of
 * the table; returns how many are set, in ascending order of their sites.
 */
size_t guide_choice_make(struct guide_choice *c, const struct group_events *groups, size_t count,
                         struct site_guide *guides);

#endif
