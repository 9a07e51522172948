/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_report.h"

#include "cuda_words.h"
#include "diff_pairs.h"
#include "diff_verdict.h"
#include "err.h"
#include "finding.h"
#include "recording.h"
#include "replay_choice.h"
#include "shape_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double diff_change_percent(uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	return (b > a ? (double)(b - a) : -(double)(a - b)) / (double)a * 100;
}

const char *diff_change_text(char text[DIFF_CHANGE_BYTES], uint64_t a, uint64_t b)
{
	double percent = a ? diff_change_percent(a, b) : 0;

	if (a == b)
		snprintf(text, DIFF_CHANGE_BYTES, "=");
	else if (!a)
		snprintf(text, DIFF_CHANGE_BYTES, "new");
	else if (b / a >= 10)
		snprintf(text, DIFF_CHANGE_BYTES, "x%.1f", (double)b / (double)a);
	else
		snprintf(text, DIFF_CHANGE_BYTES, fabs(percent) < 0.05 ? "%+.1g%%" : "%+.1f%%",
		         percent);
	return text;
}

/* Whether a line is on both sides with different text. */
static bool is_edited(const struct diff_row *row)
{
	const struct report_line *a = row->item[DIFF_A], *b = row->item[DIFF_B];

	return a && b && a->text && b->text && !diff_is_same_text(a->text, b->text);
}

/* Append `text`, which may hold control characters, between two strings. */
static int put_visible(struct str *out, const char *before, const char *text, const char *after,
                       struct err *err)
{
	char *seen = str_visible(text, err);
	int ret = seen ? str_printf(out, err, "%s%s%s", before, seen, after) : ERR_NOMEM;

	free(seen);
	return ret;
}

/* A line's place in B, or in A if it is gone, and its number in A if that differs. */
static int line_place(const struct diff_row *row, struct str *out, struct err *err)
{
	const struct report_line *a = row->item[DIFF_A], *b = row->item[DIFF_B];
	const struct report_line *x = b ? b : a;

	if (!x->file)
		return str_printf(out, err, "an unknown line");
	if (a && b && a->line != b->line)
		return str_printf(out, err, "%s:%" PRIu32 " (A: %" PRIu32 ")", x->file, x->line,
		                  a->line);
	return str_printf(out, err, "%s:%" PRIu32, x->file, x->line);
}

static const char *text_of(const struct diff_row *row)
{
	const struct report_line *x = row->item[DIFF_B] ? row->item[DIFF_B] : row->item[DIFF_A];

	return x->text && *x->text ? x->text : NULL;
}

static int line_text(const struct diff_row *row, struct str *out, struct err *err)
{
	int ret = line_place(row, out, err);

	if (!ret && text_of(row))
		ret = put_visible(out, "  | ", text_of(row), "", err);
	if (!ret && is_edited(row))
		ret = put_visible(out,
		                  "  (A: ", ((const struct report_line *)row->item[DIFF_A])->text,
		                  ")", err);
	return ret;
}

static int buffer_text(const struct diff_row *row, struct str *out, struct err *err)
{
	const struct report_buffer *x = row->item[DIFF_B] ? row->item[DIFF_B] : row->item[DIFF_A];
	char bytes[COUNT_TEXT_BYTES];

	if (x->buffer < 0)
		return str_printf(out, err, "in no known buffer");
	return str_printf(out, err, "buffer %" PRId64 ", %s bytes%s%s", x->buffer,
	                  count_text(bytes, x->bytes), *x->names ? "  " : "", x->names);
}

static int kernel_text(const struct diff_row *row, struct str *out, struct err *err)
{
	const char *a = row->kernel[DIFF_A], *b = row->kernel[DIFF_B];

	if (a && b && strcmp(a, b) != 0)
		return put_visible(out, "", a, " -> ", err) || put_visible(out, "", b, "", err)
		               ? ERR_NOMEM
		               : 0;
	return put_visible(out, "", b ? b : a, "", err);
}

static int launch_text(const struct diff_row *row, struct str *out, struct err *err)
{
	const struct report_launch *a = row->item[DIFF_A], *b = row->item[DIFF_B];
	int ret = str_printf(out, err, "launch %" PRIu64, b ? b->number : a->number);

	if (!ret && a && b && a->number != b->number)
		ret = str_printf(out, err, " (A: %" PRIu64 ")", a->number);
	if (!ret)
		ret = str_printf(out, err, "  ");
	return ret ? ret : kernel_text(row, out, err);
}

int diff_row_text(enum diff_section section, const struct diff_row *row, struct str *out,
                  struct err *err)
{
	switch (section) {
	case DIFF_SECTION_lines:
		return line_text(row, out, err);
	case DIFF_SECTION_buffers:
		return buffer_text(row, out, err);
	case DIFF_SECTION_launches:
		return launch_text(row, out, err);
	case DIFF_SECTION_kernels:
	case DIFF_SECTIONS:
	default:
		return kernel_text(row, out, err);
	}
}

