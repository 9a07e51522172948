/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of variables, and the values that they begin with. */
#include "err.h"
#include "ptx_variable.h"
#include "str.h"

#include "cmocka_all.h"

#include <string.h>

/* name space bytes alignment flags: offset=bits/bytes or offset=&symbol+added/bytes ... */
static void write_variable(struct str *out, const struct ptx_variable *v,
                           const struct ptx_initial *initials)
{
	str_printf(out, NULL, "%.*s %d %llu %llu%s%s%s", PTX_WORD_ARGS(v->name), (int)v->space,
	           (unsigned long long)v->bytes, (unsigned long long)v->alignment_bytes,
	           v->is_array ? " array" : "", v->is_managed ? " managed" : "",
	           v->is_texture ? " texture" : "");
	for (size_t i = 0; i < v->initial_count; i++) {
		const struct ptx_initial *one = &initials[v->first_initial + i];

		str_printf(out, NULL, " %llu=", (unsigned long long)one->offset_bytes);
		if (one->symbol.length)
			str_printf(out, NULL, "&%.*s+", PTX_WORD_ARGS(one->symbol));
		str_printf(out, NULL, "%llx/%u", (unsigned long long)one->bits, one->bytes);
	}
}

static const struct {
	const char *text, *want;
} rows[] = {
	{ ".global .align 4 .b8 name[16];", "name 1 16 4 array" },
	{ ".global .u32 n = 5;", "n 1 4 4 0=5/4" },
	{ ".const .align 4 .b8 t[4] = {1, 2, 0xFF};", "t 3 4 4 array 0=1/1 1=2/1 2=ff/1" },
	{ ".shared .align 16 .b8 s[];", "s 2 0 16 array" },
	{ ".global .f32 f[2][2] = {{0f3F800000, 1.0}, {0f00000000, -0f3F800000}};",
	  "f 1 16 4 array 0=3f800000/4 4=3f800000/4 8=0/4 12=bf800000/4" },
	{ ".global .align 8 .u64 p[2] = {generic(a)+8, b};", "p 1 16 8 array 0=&a+8/8 8=&b+0/8" },
	{ ".global .align 8 .b8 q[9] = {7, 0xFF(a), 0xFF00(a), 0xFF0000(a)};",
	  "q 1 9 8 array 0=7/1 1=&a+0/8" },
	{ ".global .attribute(.managed) .align 4 .u32 m;", "m 1 4 4 managed" },
	/* The alignment of what a pointer points to is none of its own. */
	{ ".param .u64 .ptr .global .align 4 k;", "k 5 8 8" },
	{ ".global .u32 all[] = {1, 2, 3};", "all 1 12 4 array 0=1/4 4=2/4 8=3/4" },
	{ ".global .v4 .f32 v;", "v 1 16 4" },
	{ ".global .texref picture;", "picture 1 4 4 texture" },
};

static int read(const char *text, struct str *out, struct err *err)
{
	struct ptx_variable v = { 0 };
	struct array initials;
	struct ptx_scan scan;
	int ret;

	array_init(&initials, sizeof(struct ptx_initial), PTX_INITIALS_MOST, "values");
	ptx_scan_init(&scan, "t.ptx", text, strlen(text), err);
	ret = ptx_variable_read(&scan, &v, &initials);
	if (!ret)
		write_variable(out, &v, initials.data);
	array_release(&initials);
	return ret;
}

static void variables_are_what_is_declared(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct str out;

		str_init(&out, 1u << 12);
		assert_int_equal(read(rows[i].text, &out, &err), 0);
		assert_string_equal(out.text, rows[i].want);
		str_release(&out);
	}
}

static void what_is_no_variable_is_refused(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *message;
	} bad[] = {
		{ ".global name;", ERR_FORMAT, "t.ptx:1: expected a type, not 'name'" },
		{ ".global .u32;", ERR_FORMAT, "t.ptx:1: expected a name, not ';'" },
		{ ".global .u32 a[x];", ERR_FORMAT, "t.ptx:1: expected a number, not 'x'" },
		{ ".global .align 3 .u32 a;", ERR_FORMAT,
		  "t.ptx:1: expected an alignment that is a power of two, not ';'" },
		{ ".global .u8 a[0xFFFFFFFFFF][0xFFFFFFFF];", ERR_LIMIT,
		  "t.ptx:1: 'a' is too large" },
		{ ".global .u32 a[0xFFFFFFFFFF];", ERR_LIMIT, "t.ptx:1: 'a' is too large" },
		{ ".global .u8 a[2] = {1, 2, 3};", ERR_FORMAT,
		  "t.ptx:1: 'a' has 2 bytes, but more initial values" },
		{ ".global .u8 a[2] = {1, ", ERR_FORMAT,
		  "t.ptx:1: expected a number, not the end of the text" },
		{ ".global .u8 a[2] = {{{{{{{{{{1}}}}}}}}}};", ERR_FORMAT,
		  "t.ptx:1: expected less nesting, not '{'" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(read(bad[i].text, NULL, &err), bad[i].code);
		assert_string_equal(err.msg, bad[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_are_what_is_declared),
		cmocka_unit_test(what_is_no_variable_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
