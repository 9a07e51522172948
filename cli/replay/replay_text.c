/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_report.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "line_walk.h"
#include "occupancy_report.h"
#include "recording.h"
#include "replay.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"
#include "str.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SITES_SHOWN = 10, DESCRIPTION_LIMIT_BYTES = 1 << 16 };

/* Whether "key = value" is not worth printing: not one of these keys, or its usual value. */
static bool is_usual(const char *line, size_t length)
{
	static const char *const keys[] = {
		"l1_policy ",     "l1_sector_bytes ", "l1_write ",
		"l1_allocation ", "l1_mshr_entries ", "l1_mshr_merge "
	};
	static const char *const values[] = { "= lru", "= 0", "= through_evict", "= through_update",
		                              "= at_miss" };
	const char *value = memchr(line, '=', length);
	size_t key = 0, count = sizeof(keys) / sizeof(keys[0]);

	while (key < count && strncmp(line, keys[key], strlen(keys[key])) != 0)
		key++;
	if (key == count || !value)
		return true;
	length -= (size_t)(value - line);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (strlen(values[i]) == length && !memcmp(value, values[i], length))
			return true;
	return false;
}

static void print_keys(FILE *out, const char *text)
{
	struct line_walk walk = line_walk_string(text);
	const char *before = "L1 has ";
	struct line line;

	while (line_walk_next(&walk, &line)) {
		const char *value = memchr(line.text, '=', line.length);

		if (is_usual(line.text, line.length))
			continue;
		fprintf(out, "%s%.*s %.*s", before, (int)strcspn(line.text, " "), line.text,
		        (int)(line.text + line.length - value), value);
		before = ", ";
	}
	if (*before == ',')
		fprintf(out, ".\n");
}

void replay_text_l1(FILE *out, const struct gpu *gpu)
{
	struct str text;

	str_init(&text, DESCRIPTION_LIMIT_BYTES);
	if (!gpu_print(gpu, &text, NULL))
		print_keys(out, text.text);
	str_release(&text);
}

void replay_text_choices(FILE *out, const struct gpu *gpu, const struct replay_options *options)
{
	char order[ISSUE_ORDER_BYTES], dispatch[DISPATCH_ORDER_BYTES];

	if (options->order.kind != ISSUE_ORDER_lrr)
		fprintf(out, "%s issue in the order %s.\n",
		        issue_order_unit(&options->order) == ISSUE_ITEMS ? "Work-items" : "Warps",
		        issue_order_text(order, &options->order));
	if (options->dispatch.kind != DISPATCH_roundrobin)
		fprintf(out, "Groups go to SMs in the order %s.\n",
		        dispatch_order_text(dispatch, &options->dispatch));
	if (options->sms && options->sms < gpu->sm_count)
		fprintf(out,
		        "A sample: %u of %u SMs are replayed, and every count is of them alone. "
		        "The SMs\n"
		        "between them are taken to end their groups when the one below them "
		        "does.\n",
		        options->sms, gpu->sm_count);
}

void replay_text_below(FILE *out, const struct gpu *gpu)
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

static void print_read_only_head(FILE *out, const struct gpu *gpu)
{
	char bytes[COUNT_TEXT_BYTES];

	fprintf(out,
	        "Reads named by --read-only go through %s bytes of read-only cache of their SM\n"
	        "(%u sets x %u ways), which no write changes.\n",
	        count_text(bytes, (uint64_t)gpu->read_only_sets * gpu->read_only_ways *
	                                  gpu->l1_line_bytes),
	        gpu->read_only_sets, gpu->read_only_ways);
}

static void print_bypass_head(FILE *out)
{
	fprintf(out, "Reads of the list bypass L1, in sectors of 32 bytes; the miss rate is "
	             "that of the others.\n");
}

