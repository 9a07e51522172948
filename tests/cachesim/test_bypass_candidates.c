/* SPDX-License-Identifier: Apache-2.0 */
/* What of a kernel may be bypassed: sites, arguments and buffers, with sums made up by hand. */
#include "cmocka_all.h"

#include "bypass_search.h"
#include "kernel_table.h"
#include "request.h"

#include <stdlib.h>

enum { SITES = 6, ARGUMENTS = 3, BUFFERS = 2 };

static char kernel[] = "mm", file[] = "mm.cl", other[] = "other.cl", a[] = "A", b[] = "B",
	    nameless[] = "";

/* Sites 0, 1 and 3 read in line 9 of mm.cl, where 2 writes; 4 in line 9 of another file. */
static struct site sites[SITES] = {
	{ .kind = SITE_READ, .argument = 0, .place = { file, 9, 12 } },
	{ .kind = SITE_READ, .argument = 1, .place = { file, 9, 20 } },
	{ .kind = SITE_WRITE, .argument = 0, .place = { file, 9, 1 } },
	{ .kind = SITE_READ, .argument = 0, .place = { file, 9, 12 } },
	{ .kind = SITE_READ, .argument = 2, .place = { other, 9, 5 } },
	{ .kind = SITE_READ, .argument = -1, .place = { NULL, 0, 0 } },
};

static struct kernel_argument arguments[ARGUMENTS] = { { .name = a, .space = 1 },
	                                               { .name = b, .space = 1 },
	                                               { .name = nameless, .space = 1 } };

static const struct kernel_table table = { .name = kernel,
	                                   .sites = sites,
	                                   .site_count = SITES,
	                                   .arguments = arguments,
	                                   .argument_count = ARGUMENTS };

struct told {
	uint32_t site, reads;
	int32_t buffer;
	uint32_t stays, first_bytes; /* of each stay, of 128 bytes */
	uint64_t uses;               /* of each stay */
};

static struct address_use *use_of(const struct told *told, size_t count)
{
	const struct address_use_setup setup = { .sm_count = 1,
		                                 .site_count = SITES,
		                                 .buffer_count = BUFFERS };
	const struct l1_observer *o;
	struct address_use *u = NULL;

	assert_int_equal(address_use_create(&u, &setup, NULL), 0);
	o = address_use_observer(u, 0);
	for (size_t i = 0; i < count; i++) {
		const struct request r = { .site = told[i].site,
			                   .buffer = told[i].buffer,
			                   .kind = SITE_READ };
		const struct l1_residency x = { .site = told[i].site,
			                        .buffer = told[i].buffer,
			                        .bytes_moved = 128,
			                        .first_bytes_used = told[i].first_bytes,
			                        .uses = told[i].uses };

		for (size_t k = 0; k < told[i].reads; k++)
			o->served(o->context, &r, &(struct l1_outcome){ 0 });
		for (size_t k = 0; k < told[i].stays; k++)
			o->left(o->context, &x);
	}
	assert_int_equal(address_use_end(u, NULL), 0);
	return u;
}

static const struct told told[] = {
	{ 0, 40, 0, 10, 128, 3 }, /* rich */
	{ 1, 20, 1, 20, 4, 0 },   /* poor, and the weightiest */
	{ 3, 7, 0, 0, 0, 0 },     /* reads what others bring */
	{ 4, 9, 1, 3, 64, 1 },    /* 0.5 * 2 = 1: not poor */
	{ 5, 3, -1, 3, 63, 1 },   /* poor; of no argument, no buffer */
};

struct row {
	uint64_t number, reads, stays;
	bool is_poor;
};

