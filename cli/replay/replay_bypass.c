/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"
#include "replay.h"
#include "replay_report.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"

void replay_text_bypass_head(FILE *out)
{
	fprintf(out, "Reads named by --bypass go past L1, in sectors of 32 bytes; the miss rate is "
	             "of the others.\n");
}

void replay_text_bypass(FILE *out, const struct counters *c)
{
	char more[COUNT_TEXT_BYTES + 32], bytes[COUNT_TEXT_BYTES];

	(void)snprintf(more, sizeof(more), "%s of the bytes from L2",
	               count_text(bytes, c->bytes_bypassed));
	replay_text_row(out, "  bypassing reads", c->bypasses, more);
}

void replay_text_bypass_sites(FILE *out, const struct replayed_launch *l)
{
	const struct recorded_launch *facts = &l->recording->launches[l->index];
	const struct recorded_kernel *kernel = &l->recording->kernels[facts->kernel];
	const struct counters *sites = l->result->sites;
	char reads[COUNT_TEXT_BYTES], bypasses[COUNT_TEXT_BYTES], bytes[COUNT_TEXT_BYTES];
	struct source_text source;

	if (!l->result->total.bypasses)
		return;
	source_text_load(&source, l->recording, kernel->program);
	fprintf(out, "\n  %15s %15s %18s  %-6s %s\n", "bypassing", "other reads", "bytes past L1",
	        "kind", "place");
	for (size_t i = 0; i < l->result->site_count; i++) {
		if (!sites[i].bypasses)
			continue;
		fprintf(out, "  %15s %15s %18s  ", count_text(bypasses, sites[i].bypasses),
		        count_text(reads, sites[i].reads),
		        count_text(bytes, sites[i].bytes_bypassed));
		site_text_print(out, &kernel->table.sites[i], i, &source);
	}
	source_text_release(&source);
}
