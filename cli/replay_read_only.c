/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu.h"
#include "recording.h"
#include "replay.h"
#include "replay_report.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"

#include <inttypes.h>

static void put_counters(struct json_out *out, json_t *object, const struct counters *c)
{
	json_out_count(out, object, "reads", c->reads);
	json_out_count(out, object, "read_hits", c->read_hits);
	json_out_count(out, object, "pending_hits", c->pending_hits);
	json_out_count(out, object, "read_misses", c->read_misses);
	json_out_count(out, object, "cold", c->cold);
	json_out_count(out, object, "coherence", c->coherence);
	json_out_count(out, object, "capacity", c->capacity);
	json_out_count(out, object, "conflict", c->conflict);
	json_out_count(out, object, "sector", c->sector);
	json_out_count(out, object, "evictions", c->evictions);
	json_out_count(out, object, "bytes_asked", c->bytes_asked);
	json_out_count(out, object, "bytes_from_l2", c->bytes_from_l2);
	json_out_real(out, object, "miss_rate", counters_miss_rate(c));
}

void replay_json_read_only(struct json_out *out, json_t *object, const struct counters *c)
{
	json_t *member = json_object();

	put_counters(out, member, c);
	json_out_value(out, object, "read_only", member);
}

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

static void print_row(FILE *out, const char *name, uint64_t count, const char *more)
{
	char text[COUNT_TEXT_BYTES];

	fprintf(out, "  %-22s %18s%s%s\n", name, count_text(text, count), *more ? "  " : "", more);
}

void replay_text_read_only(FILE *out, const struct counters *c)
{
	char more[64];

	print_row(out, "read-only cache", c->reads, "reads; in none of the counts above");
	print_row(out, "    hits", c->read_hits, "");
	print_row(out, "    pending hits", c->pending_hits, "");
	snprintf(more, sizeof(more), "miss rate %.2f%%, cold %" PRIu64, 100 * counters_miss_rate(c),
	         c->cold);
	print_row(out, "    misses", c->read_misses, more);
	print_row(out, "    bytes from L2", c->bytes_from_l2, "");
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