static void check(const struct bypass_candidate *list, size_t count, const struct row *rows,
                  size_t want)
{
	assert_int_equal(count, want);
	for (size_t i = 0; i < want; i++) {
		assert_int_equal(list[i].rule.number, rows[i].number);
		assert_int_equal(list[i].reads, rows[i].reads);
		assert_int_equal(list[i].use.stays, rows[i].stays);
		assert_int_equal(list[i].is_poor, rows[i].is_poor);
		assert_string_equal(list[i].rule.kernel, "mm");
		assert_int_equal(list[i].rule.sm, -1);
	}
}

static void sites_are_the_readers_weightiest_first(void **state)
{
	static const struct row rows[] = { { 1, 20, 20, true },
		                           { 0, 40, 10, false },
		                           { 4, 9, 3, false },
		                           { 5, 3, 3, true },
		                           { 3, 7, 0, false } };
	static const struct bypass_place places[] = { { file, 9, 20, 2 },
		                                      { file, 9, 12, 1 },
		                                      { other, 9, 5, 1 },
		                                      { NULL, 0, 0, 0 },
		                                      { file, 9, 12, 3 } };
	struct address_use *u = use_of(told, 5);
	struct bypass_candidate *list;
	size_t count;

	assert_int_equal(bypass_candidates_sites(u, &table, &list, &count, NULL), 0);
	check(list, count, rows, 5);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(list[i].rule.kind, BYPASS_SITE);
		assert_ptr_equal(list[i].rule.place.file, places[i].file);
		assert_int_equal(list[i].rule.place.line, places[i].line);
		assert_int_equal(list[i].rule.place.column, places[i].column);
		assert_int_equal(list[i].rule.place.ordinal, places[i].ordinal);
	}
	free(list);
	address_use_free(u);
}

static void arguments_have_the_sums_of_their_sites(void **state)
{
	static const struct row rows[] = { { 1, 20, 20, true }, { 0, 47, 10, false } };
	struct address_use *u = use_of(told, 5);
	struct bypass_candidate *list;
	size_t count;

	assert_int_equal(bypass_candidates_arguments(u, &table, &list, &count, NULL), 0);
	check(list, count, rows, 2);
	assert_int_equal(list[0].rule.kind, BYPASS_ARGUMENT);
	assert_string_equal(list[0].rule.name, "B");
	assert_string_equal(list[1].rule.name, "A");
	free(list);
	address_use_free(u);
}

/* Buffer 1: 23 stays, 20 * 4 + 3 * 64 = 272 of 2944 bytes, 3 uses. */
static void buffers_are_those_of_the_recording(void **state)
{
	static const struct row rows[] = { { 1, 29, 23, true }, { 0, 47, 10, false } };
	struct address_use *u = use_of(told, 5);
	struct bypass_candidate *list;
	size_t count;

	assert_int_equal(bypass_candidates_buffers(u, &table, BUFFERS, &list, &count, NULL), 0);
	check(list, count, rows, 2);
	assert_int_equal(list[0].rule.kind, BYPASS_BUFFER);
	free(list);
	address_use_free(u);
}

/* By bytes, then by reads, then by number. */
static void equals_are_in_a_certain_order(void **state)
{
	static const struct told equals[] = { { 5, 2, 0, 1, 4, 0 },
		                              { 3, 2, 0, 1, 4, 0 },
		                              { 4, 3, 0, 1, 4, 0 },
		                              { 0, 2, 0, 1, 4, 0 } };
	static const struct row rows[] = {
		{ 4, 3, 1, true }, { 0, 2, 1, true }, { 3, 2, 1, true }, { 5, 2, 1, true }
	};
	struct address_use *u = use_of(equals, 4);
	struct bypass_candidate *list;
	size_t count;

	assert_int_equal(bypass_candidates_sites(u, &table, &list, &count, NULL), 0);
	check(list, count, rows, 4);
	free(list);
	address_use_free(u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sites_are_the_readers_weightiest_first),
		cmocka_unit_test(arguments_have_the_sums_of_their_sites),
		cmocka_unit_test(buffers_are_those_of_the_recording),
		cmocka_unit_test(equals_are_in_a_certain_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
