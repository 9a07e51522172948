/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "address_use.h"
#include "cuda_words.h"
#include "kernel_table.h"
#include "occupancy_report.h"
#include "recording.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* U, R, U * (1 + R). */
static void print_criterion(FILE *out, const struct address_use_sum *s)
{
	double u = address_use_u(s), reuse = address_use_r(s);

	if (s->stays)
		fprintf(out, " %7.3f %9.2f %9.3f", u, reuse, u * (1 + reuse));
	else
		fprintf(out, " %7s %9s %9s", "-", "-", "-");
}

static void print_read(FILE *out, const struct bypass_try *t, size_t site,
                       const struct source_text *source)
{
	const struct address_use_row *use = &t->uses[site];
	char reads[COUNT_TEXT_BYTES], stays[COUNT_TEXT_BYTES];

	fprintf(out, "  %-6s %15s %15s", bypass_report_bypasses(t, site) ? "bypass" : "L1",
	        count_text(reads, use->reads), count_text(stays, use->sum.stays));
	print_criterion(out, &use->sum);
	fputs("  ", out);
	site_text_print(out, &t->kernel.table->sites[site], site, source);
}

/* A site and how much it reads, for sorting. */
struct ranked_read {
	size_t site;
	uint64_t reads;
};

static int compare_reads(const void *a, const void *b)
{
	const struct ranked_read *x = a, *y = b;

	if (x->reads != y->reads)
		return x->reads > y->reads ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

void bypass_text_reads(FILE *out, const struct bypass_report *r, const struct bypass_try *t)
{
	const struct recording *recording = r->run->recording;
	size_t sites = t->kernel.table->site_count, count = 0;
	struct ranked_read *ranked = calloc(sites ? sites : 1, sizeof(*ranked));
	struct source_text source;

	for (size_t i = 0; ranked && i < sites; i++)
		if (t->uses[i].reads)
			ranked[count++] = (struct ranked_read){ i, t->uses[i].reads };
	if (!count) {
		free(ranked);
		return;
	}
	qsort(ranked, count, sizeof(*ranked), compare_reads);
	source_text_load(&source, recording, recording->kernels[t->kernel.kernel].program);
	fprintf(out,
	        "\n  Its reads, when all are cached: U of what a load brings is used at once, R "
	        "further uses follow\n  %-6s %15s %15s %7s %9s %9s  %-6s %s\n",
	        "best", "reads", "lines loaded", "U", "R", "U*(1+R)", "kind", "place");
	for (size_t i = 0; i < count && i < r->wish->top; i++)
		print_read(out, t, ranked[i].site, &source);
	if (count > r->wish->top)
		fprintf(out, "  ... and %" PRIu64 " more (--top 0: all)\n",
		        (uint64_t)count - r->wish->top);
	source_text_release(&source);
	free(ranked);
}

/* Whether kinds of lists were asked for: then each is told in full, else only the best. */
static bool is_told_apart(const struct bypass_report *r)
{
	bool is_all = true;

	for (size_t i = 0; i < BYPASS_WAYS; i++)
		is_all = is_all && r->wish->is_wanted[i];
	return !is_all;
}

void bypass_text_lines(FILE *out, const struct bypass_report *r, const struct bypass_try *t)
{
	char lines[SHAPE_TEXT_BYTES], stays[COUNT_TEXT_BYTES];

	if (t->dropped)
		fprintf(out, "  Loads of lines for which there was no room (%zu lines): %s\n",
		        ADDRESS_USE_LINES, count_text(stays, t->dropped));
	if (!t->line_count || (!is_told_apart(r) && t->best != BYPASS_ROW_ADDRESS))
		return;
	fprintf(out, "\n  Lines of memory with U*(1+R) < 1 on an SM: %s\n",
	        amount_text(lines, t->entries[BYPASS_ROW_ADDRESS].list.count, "line"));
	fprintf(out, "  %18s %5s %15s %7s %9s %9s\n", "address", "SM", "loads", "U", "R",
	        "U*(1+R)");
	for (size_t i = 0; i < t->line_count; i++) {
		const struct address_use_line *l = &t->lines[i];

		fprintf(out, "  %#18" PRIx64 " %5" PRId64 " %15s", l->line, l->sm,
		        count_text(stays, l->sum.stays));
		print_criterion(out, &l->sum);
		fputc('\n', out);
	}
}

static void print_curve(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                        const struct warp_curve *c)
{
	char cycles[COUNT_TEXT_BYTES], misses[COUNT_TEXT_BYTES], bypasses[COUNT_TEXT_BYTES],
		bytes[COUNT_TEXT_BYTES];

	fprintf(out, "  %6s %15s %15s %8s %15s %15s %8s\n", "PI", "bypassed", "misses", "rate",
	        "bytes from L2", "cycles", "gain");
	for (size_t i = 0; i < c->count; i++) {
		const struct bypass_measure *m = &c->points[i].measure;
		char rate[COUNT_TEXT_BYTES];

		fprintf(out, "%c %6u %15s %15s %8s %15s %15s %+7.2f%%\n", i == c->best ? '*' : ' ',
		        c->points[i].pi, count_text(bypasses, m->bypasses),
		        count_text(misses, m->misses), share_text(rate, m->misses, m->reads),
		        count_text(bytes, m->bytes_from_l2), count_text(cycles, m->cycles),
		        100 * bypass_measure_gain(&t->kernel.cache_all, m, r->wish->objective));
	}
}

/* One curve: what is best and its class, and below it the points where they are wanted. */
static void tell_curve(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                       enum bypass_row row)
{
	const struct warp_curve *c = row == BYPASS_ROW_WARP ? &t->warps : &t->hybrid;
	char warps[SHAPE_TEXT_BYTES];

	if (!c->count)
		return;
	fprintf(out, "  %s: PI %u of %s is best; %s: %s.\n", bypass_row_word(row),
	        c->points[c->best].pi, amount_text(warps, c->warps, "warp"),
	        warp_class_word(c->shape), warp_class_text(c->shape));
	if (is_told_apart(r) || t->best == row)
		print_curve(out, r, t, c);
}

void bypass_text_curve(FILE *out, const struct bypass_report *r, const struct bypass_try *t)
{
	tell_curve(out, r, t, BYPASS_ROW_WARP);
	tell_curve(out, r, t, BYPASS_ROW_HYBRID);
}

/* Whether any split is worse than the best. */
static bool is_one_best(const struct bypass_report *r, size_t best)
{
	const struct bypass_carveout *b = &r->splits[best];

	for (size_t i = 0; i < r->split_count; i++)
		if (r->splits[i].refused != b->refused ||
		    memcmp(&r->splits[i].cache_all, &b->cache_all, sizeof(b->cache_all)) != 0 ||
		    memcmp(&r->splits[i].best, &b->best, sizeof(b->best)) != 0)
			return true;
	return false;
}

static void print_split(FILE *out, const struct bypass_report *r, size_t i, size_t best)
{
	const struct bypass_carveout *s = &r->splits[i];
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], c[COUNT_TEXT_BYTES], d[COUNT_TEXT_BYTES],
		e[COUNT_TEXT_BYTES], groups[COUNT_TEXT_BYTES];

	if (s->least_groups == s->most_groups)
		snprintf(groups, sizeof(groups), "%u", s->most_groups);
	else
		snprintf(groups, sizeof(groups), "%u..%u", s->least_groups, s->most_groups);
	fprintf(out, "%c %-10s %12s %12s %9s", i == best && is_one_best(r, best) ? '*' : ' ',
	        s->gpu.l1, count_text(a, s->l1_bytes), count_text(b, s->gpu.local_bytes), groups);
	fprintf(out, " %15s %8s %15s %15s %15s", count_text(a, s->cache_all.misses),
	        share_text(b, s->cache_all.misses, s->cache_all.reads),
	        count_text(c, s->cache_all.bytes_from_l2), count_text(d, s->cache_all.cycles),
	        count_text(e, s->best.cycles));
	if (s->refused)
		fprintf(out, "  without %zu of the launches: no %s of theirs fits", s->refused,
		        cuda_word(r->run->recording, "group"));
	fputc('\n', out);
}

void bypass_text_splits(FILE *out, const struct bypass_report *r)
{
	const char *local = cuda_word(r->run->recording, "local memory");
	size_t best;

	if (!r->split_count) {
		if (r->has_splits)
			fprintf(out, "\nThe GPU's description has one split of L1 and %s.\n",
			        local);
		return;
	}
	best = bypass_carveout_best(r->splits, r->split_count, r->wish->objective);
	fprintf(out, "\nSplits of an SM's storage into L1 and %s: %s%s\n", local,
	        is_one_best(r, best) ? "the best is " : "no difference",
	        is_one_best(r, best) ? r->splits[best].gpu.l1 : "");
	fprintf(out, "  %-10s %12s %12s %9s %15s %8s %15s %15s %15s\n", "L1", "bytes of L1", local,
	        "resident", "misses", "rate", "bytes from L2", "cycles", "with best list");
	for (size_t i = 0; i < r->split_count; i++)
		print_split(out, r, i, best);
}
