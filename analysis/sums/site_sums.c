/* SPDX-License-Identifier: Apache-2.0 */
#include "site_sums.h"

void site_sums_add(struct site_sums *sum, const struct site_sums *more)
{
	l1_stats_add(&sum->l1, &more->l1);
	access_pattern_add(&sum->pattern, &more->pattern);
	line_share_add(&sum->sharing, &more->sharing);
	sum->atomic_waits += more->atomic_waits;
	sum->again.requests += more->again.requests;
	sum->again.bytes += more->again.bytes;
	side_counts_add(&sum->side, &more->side);
	reuse_bins_sum(&sum->distances, &more->distances);
}
