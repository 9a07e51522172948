/* SPDX-License-Identifier: Apache-2.0 */
#include "hierarchy_counts.h"

#include <stdlib.h>

void hierarchy_counts_sum(struct hierarchy_counts *sum, const struct hierarchy_counts *more)
{
	sum->is_on = sum->is_on || more->is_on;
	l2_counters_add(&sum->l2, &more->l2);
	dram_counters_add(&sum->dram, &more->dram);
}

void hierarchy_counts_release(struct hierarchy_counts *c)
{
	free(c->sites);
	free(c->slices);
	free(c->channels);
	*c = (struct hierarchy_counts){ 0 };
}
