/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_known.h"

#include "bypass_list.h"
#include "cmocka_all.h"
#include "err.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARPS = 4, BUFFERS = 2, LINES = 2, SMS = 2, SITES = 5, KINDS = 7, LISTS = 400 };

static char file[] = "mm.cl", name_a[] = "a", name_b[] = "b", kernel[] = "mm", other[] = "other";

/* Two builds of kernel mm, which differ, and another kernel between. */
static struct site sites[2][SITES] = {
	{ { .kind = SITE_READ, .argument = 0, .place = { file, 3, 1 } },
	  { .kind = SITE_READ, .argument = 1, .place = { file, 3, 9 } },
	  { .kind = SITE_WRITE, .argument = 0, .place = { file, 3, 5 } },
	  { .kind = SITE_READ, .argument = 0, .place = { file, 4, 1 } },
	  { .kind = SITE_READ, .argument = -1 } },
	{ { .kind = SITE_READ, .argument = 1, .place = { file, 3, 1 } },
	  { .kind = SITE_READ, .argument = 0, .place = { file, 4, 1 } } },
};
static struct kernel_argument arguments[] = { { .name = name_a }, { .name = name_b } };
static struct recorded_kernel kernels[] = {
	{ .table = { .name = kernel,
	             .sites = sites[0],
	             .site_count = SITES,
	             .arguments = arguments,
	             .argument_count = 2 } },
	{ .table = { .name = other } },
	{ .table = { .name = kernel,
	             .sites = sites[1],
	             .site_count = 2,
	             .arguments = arguments,
	             .argument_count = 2 } },
};
static const struct recording recording = { .kernels = kernels, .kernel_count = 3 };

/* A read. */
struct read {
	size_t kernel, site;
	uint32_t warp, sm;
	uint64_t buffer, line;
};

/* By the definition of each kind (bypass_kinds.def). */
static bool names(const struct bypass_rule *rule, const struct read *r)
{
	const struct kernel_table *table = &kernels[r->kernel].table;
	const struct site *s = &table->sites[r->site];

	if (rule->kernel && strcmp(rule->kernel, kernel) != 0)
		return false;
	switch (rule->kind) {
	case BYPASS_SITE:
		return rule->number == r->site;
	case BYPASS_LINE:
		return s->place.line == rule->number;
	case BYPASS_ARGUMENT:
		return s->argument >= 0 && !strcmp(arguments[s->argument].name, rule->name);
	case BYPASS_BUFFER:
		return rule->number == r->buffer;
	case BYPASS_WARPS:
		return r->warp >= rule->number;
	case BYPASS_ADDRESS:
		return rule->number == r->line && (rule->sm < 0 || rule->sm == r->sm);
	case BYPASS_ALL:
		break;
	}
	return true;
}

/* A bit for each read there can be: whether it goes past L1. */
struct taken {
	unsigned char bits[2 * SITES * WARPS * SMS * BUFFERS * LINES];
};

static struct taken take(const struct bypass_list *list)
{
	struct taken all = { { 0 } };
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all.bits); i++) {
		struct read r = { .kernel = i % 2 ? 2 : 0, .site = i / 2 % SITES };
		size_t rest = i / 2 / SITES;

		r.warp = rest % WARPS;
		r.sm = rest / WARPS % SMS;
		r.buffer = rest / WARPS / SMS % BUFFERS;
		r.line = rest / WARPS / SMS / BUFFERS;
		if (r.site >= kernels[r.kernel].table.site_count ||
		    kernels[r.kernel].table.sites[r.site].kind != SITE_READ)
			continue;
		for (size_t k = 0; k < list->count; k++)
			all.bits[count] |= names(&list->rules[k], &r);
		count++;
	}
	return all;
}

static uint64_t seed = 20261121;

static uint32_t draw(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(seed >> 33) % below;
}

static struct bypass_rule draw_rule(void)
{
	struct bypass_rule rule = { .kind = (enum bypass_kind)draw(KINDS), .sm = -1 };

	rule.kernel = draw(4) ? kernel : draw(2) ? other : NULL;
	rule.number = draw(rule.kind == BYPASS_WARPS ? 2 * WARPS : 5);
	if (rule.kind == BYPASS_ARGUMENT)
		rule.name = draw(2) ? name_a : name_b;
	if (rule.kind == BYPASS_ADDRESS)
		rule.sm = (int64_t)draw(3) - 1;
	return rule;
}

static char *key_of(const struct bypass_list *list)
{
	struct bypass_known known;
	struct err err = { 0 };
	char *key;

	bypass_known_init(&known, &recording, kernel, WARPS);
	key = bypass_known_key(&known, list, &err);
	assert_int_equal(err.code, 0);
	bypass_known_release(&known);
	return key;
}

