/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_table.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *written(const struct cuda_table *t)
{
	char path[] = "/tmp/test-cuda-table-XXXXXX", *text;
	struct err err = { 0 };
	struct str out;
	int file = mkstemp(path);

	assert_true(file >= 0);
	close(file);
	assert_int_equal(cuda_table_write(t, path, &err), 0);
	str_init(&out, 1 << 20);
	assert_int_equal(file_read(path, &out, &err), 0);
	text = str_take(&out);
	str_release(&out);
	unlink(path);
	return text;
}

static void fill_kernel(struct cuda_table *t, struct err *err)
{
	struct cuda_kernel *k = cuda_table_add_kernel(t, "k", err);

	assert_non_null(k);
	assert_int_equal(cuda_kernel_add_param(k, (struct cuda_param){ 0, 8 }, err), 0);
	assert_int_equal(cuda_kernel_add_param(k, (struct cuda_param){ 8, 12 }, err), 0);
	assert_int_equal(cuda_kernel_add_argument(k, (struct cuda_argument){ 0, 0, 8, true }, err),
	                 0);
	assert_int_equal(cuda_kernel_add_argument(k, (struct cuda_argument){ 1, 8, 4, false }, err),
	                 0);
	assert_int_equal(cuda_kernel_add_hidden(k, NULL, err), 0);
	assert_int_equal(cuda_kernel_add_hidden(k, "v", err), 0);
	k->static_shared_bytes = 128;
	k->max_threads = 64;
	k->local_bytes = 32;
	k->constant_bytes = 16;
	k = cuda_table_add_kernel(t, "r", err);
	assert_non_null(k);
	k->refusal = str_copy("a.cu:3: \"why\"", err);
}

static void fill_symbols(struct cuda_table *t, struct err *err)
{
	static const uint8_t bytes[] = { 0, 0x9f, 0xf0, 7 };
	struct cuda_symbol *s = cuda_table_add_symbol(t, "v", err);
	char **texture;

	assert_non_null(s);
	s->space = CUDA_CONSTANT;
	s->bytes = sizeof(bytes);
	s->align = 4;
	s->initial = malloc(sizeof(bytes));
	assert_non_null(s->initial);
	memcpy(s->initial, bytes, sizeof(bytes));
	assert_int_equal(cuda_symbol_add_relocation(s, 8, "w", -4, err), 0);
	s = cuda_table_add_symbol(t, "w", err);
	assert_non_null(s);
	s->space = CUDA_MANAGED;
	texture = array_push(&t->textures, 1, err);
	assert_non_null(texture);
	*texture = str_copy("t\xff", err);
}

static void each_field_has_its_name(void **state)
{
	struct err err = { 0 };
	struct cuda_table t;
	char *text;

	cuda_table_init(&t);
	fill_kernel(&t, &err);
	fill_symbols(&t, &err);
	text = written(&t);
	assert_string_equal(
		text,
		"{\"kernels\":[{\"name\":\"k\",\"params\":[{\"offset\":0,\"bytes\":8},"
		"{\"offset\":8,\"bytes\":12}],\"args\":[{\"param\":0,\"offset\":0,\"bytes\":8,"
		"\"kind\":\"pointer\"},{\"param\":1,\"offset\":8,\"bytes\":4,\"kind\":\"value\"}],"
		"\"hidden\":[{\"kind\":\"dynamic_shared\"},{\"kind\":\"symbol\",\"name\":\"v\"}],"
		"\"static_shared_bytes\":128,\"max_threads\":64,\"local_bytes\":32,"
		"\"constant_bytes\":16,\"refusal\":null},{\"name\":\"r\",\"params\":[],\"args\":[],"
		"\"hidden\":[],\"static_shared_bytes\":0,\"max_threads\":0,\"local_bytes\":0,"
		"\"constant_bytes\":0,\"refusal\":\"a.cu:3: \\\"why\\\"\"}],"
		"\"symbols\":[{\"name\":\"v\",\"space\":\"constant\",\"bytes\":4,\"align\":4,"
		"\"initial\":\"009ff007\",\"relocations\":[{\"offset\":8,\"symbol\":\"w\","
		"\"addend\":-4}]},{\"name\":\"w\",\"space\":\"managed\",\"bytes\":0,\"align\":0,"
		"\"initial\":null,\"relocations\":[]}],\"texture\":[\"t?\"]}");
	free(text);
	cuda_table_release(&t);
}

static void rows_are_found_by_name(void **state)
{
	struct err err = { 0 };
	struct cuda_table t;

	cuda_table_init(&t);
	assert_null(cuda_table_kernel(&t, "k"));
	fill_kernel(&t, &err);
	fill_symbols(&t, &err);
	assert_non_null(cuda_table_kernel(&t, "r")->refusal);
	assert_int_equal(cuda_table_symbol(&t, "w")->space, CUDA_MANAGED);
	assert_null(cuda_table_symbol(&t, "k"));
	cuda_table_release(&t);
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
	struct err err = { 0 };
	struct cuda_table t;

	cuda_table_init(&t);
	assert_int_equal(cuda_table_write(&t, "/nowhere/table", &err), ERR_IO);
	assert_non_null(strstr(err.msg, "/nowhere/table"));
	cuda_table_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field_has_its_name),
		cmocka_unit_test(rows_are_found_by_name),
		cmocka_unit_test(a_file_that_cannot_be_written_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
