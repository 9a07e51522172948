/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_report.h"

#include "bypass_advice.h"
#include "bypass_plan.h"
#include "str.h"

bool bypass_report_was_played(const struct bypass_try *t)
{
	return t->entries[BYPASS_ROW_CACHE_ALL].is_there;
}

bool bypass_report_gains(const struct bypass_try *t)
{
	return bypass_report_was_played(t) && t->entries[t->best].list.count;
}

/* "23.1% fewer cycles", "as many cycles". */
static int put_change(struct str *out, uint64_t before, uint64_t after, const char *unit,
                      struct err *err)
{
	double change = before ? ((double)after - (double)before) / (double)before : 0;

	if (before && change > -0.0005 && change < 0.0005)
		return str_printf(out, err, "as many %s", unit);
	if (!before)
		return str_printf(out, err, "%s %s", after ? "more" : "as many", unit);
	return str_printf(out, err, "%.1f%% %s %s", 100 * (change < 0 ? -change : change),
	                  change < 0 ? "fewer" : "more", unit);
}

static int put_changes(struct str *out, const struct bypass_measure *before,
                       const struct bypass_measure *after, struct err *err)
{
	int ret = put_change(out, before->cycles, after->cycles, "cycles", err);

	if (!ret)
		ret = str_append(out, ", ", 2, err);
	return ret ? ret
	           : put_change(out, before->bytes_from_l2, after->bytes_from_l2, "bytes from L2",
	                        err);
}

/* The same of a list that is worth it: what it saves first. */
static int put_gain(struct str *out, const struct bypass_measure *before,
                    const struct bypass_measure *after, struct err *err)
{
	int ret;

	if (after->cycles <= before->cycles || after->bytes_from_l2 >= before->bytes_from_l2)
		return put_changes(out, before, after, err);
	ret = put_change(out, before->bytes_from_l2, after->bytes_from_l2, "bytes from L2", err);
	if (!ret)
		ret = str_append(out, ", for ", 6, err);
	return ret ? ret : put_change(out, before->cycles, after->cycles, "cycles", err);
}

bool bypass_report_bypasses(const struct bypass_try *t, size_t site)
{
	const struct bypass_list *list = &t->entries[t->best].list;
	bool is = false;

	for (size_t i = 0; i < list->count && !is; i++)
		is = (list->rules[i].kind == BYPASS_WARPS && !list->rules[i].number) ||
		     bypass_rule_names(&list->rules[i], t->kernel.table, site);
	return is;
}

/* Which of two lists came nearer to a gain: < 0 the first. What moves too many bytes comes last. */
static int compare_lists(const struct bypass_report *r, const struct bypass_try *t,
                         const struct bypass_measure *a, const struct bypass_measure *b)
{
	uint64_t most = bypass_measure_ceiling(&t->kernel.cache_all, r->wish->objective);
	bool a_fits = a->bytes_from_l2 <= most, b_fits = b->bytes_from_l2 <= most;

	if (a_fits != b_fits)
		return a_fits ? -1 : 1;
	return bypass_measure_compare(a, b, r->wish->objective);
}

/* The best row that sends anything past L1, by the objective; CACHE_ALL: there is none. */
static enum bypass_row best_list(const struct bypass_report *r, const struct bypass_try *t)
{
	enum bypass_row best = BYPASS_ROW_CACHE_ALL;

	for (enum bypass_row row = BYPASS_ROW_ALL; row < BYPASS_ROWS; row++) {
		const struct bypass_entry *e = &t->entries[row];

		if (e->is_there && e->measure.bypasses &&
		    (!best || compare_lists(r, t, &e->measure, &t->entries[best].measure) < 0))
			best = row;
	}
	return best;
}

static int put_no_gain(struct str *out, const struct bypass_report *r, const struct bypass_try *t,
                       struct err *err)
{
	enum bypass_row row = best_list(r, t);
	int ret = str_printf(out, err, "%s: no gain: do not bypass", t->kernel.name);

	if (ret)
		return ret;
	if (!row)
		return str_printf(out, err, "; no read goes through L1");
	ret = str_printf(out, err, "; the best list, %s, has ", bypass_row_word(row));
	return ret ? ret : put_changes(out, &t->kernel.cache_all, &t->entries[row].measure, err);
}

int bypass_sentence_kernel(const struct bypass_report *r, const struct bypass_try *t,
                           struct str *out, struct err *err)
{
	int ret;

	if (!bypass_report_was_played(t))
		return str_printf(out, err, "%s: no launch was replayed", t->kernel.name);
	if (!bypass_report_gains(t))
		return put_no_gain(out, r, t, err);
	ret = bypass_advice_put(out, t, &t->entries[t->best].list, err);
	if (!ret)
		ret = str_append(out, ": ", 2, err);
	return ret ? ret : put_gain(out, &t->kernel.cache_all, &t->entries[t->best].measure, err);
}

/* Of several kernels. */
static int put_all(struct str *out, const struct bypass_report *r, size_t played, struct err *err)
{
	size_t gaining = 0;
	int ret;

	for (size_t i = 0; i < r->count; i++)
		gaining += bypass_report_gains(&r->tries[i]);
	if (!gaining)
		return str_printf(out, err, "no gain: do not bypass; none of %zu kernels gains",
		                  played);
	ret = str_printf(out, err, "%zu of %zu kernels gain%s, together ", gaining, played,
	                 gaining == 1 ? "s" : "");
	return ret ? ret
	           : put_gain(out, &r->rows[BYPASS_ROW_CACHE_ALL].measure, &r->best.measure, err);
}

int bypass_sentence_all(const struct bypass_report *r, struct str *out, struct err *err)
{
	const struct bypass_try *one = NULL, *left = NULL;
	size_t played = 0;
	int ret;

	for (size_t i = 0; i < r->count; i++)
		if (!bypass_report_was_played(&r->tries[i]))
			left = &r->tries[i];
		else if (!played++)
			one = &r->tries[i];
	if (!played)
		return str_printf(out, err, "no launch was replayed");
	ret = played == 1 ? bypass_sentence_kernel(r, one, out, err) : put_all(out, r, played, err);
	if (ret || !left)
		return ret;
	if (r->count - played == 1)
		return str_printf(out, err, "; no launch of %s was replayed", left->kernel.name);
	return str_printf(out, err, "; no launch of %zu other kernels was replayed",
	                  r->count - played);
}
