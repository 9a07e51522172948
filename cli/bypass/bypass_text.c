/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "address_use.h"
#include "cuda_words.h"
#include "err.h"
#include "gpu_choice.h"
#include "kernel_table.h"
#include "recording.h"
#include "replay_report.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_LIMIT_BYTES = 1 << 20 };

/* Print a sentence as a line, control characters made visible, and release it. */
static int print_sentence(FILE *out, struct str *sentence, int ret, struct err *err)
{
	char *seen = ret ? NULL : str_visible(sentence->text, err);

	if (seen)
		fprintf(out, "%s.\n", seen);
	str_release(sentence);
	free(seen);
	return seen ? 0 : err->code;
}

static int print_sentence_kernel(FILE *out, const struct bypass_study *study,
                                 const struct bypass_try *t, struct err *err)
{
	struct str sentence;
	int ret;

	str_init(&sentence, SENTENCE_LIMIT_BYTES);
	ret = bypass_sentence_kernel(study, t, &sentence, err);
	return print_sentence(out, &sentence, ret, err);
}

/* A kernel that gains, and by how much. */
struct gaining {
	const struct bypass_try *kernel;
	uint64_t saved;
};

static int compare_gaining(const void *a, const void *b)
{
	const struct gaining *x = a, *y = b;

	if (x->saved != y->saved)
		return x->saved > y->saved ? -1 : 1;
	return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

/* The sentences of the kernels that gain, the largest saving first. */
static int print_gaining(FILE *out, const struct bypass_study *study, struct err *err)
{
	struct gaining *list = array_alloc(study->count, sizeof(*list), "kernels", err);
	size_t count = 0;
	int ret = list ? 0 : ERR_NOMEM;

	for (size_t i = 0; list && i < study->count; i++) {
		const struct bypass_try *t = &study->tries[i];
		uint64_t before, after;

		if (!bypass_try_gains(t))
			continue;
		before = bypass_measure_value(&t->kernel.cache_all, study->wish.objective);
		after = bypass_measure_value(&t->entries[t->best].measure, study->wish.objective);
		list[count++] = (struct gaining){ t, before > after ? before - after : 0 };
	}
	if (count)
		qsort(list, count, sizeof(*list), compare_gaining);
	for (size_t i = 0; i < count && i < study->wish.top && !ret; i++) {
		fputs("  ", out);
		ret = print_sentence_kernel(out, study, list[i].kernel, err);
	}
	if (count > study->wish.top)
		fprintf(out, "  ... and %" PRIu64 " more (--top 0: all)\n",
		        (uint64_t)count - study->wish.top);
	free(list);
	return ret;
}

int bypass_text_sentence(FILE *out, const struct bypass_study *study, struct err *err)
{
	struct str sentence;
	size_t played = 0;
	int ret;

	str_init(&sentence, SENTENCE_LIMIT_BYTES);
	ret = bypass_sentence_all(study, &sentence, err);
	ret = print_sentence(out, &sentence, ret, err);
	for (size_t i = 0; i < study->count; i++)
		played += bypass_try_was_played(&study->tries[i]);
	return ret || played < 2 ? ret : print_gaining(out, study, err);
}

/* "have it off: 1,234 reads miss there, and 1,300 here." */
static void print_both(FILE *out, const struct bypass_study *study)
{
	struct bypass_measure here = { 0 }, there = { 0 };
	char of_here[COUNT_TEXT_BYTES], of_there[COUNT_TEXT_BYTES];

	for (size_t i = 0; i < study->count; i++) {
		bypass_measure_sum(&here, &study->tries[i].kernel.cache_all);
		bypass_measure_sum(&there, &study->tries[i].kernel.without_bandwidth);
	}
	if (here.misses == there.misses)
		fprintf(out, "have it off; as many reads miss there: %s.\n",
		        count_text(of_here, here.misses));
	else
		fprintf(out, "have it off: %s reads miss there, and %s here.\n",
		        count_text(of_there, there.misses), count_text(of_here, here.misses));
}

/* Report whether traffic takes time. */
static void print_bandwidth(FILE *out, const struct bypass_study *study)
{
	const struct gpu *gpu = study->run.gpu;

	if (gpu->bandwidth == GPU_BANDWIDTH_OFF)
		fputs("What an SM receives from L2 takes no time by its size (--bandwidth off).\n",
		      out);
	else if (gpu->latency == GPU_LATENCY_OFF)
		fputs("Nothing takes time: cycles say little (--latency off).\n", out);
	else if (!gpu->l1_fill_bytes)
		fputs("What an SM receives from L2 takes no time by its size: l1_fill_bytes is "
		      "0.\n",
		      out);
	else {
		fprintf(out,
		        "Replayed with --bandwidth on: an SM receives %u bytes a cycle from L2. "
		        "report and replay\n",
		        gpu->l1_fill_bytes);
		print_both(out, study);
	}
}

/* The GPU, the order, the objective, and the number of replays. */
static void print_head(FILE *out, const struct bypass_study *study)
{
	static const char *const objectives[] = {
#define BYPASS_OBJECTIVE(name, word, unit, value, text) (text),
#include "bypass_objectives.def"
#undef BYPASS_OBJECTIVE
	};
	const struct gpu *gpu = study->run.gpu;
	char text[COUNT_TEXT_BYTES], launches[SHAPE_TEXT_BYTES], lists[SHAPE_TEXT_BYTES],
		replays[SHAPE_TEXT_BYTES], sms[SHAPE_TEXT_BYTES];

	fprintf(out, "\nOn %s", gpu->title);
	if (*gpu->l1)
		fprintf(out, ", L1 %s", gpu->l1);
	fprintf(out, "%s: %s%s with %s bytes of L1 (%u sets x %u ways x %u-byte lines).\n",
	        gpu_choice_origin(gpu), amount_text(sms, gpu->sm_count, "SM"),
	        gpu->sm_count == 1 ? "" : ", each",
	        count_text(text, (uint64_t)gpu->l1_sets * gpu->l1_ways * gpu->l1_line_bytes),
	        gpu->l1_sets, gpu->l1_ways, gpu->l1_line_bytes);
	replay_text_l1(out, gpu);
	replay_text_below(out, gpu);
	replay_text_choices(out, gpu, &study->run.options);
	print_bandwidth(out, study);
	fprintf(out, "The best list: %s (--objective).\n", objectives[study->wish.objective]);
	if (study->wish.is_recorded)
		fputs("`given` is the list that the recording was made with.\n", out);
	fprintf(out, "%s, %s, each list replayed: %s. Cycles are estimates.\n",
	        amount_text(launches, study->run.launches, "launch"),
	        amount_text(lists, study->run.lists, "list"),
	        amount_text(replays, study->run.replays, "replay"));
}

static void print_columns(FILE *out, const struct bypass_study *study, bool has_sectors)
{
	fprintf(out, "  %-17s %9s %13s %13s %13s %8s %7s %7s %7s %7s", "list", "rules",
	        "L1 requests", "bypassed", "misses", "rate", "cold", "coher.", "capac.", "confl.");
	if (has_sectors)
		fprintf(out, " %7s", "sector");
	fprintf(out, " %15s %15s", "bytes from L2", "bytes to L2");
	if (study->run.gpu->l2 == GPU_L2_ON)
		fprintf(out, " %13s %15s", "L2 misses", "DRAM bytes");
	fprintf(out, " %13s %8s\n", "cycles", "gain");
}

/* A row of the table: the results of a list, and those of caching all. */
struct shown_row {
	const char *name;
	const struct bypass_sum *sum;
	const struct bypass_measure *before;
	bool is_best;
};

static void print_row(FILE *out, const struct bypass_study *study, const struct shown_row *row)
{
	const struct bypass_measure *m = &row->sum->measure;
	const uint64_t classes[] = { m->cold, m->coherence, m->capacity, m->conflict, m->sector };
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], c[COUNT_TEXT_BYTES], d[COUNT_TEXT_BYTES];

	fprintf(out, "%c %-17s %9s %13s %13s %13s", row->is_best ? '*' : ' ', row->name,
	        count_text(a, row->sum->rules), count_text(b, m->l1_requests),
	        count_text(c, m->bypasses), count_text(d, m->misses));
	fprintf(out, " %8s", share_text(a, m->misses, m->reads));
	for (size_t i = 0; i < (row->before->sector ? 5 : 4); i++)
		fprintf(out, " %7s", share_text(a, classes[i], m->misses));
	fprintf(out, " %15s %15s", count_text(a, m->bytes_from_l2), count_text(b, m->bytes_to_l2));
	if (study->run.gpu->l2 == GPU_L2_ON)
		fprintf(out, " %13s %15s", count_text(a, m->l2_misses),
		        count_text(b, m->dram_bytes));
	fprintf(out, " %13s %+7.2f%%\n", count_text(a, m->cycles),
	        100 * bypass_measure_gain(row->before, m, study->wish.objective));
}