void replay_text_head(FILE *out, const struct gpu *gpu, const struct replay_options *options)
{
	char bytes[COUNT_TEXT_BYTES];

	fprintf(out, "Replay on %s", gpu->title);
	if (*gpu->l1)
		fprintf(out, ", L1 %s", gpu->l1);
	fprintf(out, "%s\nSMs: %u, each with %s bytes of L1 (%u sets x %u ways x %u-byte lines)\n",
	        gpu_choice_origin(gpu), gpu->sm_count,
	        count_text(bytes, (uint64_t)gpu->l1_sets * gpu->l1_ways * gpu->l1_line_bytes),
	        gpu->l1_sets, gpu->l1_ways, gpu->l1_line_bytes);
	replay_text_l1(out, gpu);
	replay_text_below(out, gpu);
	if (options->read_only.count)
		print_read_only_head(out, gpu);
	if (options->bypass)
		print_bypass_head(out);
	replay_text_choices(out, gpu, options);
	fprintf(out,
	        "A request is what the lanes of one warp instruction ask of one line.\n"
	        "Miss rate = misses / (hits + pending hits + misses) of read requests; a pending\n"
	        "hit is a read of a line that is already on its way.\n");
}

static void print_row(FILE *out, const char *name, uint64_t count, const char *more)
{
	char text[COUNT_TEXT_BYTES];

	fprintf(out, "  %-22s %18s%s%s\n", name, count_text(text, count), *more ? "  " : "", more);
}

static void print_read_sectors(FILE *out, uint32_t bytes, uint64_t hit, uint64_t missed)
{
	char more[64];

	snprintf(more, sizeof(more), "of %" PRIu32 " bytes", bytes);
	print_row(out, "  sectors read", hit + missed, more);
	print_row(out, "    hits", hit, "there or on their way");
	snprintf(more, sizeof(more), "miss rate %.2f%%",
	         hit + missed ? 100 * (double)missed / (double)(hit + missed) : 0);
	print_row(out, "    misses", missed, more);
}

static void print_bypass(FILE *out, const struct counters *c)
{
	char more[COUNT_TEXT_BYTES + 32], bytes[COUNT_TEXT_BYTES];

	(void)snprintf(more, sizeof(more), "%s of the bytes from L2",
	               count_text(bytes, c->bytes_bypassed));
	print_row(out, "  bypassing reads", c->bypasses, more);
}

static void print_read_only(FILE *out, const struct counters *c)
{
	char more[64];

	print_row(out, "read-only cache", c->reads, "reads; in none of the counts above");
	print_row(out, "    hits", c->read_hits, "");
	print_row(out, "    pending hits", c->pending_hits, "");
	snprintf(more, sizeof(more), "miss rate %.2f%%", 100 * counters_miss_rate(c));
	if (counters_are_classified(c))
		snprintf(more, sizeof(more), "miss rate %.2f%%, cold %" PRIu64,
		         100 * counters_miss_rate(c), c->cold);
	print_row(out, "    misses", c->read_misses, more);
	print_row(out, "    bytes from L2", c->bytes_from_l2, "");
}

/* Print the sectors of an L2 whose lines have several. */
static void print_l2_sectors(FILE *out, const struct gpu *gpu, const struct l2_counters *c)
{
	char more[64], count[COUNT_TEXT_BYTES];

	if (!gpu->l2_sector_bytes || gpu->l2_sector_bytes == gpu->l2_line_bytes)
		return;
	print_read_sectors(out, gpu->l2_sector_bytes, c->sectors_hit, c->sectors_missed);
	if (!c->writes)
		return;
	snprintf(more, sizeof(more), "for %s the rest was fetched",
	         count_text(count, c->write_sectors_missed));
	print_row(out, "  sectors written", c->write_sectors_hit + c->write_sectors_missed, more);
}

