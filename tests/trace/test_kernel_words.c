/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel table says of companions and of counts: checked, and back from its file.
 */
#include "cmocka_all.h"
#include "err.h"
#include "file.h"
#include "kernel_table.h"
#include "trace_scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* Six sites; 2, 3 and 4 in a loop; 3 and 4 are companions of 2, and 5 of 0. */
struct sample {
	struct site sites[6];
	struct loop loops[1];
	struct companion companions[3];
	struct site_count counts[6];
	struct kernel_table table;
};

static char name[] = "k";

static void make_sample(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	for (int i = 0; i < 6; i++)
		s->sites[i] = (struct site){ .bytes = 4, .space = 1, .loop = -1, .argument = -1 };
	for (int i = 2; i < 5; i++)
		s->sites[i].loop = 0;
	s->sites[1] = (struct site){ .kind = SITE_BARRIER, .loop = -1, .argument = -1 };
	s->loops[0] = (struct loop){ .parent = -1, .depth = 1 };
	s->companions[0] = (struct companion){ 3, 2, -4, 0, 2 };
	s->companions[1] = (struct companion){ 4, 2, 1ll << 40, -1, 2 };
	s->companions[2] = (struct companion){ 5, 0, 0, 1, 1 };
	for (int i = 0; i < 6; i++)
		s->counts[i] = (struct site_count){ i - 1, (uint64_t)i };
	s->table = (struct kernel_table){ .name = name,
		                          .sites = s->sites,
		                          .site_count = 6,
		                          .loops = s->loops,
		                          .loop_count = 1,
		                          .companions = s->companions,
		                          .companion_count = 3,
		                          .difference_count = 2,
		                          .counts = s->counts,
		                          .counter_count = 2,
		                          .cell_count = 5,
		                          .item_words = 3 };
}

/* A number of the sample, by what it is called, made another. */
struct change {
	const char *what;
	int64_t to;
	const char *says; /* NULL: all is well */
};

static void apply(struct sample *s, const struct change *c)
{
	const struct {
		const char *what;
		void *at;
		size_t bytes;
	} numbers[] = {
		{ "site", &s->companions[0].site, sizeof(uint32_t) },
		{ "leader", &s->companions[0].leader, sizeof(uint32_t) },
		{ "after", &s->companions[0].after, sizeof(uint32_t) },
		{ "difference", &s->companions[0].difference, sizeof(uint32_t) },
		{ "last leader", &s->companions[2].leader, sizeof(uint32_t) },
		{ "last after", &s->companions[2].after, sizeof(uint32_t) },
		{ "bytes", &s->sites[3].bytes, sizeof(uint32_t) },
		{ "differences", &s->table.difference_count, sizeof(uint32_t) },
		{ "cell", &s->counts[4].cell, sizeof(uint32_t) },
		{ "factor", &s->counts[4].factor, sizeof(uint64_t) },
		{ "cells", &s->table.cell_count, sizeof(uint32_t) },
		{ "counters", &s->table.counter_count, sizeof(uint32_t) },
		{ "words", &s->table.item_words, sizeof(uint32_t) },
		{ "counts", &s->table.counts, sizeof(void *) },
	};
	size_t i = 0;

	while (i < LENGTH(numbers) && strcmp(numbers[i].what, c->what) != 0)
		i++;
	assert_true(i < LENGTH(numbers));
	memcpy(numbers[i].at, &c->to, numbers[i].bytes);
}

static void an_inconsistent_table_is_refused(void **state)
{
	static const struct change rows[] = {
		{ "words", 3, NULL },
		{ "words", 0, NULL },
		{ "after", 2, NULL },
		{ "differences", 1, "companion 2: its difference is not one of those" },
		{ "differences", 1 << 20, "1048576 differences, expected at most" },
		{ "difference", -2, "companion 0: its difference is not one of those" },
		{ "site", 6, "companion 0: it is not a site of known size" },
		{ "site", 4, "companion 1: its site is not after" },
		{ "bytes", 0, "companion 0: it is not a site of known size" },
		{ "leader", 3, "companion 0: its leader" },
		{ "leader", 4, "companion 0: its leader" },
		{ "leader", 0, "companion 0: its leader" },
		{ "leader", -1, "companion 0: its leader" },
		{ "last leader", 1, "companion 2: its leader" },
		{ "last leader", 3, "companion 2: its leader" },
		{ "after", 1, "companion 0: what it comes after" },
		{ "after", 3, "companion 0: what it comes after" },
		{ "last after", 4, "companion 2: what it comes after" },
		{ "last after", 2, "companion 2: what it comes after" },
		{ "cell", 5, "the count of a site is of no cell" },
		{ "cell", -2, "the count of a site is of no cell" },
		{ "factor", (1ll << 40) + 1, "the count of a site is of no cell" },
		{ "cells", 7, "its cells are more than its sites" },
		{ "counters", 6, "its cells are more than its sites" },
		{ "words", 2, "its slot is too small for its cells" },
		{ "counts", 0, "it has cells and no counts" },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct err err = { 0 };
		struct sample s;
		int ret;

		make_sample(&s);
		apply(&s, &rows[i]);
		ret = kernel_table_check(&s.table, &err);
		if (ret != (rows[i].says ? ERR_FORMAT : 0) ||
		    (rows[i].says && !strstr(err.msg, rows[i].says)))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
	}
}

