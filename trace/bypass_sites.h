/*
 * bypass_sites - which sites of a kernel the rules of a bypass list name, and how lists tell
 * places.
 *
 * Only what a kernel's table can tell: buffers, addresses and warps are known when it runs.
 */
#ifndef BYPASS_SITES_H
#define BYPASS_SITES_H

#include "bypass_list.h"

#include <stdbool.h>

struct kernel_table;

/* Whether the rule is of this kernel. */
bool bypass_rule_is_of(const struct bypass_rule *rule, const struct kernel_table *table);

/* Whether the rule, of a site, a line, an argument or of all, names this read of the kernel. The
 * other kinds name none: that depends on more than the site. */
bool bypass_rule_names(const struct bypass_rule *rule, const struct kernel_table *table,
                       size_t site);

/* Where a read site is: what a list says of it. The file's name is borrowed, NULL when unknown. */
struct bypass_place bypass_place_of(const struct kernel_table *table, size_t site);

/* Whether these can be the same. Of files of which one is told with fewer folders, what both tell
 * has to agree; an ordinal of 0 agrees with any. */
bool bypass_place_fits(const struct bypass_place *a, const struct bypass_place *b);

#endif