static void print_l2(FILE *out, const struct gpu *gpu, const struct l2_counters *c)
{
	char more[64];

	print_row(out, "L2 requests", l2_counters_requests(c), "");
	print_row(out, "  reads", c->reads, "");
	print_row(out, "    hits", c->read_hits, "");
	print_row(out, "    pending hits", c->pending_hits, "");
	snprintf(more, sizeof(more), "miss rate %.2f%%", 100 * l2_counters_miss_rate(c));
	print_row(out, "    misses", c->read_misses, more);
	if (c->sector_misses)
		print_row(out, "      sector", c->sector_misses, "the line was there");
	print_row(out, "  writes", c->writes, "");
	print_row(out, "    hits", c->write_hits, "");
	print_row(out, "  atomics", c->atomics, "");
	if (c->victims)
		print_row(out, "  victims", c->victims, "lines that an L1 replaced");
	print_row(out, "  evictions", c->evictions, "lines");
	if (c->invalidations)
		print_row(out, "  invalidations", c->invalidations, "lines in L1s");
	print_row(out, "  write-backs", c->write_backs, "lines, those at the end included");
	print_l2_sectors(out, gpu, c);
}

static void print_below(FILE *out, const struct gpu *gpu, const struct hierarchy_counts *c)
{
	char more[SHAPE_TEXT_BYTES + 64], amount[SHAPE_TEXT_BYTES], count[COUNT_TEXT_BYTES];

	if (!c->is_on)
		return;
	print_l2(out, gpu, &c->l2);
	snprintf(more, sizeof(more), "%s sectors, in %s", count_text(count, c->dram.sectors_read),
	         amount_text(amount, c->dram.reads, "request"));
	print_row(out, "bytes from DRAM", c->dram.bytes_read, more);
	snprintf(more, sizeof(more), "%s sectors, in %s",
	         count_text(count, c->dram.sectors_written),
	         amount_text(amount, c->dram.writes, "request"));
	print_row(out, "bytes to DRAM", c->dram.bytes_written, more);
	print_row(out, "  at the end", c->l2.bytes_left, "what a GPU's counters do not see");
}

static void print_classes(FILE *out, const struct counters *c)
{
	if (counters_are_classified(c)) {
		print_row(out, "      cold", c->cold, "first use of the line on its SM");
		print_row(out, "      coherence", c->coherence, "a write or an atomic evicted it");
		print_row(out, "      capacity", c->capacity, "L1 is too small");
		print_row(out, "      conflict", c->conflict, "its set is too small");
	} else {
		print_row(out, "      not classified", c->read_misses - c->sector, "--classes off");
	}
	if (c->sector)
		print_row(out, "      sector", c->sector, "a part of the line was not there");
}

/* Print the sectors of an L1 whose lines have several. */
static void print_l1_sectors(FILE *out, const struct gpu *gpu, const struct counters *c)
{
	char more[64], count[COUNT_TEXT_BYTES];

	if (!gpu->l1_sector_bytes || gpu->l1_sector_bytes == gpu->l1_line_bytes)
		return;
	print_read_sectors(out, gpu->l1_sector_bytes, c->sectors_hit, c->sectors_missed);
	if (c->sectors_promoted) {
		snprintf(more, sizeof(more), "fetched with these; of them %s read later",
		         count_text(count, c->sectors_promoted_hit));
		print_row(out, "    promoted", c->sectors_promoted, more);
	}
	if (!c->writes)
		return;
	snprintf(more, sizeof(more), "of them %s found", count_text(count, c->write_sectors_hit));
	print_row(out, "  sectors written", c->write_sectors_hit + c->write_sectors_missed, more);
}

