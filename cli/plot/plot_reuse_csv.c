/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_reuse.h"

#include <inttypes.h>

static void write_distances(const char *table, const struct reuse_counts *full,
                            const struct plot_bins *bins, FILE *out)
{
	for (size_t i = 0; i < bins->count; i++)
		fprintf(out, "%s,distance,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,\n", table,
		        bins->bins[i].first, bins->bins[i].last, bins->bins[i].count);
	fprintf(out, "%s,cold,,,%" PRIu64 ",,\n%s,taken,,,%" PRIu64 ",,\n", table,
	        reuse_counts_cold(full), table, reuse_counts_taken(full));
}

void plot_reuse_csv(const struct plot_reuse *p, FILE *out)
{
	struct plot_bins bins;

	fputs("table,what,first,last,count,bytes_moved,bytes_used\n", out);
	plot_reuse_full_bins(p, &bins);
	write_distances("sm", p->full, &bins, out);
	plot_reuse_set_bins(p, &bins);
	write_distances("set", p->full, &bins, out);
	plot_reuse_use_bins(p, &bins);
	for (size_t i = 0; i < bins.count; i++)
		fprintf(out,
		        "lines,uses,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
		        bins.bins[i].first, bins.bins[i].last, bins.bins[i].count,
		        p->lines.uses[i].bytes_moved, p->lines.uses[i].bytes_used);
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		fprintf(out, "left,%s,,,%" PRIu64 ",,\n", plot_reuse_reason(i),
		        p->lines.reasons[i]);
}
