/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "module_table.h"

#include <string.h>

#define WHOLE                                                                                      \
	"{\"kernels\":[{\"name\":\"k\",\"params\":[{\"offset\":0,\"bytes\":8},{\"offset\":8,"      \
	"\"bytes\":12}],\"args\":[{\"param\":0,\"offset\":0,\"bytes\":8,\"kind\":\"pointer\"},"    \
	"{\"param\":1,\"offset\":8,\"bytes\":4,\"kind\":\"value\"}],\"hidden\":[{\"kind\":"        \
	"\"dynamic_shared\"},{\"kind\":\"symbol\",\"name\":\"b\"}],\"static_shared_bytes\":512,"   \
	"\"max_threads\":256,\"refusal\":null},{\"name\":\"no\",\"refusal\":\"textures\"}],"       \
	"\"symbols\":[{\"name\":\"a\",\"space\":\"constant\",\"bytes\":8,\"align\":8,"             \
	"\"initial\":\"01ff\",\"relocations\":[]},{\"name\":\"b\",\"space\":\"global\","           \
	"\"bytes\":16,\"align\":8,\"initial\":null,\"relocations\":[{\"offset\":8,\"symbol\":"     \
	"\"a\",\"addend\":-4}]}],\"texture\":[\"t\"]}"

static void a_whole_table_is_read(void **state)
{
	const unsigned char initial[8] = { 1, 255 };
	const struct kernel_entry *k;
	struct module_table t;
	struct err err = { 0 };

	assert_int_equal(module_table_parse(&t, WHOLE, strlen(WHOLE), &err), 0);
	k = module_table_kernel(&t, "k");
	assert_non_null(k);
	assert_int_equal(k->param_count, 2);
	assert_int_equal(k->part_count, 2);
	assert_true(k->parts[0].is_pointer);
	assert_false(k->parts[1].is_pointer);
	assert_int_equal(k->parts[1].offset, 8);
	assert_true(k->hidden[0].is_dynamic_shared);
	assert_int_equal(k->hidden[1].symbol, 1);
	assert_int_equal(k->static_shared_bytes, 512);
	assert_int_equal(k->max_threads, 256);
	assert_null(k->refusal);
	assert_string_equal(module_table_kernel(&t, "no")->refusal, "textures");
	assert_null(module_table_kernel(&t, "other"));
	assert_int_equal(t.symbols[0].space, SYMBOL_CONSTANT);
	assert_memory_equal(t.symbols[0].initial, initial, sizeof(initial));
	assert_null(t.symbols[1].initial);
	assert_int_equal(t.symbols[1].relocations[0].symbol, 0);
	assert_int_equal(t.symbols[1].relocations[0].addend, -4);
	assert_int_equal(module_table_symbol(&t, "c"), t.symbol_count);
	assert_string_equal(t.textures[0], "t");
	module_table_release(&t);
}

static void a_wrong_table_is_refused(void **state)
{
	static const struct {
		const char *text, *message; /* part of it */
	} rows[] = {
		{ "", "CUDA table:" },
		{ "[]", "no object" },
		{ "{\"kernels\":[{}]}", "the name of a kernel" },
		{ "{\"kernels\":[{\"name\":\"k\",\"args\":[{\"param\":0,\"bytes\":4}]}]}",
		  "an argument of k" },
		{ "{\"kernels\":[{\"name\":\"k\",\"params\":[{\"offset\":0,\"bytes\":4}],\"args\":"
		  "[{\"param\":0,\"offset\":2,\"bytes\":4}]}]}",
		  "an argument of k" },
		{ "{\"kernels\":[{\"name\":\"k\",\"params\":[{\"offset\":0,\"bytes\":4}],\"args\":"
		  "[{\"param\":0,\"offset\":0,\"bytes\":4,\"kind\":\"pointer\"}]}]}",
		  "an argument of k" },
		{ "{\"kernels\":[{\"name\":\"k\",\"hidden\":[{\"kind\":\"symbol\",\"name\":"
		  "\"x\"}]}]}",
		  "a hidden argument of k" },
		{ "{\"symbols\":[{\"name\":\"a\",\"bytes\":1,\"initial\":\"0102\"}]}",
		  "the initial value of a" },
		{ "{\"symbols\":[{\"name\":\"a\",\"bytes\":1,\"initial\":\"0x\"}]}",
		  "the initial value of a" },
		{ "{\"symbols\":[{\"name\":\"a\",\"bytes\":8,\"relocations\":[{\"offset\":1,"
		  "\"symbol\":\"a\"}]}]}",
		  "a relocation of a" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct module_table t;
		struct err err = { 0 };

		assert_int_equal(module_table_parse(&t, rows[i].text, strlen(rows[i].text), &err),
		                 ERR_FORMAT);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("row %zu: %s", i, err.msg);
		module_table_release(&t);
	}
}

static void a_table_that_ends_early_is_refused(void **state)
{
	for (size_t length = 0; length < strlen(WHOLE); length++) {
		struct module_table t;

		assert_int_equal(module_table_parse(&t, WHOLE, length, NULL), ERR_FORMAT);
		module_table_release(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_table_is_read),
		cmocka_unit_test(a_wrong_table_is_refused),
		cmocka_unit_test(a_table_that_ends_early_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
