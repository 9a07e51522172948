/* SPDX-License-Identifier: Apache-2.0 */
/* Matching by keys against a naive search, item by item. */
#include "cmocka_all.h"
#include "diff_pairs.h"
#include "err.h"
#include "random.h"

#include <string.h>

enum { MOST = 20 };

static const char *const keys[] = { "a", "b", "ab", "" };

static void make(struct random *r, struct diff_items *items, struct diff_item list[MOST])
{
	items->list = list;
	items->count = random_below(r, MOST + 1);
	for (size_t i = 0; i < items->count; i++)
		list[i] = (struct diff_item){ .scope = random_below(r, 2),
			                      .key = random_below(r, 6) ? keys[random_below(r, 4)]
			                                                : NULL,
			                      .order = random_below(r, 4),
			                      .match = random_below(r, 8) ? DIFF_ALONE : 77 };
}

static bool is_alike(const struct diff_item *x, const struct diff_item *y)
{
	return x->key && y->key && x->scope == y->scope && !strcmp(x->key, y->key);
}

static bool is_free(const struct diff_item *x)
{
	return x->key && x->match == DIFF_ALONE;
}

/* How many that are free and like x are in the list, and how many of these come before x. */
static size_t count_alike(const struct diff_items *items, const struct diff_item *x, size_t *before)
{
	size_t count = 0;

	*before = 0;
	for (size_t i = 0; i < items->count; i++) {
		const struct diff_item *y = &items->list[i];

		if (!is_free(y) || !is_alike(x, y))
			continue;
		count++;
		*before += y->order < x->order || (y->order == x->order && y < x);
	}
	return count;
}

/* The item of `b` that has as many before it as x has. */
static size_t naive_match(const struct diff_items *a, const struct diff_items *b,
                          const struct diff_item *x, bool is_even)
{
	size_t rank, of_y, count = count_alike(a, x, &rank);

	if (!is_free(x))
		return x->match;
	for (size_t i = 0; i < b->count; i++) {
		const struct diff_item *y = &b->list[i];

		if (is_free(y) && is_alike(x, y) &&
		    (count_alike(b, y, &of_y) == count || !is_even) && of_y == rank)
			return i;
	}
	return DIFF_ALONE;
}

static void items_of_one_key_are_matched_in_their_order(void **state)
{
	struct random r = { 5 };

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct diff_item of_a[MOST], of_b[MOST];
		struct diff_items a, b;
		size_t expected[MOST] = { 0 }, back[MOST] = { 0 };
		bool is_even = random_below(&r, 2);

		make(&r, &a, of_a);
		make(&r, &b, of_b);
		for (size_t i = 0; i < a.count; i++)
			expected[i] = naive_match(&a, &b, &of_a[i], is_even);
		for (size_t i = 0; i < b.count; i++)
			back[i] = naive_match(&b, &a, &of_b[i], is_even);
		assert_int_equal(diff_match(&a, &b, is_even, NULL), 0);
		for (size_t i = 0; i < a.count; i++)
			if (of_a[i].match != expected[i])
				fail_msg("seed 5, round %d, item %zu", round, i);
		for (size_t i = 0; i < b.count; i++)
			if (of_b[i].match != back[i])
				fail_msg("seed 5, round %d, item %zu of B", round, i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_of_one_key_are_matched_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
