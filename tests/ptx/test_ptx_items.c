/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "ptx_items.h"
#include "ptx_statements.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static void write_head(struct str *out, const struct ptx_items *x, const struct ptx_head *f)
{
	str_printf(out, NULL, "%s %.*s", f->is_entry ? "entry" : "func", PTX_WORD_ARGS(f->name));
	for (uint32_t i = 0; i < f->parameter_count; i++) {
		const struct ptx_variable *v = ptx_items_parameter(x, f, i);

		str_printf(out, NULL, "%s%.*s %d", i < f->result_count ? " <" : " ",
		           PTX_WORD_ARGS(v->name), (int)v->bytes);
	}
	if (f->max_threads[0])
		str_printf(out, NULL, " max %dx%dx%d", (int)f->max_threads[0],
		           (int)f->max_threads[1], (int)f->max_threads[2]);
	if (f->required_threads[0])
		str_printf(out, NULL, " required %dx%dx%d", (int)f->required_threads[0],
		           (int)f->required_threads[1], (int)f->required_threads[2]);
	if (f->min_groups)
		str_printf(out, NULL, " groups %d", (int)f->min_groups);
	str_printf(out, NULL, f->has_body ? " {" : "");
}

/* The items of a text as one string; bodies are skipped. */
static int write_items(struct str *out, const char *text, struct err *err)
{
	struct ptx_items items;
	struct ptx_scan scan;
	struct ptx_item item;
	int ret;

	ptx_items_init(&items);
	ptx_scan_init(&scan, "t.ptx", text, strlen(text), err);
	do {
		ret = ptx_items_next(&items, &scan, &item);
		if (!ret && item.kind == PTX_ITEM_FUNCTION)
			write_head(out, &items, &item.head);
		if (!ret && item.kind == PTX_ITEM_VARIABLE)
			str_printf(out, NULL, "%s%.*s %d %d", item.variable.is_extern ? "?" : "",
			           PTX_WORD_ARGS(item.variable.name), (int)item.variable.space,
			           (int)item.variable.bytes);
		if (!ret && item.kind == PTX_ITEM_STRAY)
			str_printf(out, NULL, "stray");
		if (!ret && item.kind == PTX_ITEM_OTHER)
			str_printf(out, NULL, "other");
		if (!ret && item.kind == PTX_ITEM_FUNCTION && item.head.has_body)
			ret = ptx_scan_skip_body(&scan);
		str_printf(out, NULL, ";");
	} while (!ret && item.kind != PTX_ITEM_END);
	ptx_items_release(&items);
	return ret;
}

static void items_are_what_is_written(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", ";" },
		/* Lines mean nothing. */
		{ ".version 8.0 .target sm_80, debug .address_size 64 .file 1 \"a\", 1, 2 "
		  ".visible .entry k() { ret; } .global .u32 x;",
		  "other;other;other;other;entry k {;x 1 4;;" },
		{ ".entry k(.param .u64 a, .param .align 8 .b8 b[24])\n.maxntid 64, 2\n"
		  ".pragma \"a {\";\n{ \"}\" /* } */ // }\n { } }\n.entry l() { }",
		  "entry k a 8 b 24 max 64x2x1 {;entry l {;;" },
		{ ".func .attribute(.unified(1, 2)) (.param .b32 r) f(.param .b64 a) .noreturn;\n"
		  ".weak .func g\n{\n}",
		  "func f <r 4 a 8;func g {;;" },
		/* PTX ISA, \"Variables\": names of one type, with commas. */
		{ ".extern .global .align 4 .u32 x, y[2]; .const .v2 .f32 z = {1.0, 2.0}, w;",
		  "?x 1 4;?y 1 8;z 3 8;w 3 8;;" },
		{ ".section .debug_str { $L: .b8 1, 2 { } } .unheard of { .entry k() { } } 5; "
		  ".alias "
		  "a, b; .shared .b8 s[];",
		  "other;other;other;s 2 0;;" },
		{ "hello } .global .u8 x;", "stray;stray;x 1 1;;" },
		{ ".alias a, b; c .common .global .u16 x;", "other;stray;x 1 2;;" },
		{ ".entry k(.param .u32 a) .reqntid 32 .minnctapersm 4 { }\n"
		  ".entry l(.param .u64 b) .reqntid 8, 4, 2 { }",
		  "entry k a 4 required 32x1x1 groups 4 {;entry l b 8 required 8x4x2 {;;" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct str out;

		str_init(&out, 1u << 12);
		assert_int_equal(write_items(&out, rows[i].text, &err), 0);
		assert_string_equal(out.text, rows[i].want);
		str_release(&out);
	}
}

