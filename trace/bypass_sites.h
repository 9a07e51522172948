/*
 * bypass_sites - which sites of a kernel the rules of a bypass list name, and how lists describe
 * places.
 *
 * Only from the kernel's table: buffers, addresses and warps are known only when the kernel runs.
 */
#ifndef BYPASS_SITES_H
#define BYPASS_SITES_H

#include "bypass_list.h"

#include <stdbool.h>

struct kernel_table;

/* Whether the rule applies to this kernel. */
bool bypass_rule_is_of(const struct bypass_rule *rule, const struct kernel_table *table);

/* Whether a rule of the kinds site, line, argument or all names this read of the kernel. Rules of
 * other kinds depend on more than the site: for them it is false. */
bool bypass_rule_names(const struct bypass_rule *rule, const struct kernel_table *table,
                       size_t site);

/* Returns the place of a read site, as in lists. The file's name is borrowed; NULL when unknown. */
struct bypass_place bypass_place_of(const struct kernel_table *table, size_t site);

/* Whether these can be the same place. If one file has fewer folders, the common part must be
 * equal. An ordinal of 0 equals any. */
bool bypass_place_fits(const struct bypass_place *a, const struct bypass_place *b);

#endif