/* "moves 41.2% fewer bytes from L2 (524,288 -> 308,224)" */
static int clause(struct str *out, enum diff_metric m, const struct diff *d, struct err *err)
{
	static const char *const verbs[] = {
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) verb,
#include "diff_metrics.def"
#undef DIFF_METRIC
	};
	uint64_t a = d->total.counts[DIFF_A].of[m], b = d->total.counts[DIFF_B].of[m];
	char of_a[COUNT_TEXT_BYTES], of_b[COUNT_TEXT_BYTES];
	const char *title = diff_title(d, m), *verb = verbs[m];

	count_text(of_a, a);
	count_text(of_b, b);
	if (!a || !b)
		return str_printf(out, err, "%s %s %s where A has %s", verb, b ? of_b : "no", title,
		                  a ? of_a : "none");
	if (b >= 2 * a)
		return str_printf(out, err, "%s %.1f times as many %s (%s -> %s)", verb,
		                  (double)b / (double)a, title, of_a, of_b);
	return str_printf(out, err, "%s %.1f%% %s %s (%s -> %s)", verb,
	                  diff_change_percent(a < b ? a : b, a < b ? b : a) *
	                          (a < b ? 1 : (double)b / (double)a),
	                  b < a ? "fewer" : "more", title, of_a, of_b);
}

static int direction_of(const struct diff_row *row, enum diff_metric m)
{
	return diff_direction((double)row->counts[DIFF_A].of[m], (double)row->counts[DIFF_B].of[m]);
}

/* By how much B exceeds A in a metric; in turns if it is a part of the work. */
static double turns_of(const struct diff *d, enum diff_metric m)
{
	double change =
		(double)d->total.counts[DIFF_B].of[m] - (double)d->total.counts[DIFF_A].of[m];

	return m == DIFF_bytes_from_l2 || m == DIFF_bytes_to_l2
	               ? change / finding_turn_bytes(&d->side[DIFF_A]->setup->gpu)
	               : change;
}

/* Metrics that the sentence may name; the first PARTS add up to the work. */
static const enum diff_metric named[] = { DIFF_bytes_from_l2,  DIFF_bytes_to_l2,
	                                  DIFF_requests,       DIFF_atomic_waits,
	                                  DIFF_bank_conflicts, DIFF_local_instructions,
	                                  DIFF_misses,         DIFF_dram_bytes,
	                                  DIFF_cycles };
enum { PARTS = 6, NAMED = sizeof(named) / sizeof(named[0]) };

/* A part of the work is named from this share of all changes in its direction. */
static const double part_share = 0.1;

/* Whether a metric changed enough in a direction to be named. Growth in local memory is reported as
 * a whole: caveats(). */
static bool is_worth(const struct diff *d, const struct diff_verdict *v, size_t i, int direction)
{
	bool is_local = named[i] == DIFF_bank_conflicts || named[i] == DIFF_local_instructions;
	double all = 0;

	if (direction_of(&d->total, named[i]) != direction ||
	    (is_local && direction > 0 && v->word != DIFF_IS_WORSE))
		return false;
	if (named[i] == DIFF_cycles)
		return v->is_full[DIFF_A] && v->is_full[DIFF_B];
	if (i >= PARTS)
		return true;
	for (size_t k = 0; k < PARTS; k++)
		if (direction * turns_of(d, named[k]) > 0)
			all += direction * turns_of(d, named[k]);
	return direction * turns_of(d, named[i]) >= part_share * all;
}

/* The metrics that changed in a direction: parts of the work, the largest first, then the others.
 */
static size_t changed_metrics(const struct diff *d, const struct diff_verdict *v, int direction,
                              enum diff_metric changed[NAMED])
{
	size_t count = 0;

	for (size_t i = 0; i < NAMED; i++) {
		size_t at = count;

		if (!is_worth(d, v, i, direction))
			continue;
		for (; at && i < PARTS &&
		       direction * turns_of(d, changed[at - 1]) < direction * turns_of(d, named[i]);
		     at--)
			changed[at] = changed[at - 1];
		changed[at] = named[i];
		count++;
	}
	return count;
}

/* "makes 3.0% fewer requests (100 -> 97) and has ..." */
static int clauses(struct str *out, const struct diff *d, const enum diff_metric *changed,
                   size_t count, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		if (i)
			ret = str_printf(out, err, "%s", i + 1 < count ? ", " : " and ");
		if (!ret)
			ret = clause(out, changed[i], d, err);
	}
	return ret;
}

