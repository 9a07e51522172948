/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_report.h"

#include "diff_pairs.h"
#include "err.h"
#include "recording.h"
#include "shape_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a total, in percent: less is not worth a word. */
static const double worth_percent = 1;

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

/* Whether a line is on both sides with another text. */
static bool is_edited(const struct diff_row *row)
{
	const struct report_line *a = row->item[DIFF_A], *b = row->item[DIFF_B];

	return a && b && a->text && b->text && !diff_is_same_text(a->text, b->text);
}

/* Append a text that may hold anything, between the two of `around`. */
static int put_visible(struct str *out, const char *before, const char *text, const char *behind,
                       struct err *err)
{
	char *seen = str_visible(text, err);
	int ret = seen ? str_printf(out, err, "%s%s%s", before, seen, behind) : ERR_NOMEM;

	free(seen);
	return ret;
}

/* Where a line is: B's, which is the one that is there to be looked at, and A's number. */
static int line_place(const struct diff_row *row, struct str *out, struct err *err)
{
	const struct report_line *a = row->item[DIFF_A], *b = row->item[DIFF_B];
	const struct report_line *x = b ? b : a;

	if (!x->file)
		return str_printf(out, err, "a line that is not known");
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
static int clause(struct str *out, const char *verb, enum diff_metric m, const struct diff_row *row,
                  struct err *err)
{
	uint64_t a = row->counts[DIFF_A].of[m], b = row->counts[DIFF_B].of[m];
	char of_a[COUNT_TEXT_BYTES], of_b[COUNT_TEXT_BYTES];
	const char *title = diff_metric_title(m);

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

static bool is_worth(const struct diff_row *row, enum diff_metric m)
{
	uint64_t a = row->counts[DIFF_A].of[m], b = row->counts[DIFF_B].of[m];
	double percent = a ? diff_change_percent(a, b) : 100;

	return a != b && (percent >= worth_percent || percent <= -worth_percent);
}

/* The metrics of the total that changed, in the order of the sentence. */
static size_t changed_metrics(const struct diff_row *total, enum diff_metric changed[DIFF_METRICS])
{
	static const enum diff_metric order[] = { DIFF_bytes_from_l2,  DIFF_requests,
		                                  DIFF_misses,         DIFF_dram_bytes,
		                                  DIFF_bank_conflicts, DIFF_cycles };
	size_t count = 0;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (is_worth(total, order[i]))
			changed[count++] = order[i];
	return count;
}

/* The clauses of the totals that changed. *count of them. */
static int clauses(const struct diff_report *r, struct str *out, size_t *count, struct err *err)
{
	static const char *const verbs[] = {
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) verb,
#include "diff_metrics.def"
#undef DIFF_METRIC
	};
	enum diff_metric changed[DIFF_METRICS];
	int ret = 0;

	*count = changed_metrics(&r->diff->total, changed);
	for (size_t i = 0; !ret && i < *count; i++) {
		if (i)
			ret = str_printf(out, err, "%s", i + 1 < *count ? ", " : " and ");
		if (!ret)
			ret = clause(out, verbs[changed[i]], changed[i], &r->diff->total, err);
	}
	return ret;
}

/* Whether a line has more than half of the change that the sentence begins with. */
static bool is_most(const struct diff_row *total, const struct diff_row *line)
{
	enum diff_metric changed[DIFF_METRICS];
	size_t less = DIFF_A, more = DIFF_B;
	const uint64_t *t[DIFF_SIDES] = { total->counts[DIFF_A].of, total->counts[DIFF_B].of };
	const uint64_t *l[DIFF_SIDES] = { line->counts[DIFF_A].of, line->counts[DIFF_B].of };
	enum diff_metric m;

	if (!changed_metrics(total, changed))
		return false;
	m = changed[0];
	if (t[DIFF_A][m] > t[DIFF_B][m]) {
		less = DIFF_B;
		more = DIFF_A;
	}
	return diff_metric_is_of(m, DIFF_SECTION_lines) && l[more][m] > l[less][m] &&
	       l[more][m] - l[less][m] > (t[more][m] - t[less][m]) / 2;
}

/* Where it is: the heaviest line, if a change of lines is worth a word. */
static int place(const struct diff_report *r, struct str *out, struct err *err)
{
	const struct diff_rows *lines = &r->diff->sections[DIFF_SECTION_lines];
	const struct diff_row *row = lines->list;
	int ret;

	if (!lines->changed || row->weight * 100 < worth_percent)
		return 0;
	ret = str_printf(out, err, "; %s at ",
	                 is_most(&r->diff->total, row) ? "most of it"
	                                               : "the greatest change of a line is");
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
	size_t count = 0;
	int ret;

	for (size_t side = 0; side < DIFF_SIDES; side++)
		if (!r->diff->total.launches[side])
			return str_printf(out, err,
			                  "Nothing is compared: no launch of %s was played.",
			                  side == DIFF_A ? "A" : "B");
	if (diff_is_same(r->diff))
		return str_printf(out, err, "A and B are the same: no number differs.");
	ret = str_printf(out, err, "B ");
	if (!ret)
		ret = clauses(r, out, &count, err);
	if (!ret && !count)
		ret = str_printf(out, err,
		                 "is as A in all but details: bytes from L2 and of DRAM, requests, "
		                 "misses, bank conflicts and cycles differ by less than %.0f%%",
		                 worth_percent);
	if (!ret)
		ret = place(r, out, err);
	return ret ? ret : str_printf(out, err, ".");
}
