/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_match.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const struct diff_item *x, const struct diff_item *y)
{
	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	return strcmp(x->key, y->key);
}

static int compare(const void *a, const void *b)
{
	const struct diff_item *x = *(struct diff_item *const *)a,
			       *y = *(struct diff_item *const *)b;
	int order = compare_keys(x, y);

	if (order)
		return order;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Those that are to be matched, sorted; *count. */
static struct diff_item **sorted(const struct diff_items *items, size_t *count, struct err *err)
{
	struct diff_item **list =
		array_alloc(items->count, sizeof(struct diff_item *), "rows", err);

	*count = 0;
	for (size_t i = 0; list && i < items->count; i++)
		if (items->list[i].key && items->list[i].match == DIFF_ALONE)
			list[(*count)++] = &items->list[i];
	if (list)
		qsort(list, *count, sizeof(struct diff_item *), compare);
	return list;
}

/* How many of the list have the key of the first. */
static size_t alike(struct diff_item *const *list, size_t count)
{
	size_t n = 1;

	while (n < count && !compare_keys(list[0], list[n]))
		n++;
	return n;
}

int diff_match(struct diff_items *a, struct diff_items *b, bool is_even, struct err *err)
{
	size_t count_a, count_b;
	struct diff_item **of_a = sorted(a, &count_a, err), **of_b = sorted(b, &count_b, err);
	size_t i = 0, k = 0;
	int ret = of_a && of_b ? 0 : ERR_NOMEM;

	while (!ret && i < count_a && k < count_b) {
		int order = compare_keys(of_a[i], of_b[k]);
		size_t n = alike(of_a + i, count_a - i), m = alike(of_b + k, count_b - k);

		for (size_t j = 0; !order && j < n && j < m && (n == m || !is_even); j++) {
			of_a[i + j]->match = (size_t)(of_b[k + j] - b->list);
			of_b[k + j]->match = (size_t)(of_a[i + j] - a->list);
		}
		i += order <= 0 ? n : 0;
		k += order >= 0 ? m : 0;
	}
	free(of_a);
	free(of_b);
	return ret;
}