/* "32.1% less memory work (1,000 -> 679 turns)" */
static int work(struct str *out, const struct diff_verdict *v, struct err *err)
{
	uint64_t a = v->turns[DIFF_A], b = v->turns[DIFF_B];
	char of_a[COUNT_TEXT_BYTES], of_b[COUNT_TEXT_BYTES];

	count_text(of_a, a);
	count_text(of_b, b);
	if (!a)
		return str_printf(out, err, "%s turns of memory work where A has none", of_b);
	if (!b)
		return str_printf(out, err, "no memory work where A has %s turns", of_a);
	if (b >= 2 * a)
		return str_printf(out, err, "%.1f times as much memory work (%s -> %s turns)",
		                  (double)b / (double)a, of_a, of_b);
	return str_printf(out, err, "%.1f%% %s memory work (%s -> %s turns)",
	                  fabs(diff_change_percent(a, b)), b < a ? "less" : "more", of_a, of_b);
}

/* "B is better, with 50.0% less memory work (2 -> 1 turns)"; "B" if turns cannot be compared. */
static int verdict(struct str *out, const struct diff_verdict *v, struct err *err)
{
	static const char *const words[] = {
		[DIFF_IS_BETTER] = "better",
		[DIFF_IS_WORSE] = "worse",
		[DIFF_IS_ALIKE] = "about the same as A",
		[DIFF_IS_UNCLEAR] = "not clearly better",
	};
	bool is_known = !v->lacks_local[DIFF_A] && !v->lacks_local[DIFF_B];
	int ret;

	if (v->word == DIFF_IS_NONE)
		return str_printf(out, err, "B");
	ret = str_printf(out, err, "B is %s%s%s", words[v->word],
	                 is_known ? "" : " as far as recorded",
	                 v->word == DIFF_IS_ALIKE     ? ""
	                 : v->word == DIFF_IS_UNCLEAR ? ": it has "
	                                              : ", with ");
	if (!ret && v->is_by_sms)
		ret = str_printf(out, err,
		                 "as much memory work, done by %" PRIu32 " of %" PRIu32
		                 " SMs where A uses %" PRIu32,
		                 v->sms[DIFF_B], v->of_sms[DIFF_B], v->sms[DIFF_A]);
	else if (!ret && v->word != DIFF_IS_ALIKE)
		ret = diff_direction((double)v->turns[DIFF_A], (double)v->turns[DIFF_B])
		              ? work(out, v, err)
		              : str_printf(out, err, "as much memory work");
	if (!ret && v->word == DIFF_IS_UNCLEAR && v->sms[DIFF_A] != v->sms[DIFF_B])
		ret = str_printf(out, err,
		                 ", done by %" PRIu32 " of %" PRIu32 " SMs where A uses %" PRIu32,
		                 v->sms[DIFF_B], v->of_sms[DIFF_B], v->sms[DIFF_A]);
	return ret;
}

static bool has_reasons(const struct diff *d, const struct diff_verdict *v)
{
	enum diff_metric changed[NAMED];

	return changed_metrics(d, v, -1, changed) || changed_metrics(d, v, 1, changed);
}

/* Explain the verdict by the metrics that changed in its direction, or both ways without one. */
static int reasons(struct str *out, const struct diff *d, const struct diff_verdict *v,
                   struct err *err)
{
	bool is_one_way = v->word == DIFF_IS_BETTER || v->word == DIFF_IS_WORSE;
	int first = v->word == DIFF_IS_WORSE ? 1 : -1;
	enum diff_metric changed[NAMED], others[NAMED];
	size_t count = changed_metrics(d, v, first, changed);
	size_t other_count = is_one_way ? 0 : changed_metrics(d, v, -first, others);
	int ret = 0;

	if (count || other_count)
		ret = str_printf(out, err, v->word == DIFF_IS_NONE ? " " : "; it ");
	else if (v->word == DIFF_IS_NONE || v->word == DIFF_IS_ALIKE)
		return str_printf(out, err, "%s: nothing that costs differs by %.0f%%",
		                  v->word == DIFF_IS_NONE ? " is about the same as A" : "",
		                  DIFF_WORTH_PERCENT);
	if (!ret)
		ret = clauses(out, d, changed, count, err);
	if (!ret && count && other_count)
		ret = str_printf(out, err, ", but ");
	return ret ? ret : clauses(out, d, others, other_count, err);
}

/* Caveats: SMs without work, and local memory. */
static int caveats(struct str *out, const struct diff *d, const struct diff_verdict *v,
                   struct err *err)
{
	const uint64_t *a = d->total.counts[DIFF_A].of, *b = d->total.counts[DIFF_B].of;
	uint64_t local_a = a[DIFF_local_instructions] + a[DIFF_bank_conflicts];
	uint64_t local_b = b[DIFF_local_instructions] + b[DIFF_bank_conflicts];
	const struct recording *r = d->side[DIFF_A]->recording;
	const char *local = cuda_word(r, "local memory");
	char text[COUNT_TEXT_BYTES];
	int ret = 0;

