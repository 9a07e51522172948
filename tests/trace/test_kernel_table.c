/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "kernel_table.h"
#include "trace_random.h"
#include "trace_scratch.h"

#include <stdlib.h>
#include <string.h>

static void assert_same_text(const char *a, const char *b)
{
	assert_int_equal(a == NULL, b == NULL);
	if (a)
		assert_string_equal(a, b);
}

static void assert_same_place(const struct place *a, const struct place *b)
{
	assert_same_text(a->file, b->file);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->column, b->column);
}

static void assert_same_site(const struct site *a, const struct site *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->bytes, b->bytes);
	assert_int_equal(a->space, b->space);
	assert_int_equal(a->loop, b->loop);
	assert_int_equal(a->argument, b->argument);
	assert_same_place(&a->place, &b->place);
	assert_string_equal(a->expression ? a->expression : "", b->expression);
	assert_string_equal(a->function ? a->function : "", b->function);
	assert_int_equal(a->inlined_count, b->inlined_count);
	for (size_t i = 0; i < a->inlined_count; i++)
		assert_same_place(&a->inlined_at[i], &b->inlined_at[i]);
}

static void assert_same_table(const struct kernel_table *a, const struct kernel_table *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->writes_unknown, b->writes_unknown);
	assert_int_equal(a->is_repeatable, b->is_repeatable);
	assert_int_equal(a->is_irreducible, b->is_irreducible);
	assert_int_equal(a->has_conditional_barrier, b->has_conditional_barrier);
	assert_int_equal(a->level, b->level);
	assert_int_equal(a->is_local_exact, b->is_local_exact);
	assert_int_equal(a->local_bytes, b->local_bytes);
	assert_int_equal(a->item_words, b->item_words);
	assert_int_equal(a->least_words, b->least_words);
	assert_int_equal(a->lanes, b->lanes);
	assert_string_equal(a->records ? a->records : "", b->records);
	assert_same_text(a->refusal, b->refusal);
	assert_int_equal(a->site_count, b->site_count);
	assert_int_equal(a->loop_count, b->loop_count);
	assert_int_equal(a->argument_count, b->argument_count);
	assert_int_equal(a->unrecorded_count, b->unrecorded_count);
	for (size_t i = 0; i < a->site_count; i++)
		assert_same_site(&a->sites[i], &b->sites[i]);
	for (size_t i = 0; i < a->loop_count; i++) {
		assert_int_equal(a->loops[i].parent, b->loops[i].parent);
		assert_int_equal(a->loops[i].depth, b->loops[i].depth);
		assert_same_place(&a->loops[i].place, &b->loops[i].place);
	}
	for (size_t i = 0; i < a->argument_count; i++) {
		assert_string_equal(a->arguments[i].name, b->arguments[i].name);
		assert_string_equal(a->arguments[i].type, b->arguments[i].type);
		assert_int_equal(a->arguments[i].space, b->arguments[i].space);
		assert_int_equal(a->arguments[i].is_written, b->arguments[i].is_written);
	}
	for (size_t i = 0; i < a->unrecorded_count; i++) {
		assert_string_equal(a->unrecorded[i].what, b->unrecorded[i].what);
		assert_same_place(&a->unrecorded[i].place, &b->unrecorded[i].place);
	}
}

static void tables_come_back_from_their_file(void **state)
{
	struct random r = { 7 };
	struct scratch_dir dir;
	const char *path;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "tables.json");
	for (int round = 0; round < 50; round++) {
		struct kernel_table written[3] = { 0 }, *read = NULL;
		size_t written_count = random_below(&r, 4), count = 99;
		struct err err = { 0 };

		for (size_t i = 0; i < written_count; i++) {
			random_table(&r, &written[i]);
			assert_int_equal(kernel_table_check(&written[i], &err), 0);
		}
		assert_int_equal(kernel_tables_write(path, written, written_count, &err), 0);
		assert_int_equal(kernel_tables_read(path, &read, &count, &err), 0);
		assert_int_equal(count, written_count);
		for (size_t i = 0; i < count; i++) {
			assert_same_table(&written[i], &read[i]);
			kernel_table_release(&written[i]);
			kernel_table_release(&read[i]);
		}
		free(read);
	}
	scratch_remove(&dir);
}

/* Two loops, the second in the first, over sites 1..3; sites 0 and 4 outside. Good as it is. */
struct sample {
	struct site sites[5];
	struct loop loops[2];
	struct kernel_argument arguments[1];
	struct unrecorded unrecorded[1];
	struct kernel_table table;
};

static char empty[] = "", kernel_name[] = "k";

