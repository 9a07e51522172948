/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "columns_reader.h"
#include "err.h"
#include "launch_columns.h"
#include "launch_model.h"
#include "launch_pack.h"
#include "site_guide.h"
#include "trace_random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SITES_MAX 40

/* Random guides for some of `sites` sites, ascending; returns how many. */
static size_t random_guides(struct random *r, uint64_t sites, struct site_guide *guides)
{
	size_t count = 0;

	for (uint32_t s = 0; s < sites; s++) {
		struct site_guide g = { .site = s, .has_mate = random_below(r, 2) };

		if (random_below(r, 3) == 0)
			continue;
		if (g.has_mate) {
			g.mate = (uint32_t)random_below(r, sites);
			g.shift = (int32_t)random_below(r, 33) - 16;
		} else {
			g.anchor = random_next(r) >> random_below(r, 64);
		}
		if (!g.has_mate || g.mate != s)
			guides[count++] = g;
	}
	return count;
}

static bool same_guide(const struct site_guide *a, const struct site_guide *b)
{
	return a->site == b->site && a->has_mate == b->has_mate && a->anchor == b->anchor &&
	       a->mate == b->mate && a->shift == b->shift;
}

static void guides_come_back(void **state)
{
	struct random r = { 1 };

	(void)state;
	for (int round = 0; round < 1000; round++) {
		unsigned char bytes[SITES_MAX * SITE_GUIDE_BYTES_MAX + VARINT_BYTES_MAX] = { 0 };
		struct site_guide guides[SITES_MAX], got;
		uint64_t next = 0, sites = 1 + random_below(&r, SITES_MAX);
		size_t count = random_guides(&r, sites, guides);
		const unsigned char *at = bytes,
				    *end = bytes + site_guides_put(bytes, guides, count);
		const char *fault;

		for (size_t i = 0; i < count; i++) {
			at = site_guide_get(&got, at, end, next, sites, &fault);
			assert_non_null(at);
			assert_true(same_guide(&got, &guides[i]));
			next = (uint64_t)got.site + 1;
		}
		assert_ptr_equal(at, end);
	}
}

/* One guide of a kernel with 4 sites, behind that of site 0. */
static const struct {
	size_t length;
	unsigned char bytes[16];
	const char *says; /* NULL: it is good */
} hostile[] = {
	{ 3, { 0, 0, 5 }, NULL },       /* site 1, anchor 5 */
	{ 3, { 2, 1, 32 }, NULL },      /* site 3, mate 0, shift 16 */
	{ 3, { 2, 1, 31 }, NULL },      /* shift -16 */
	{ 4, { 0x80, 0, 1, 0 }, NULL }, /* longer than need be */
	{ 2, { 0, 0, 5 }, "three numbers" },
	{ 1, { 0, 0, 5 }, "three numbers" },
	{ 3, { 0, 0, 0x85 }, "three numbers" }, /* goes on behind the end */
	{ 12, { 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2 }, "three numbers" },
	{ 12, { 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1 }, NULL }, /* 2^64 - 1 */
	{ 3, { 3, 0, 5 }, "a site that the kernel does not have" },
	{ 12,
	  { 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 5 },
	  "a site that the kernel does not have" },
	{ 3, { 0, 5, 0 }, "a site that the kernel does not have" },
	{ 3, { 0, 4, 0 }, NULL }, /* mate 3 */
	{ 3, { 0, 2, 0 }, "a site is its own mate" },
	{ 3, { 0, 1, 33 }, "a shift of at most 16" },
	{ 7, { 0, 1, 0x80, 0x80, 0x80, 0x80, 0x10 }, "a shift of at most 16" }, /* 2^32 */
};

static void a_hostile_guide_is_refused_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		unsigned char bytes[16 + VARINT_BYTES_MAX] = { 0 };
		const unsigned char *at, *end = bytes + hostile[i].length;
		const char *fault = "";
		struct site_guide got;

		memcpy(bytes, hostile[i].bytes, hostile[i].length);
		at = site_guide_get(&got, bytes, end, 1, 4, &fault);
		if (hostile[i].says ? at || !strstr(fault, hostile[i].says) : at != end)
			fail_msg("row %zu: says '%s'", i, fault);
	}
}

/* The events of a group as columns, and as events again. */
struct round_trip {
	struct launch_model writer, reader;
	struct column columns[COLUMN_COUNT], planes[COLUMN_COUNT];
};

static void write_columns(struct round_trip *t, const struct group_events *g)
{
	uint64_t previous = 0;

	assert_int_equal(launch_columns_add(t->columns, &t->writer, g, &previous, NULL), 0);
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		size_t width = column_width(c), used = t->columns[c].used;

		t->planes[c].used = used;
		t->planes[c].bytes = calloc(used + COLUMN_SLACK_BYTES, 1);
		if (width)
			byte_planes_split(t->planes[c].bytes, t->columns[c].bytes, used / width,
			                  width);
		else if (used)
			memcpy(t->planes[c].bytes, t->columns[c].bytes, used);
	}
}

static void read_columns(struct round_trip *t, const unsigned char *guides, size_t length,
                         const struct group_events *g)
{
	uint64_t count = g->first[g->item_count];
	uint64_t *first = calloc((size_t)g->item_count + 1, sizeof(*first));
	struct event *events = calloc(count + 1, sizeof(*events));
	const struct group_events got = { g->item_count, first, events };
	struct columns_reader reader;

	assert_null(columns_reader_begin(&reader, &t->reader, t->planes));
	assert_null(columns_reader_guides(&reader, guides, length));
	assert_null(columns_reader_counts(&reader, g->item_count, count, first));
	assert_null(columns_reader_events(&reader, g->item_count, first, events));
	assert_null(columns_reader_end(&reader));
	assert_true(same_group(&got, g));
	free(first);
	free(events);
}

/* Whatever the guides, chains and rings of mates among them: they are only guesses. */
static void what_is_written_with_any_guides_comes_back(void **state)
{
	struct random r = { 2 };

	(void)state;
	for (int round = 0; round < 500; round++) {
		unsigned char bytes[SITES_MAX * SITE_GUIDE_BYTES_MAX + VARINT_BYTES_MAX] = { 0 };
		struct site_guide guides[SITES_MAX];
		struct round_trip t = { .writer = { .item = 0 } };
		struct kernel_table table;
		struct owned_group g;
		size_t count, length;

		print_message("round %d, seed %" PRIu64 "\n", round, r.state);
		random_table(&r, &table);
		random_group(&r, &table, 1 + (uint32_t)random_below(&r, 20), &g);
		assert_int_equal(launch_model_init(&t.writer, &table, NULL), 0);
		assert_int_equal(launch_model_init(&t.reader, &table, NULL), 0);
		count = random_guides(&r, table.site_count, guides);
		length = site_guides_put(bytes, guides, count);
		for (size_t i = 0; i < count; i++) {
			guides[i].least_width = (unsigned)random_below(&r, 5);
			launch_model_guide(&t.writer, &guides[i]);
		}
		write_columns(&t, &g.view);
		read_columns(&t, bytes, length, &g.view);
		for (size_t c = 0; c < COLUMN_COUNT; c++) {
			column_release(&t.columns[c]);
			free(t.planes[c].bytes);
		}
		launch_model_release(&t.writer);
		launch_model_release(&t.reader);
		owned_group_free(&g);
		kernel_table_release(&table);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guides_come_back),
		cmocka_unit_test(a_hostile_guide_is_refused_by_name),
		cmocka_unit_test(what_is_written_with_any_guides_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
