/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_report.h"

#include "gpu.h"
#include "replay.h"
#include "shape_text.h"

static void put_l2(struct json_out *out, json_t *object, const struct l2_counters *c)
{
	json_out_count(out, object, "requests", l2_counters_requests(c));
#define L2_COUNTER(name, unit, text) json_out_count(out, object, #name, c->name);
#include "l2_counters.def"
#undef L2_COUNTER
	json_out_real(out, object, "miss_rate", l2_counters_miss_rate(c));
}

static void put_dram(struct json_out *out, json_t *object, const struct dram_counters *c)
{
#define DRAM_COUNTER(name, unit, text) json_out_count(out, object, #name, c->name);
#include "dram_counters.def"
#undef DRAM_COUNTER
}

static json_t *slices_json(struct json_out *out, const struct hierarchy_counts *c)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->slice_count; i++) {
		json_t *row = json_object();

		json_out_count(out, row, "slice", i);
		put_l2(out, row, &c->slices[i]);
		json_out_append(out, array, row);
	}
	return array;
}

static json_t *channels_json(struct json_out *out, const struct hierarchy_counts *c)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->channel_count; i++) {
		json_t *row = json_object();

		json_out_count(out, row, "channel", i);
		put_dram(out, row, &c->channels[i]);
		json_out_append(out, array, row);
	}
	return array;
}

void replay_json_below(struct json_out *out, json_t *object, const struct hierarchy_counts *c)
{
	json_t *l2, *dram;

	if (!c->is_on)
		return;
	l2 = json_object();
	dram = json_object();
	put_l2(out, l2, &c->l2);
	put_dram(out, dram, &c->dram);
	if (c->slices)
		json_out_value(out, l2, "slices", slices_json(out, c));
	if (c->channels)
		json_out_value(out, dram, "channels", channels_json(out, c));
	json_out_value(out, object, "l2", l2);
	json_out_value(out, object, "dram", dram);
}

void replay_json_below_site(struct json_out *out, json_t *site, const struct hierarchy_counts *c,
                            size_t i)
{
	json_t *l2;

	if (!c->sites)
		return;
	l2 = json_object();
	put_l2(out, l2, &c->sites[i]);
	json_out_value(out, site, "l2", l2);
}

void replay_text_below_head(FILE *out, const struct gpu *gpu)
{
	static const char *const inclusion[] = { "what leaves it stays in L1s",
		                                 "what leaves it leaves all L1s (inclusive)",
		                                 "it holds what left an L1 (exclusive)" };
	char bytes[COUNT_TEXT_BYTES];
	uint64_t lines = (uint64_t)gpu->l2_slices * gpu->l2_sets * gpu->l2_ways;

	if (gpu->l2 == GPU_L2_OFF)
		return;
	fprintf(out, "L2: %s bytes (slices: %u, each %u sets x %u ways x %u-byte lines",
	        count_text(bytes, lines * gpu->l2_line_bytes), gpu->l2_slices, gpu->l2_sets,
	        gpu->l2_ways, gpu->l2_line_bytes);
	if (gpu->l2_sector_bytes)
		fprintf(out, ", sectors of %u bytes", gpu->l2_sector_bytes);
	fprintf(out, ");\n%s. DRAM: channels %u\n", inclusion[gpu->l2_inclusion],
	        gpu->dram_channels);
}

/* Of an L2 whose lines have sectors. */
static void print_sectors(FILE *out, const struct gpu *gpu, const struct l2_counters *c)
{
	char more[64], count[COUNT_TEXT_BYTES];

	if (!gpu->l2_sector_bytes || gpu->l2_sector_bytes == gpu->l2_line_bytes)
		return;
	replay_text_sectors(out, gpu->l2_sector_bytes, c->sectors_hit, c->sectors_missed);
	if (!c->writes)
		return;
	snprintf(more, sizeof(more), "for %s the rest was fetched",
	         count_text(count, c->write_sectors_missed));
	replay_text_row(out, "  sectors written", c->write_sectors_hit + c->write_sectors_missed,
	                more);
}

static void print_l2(FILE *out, const struct gpu *gpu, const struct l2_counters *c)
{
	char more[64];

	replay_text_row(out, "L2 requests", l2_counters_requests(c), "");
	replay_text_row(out, "  reads", c->reads, "");
	replay_text_row(out, "    hits", c->read_hits, "");
	replay_text_row(out, "    pending hits", c->pending_hits, "");
	snprintf(more, sizeof(more), "miss rate %.2f%%", 100 * l2_counters_miss_rate(c));
	replay_text_row(out, "    misses", c->read_misses, more);
	if (c->sector_misses)
		replay_text_row(out, "      sector", c->sector_misses, "the line was there");
	replay_text_row(out, "  writes", c->writes, "");
	replay_text_row(out, "    hits", c->write_hits, "");
	replay_text_row(out, "  atomics", c->atomics, "");
	if (c->victims)
		replay_text_row(out, "  victims", c->victims, "lines that an L1 replaced");
	replay_text_row(out, "  evictions", c->evictions, "lines");
	if (c->invalidations)
		replay_text_row(out, "  invalidations", c->invalidations, "lines in L1s");
	replay_text_row(out, "  write-backs", c->write_backs, "lines, those at the end included");
	print_sectors(out, gpu, c);
}

void replay_text_below(FILE *out, const struct gpu *gpu, const struct hierarchy_counts *c)
{
	char more[SHAPE_TEXT_BYTES + 64], amount[SHAPE_TEXT_BYTES], count[COUNT_TEXT_BYTES];

	if (!c->is_on)
		return;
	print_l2(out, gpu, &c->l2);
	snprintf(more, sizeof(more), "%s sectors, in %s", count_text(count, c->dram.sectors_read),
	         amount_text(amount, c->dram.reads, "request"));
	replay_text_row(out, "bytes from DRAM", c->dram.bytes_read, more);
	snprintf(more, sizeof(more), "%s sectors, in %s",
	         count_text(count, c->dram.sectors_written),
	         amount_text(amount, c->dram.writes, "request"));
	replay_text_row(out, "bytes to DRAM", c->dram.bytes_written, more);
	replay_text_row(out, "  at the end", c->l2.bytes_left, "what a GPU's counters do not see");
}
