/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of a body, each written out again in a form of their own. */
#include "err.h"
#include "ptx_statements.h"
#include "str.h"

#include "cmocka_all.h"

#include <string.h>

static void write_operands(struct str *out, const struct ptx_statements *p, uint32_t first);

static void write_operand(struct str *out, const struct ptx_statements *p,
                          const struct ptx_operand *o)
{
	int added = (int)o->number.bits;

	if (o->is_negated)
		str_printf(out, NULL, "!");
	if (o->kind == PTX_LIST) {
		str_printf(out, NULL, "(");
		write_operands(out, p, o->first);
		str_printf(out, NULL, ")");
	} else if (o->kind == PTX_NUMBERS) {
		str_printf(out, NULL, "#%llx/%d", (unsigned long long)o->number.bits,
		           (int)o->number.kind);
	} else {
		str_printf(out, NULL, o->kind == PTX_ADDRESS ? "[%.*s%+d]" : "%.*s%+d",
		           PTX_WORD_ARGS(o->name), added);
	}
	if (o->second.length)
		str_printf(out, NULL, "|%.*s", PTX_WORD_ARGS(o->second));
}

static void write_operands(struct str *out, const struct ptx_statements *p, uint32_t first)
{
	for (uint32_t o = first; o != PTX_NONE; o = ptx_operand_at(p, o)->next) {
		str_printf(out, NULL, " ");
		write_operand(out, p, ptx_operand_at(p, o));
	}
}

static void write_statement(struct str *out, const struct ptx_statements *p,
                            const struct ptx_statement *t)
{
	static const char *const names[] = { "",     "label ", "open", "close",
		                             "reg ", "var ",   "loc ", "targets " };
	const struct ptx_registers *r = (struct ptx_registers *)p->registers.data + t->item;
	const struct ptx_variable *v = (struct ptx_variable *)p->variables.data + t->item;
	const struct ptx_loc *loc = (struct ptx_loc *)p->locs.data + t->item;

	str_printf(out, NULL, "%zu.%u %s", t->line, t->scope, names[t->kind]);
	if (t->guard.length)
		str_printf(out, NULL, "@%s%.*s ", t->is_guard_negated ? "!" : "",
		           PTX_WORD_ARGS(t->guard));
	str_printf(out, NULL, "%.*s", PTX_WORD_ARGS(t->name));
	for (uint32_t i = 0; i < t->suffix_count; i++)
		str_printf(out, NULL, "%.*s", PTX_WORD_ARGS(ptx_suffix_at(p, t, i)));
	if (t->is_odd)
		str_printf(out, NULL, " odd");
	else
		write_operands(out, p, t->first_operand);
	if (t->kind == PTX_REGISTERS)
		str_printf(out, NULL, "%.*s %s %d", PTX_WORD_ARGS(r->name), ptx_type_name(r->type),
		           (int)r->count);
	if (t->kind == PTX_VARIABLE)
		str_printf(out, NULL, "%.*s %d", PTX_WORD_ARGS(v->name), (int)v->bytes);
	if (t->kind == PTX_LOC)
		str_printf(out, NULL, "%d:%d:%d %.*s+%d %d:%d:%d", (int)loc->file, (int)loc->line,
		           (int)loc->column, PTX_WORD_ARGS(loc->function),
		           (int)loc->function_offset, (int)loc->at_file, (int)loc->at_line,
		           (int)loc->at_column);
	str_printf(out, NULL, ";");
}