/* The first row before `row` with the same results, or `row`. */
static enum bypass_row same_as(const struct bypass_sum rows[BYPASS_ROWS], enum bypass_row row)
{
	for (enum bypass_row i = 0; i < row; i++)
		if (rows[i].is_there &&
		    !memcmp(&rows[i].measure, &rows[row].measure, sizeof(rows[i].measure)))
			return i;
	return row;
}

/* The rows of a table; one with the results of another only names it. `best` is marked. */
static void print_rows(FILE *out, const struct bypass_study *study,
                       const struct bypass_sum rows[BYPASS_ROWS], enum bypass_row best)
{
	const struct bypass_measure *before = &rows[BYPASS_ROW_CACHE_ALL].measure;
	char count[COUNT_TEXT_BYTES];

	print_columns(out, study, before->sector);
	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		enum bypass_row first = same_as(rows, row);

		if (rows[row].is_there && first == row)
			print_row(out, study,
			          &(struct shown_row){ bypass_row_word(row), &rows[row], before,
			                               row == best });
		else if (rows[row].is_there)
			fprintf(out, "%c %-17s %9s  as %s\n", row == best ? '*' : ' ',
			        bypass_row_word(row), count_text(count, rows[row].rules),
			        bypass_row_word(first));
	}
}

static void print_lists(FILE *out, const struct bypass_study *study, const struct bypass_try *t)
{
	struct bypass_sum rows[BYPASS_ROWS];

	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++)
		rows[row] =
			(struct bypass_sum){ t->entries[row].is_there, t->entries[row].list.count,
			                     t->entries[row].measure };
	print_rows(out, study, rows, t->best);
}

