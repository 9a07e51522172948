/*
 * guide_choice - which sites of a chunk get which guide (site_guide.h); private to trace/.
 *
 * The writer decides from a sample of the chunk's first groups; a bad choice costs bytes, never
 * correctness. A site whose strides predict most of its addresses keeps them. For other sites the
 * writer estimates how many bits the sample takes with the site's strides, with an anchor, and with
 * the best mate among the sites that came shortly before it.
 */
#ifndef GUIDE_CHOICE_H
#define GUIDE_CHOICE_H

#include "event.h"
#include "site_guide.h"

struct err;
struct guide_choice;
struct kernel_table;

/* Create for the kernel of a table, which is borrowed. *out is NULL for a kernel with too many
 * sites for guides to be worth it. Returns 0 or ERR_NOMEM. */
int guide_choice_create(struct guide_choice **out, const struct kernel_table *t, struct err *err);

/* Free. NULL is allowed. */
void guide_choice_free(struct guide_choice *c);

/*
 * Choose guides from `count` groups that have passed group_check(). guides[] has room for one
 * guide of each site of the table. Returns the number set, in ascending order of their sites.
 */
size_t guide_choice_make(struct guide_choice *c, const struct group_events *groups, size_t count,
                         struct site_guide *guides);

#endif