static void tables_come_back_from_their_file(void **state)
{
	bool is_applied[6] = { false, true, false, false, true, false };
	struct kernel_table *read;
	struct scratch_dir dir;
	struct err err = { 0 };
	struct sample s;
	size_t count;
	const char *path;

	(void)state;
	make_sample(&s);
	s.table.is_applied = is_applied;
	scratch_make(&dir);
	path = scratch_path(&dir, "tables.json");
	assert_int_equal(kernel_tables_write(path, &s.table, 1, &err), 0);
	assert_int_equal(kernel_tables_read(path, &read, &count, &err), 0);
	assert_int_equal(read->companion_count, 3);
	for (int i = 0; i < 3; i++) {
		const struct companion *a = &s.companions[i], *b = &read->companions[i];

		assert_int_equal(a->site, b->site);
		assert_int_equal(a->leader, b->leader);
		assert_int_equal(a->after, b->after);
		assert_int_equal(a->difference, b->difference);
		assert_int_equal(a->offset, b->offset);
	}
	for (int i = 0; i < 6; i++) {
		assert_int_equal(read->counts[i].cell, i - 1);
		assert_int_equal(read->counts[i].factor, i);
		assert_int_equal(read->is_applied[i], is_applied[i]);
	}
	assert_int_equal(read->difference_count, 2);
	assert_int_equal(read->counter_count, 2);
	assert_int_equal(read->cell_count, 5);
	kernel_table_release(read);
	free(read);
	scratch_remove(&dir);
}

static void a_companion_is_found_by_its_site(void **state)
{
	const bool is_companion[] = { false, false, false, true, true, true, false };
	struct sample s;

	(void)state;
	make_sample(&s);
	for (uint32_t i = 0; i < LENGTH(is_companion); i++) {
		const struct companion *c = kernel_table_companion(&s.table, i);

		assert_int_equal(c != NULL, is_companion[i]);
		assert_true(!c || c->site == i);
	}
}

#define TABLE(members)                                                                             \
	"{\"type\":\"kernel tables\",\"version\":3,\"kernels\":[{\"name\":\"k\","                  \
	"\"writes_unknown\":false,\"is_repeatable\":true,\"is_irreducible\":false,"                \
	"\"has_conditional_barrier\":false,\"item_words\":0,\"least_words\":0,\"lanes\":1,"        \
	"\"records\":\"raw\",\"refusal\":null,\"sites\":[],\"loops\":[],\"arguments\":[],"         \
	"\"unrecorded\":[]," members "}]}"

static void a_malformed_file_is_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ TABLE("\"companions\":[],\"differences\":0"), NULL },
		{ TABLE("\"companions\":[]"), "\"differences\"" },
		{ TABLE("\"companions\":7,\"differences\":0"), "\"companions\": expected a list" },
		{ TABLE("\"companions\":[7],\"differences\":0"), "companion 0: \"site\"" },
		{ TABLE("\"companions\":[[1,0,0,-2,0]],\"differences\":0"),
		  "companion 0: \"difference\"" },
		{ TABLE("\"companions\":[[1,0,0,-1]],\"differences\":0"),
		  "companion 0: \"offset\"" },
		{ TABLE("\"companions\":[[1,0,0,-1,\"0x0\"]],\"differences\":0"),
		  "companion 0: it is not a site" },
		{ TABLE("\"companions\":[],\"differences\":4097"), "\"differences\"" },
		{ TABLE("\"counts\":[],\"counters\":0,\"cells\":0"), NULL },
		{ TABLE("\"counts\":[],\"cells\":0"), "\"counters\"" },
		{ TABLE("\"counts\":[[0,1]],\"counters\":0,\"cells\":0"),
		  "1 counts, expected one" },
		{ TABLE("\"counts\":[],\"counters\":0,\"cells\":1"), "its cells are more" },
		{ TABLE("\"applied\":[]"), NULL },
		{ TABLE("\"applied\":[0]"), "1 sites of 0" },
		{ TABLE("\"applied\":0"), "\"applied\": expected a list" },
	};
	struct scratch_dir dir;
	const char *path;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "tables.json");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct kernel_table *tables = NULL;
		struct err err = { 0 };
		size_t count = 0;
		int ret;

		assert_int_equal(file_write(path, rows[i].text, strlen(rows[i].text), &err), 0);
		ret = kernel_tables_read(path, &tables, &count, &err);
		if (ret != (rows[i].says ? ERR_FORMAT : 0) ||
		    (rows[i].says && !strstr(err.msg, rows[i].says)))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
		for (size_t k = 0; k < count; k++)
			kernel_table_release(&tables[k]);
		free(tables);
	}
	scratch_remove(&dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_inconsistent_table_is_refused),
		cmocka_unit_test(tables_come_back_from_their_file),
		cmocka_unit_test(a_companion_is_found_by_its_site),
		cmocka_unit_test(a_malformed_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