static void print_total(FILE *out, const struct bypass_study *study)
{
	if (!study->best_sum.is_there)
		return;
	fprintf(out, "\nAll kernels together\n");
	print_rows(out, study, study->rows, BYPASS_ROWS);
	print_row(out, study,
	          &(struct shown_row){ "best of each", &study->best_sum,
	                               &study->rows[BYPASS_ROW_CACHE_ALL].measure,
	                               study->best_sum.rules != 0 });
}

/* Print how complete a search was. */
static void print_search(FILE *out, const char *name, const struct bypass_searched *s,
                         uint32_t limit)
{
	const struct bypass_found *f = &s->found;
	char lists[SHAPE_TEXT_BYTES];

	if (f->count && f->is_exhaustive)
		fprintf(out, "  %s: all %s of %zu were replayed; there is no better one.\n", name,
		        amount_text(lists, UINT64_C(1) << f->count, "list"), f->count);
	else if (f->count)
		fprintf(out,
		        "  %s: greedy search among %zu, %s replayed; a better one may exist.\n",
		        name, f->count, amount_text(lists, f->evaluations, "list"));
	if (f->is_limited)
		fprintf(out, "    It ended at its limit of %" PRIu32 " lists (--limit).\n", limit);
	if (f->left_out)
		fprintf(out, "    Only the %d with the most bytes were searched; left out: %zu.\n",
		        BYPASS_SEARCH_CANDIDATES, f->left_out);
}

/* Whether the best list sends reads through an argument past L1. */
static bool bypasses_argument(const struct bypass_try *t, size_t argument)
{
	const struct kernel_table *table = t->kernel.table;

	for (size_t i = 0; i < table->site_count; i++)
		if (t->uses[i].reads && table->sites[i].argument == (int64_t)argument &&
		    bypass_try_bypasses(t, i))
			return true;
	return false;
}

/* Name the arguments for which bypassing makes L1 write back first. */
static int print_written(FILE *out, const struct bypass_study *study, const struct bypass_try *t,
                         struct err *err)
{
	const struct kernel_table *table = t->kernel.table;

	if (study->run.gpu->l1_write != GPU_L1_WRITE_BACK_ALLOCATE ||
	    !t->entries[t->best].list.count)
		return 0;
	for (size_t i = 0; i < table->argument_count; i++) {
		const struct kernel_argument *a = &table->arguments[i];
		char *name;

		if (a->space != SPACE_GLOBAL || !a->is_written || !bypasses_argument(t, i))
			continue;
		name = str_visible(a->name, err);
		if (!name)
			return ERR_NOMEM;
		fprintf(out,
		        "  The kernel may write through %s: before a read of it bypasses L1, "
		        "what L1 holds changed there is written back.\n",
		        name);
		free(name);
	}
	return 0;
}

/* Note if saved bytes cost cycles, or saved cycles cost traffic: beyond the SM's link the model
 * gives traffic no price. */
