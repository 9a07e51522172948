/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_judge.h"

#include "err.h"
#include "query_value.h"
#include "suggest.h"

#include <string.h>

static int take_percent(struct diff_judge *j, const char *text, struct err *err)
{
	size_t length = strlen(text);
	struct cell value;
	enum cell_type type;

	/* 5 and 5% are equal */
	if (length && text[length - 1] == '%')
		length--;
	if (!length || strspn(text, "0123456789.") != length ||
	    !query_value_parse(text, length, &value, &type))
		return err_set(
			err, ERR_USAGE,
			"--fail-above: '%.40s' is not a percentage: expected one such as 5 or "
			"0.5",
			text);
	j->percent = type == CELL_REAL ? value.real : (double)value.number;
	return 0;
}

/* Read a word of --fail-on. */
static int take_metric(struct diff_judge *j, const char *word, size_t length, struct err *err)
{
	char name[32];
	struct suggestion near;

	for (int m = 0; m < DIFF_METRICS; m++)
		if (strlen(diff_metric_name((enum diff_metric)m)) == length &&
		    !memcmp(diff_metric_name((enum diff_metric)m), word, length)) {
			j->is_judged[m] = true;
			return 0;
		}
	length = length < sizeof(name) ? length : sizeof(name) - 1;
	memcpy(name, word, length);
	name[length] = '\0';
	suggestion_init(&near, name);
	for (int m = 0; m < DIFF_METRICS; m++)
		suggestion_offer(&near, diff_metric_name((enum diff_metric)m));
	if (near.best)
		return err_set(err, ERR_USAGE, "--fail-on: '%s' is not a metric; is '%s' meant?",
		               name, near.best);
	return err_set(err, ERR_USAGE, "--fail-on: '%s' is not a metric; there are:"
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) " " #name
#include "diff_metrics.def"
#undef DIFF_METRIC
	               ,
	               name);
}

int diff_judge_init(struct diff_judge *j, const char *above, const char *on, bool is_by_kernel,
                    struct err *err)
{
	static const bool are_judged[] = {
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) is_default,
#include "diff_metrics.def"
#undef DIFF_METRIC
	};
	int ret = 0;

	*j = (struct diff_judge){ .is_wanted = above != NULL, .is_by_kernel = is_by_kernel };
	array_init(&j->found, sizeof(struct diff_regression), SIZE_MAX, "regressions");
	if (!above && (on || is_by_kernel))
		return err_set(err, ERR_USAGE, "%s: expected --fail-above with it",
		               on ? "--fail-on" : "--fail-by");
	if (!on)
		memcpy(j->is_judged, are_judged, sizeof(are_judged));
	while (on && !ret) {
		size_t length = strcspn(on, ",");

		ret = take_metric(j, on, length, err);
		on = on[length] ? on + length + 1 : NULL;
	}
	return ret || !above ? ret : take_percent(j, above, err);
}

void diff_judge_release(struct diff_judge *j)
{
	array_release(&j->found);
}

static bool is_regression(const struct diff_judge *j, uint64_t a, uint64_t b)
{
	return b > a && (long double)(b - a) * 100 > (long double)j->percent * (long double)a;
}

static int look_at(struct diff_judge *j, const struct diff_row *row, bool is_total, struct err *err)
{
	for (int m = 0; m < DIFF_METRICS; m++) {
		struct diff_regression *found;

		if (!j->is_judged[m] ||
		    !is_regression(j, row->counts[DIFF_A].of[m], row->counts[DIFF_B].of[m]))
			continue;
		found = array_push(&j->found, 1, err);
		if (!found)
			return ERR_NOMEM;
		*found = (struct diff_regression){ row, is_total, (enum diff_metric)m };
	}
	return 0;
}

int diff_judge_look(struct diff_judge *j, const struct diff *d, struct err *err)
{
	const struct diff_rows *kernels = &d->sections[DIFF_SECTION_kernels];
	int ret = j->is_wanted ? look_at(j, &d->total, true, err) : 0;

	for (size_t i = 0; !ret && j->is_wanted && j->is_by_kernel && i < kernels->count; i++)
		if (kernels->list[i].item[DIFF_A] && kernels->list[i].item[DIFF_B])
			ret = look_at(j, &kernels->list[i], false, err);
	return ret;
}