static void make_sample(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	for (int i = 0; i < 5; i++)
		s->sites[i] = (struct site){ .bytes = 4, .space = 1, .loop = -1, .argument = 0 };
	s->sites[1].loop = 0;
	s->sites[2].loop = 1;
	s->sites[3].loop = 0;
	s->loops[0] = (struct loop){ .parent = -1, .depth = 1 };
	s->loops[1] = (struct loop){ .parent = 0, .depth = 2 };
	s->arguments[0] = (struct kernel_argument){ empty, empty, 1, true };
	s->unrecorded[0].what = empty;
	s->table = (struct kernel_table){ .name = kernel_name,
		                          .sites = s->sites,
		                          .site_count = 5,
		                          .loops = s->loops,
		                          .loop_count = 2,
		                          .arguments = s->arguments,
		                          .argument_count = 1,
		                          .unrecorded = s->unrecorded,
		                          .unrecorded_count = 1 };
}

enum fault {
	NO_FAULT,
	NO_NAME,
	KIND,
	BARRIER_BYTES,
	PREFETCH_BYTES,
	SPACE,
	SITE_LOOP,
	SITE_ARGUMENT,
	SELF_PARENT,
	DEPTH,
	GAP,
	GAP_OF_PARENT,
	NULL_TYPE,
	NULL_WHAT,
	RECORDS,
	LANES
};

static void break_sample(struct sample *s, enum fault fault)
{
	switch (fault) {
	case NO_FAULT:
		break;
	case NO_NAME:
		s->table.name = empty;
		break;
	case KIND:
		s->sites[1].kind = SITE_KIND_COUNT;
		break;
	case BARRIER_BYTES:
		s->sites[1].kind = SITE_BARRIER;
		break;
	case PREFETCH_BYTES:
		s->sites[1].kind = SITE_PREFETCH;
		break;
	case SPACE:
		s->sites[1].space = 5;
		break;
	case SITE_LOOP:
		s->sites[1].loop = 2;
		break;
	case SITE_ARGUMENT:
		s->sites[1].argument = 1;
		break;
	case SELF_PARENT:
		s->loops[1].parent = 1;
		break;
	case DEPTH:
		s->loops[1].depth = 1;
		break;
	case GAP: /* 1 and 4 in loop 0, with 2 and 3 outside */
		s->sites[2].loop = s->sites[3].loop = -1;
		s->sites[4].loop = 0;
		break;
	case GAP_OF_PARENT: /* loop 1 has 3, loop 0 has 1 and 3, and 2 is outside */
		s->sites[2].loop = -1;
		s->sites[3].loop = 1;
		break;
	case NULL_TYPE:
		s->arguments[0].type = NULL;
		break;
	case NULL_WHAT:
		s->unrecorded[0].what = NULL;
		break;
	case RECORDS:
		s->table.records = kernel_name;
		break;
	case LANES:
		s->table.lanes = 2;
		break;
	}
}