static void print_traffic(FILE *out, const struct bypass_try *t)
{
	const struct bypass_measure *before = &t->kernel.cache_all,
				    *after = &t->entries[t->best].measure;

	if (after->cycles > before->cycles &&
	    after->cycles - before->cycles <= before->cycles / 100 &&
	    after->bytes_from_l2 < before->bytes_from_l2)
		fputs("  The best list is best for the bytes that it saves: up to 1% more cycles "
		      "count as none.\n",
		      out);
	if (after->cycles < before->cycles &&
	    after->bytes_from_l2 > before->bytes_from_l2 + before->bytes_from_l2 / 10)
		fputs("  The best list moves more bytes. The model does not limit the total "
		      "throughput of L2, which may cost its gain.\n",
		      out);
}

/* Name a list of lines of memory that is better than what a program can apply. */
static void print_address(FILE *out, const struct bypass_study *study, const struct bypass_try *t)
{
	static const enum bypass_row rows[] = { BYPASS_ROW_ADDRESS, BYPASS_ROW_ADDRESS_MERGED };
	const struct bypass_measure *before = &t->kernel.cache_all;
	enum bypass_objective objective = study->wish.objective;
	uint64_t most = bypass_measure_ceiling(before, objective);
	double least = bypass_measure_gain(before, &t->entries[t->best].measure, objective) + 0.01;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bypass_entry *e = &t->entries[rows[i]];
		double gain = bypass_measure_gain(before, &e->measure, objective);

		if (!e->is_there || rows[i] == t->best || e->measure.bytes_from_l2 > most ||
		    gain < least)
			continue;
		fprintf(out,
		        "  %s gains more, %.1f%%, but no program can tell L1 which lines to "
		        "keep.\n",
		        bypass_row_word(rows[i]), 100 * gain);
		break;
	}
}

static int print_notes(FILE *out, const struct bypass_study *study, const struct bypass_try *t,
                       struct err *err)
{
	print_address(out, study, t);
	print_search(out, "site", &t->sites, study->wish.limit);
	print_search(out, "buffer", &t->buffers, study->wish.limit);
	print_traffic(out, t);
	return print_written(out, study, t, err);
}

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

	fprintf(out, "  %-6s %15s %15s", bypass_try_bypasses(t, site) ? "bypass" : "L1",
	        count_text(reads, use->reads), count_text(stays, use->sum.stays));
	print_criterion(out, &use->sum);
	fputs("  ", out);
	site_text_print(out, &t->kernel.table->sites[site], site, source);
}

/* A site and its reads, for sorting. */
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

static void print_reads(FILE *out, const struct bypass_study *study, const struct bypass_try *t)
{
	const struct recording *recording = study->run.recording;
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
	for (size_t i = 0; i < count && i < study->wish.top; i++)
		print_read(out, t, ranked[i].site, &source);
	if (count > study->wish.top)
		fprintf(out, "  ... and %" PRIu64 " more (--top 0: all)\n",
		        (uint64_t)count - study->wish.top);
	source_text_release(&source);
	free(ranked);
}

/* Whether --by chose kinds of lists: then each is shown in full, otherwise only the best. */
static bool is_shown_in_full(const struct bypass_study *study)
{
	bool is_all = true;

	for (size_t i = 0; i < BYPASS_WAYS; i++)
		is_all = is_all && study->wish.is_wanted[i];
	return !is_all;
}

static void print_lines(FILE *out, const struct bypass_study *study, const struct bypass_try *t)
{
	char lines[SHAPE_TEXT_BYTES], stays[COUNT_TEXT_BYTES];

	if (t->dropped)
		fprintf(out, "  Loads of lines for which there was no room (%zu lines): %s\n",
		        ADDRESS_USE_LINES, count_text(stays, t->dropped));
	if (!t->line_count || (!is_shown_in_full(study) && t->best != BYPASS_ROW_ADDRESS))
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

static void print_points(FILE *out, const struct bypass_study *study, const struct bypass_try *t,
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
		        100 * bypass_measure_gain(&t->kernel.cache_all, m, study->wish.objective));
	}
}

/* Print a curve: its best point and class, and the points if requested. */
static void print_curve(FILE *out, const struct bypass_study *study, const struct bypass_try *t,
                        enum bypass_row row)
{
	const struct warp_curve *c = row == BYPASS_ROW_WARP ? &t->warps : &t->hybrid;
	char warps[SHAPE_TEXT_BYTES];