static void lists_of_one_key_bypass_the_same_reads(void **state)
{
	static struct bypass_list lists[LISTS];
	static struct taken taken[LISTS];
	char *keys[LISTS];
	size_t equal = 0;

	(void)state;
	printf("seed %llu\n", (unsigned long long)seed);
	for (size_t i = 0; i < LISTS; i++) {
		for (uint32_t k = draw(4); k; k--) {
			struct bypass_rule rule = draw_rule();

			assert_int_equal(bypass_list_add(&lists[i], &rule, NULL), 0);
		}
		taken[i] = take(&lists[i]);
		keys[i] = key_of(&lists[i]);
		assert_non_null(keys[i]);
	}
	for (size_t i = 0; i < LISTS; i++)
		for (size_t j = 0; j < i; j++) {
			if (strcmp(keys[i], keys[j]) != 0)
				continue;
			assert_memory_equal(&taken[i], &taken[j], sizeof(taken[i]));
			equal++;
		}
	assert_true(equal > LISTS);
	for (size_t i = 0; i < LISTS; i++) {
		free(keys[i]);
		bypass_list_release(&lists[i]);
	}
}

static const struct {
	const char *a, *b;
	bool is_same;
} pairs[] = {
	{ "site:0,site:3", "site:3,site:0,site:0", true },
	{ "all", "warps:0", true },
	{ "all", "site:0,site:1,site:3,site:4", true },
	{ "all", "site:0,site:3,site:4", false },
	{ "none", "warps:4", true },
	{ "none", "site:2", true }, /* a write in both */
	{ "none", "site:7", true },
	{ "warps:2", "warps:3,warps:2", true },
	{ "warps:2", "warps:3", false },
	{ "line:3", "site:0,site:1", false }, /* site 1 of the second build lies in line 4 */
	{ "argument:a", "argument:b", false },
	{ "buffer:1", "buffer:1,buffer:1", true },
	{ "buffer:1,address:0x80", "address:0x80,buffer:1", true },
	{ "buffer:1", "address:0x1", false },
	{ "all,buffer:1", "all", true },
};

static void the_same_list_in_other_words_has_the_same_key(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct bypass_list a = { 0 }, b = { 0 };
		char *x, *y;

		assert_int_equal(bypass_list_parse(&a, pairs[i].a, NULL), 0);
		assert_int_equal(bypass_list_parse(&b, pairs[i].b, NULL), 0);
		x = key_of(&a);
		y = key_of(&b);
		if ((strcmp(x, y) == 0) != pairs[i].is_same)
			fail_msg("%s and %s: %s, %s", pairs[i].a, pairs[i].b, x, y);
		free(x);
		free(y);
		bypass_list_release(&a);
		bypass_list_release(&b);
	}
}

static void a_line_bypasses_on_each_sm_by_itself(void **state)
{
	struct bypass_rule rule = { .kind = BYPASS_ADDRESS, .number = 1 };
	struct bypass_list list = { 0 };
	char *one, *two;

	(void)state;
	assert_int_equal(bypass_list_add(&list, &rule, NULL), 0);
	one = key_of(&list);
	rule.sm = 1;
	assert_int_equal(bypass_list_add(&list, &rule, NULL), 0);
	two = key_of(&list);
	assert_string_not_equal(one, two);
	free(one);
	free(two);
	bypass_list_release(&list);
}

static void a_measure_is_found_by_its_key_and_kept_with_its_text(void **state)
{
	const struct bypass_measure first = { .cycles = 1 }, second = { .cycles = 2 };
	struct bypass_known known;
	struct bypass_list list = { 0 }, none = { 0 };
	const struct known_list *lists;

	(void)state;
	bypass_known_init(&known, &recording, kernel, WARPS);
	assert_int_equal(bypass_list_parse(&list, "site:1,argument:a,warps:3,all", NULL), 0);
	assert_int_equal(bypass_known_add(&known, "x", &list, &first, NULL), 0);
	assert_int_equal(bypass_known_add(&known, NULL, &none, &second, NULL), 0);
	assert_null(bypass_known_find(&known, "y"));
	assert_int_equal(bypass_known_find(&known, "x")->cycles, 1);
	lists = known.lists.data;
	assert_string_equal(lists[0].text, "site:1,argument:a,warps:3,all");
	assert_string_equal(lists[1].text, "none");
	bypass_list_release(&list);
	bypass_known_release(&known);
}

static void a_long_list_has_no_key(void **state)
{
	struct bypass_rule rule = { .kind = BYPASS_ADDRESS, .sm = 3 };
	struct bypass_list list = { 0 };
	struct bypass_known known;
	const struct known_list *lists;
	char *key;

	(void)state;
	bypass_known_init(&known, &recording, kernel, WARPS);
	for (; rule.number < BYPASS_KNOWN_RULES; rule.number++)
		assert_int_equal(bypass_list_add(&list, &rule, NULL), 0);
	key = key_of(&list);
	assert_non_null(key);
	free(key);
	assert_int_equal(bypass_list_add(&list, &rule, NULL), 0);
	assert_null(key_of(&list));
	assert_int_equal(bypass_known_add(&known, NULL, &list, &(struct bypass_measure){ 0 }, NULL),
	                 0);
	lists = known.lists.data;
	assert_int_equal(lists[0].rules, BYPASS_KNOWN_RULES + 1);
	assert_string_equal(strrchr(lists[0].text, ','), ",...");
	bypass_list_release(&list);
	bypass_known_release(&known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_one_key_bypass_the_same_reads),
		cmocka_unit_test(the_same_list_in_other_words_has_the_same_key),
		cmocka_unit_test(a_line_bypasses_on_each_sm_by_itself),
		cmocka_unit_test(a_measure_is_found_by_its_key_and_kept_with_its_text),
		cmocka_unit_test(a_long_list_has_no_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