static void print_counters(FILE *out, const struct gpu *gpu, const struct counters *c,
                           uint64_t lanes, uint64_t requests)
{
	char more[64], cycles[COUNT_TEXT_BYTES];

	snprintf(more, sizeof(more), "%.2f lanes per request",
	         requests ? (double)lanes / (double)requests : 0.0);
	print_row(out, "accesses (lanes)", lanes, "");
	print_row(out, "requests", requests, more);
	print_row(out, "  reads", c->reads, "");
	print_row(out, "    hits", c->read_hits, "");
	print_row(out, "    pending hits", c->pending_hits, "");
	snprintf(more, sizeof(more), "miss rate %.2f%%", 100 * counters_miss_rate(c));
	print_row(out, "    misses", c->read_misses, more);
	print_classes(out, c);
	if (c->bypasses)
		print_bypass(out, c);
	print_row(out, "  writes", c->writes, "");
	print_row(out, "  atomics", c->atomics, "");
	if (c->reservation_fails) {
		snprintf(more, sizeof(more), "waited %s cycles at the port",
		         count_text(cycles, c->stall_cycles));
		print_row(out, "  reservation fails", c->reservation_fails, more);
	}
	print_l1_sectors(out, gpu, c);
	print_row(out, "bytes from L2", c->bytes_from_l2, "");
	print_row(out, "bytes to L2", c->bytes_to_l2, "");
	if (c->write_backs)
		print_row(out, "lines written back", c->write_backs, "");
}

/* Print the SM with the most read requests: a launch waits for it. */
static void print_fullest(FILE *out, const struct replay_result *r)
{
	char reads[COUNT_TEXT_BYTES], misses[COUNT_TEXT_BYTES], groups[COUNT_TEXT_BYTES];
	size_t fullest = 0;

	for (size_t i = 1; i < r->sm_count; i++) {
		if (r->sms[i].reads > r->sms[fullest].reads)
			fullest = i;
	}
	if (!r->sm_count)
		return;
	fprintf(out, "  fullest SM: %zu (groups %s, read requests %s, misses %s, %.2f%%)\n",
	        fullest, count_text(groups, r->schedule.sm_groups[fullest]),
	        count_text(reads, r->sms[fullest].reads),
	        count_text(misses, r->sms[fullest].read_misses),
	        100 * counters_miss_rate(&r->sms[fullest]));
}

/* Returns the count by which a table ranks sites (0: the site is not in it), and the figures of a
 * row. */
typedef uint64_t site_key(const struct replay_result *r, size_t site);
typedef void site_figures(FILE *out, const struct replay_result *r, size_t site);

struct ranked_site {
	size_t site;
	uint64_t key;
};

