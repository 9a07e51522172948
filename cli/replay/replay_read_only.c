/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu.h"
#include "recording.h"
#include "replay.h"
#include "replay_report.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"

#include <inttypes.h>

void replay_text_read_only_head(FILE *out, const struct gpu *gpu)
{
	char bytes[COUNT_TEXT_BYTES];

	fprintf(out,
	        "Reads named by --read-only: through %s bytes of read-only cache of their SM\n"
	        "(%u sets x %u ways), which no write changes.\n",
	        count_text(bytes, (uint64_t)gpu->read_only_sets * gpu->read_only_ways *
	                                  gpu->l1_line_bytes),
	        gpu->read_only_sets, gpu->read_only_ways);
}

void replay_text_read_only(FILE *out, const struct counters *c)
{
	char more[64];

	replay_text_row(out, "read-only cache", c->reads, "reads; in none of the counts above");
	replay_text_row(out, "    hits", c->read_hits, "");
	replay_text_row(out, "    pending hits", c->pending_hits, "");
	snprintf(more, sizeof(more), "miss rate %.2f%%", 100 * counters_miss_rate(c));
	if (counters_are_classified(c))
		snprintf(more, sizeof(more), "miss rate %.2f%%, cold %" PRIu64,
		         100 * counters_miss_rate(c), c->cold);
	replay_text_row(out, "    misses", c->read_misses, more);
	replay_text_row(out, "    bytes from L2", c->bytes_from_l2, "");
}

void replay_text_read_only_sites(FILE *out, const struct replayed_launch *l)
{
	const struct recorded_launch *facts = &l->recording->launches[l->index];
	const struct recorded_kernel *kernel = &l->recording->kernels[facts->kernel];
	const struct counters *sites = l->result->read_only_sites;
	char misses[COUNT_TEXT_BYTES], reads[COUNT_TEXT_BYTES];
	struct source_text source;

	if (!sites || !l->result->read_only.reads)
		return;
	source_text_load(&source, l->recording, kernel->program);
	fprintf(out, "\n  %15s %8s %15s  %-6s %s\n", "misses", "rate", "reads", "kind",
	        "place, through the read-only cache");
	for (size_t i = 0; i < l->result->site_count; i++) {
		if (!sites[i].reads)
			continue;
		fprintf(out, "  %15s %7.2f%% %15s  ", count_text(misses, sites[i].read_misses),
		        100 * counters_miss_rate(&sites[i]), count_text(reads, sites[i].reads));
		site_text_print(out, &kernel->table.sites[i], i, &source);
	}
	source_text_release(&source);
}