	if (!c->count)
		return;
	fprintf(out, "  %s: PI %u of %s is best; %s: %s.\n", bypass_row_word(row),
	        c->points[c->best].pi, amount_text(warps, c->warps, "warp"),
	        warp_class_word(c->shape), warp_class_text(c->shape));
	if (is_shown_in_full(study) || t->best == row)
		print_points(out, study, t, c);
}

static void print_curves(FILE *out, const struct bypass_study *study, const struct bypass_try *t)
{
	print_curve(out, study, t, BYPASS_ROW_WARP);
	print_curve(out, study, t, BYPASS_ROW_HYBRID);
}

/* Whether a split differs from the best. */
static bool is_one_best(const struct bypass_study *study, size_t best)
{
	const struct bypass_split *splits = study->splits.data, *b = &splits[best];

	for (size_t i = 0; i < study->splits.count; i++)
		if (splits[i].refused != b->refused ||
		    memcmp(&splits[i].cache_all, &b->cache_all, sizeof(b->cache_all)) != 0 ||
		    memcmp(&splits[i].best, &b->best, sizeof(b->best)) != 0)
			return true;
	return false;
}

static void print_split(FILE *out, const struct bypass_study *study, size_t i, size_t best)
{
	const struct bypass_split *s = (const struct bypass_split *)study->splits.data + i;
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], c[COUNT_TEXT_BYTES], d[COUNT_TEXT_BYTES],
		e[COUNT_TEXT_BYTES], groups[COUNT_TEXT_BYTES];

	if (s->least_groups == s->most_groups)
		snprintf(groups, sizeof(groups), "%u", s->most_groups);
	else
		snprintf(groups, sizeof(groups), "%u..%u", s->least_groups, s->most_groups);
	fprintf(out, "%c %-10s %12s %12s %9s", i == best && is_one_best(study, best) ? '*' : ' ',
	        s->gpu.l1, count_text(a, s->l1_bytes), count_text(b, s->gpu.local_bytes), groups);
	fprintf(out, " %15s %8s %15s %15s %15s", count_text(a, s->cache_all.misses),
	        share_text(b, s->cache_all.misses, s->cache_all.reads),
	        count_text(c, s->cache_all.bytes_from_l2), count_text(d, s->cache_all.cycles),
	        count_text(e, s->best.cycles));
	if (s->refused)
		fprintf(out, "  without %zu of the launches: no %s of theirs fits", s->refused,
		        cuda_word(study->run.recording, "group"));
	fputc('\n', out);
}

static void print_splits(FILE *out, const struct bypass_study *study)
{
	const char *local = cuda_word(study->run.recording, "local memory");
	const struct bypass_split *splits = study->splits.data;
	size_t best;

	if (!study->splits.count) {
		if (study->has_splits)
			fprintf(out, "\nThe GPU's description has one split of L1 and %s.\n",
			        local);
		return;
	}
	best = bypass_study_best_split(study);
	fprintf(out, "\nSplits of an SM's storage into L1 and %s: %s%s\n", local,
	        is_one_best(study, best) ? "the best is " : "no difference",
	        is_one_best(study, best) ? splits[best].gpu.l1 : "");
	fprintf(out, "  %-10s %12s %12s %9s %15s %8s %15s %15s %15s\n", "L1", "bytes of L1", local,
	        "resident", "misses", "rate", "bytes from L2", "cycles", "with best list");
	for (size_t i = 0; i < study->splits.count; i++)
		print_split(out, study, i, best);
}

static int print_kernel(FILE *out, const struct bypass_study *study, const struct bypass_try *t,
                        bool is_only, struct err *err)
{
	char launches[SHAPE_TEXT_BYTES], *name = str_visible(t->kernel.name, err);
	int ret = 0;

	if (!name)
		return ERR_NOMEM;
	fprintf(out, "\nKernel %s, %s\n", name,
	        amount_text(launches, t->kernel.launches.count, "launch"));
	free(name);
	if (!is_only)
		ret = print_sentence_kernel(out, study, t, err);
	if (ret || !bypass_try_was_played(t))
		return ret;
	print_lists(out, study, t);
	ret = print_notes(out, study, t, err);
	print_curves(out, study, t);
	print_reads(out, study, t);
	print_lines(out, study, t);
	return ret;
}

int bypass_text_print(FILE *out, const struct bypass_study *study, struct err *err)
{
	int ret = bypass_text_sentence(out, study, err);

	print_head(out, study);
	for (size_t i = 0; i < study->count && !ret; i++)
		ret = print_kernel(out, study, &study->tries[i], study->count == 1, err);
	if (!ret && study->count > 1)
		print_total(out, study);
	if (!ret)
		print_splits(out, study);
	return ret;
}