/* The text of a body, from behind its brace on, and its statements: "line.scope ...". */
static const struct {
	const char *text, *want;
} rows[] = {
	{ "}", "" },
	{ "ret; }", "1.0 ret;" },
	{ "add.s32 %r1, %r2, -1;\n@!%p1 bra $L;\n$L: }",
	  "1.0 add.s32 %r1+0 %r2+0 #ffffffffffffffff/0;2.0 @!%p1 bra $L+0;3.0 label $L;" },
	{ "ld.global.nc.L2::128B.v2.f32 {%f1, _}, [%rd1+-8]; }",
	  "1.0 ld.global.nc.L2::128B.v2.f32 ( %f1+0 _+0) [%rd1-8];" },
	{ "mov.u32 %r1, %ctaid.x; mov.f32 %f, 0f3F800000; mov.f64 %d, 0d3FF0000000000000; }",
	  "1.0 mov.u32 %r1+0 %ctaid.x+0;1.0 mov.f32 %f+0 #3f800000/1;"
	  "1.0 mov.f64 %d+0 #3ff0000000000000/2;" },
	{ "mov.f64 %d, 1.5; mov.f32 %f, -0f00000000; and.b32 %r, 0x1F, 077; or.b32 %r, 12U, 0b101; "
	  "}",
	  "1.0 mov.f64 %d+0 #3ff8000000000000/2;1.0 mov.f32 %f+0 #80000000/1;"
	  "1.0 and.b32 %r+0 #1f/0 #3f/0;1.0 or.b32 %r+0 #c/0 #5/0;" },
	{ "setp.lt.and.s32 %p|%q, %a, %b, !%c; }", "1.0 setp.lt.and.s32 %p+0|%q %a+0 %b+0 !%c+0;" },
	{ "{ // callseq 0, 0\n.param .b64 param0;\nst.param.b64 [param0+0], %rd1;\n"
	  "call.uni (retval0), vprintf, (param0, param1);\n} }",
	  "1.1 open;2.1 var param0 8;3.1 st.param.b64 [param0+0] %rd1+0;"
	  "4.1 call.uni ( retval0+0) vprintf+0 ( param0+0 param1+0);5.1 close;" },
	{ ".local .align 8 .b8 x[12], y[4]; .shared .u64 z; ret; }",
	  "1.0 var x 12;1.0 var y 4;1.0 var z 8;1.0 ret;" },
	/* The two in any order; and what is of the file alone is no statement. */
	{ ".loc 1 2 3, inlined_at 4 5 6, function_name $f\n.file 7 \"a\" \"b\"\n.file 8 \"c\", 1, "
	  "2\nret; }",
	  "1.0 loc 1:2:3 $f+0 4:5:6;4.0 ret;" },
	/* Braces of an operand that is not known are in pairs. */
	{ "strange {{{{{{{{a}}, b}}}}}}; ret; }", "1.0 strange odd;1.0 ret;" },
	{ ".reg .b32 %r<5>, x;\n.reg .pred p; .reg .b64 %none<0>; }",
	  "1.0 reg %r b32 5;1.0 reg x b32 0;2.0 reg p pred 0;" },
	{ ".loc 1 2 3\n.loc 2 40 9, function_name $L__info_string0+4, inlined_at 1 2 3\nret; }",
	  "1.0 loc 1:2:3 +0 0:0:0;2.0 loc 2:40:9 $L__info_string0+4 1:2:3;3.0 ret;" },
	{ "$list: .branchtargets $a, $b;\nbrx.idx %r1, $list; "
	  "prototype_0: .callprototype (.param .b32 _) _ (.param .b64 _); }",
	  "1.0 targets $list $a+0 $b+0;2.0 brx.idx %r1+0 $list+0;2.0 label prototype_0;" },
	{ ".pragma \"nounroll\"; .unheard { of; } ret; }", "1.0 ret;" },
	/* Forms that are not known cost the instruction only. */
	{ "cp.async.bulk.tensor [%a], [%b, {%c, %d}], [%e]; ret; }",
	  "1.0 cp.async.bulk.tensor odd;1.0 ret;" },
	{ "strange a b c; strange 12ab; strange {{{{{{a}}}}}}; ret; }",
	  "1.0 strange odd;1.0 strange odd;1.0 strange odd;1.0 ret;" },
};

static void statements_are_what_is_written(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ptx_statements p;
		struct ptx_scan scan;
		struct err err = { 0 };
		struct str out;
		const struct ptx_statement *all;

		ptx_statements_init(&p);
		str_init(&out, 1u << 16);
		ptx_scan_init(&scan, "t.ptx", rows[i].text, strlen(rows[i].text), &err);
		assert_int_equal(ptx_statements_read(&p, &scan), 0);
		all = p.list.data;
		for (size_t k = 0; k < p.list.count; k++)
			write_statement(&out, &p, &all[k]);
		assert_string_equal(out.text ? out.text : "", rows[i].want);
		str_release(&out);
		ptx_statements_release(&p);
	}
}

static void what_is_no_statement_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "", "t.ptx:1: expected a '}' at the end of this function" },
		{ "ret;\nadd.s32 %r1", "t.ptx:2: expected a ';' after what begins here" },
		{ "ret;\n\n(", "t.ptx:3: expected a name, not '('" },
		{ "@ ;}", "t.ptx:1: expected a predicate after this '@', not ';'" },
		{ "ret;\nret }\nret;", "t.ptx:2: expected a ';' after what begins here" },
		{ ".reg .b32 %r<x>;}", "t.ptx:1: expected a number, not 'x'" },
		{ ".reg .b32 %r<5;}", "t.ptx:1: expected '>', not ';'" },
		{ ".loc 1 2 x\nret;}", "t.ptx:1: expected a number, not 'x'" },
		{ ".local .b9 x;}", "t.ptx:1: expected a type, not 'x'" },
		{ "{ret;", "t.ptx:1: expected a '}' at the end of this function" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct ptx_statements p;
		struct ptx_scan scan;
		struct err err = { 0 };

		ptx_statements_init(&p);
		ptx_scan_init(&scan, "t.ptx", bad[i].text, strlen(bad[i].text), &err);
		assert_int_equal(ptx_statements_read(&p, &scan), ERR_FORMAT);
		assert_string_equal(err.msg, bad[i].message);
		ptx_statements_release(&p);
	}
}

static void scopes_nest_up_to_a_limit(void **state)
{
	char text[200];
	struct ptx_statements p;
	struct ptx_scan scan;
	struct err err = { 0 };

	memset(text, '{', sizeof(text));
	ptx_statements_init(&p);
	ptx_scan_init(&scan, "t.ptx", text, sizeof(text), &err);
	assert_int_equal(ptx_statements_read(&p, &scan), ERR_FORMAT);
	assert_string_equal(err.msg, "t.ptx:1: expected less nesting, not '{'");
	ptx_statements_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements_are_what_is_written),
		cmocka_unit_test(what_is_no_statement_is_refused_with_its_place),
		cmocka_unit_test(scopes_nest_up_to_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