static void an_inconsistent_table_is_refused_with_its_place(void **state)
{
	static const struct {
		enum fault fault;
		const char *says;
	} rows[] = {
		{ NO_FAULT, NULL },
		{ NO_NAME, "a kernel table has no name" },
		{ KIND, "kernel k: site 1: its kind" },
		{ BARRIER_BYTES, "kernel k: site 1: it has no address and a size" },
		{ PREFETCH_BYTES, NULL },
		{ SPACE, "kernel k: site 1: its address space is outside 0..4" },
		{ SITE_LOOP, "kernel k: site 1: its loop is not in the table" },
		{ SITE_ARGUMENT, "kernel k: site 1: its argument is not in the table" },
		{ SELF_PARENT, "kernel k: loop 1: its parent" },
		{ DEPTH, "kernel k: loop 1: its depth" },
		{ GAP, "kernel k: loop 0: its 2 sites lie between 1 and 4" },
		{ GAP_OF_PARENT, "kernel k: loop 0: its 2 sites lie between 1 and 3" },
		{ NULL_TYPE, "kernel k: argument 0: expected a name, a type" },
		{ RECORDS, "kernel k: its records are 'k', expected one of" },
		{ LANES, "kernel k: a layout of 2 lanes, expected 0, 1 or 32" },
		{ NULL_WHAT, "kernel k: unrecorded construct 0 has no name" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct sample s;
		int ret;

		make_sample(&s);
		break_sample(&s, rows[i].fault);
		ret = kernel_table_check(&s.table, &err);
		assert_int_equal(ret, rows[i].says ? ERR_FORMAT : 0);
		if (rows[i].says && !strstr(err.msg, rows[i].says))
			fail_msg("row %zu says '%s'", i, err.msg);
	}
}

#define TABLE(members)                                                                             \
	"{\"type\":\"kernel tables\",\"version\":3,\"kernels\":[{\"name\":\"k\","                  \
	"\"writes_unknown\":false,\"is_repeatable\":true,\"is_irreducible\":false,"                \
	"\"has_conditional_barrier\":false,\"item_words\":0,\"least_words\":0,\"lanes\":1,"        \
	"\"records\":\"raw\",\"refusal\":null," members "}]}"
#define SITE(kind, loop, place)                                                                    \
	"{\"kind\":" kind ",\"bytes\":4,\"space\":1,\"loop\":" loop                                \
	",\"argument\":-1,\"place\":" place                                                        \
	",\"inlined_at\":[],\"expression\":\"\",\"function\":\"\"}"
#define NO_LISTS "\"loops\":[],\"arguments\":[],\"unrecorded\":[]"

static void a_malformed_file_of_tables_is_refused(void **state)
{
	static const struct {
		const char *text;
		int ret;
		const char *says;
	} rows[] = {
		{ TABLE("\"sites\":[" SITE("\"read\"", "-1", "[null,0,0]") "]," NO_LISTS), 0, "" },
		{ "", ERR_FORMAT, "tables.json:" },
		{ "[]", ERR_FORMAT, "expected an object" },
		{ "{\"type\":\"x\"}", ERR_FORMAT, "type is 'x', expected 'kernel tables'" },
		{ "{\"type\":\"kernel tables\",\"version\":4}", ERR_VERSION, "unknown version" },
		{ "{\"type\":\"kernel tables\",\"version\":3}", ERR_FORMAT, "\"kernels\"" },
		{ "{\"type\":\"kernel tables\",\"version\":3,\"kernels\":[7]}", ERR_FORMAT,
		  "kernel table: expected an object" },
		{ TABLE("\"sites\":7," NO_LISTS), ERR_FORMAT, "\"sites\": expected a list" },
		{ TABLE("\"sites\":[{}]," NO_LISTS), ERR_FORMAT, "site 0: \"kind\"" },
		{ TABLE("\"sites\":[" SITE("\"x\"", "-1", "[null,0,0]") "]," NO_LISTS), ERR_FORMAT,
		  "site 0: unknown kind 'x'" },
		{ TABLE("\"sites\":[" SITE("\"read\"", "0", "[null,0,0]") "]," NO_LISTS),
		  ERR_FORMAT, "site 0: its loop is not in the table" },
		{ TABLE("\"sites\":[" SITE("\"read\"", "1e0", "[null,0,0]") "]," NO_LISTS),
		  ERR_FORMAT, "site 0: \"loop\": expected an integer" },
		{ TABLE("\"sites\":[" SITE("\"read\"", "-1", "[null,0]") "]," NO_LISTS), ERR_FORMAT,
		  "site 0: expected a place" },
		{ TABLE("\"sites\":[" SITE("\"read\"", "-1", "[null,-1,0]") "]," NO_LISTS),
		  ERR_FORMAT, "site 0: \"line\": expected a number in 0..4294967295" },
		{ TABLE("\"sites\":[" SITE("\"read\"", "-1", "[null,0,4294967296]") "]," NO_LISTS),
		  ERR_FORMAT, "site 0: \"column\": expected a number in 0..4294967295" },
		{ TABLE("\"sites\":[],\"sites\":[]," NO_LISTS), ERR_FORMAT, "duplicate" },
	};
	struct scratch_dir dir;
	const char *path;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "tables.json");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct kernel_table *tables = NULL;
		struct err err = { 0 };
		size_t count = 0;
		int ret;

		assert_int_equal(file_write(path, rows[i].text, strlen(rows[i].text), &err), 0);
		ret = kernel_tables_read(path, &tables, &count, &err);
		if (ret != rows[i].ret || !strstr(err.msg, rows[i].says))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
		for (size_t k = 0; k < count; k++)
			kernel_table_release(&tables[k]);
		free(tables);
	}
	scratch_remove(&dir);
}

static void kinds_are_named_as_in_their_list(void **state)
{
	(void)state;
	assert_string_equal(site_kind_name(SITE_READ), "read");
	assert_string_equal(site_kind_name(SITE_FENCE), "fence");
	assert_true(site_kind_is_access(SITE_ATOMIC));
	assert_false(site_kind_is_access(SITE_BARRIER));
	assert_false(site_kind_is_access(SITE_PREFETCH));
	assert_true(site_kind_has_address(SITE_PREFETCH));
	assert_false(site_kind_has_address(SITE_FENCE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_come_back_from_their_file),
		cmocka_unit_test(an_inconsistent_table_is_refused_with_its_place),
		cmocka_unit_test(a_malformed_file_of_tables_is_refused),
		cmocka_unit_test(kinds_are_named_as_in_their_list),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