static void what_is_no_item_is_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ ".entry 5", "t.ptx:1: expected the name of a function, not '5'" },
		{ ".entry (.param .u32 r) k()",
		  "t.ptx:1: expected the name of a function, not '('" },
		{ ".entry k(", "t.ptx:1: expected a ')', not the end of the text" },
		{ ".entry k(.param .u32 a",
		  "t.ptx:1: expected ',' or ')', not the end of the text" },
		/* A head does not go on into the next function. */
		{ "\n.entry k()\n.entry l() { }",
		  "t.ptx:2: expected the body of this function, or ';'" },
		{ ".func f() { ", "t.ptx:1: expected a '}' for this '{'" },
		{ ".global .u32 a b;", "t.ptx:1: expected ';', not 'b'" },
		{ ".section .x\n{", "t.ptx:2: expected a '}' for this '{'" },
		{ ".address_size x", "t.ptx:1: expected a number, not 'x'" },
		/* 2 to the 64th, and 64. */
		{ ".address_size 18446744073709551680",
		  "t.ptx:1: expected a smaller whole number, not '18446744073709551680'" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct str out;

		str_init(&out, 1u << 12);
		assert_int_equal(write_items(&out, rows[i].text, &err), ERR_FORMAT);
		assert_string_equal(err.msg, rows[i].message);
		str_release(&out);
	}
}

static void a_text_tells_its_address_size_and_initial_values(void **state)
{
	static const char text[] = ".address_size 32 .weak .global .u32 x = 5;\n.global .u32 y;";

	for (int leaves = 0; leaves < 2; leaves++) {
		struct ptx_items items;
		struct ptx_scan scan;
		struct ptx_item item;
		struct err err = { 0 };

		ptx_items_init(&items);
		items.leaves_initials = leaves;
		ptx_scan_init(&scan, "t.ptx", text, strlen(text), &err);
		assert_int_equal(items.address_bits, 64);
		assert_int_equal(ptx_items_next(&items, &scan, &item), 0);
		assert_int_equal(items.address_bits, 32);
		assert_int_equal(ptx_items_next(&items, &scan, &item), 0);
		assert_true(item.variable.has_initial);
		assert_true(item.variable.is_visible);
		assert_int_equal(item.variable.line, 1);
		assert_int_equal(items.initials.count, leaves ? 0 : 1);
		assert_int_equal(ptx_items_next(&items, &scan, &item), 0);
		assert_false(item.variable.is_visible);
		assert_int_equal(item.variable.line, 2);
		ptx_items_release(&items);
	}
}

static void files_are_those_that_begin_a_line(void **state)
{
	static const char text[] = ".file 1 \"/a/b.cu\", 12, 34\n\t.file 2 \"/x\" \"y.h\"\n"
				   "// .file 3 \"c\"\n.entry k()\n{\n\t.file\t0x4 \"\"\n\tret;\n}\n"
				   ".file 5 \"cut";
	static const char *const want[] = { "1 /a/b.cu", "2 /x/y.h", "4 ", "5 cut" };
	struct ptx_scan scan;
	struct array files;
	struct err err = { 0 };

	array_init(&files, sizeof(struct ptx_file), 10, "files");
	ptx_scan_init(&scan, "t.ptx", text, strlen(text), &err);
	assert_int_equal(ptx_files_find(&scan, &files), 0);
	assert_int_equal(files.count, 4);
	for (size_t i = 0; i < files.count; i++) {
		const struct ptx_file *file = (struct ptx_file *)files.data + i;
		char *path = ptx_file_path(file, NULL);
		char *line = str_format(NULL, "%d %s", (int)file->number, path);

		assert_string_equal(line, want[i]);
		free(line);
		free(path);
	}
	array_release(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_what_is_written),
		cmocka_unit_test(what_is_no_item_is_refused),
		cmocka_unit_test(a_text_tells_its_address_size_and_initial_values),
		cmocka_unit_test(files_are_those_that_begin_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