static int compare_sites(const void *a, const void *b)
{
	const struct ranked_site *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

/* Print the rows of a table of sites: the first SITES_SHOWN by the key, or all in their order. */
static void print_site_rows(FILE *out, const struct replayed_launch *l, site_key *key,
                            bool is_ranked, site_figures *figures)
{
	const struct recorded_launch *facts = &l->recording->launches[l->index];
	const struct recorded_kernel *kernel = &l->recording->kernels[facts->kernel];
	const struct replay_result *r = l->result;
	struct ranked_site *rows = array_alloc(r->site_count, sizeof(*rows), "sites", NULL);
	struct source_text source;
	size_t count = 0;

	for (size_t i = 0; rows && i < r->site_count; i++)
		if (key(r, i))
			rows[count++] = (struct ranked_site){ i, key(r, i) };
	if (is_ranked && count) {
		qsort(rows, count, sizeof(*rows), compare_sites);
		count = count < SITES_SHOWN ? count : SITES_SHOWN;
	}
	source_text_load(&source, l->recording, kernel->program);
	for (size_t i = 0; i < count; i++) {
		figures(out, r, rows[i].site);
		site_text_print(out, &kernel->table.sites[rows[i].site], rows[i].site, &source);
	}
	source_text_release(&source);
	free(rows);
}

static uint64_t misses_of(const struct replay_result *r, size_t site)
{
	return r->sites[site].read_misses;
}

static void print_misses(FILE *out, const struct replay_result *r, size_t site)
{
	const struct counters *c = &r->sites[site];
	char misses[COUNT_TEXT_BYTES], share[COUNT_TEXT_BYTES], requests[COUNT_TEXT_BYTES];

	fprintf(out, "  %15s %8s %15s  ", count_text(misses, c->read_misses),
	        share_text(share, c->read_misses, r->total.read_misses),
	        count_text(requests, counters_requests(c)));
	if (r->below.is_on)
		fprintf(out, "%15s  ", count_text(misses, r->below.sites[site].read_misses));
}

static void print_sites(FILE *out, const struct replayed_launch *l)
{
	if (!l->result->total.read_misses)
		return;
	fprintf(out, "\n  %15s %8s %15s  ", "misses", "share", "requests");
	if (l->result->below.is_on)
		fprintf(out, "%15s  ", "L2 misses");
	fprintf(out, "%-6s %s\n", "kind", "place");
	print_site_rows(out, l, misses_of, true, print_misses);
}

/* Print how many groups were replayed, unless all were. */
static void print_groups(FILE *out, const struct recorded_launch *facts,
                         const struct replay_result *r)
{
	char played[COUNT_TEXT_BYTES], recorded[COUNT_TEXT_BYTES], all[COUNT_TEXT_BYTES];
	uint64_t groups = launch_shape_group_count(&facts->shape);

	if (r->schedule.groups == groups)
		return;
	fprintf(out, "  groups replayed: %s of %s recorded, of %s that the launch has\n",
	        count_text(played, r->schedule.groups), count_text(recorded, r->groups),
	        count_text(all, groups));
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0.0;
}

static uint64_t conflicts_of(const struct replay_result *r, size_t site)
{
	return r->schedule.sides[site].bank_conflicts;
}

static void print_conflicts(FILE *out, const struct replay_result *r, size_t site)
{
	const struct side_counts *c = &r->schedule.sides[site];
	char conflicts[COUNT_TEXT_BYTES], instructions[COUNT_TEXT_BYTES];

	fprintf(out, "  %15s %24s  ", count_text(conflicts, c->bank_conflicts),
	        count_text(instructions, c->local_instructions));
}

/* Print the sample that the numbers of local memory are from, if not from all groups. */
static void print_sample(FILE *out, const struct schedule_result *s)
{
	char all[COUNT_TEXT_BYTES], more[96];
	const struct side_sample *sample = &s->side_sample;
	double error = side_counts_error(&s->side, side_sample_error(sample));

	if (sample->groups >= sample->of_groups)
		return;
	count_text(all, sample->of_groups);
	if (isfinite(error))
		snprintf(more, sizeof(more), "of %s, standard error %.1f%%", all, 100 * error);
	else
		snprintf(more, sizeof(more), "of %s, standard error not known", all);
	print_row(out, "  groups looked at", sample->groups, more);
}

static void print_sides(FILE *out, const struct replayed_launch *l)
{
	const struct side_counts *c = &l->result->schedule.side;
	char more[64];

	if (replay_has_side(l, SPACE_LOCAL)) {
		print_row(out, "local memory", c->local_instructions, "warp instructions");
		print_row(out, "  lanes", c->local_lanes, "");
		snprintf(more, sizeof(more), "%.2f further passes each",
		         ratio(c->bank_conflicts, c->local_instructions));
		print_row(out, "  bank conflicts", c->bank_conflicts, more);
		print_sample(out, &l->result->schedule);
	}
	if (replay_has_side(l, SPACE_CONSTANT)) {
		print_row(out, "constant memory", c->constant_instructions, "warp instructions");
		print_row(out, "  lanes", c->constant_lanes, "");
		snprintf(more, sizeof(more), "%.2f each",
		         ratio(c->constant_addresses, c->constant_instructions));
		print_row(out, "  addresses", c->constant_addresses, more);
	}
	if (!c->bank_conflicts)
		return;
	fprintf(out, "\n  %15s %24s  %-6s %s\n", "bank conflicts", "warp instructions", "kind",
	        "place");
	print_site_rows(out, l, conflicts_of, true, print_conflicts);
}

static uint64_t bypasses_of(const struct replay_result *r, size_t site)
{
	return r->sites[site].bypasses;
}

static void print_bypasses(FILE *out, const struct replay_result *r, size_t site)
{
	const struct counters *c = &r->sites[site];
	char reads[COUNT_TEXT_BYTES], bypasses[COUNT_TEXT_BYTES], bytes[COUNT_TEXT_BYTES];

	fprintf(out, "  %15s %15s %18s  ", count_text(bypasses, c->bypasses),
	        count_text(reads, c->reads), count_text(bytes, c->bytes_bypassed));
}

static uint64_t read_only_reads_of(const struct replay_result *r, size_t site)
{
	return r->read_only_sites[site].reads;
}

static void print_read_only_misses(FILE *out, const struct replay_result *r, size_t site)
{
	const struct counters *c = &r->read_only_sites[site];
	char misses[COUNT_TEXT_BYTES], reads[COUNT_TEXT_BYTES];

	fprintf(out, "  %15s %7.2f%% %15s  ", count_text(misses, c->read_misses),
	        100 * counters_miss_rate(c), count_text(reads, c->reads));
}

/* Print the sites whose reads bypass L1, and those that read through the read-only cache. */
static void print_other_ways(FILE *out, const struct replayed_launch *l)
{
	const struct replay_result *r = l->result;

	if (r->total.bypasses) {
		fprintf(out, "\n  %15s %15s %18s  %-6s %s\n", "bypassing", "other reads",
		        "bytes past L1", "kind", "place");
		print_site_rows(out, l, bypasses_of, false, print_bypasses);
	}
	if (r->read_only_sites && r->read_only.reads) {
		fprintf(out, "\n  %15s %8s %15s  %-6s %s\n", "misses", "rate", "reads", "kind",
		        "place, through the read-only cache");
		print_site_rows(out, l, read_only_reads_of, false, print_read_only_misses);
	}
}

void replay_text_launch(FILE *out, const struct replayed_launch *l)
{
	const struct recorded_launch *facts = &l->recording->launches[l->index];
	const struct replay_result *r = l->result;
	char global[SHAPE_TEXT_BYTES], local[SHAPE_TEXT_BYTES], lanes[COUNT_TEXT_BYTES];

	fprintf(out, "\nLaunch %" PRIu64 ": %s, global %s, local %s\n", facts->number,
	        l->recording->kernels[facts->kernel].table.name,
	        shape_text(global, facts->shape.global), shape_text(local, facts->shape.local));
	fprintf(out, "  groups resident on an SM: %u (limit: %s)\n", r->schedule.residency.groups,
	        occupancy_limit_text(r->schedule.residency.limit));
	print_groups(out, facts, r);
	print_counters(out, l->gpu, &r->total, r->schedule.lanes, r->schedule.requests);
	if (r->read_only_sites)
		print_read_only(out, &r->read_only);
	print_below(out, l->gpu, &r->below);
	print_fullest(out, r);
	if (r->schedule.unmapped_lanes)
		fprintf(out, "  accesses in no recorded buffer, at their recorded addresses: %s\n",
		        count_text(lanes, r->schedule.unmapped_lanes));
	if (!r->is_whole)
		fprintf(out, "  this launch is not whole: accesses are missing\n");
	print_sides(out, l);
	print_sites(out, l);
	print_other_ways(out, l);
}

void replay_text_skipped(FILE *out, const struct recording *r, size_t launch, const char *reason)
{
	const struct recorded_launch *l = &r->launches[launch];

	fprintf(out, "\nLaunch %" PRIu64 ": %s, not replayed: %s\n", l->number,
	        r->kernels[l->kernel].table.name, reason);
}

void replay_text_total(FILE *out, const struct gpu *gpu, const struct replay_total *total)
{
	char count[COUNT_TEXT_BYTES];

	fprintf(out, "\nTotal, launches: %s\n", count_text(count, total->launches));
	print_counters(out, gpu, &total->l1, total->lanes, total->requests);
	if (total->has_read_only)
		print_read_only(out, &total->read_only);
	print_below(out, gpu, &total->below);
}