	if (v->lacks_local[DIFF_A] || v->lacks_local[DIFF_B])
		ret = str_printf(out, err, "; %s of %s was not recorded", local,
		                 !v->lacks_local[DIFF_B]   ? "A"
		                 : !v->lacks_local[DIFF_A] ? "B"
		                                           : "A and B");
	else if (v->word != DIFF_IS_WORSE && diff_direction((double)local_a, (double)local_b) > 0)
		ret = str_printf(out, err, "; %s of B's turns are of %s", count_text(text, local_b),
		                 local);
	if (ret || v->is_by_sms || v->word == DIFF_IS_UNCLEAR ||
	    !direction_of(&d->total, DIFF_cycles) || (v->is_full[DIFF_A] && v->is_full[DIFF_B]))
		return ret;
	if (v->sms[DIFF_A] == v->sms[DIFF_B] && v->of_sms[DIFF_A] == v->of_sms[DIFF_B] &&
	    v->sms[DIFF_A] < v->of_sms[DIFF_A])
		return str_printf(out, err,
		                  "; cycles cannot be compared: only %" PRIu32 " of %" PRIu32
		                  " SMs have work",
		                  v->sms[DIFF_A], v->of_sms[DIFF_A]);
	if (v->sms[DIFF_A] < v->of_sms[DIFF_A] || v->sms[DIFF_B] < v->of_sms[DIFF_B])
		return str_printf(out, err,
		                  "; cycles cannot be compared: %" PRIu32 " of %" PRIu32
		                  " SMs have work in A, %" PRIu32 " of %" PRIu32 " in B",
		                  v->sms[DIFF_A], v->of_sms[DIFF_A], v->sms[DIFF_B],
		                  v->of_sms[DIFF_B]);
	return str_printf(out, err, "; cycles cannot be compared: too few %s%s to fill the SMs",
	                  cuda_word(r, "groups"),
	                  v->is_full[DIFF_A]   ? " in B"
	                  : v->is_full[DIFF_B] ? " in A"
	                                       : "");
}

/* Whether a line has more than half of the change of the metric named first. */
static bool is_most(const struct diff_report *r, const struct diff_verdict *v,
                    const struct diff_row *line)
{
	const struct diff_counts *t = r->diff->total.counts, *l = line->counts;
	size_t less = v->word == DIFF_IS_WORSE ? DIFF_A : DIFF_B, more = DIFF_SIDES - 1 - less;
	enum diff_metric changed[NAMED], m;

	if (!changed_metrics(r->diff, v, less == DIFF_A ? 1 : -1, changed))
		return false;
	m = changed[0];
	return diff_metric_is_of(m, DIFF_SECTION_lines) && l[more].of[m] > l[less].of[m] &&
	       l[more].of[m] - l[less].of[m] > (t[more].of[m] - t[less].of[m]) / 2;
}

/* Name the heaviest line, if the change is large enough. */
static int place(const struct diff_report *r, const struct diff_verdict *v, struct str *out,
                 struct err *err)
{
	const struct diff_rows *lines = &r->diff->sections[DIFF_SECTION_lines];
	const struct diff_row *row = lines->list;
	int ret;

	if (!lines->changed || row->weight * 100 < DIFF_WORTH_PERCENT)
		return 0;
	ret = str_printf(out, err, "; %s at ",
	                 is_most(r, v, row) ? "most of it" : "the greatest change of a line is");
	if (!ret)
		ret = line_place(row, out, err);
	if (!ret && text_of(row))
		ret = put_visible(out, ", \"", text_of(row), "\"", err);
	if (!ret && !row->item[DIFF_A])
		ret = str_printf(out, err, ", which is new");
	if (!ret && !row->item[DIFF_B])
		ret = str_printf(out, err, ", which is gone");
	return ret;
}

int diff_sentence(const struct diff_report *r, struct str *out, struct err *err)
{
	struct diff_verdict v;
	int ret;

	for (size_t side = 0; side < DIFF_SIDES; side++)
		if (!r->diff->total.launches[side])
			return str_printf(out, err,
			                  "Nothing to compare: no launch of %s was replayed.",
			                  side == DIFF_A ? "A" : "B");
	if (diff_is_same(r->diff))
		return str_printf(out, err, "A and B are the same: no number differs.");
	v = diff_verdict_make(r->diff);
	ret = verdict(out, &v, err);
	if (!ret)
		ret = reasons(out, r->diff, &v, err);
	if (!ret && has_reasons(r->diff, &v))
		ret = place(r, &v, out, err);
	if (!ret)
		ret = caveats(out, r->diff, &v, err);
	return ret ? ret : str_printf(out, err, ".");
}
