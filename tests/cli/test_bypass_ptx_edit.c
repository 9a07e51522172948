/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "ptx_rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
	".version 8.3\n.target sm_90\n.address_size 64\n// ld.global.f32 %f1, [%rd1];\n"           \
	".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .pred %p<4>;\n"
#define TAIL "\n\tret;\n}\n"

/* One instruction in a kernel, and what a list makes of it. NULL: nothing changes. */
struct row {
	const char *list, *op, *before, *after;
	const char *note; /* a part of what is said; NULL: nothing is */
};

static void check_row(const struct row *row)
{
	char *before, *after;
	struct ptx_rewritten out;

	assert_true(asprintf(&before, "%s\t%s%s", HEAD, row->before, TAIL) > 0);
	assert_true(asprintf(&after, "%s\t%s%s", HEAD, row->after ? row->after : row->before,
	                     TAIL) > 0);
	out = ptx_rewrite(before, row->list, NULL, row->op);
	assert_string_equal(out.refusal, "");
	assert_string_equal(out.text, after);
	if (row->note)
		assert_non_null(strstr(out.notes, row->note));
	else
		assert_string_equal(out.notes, "");
	ptx_rewritten_release(&out);
	free(before);
	free(after);
}

static void every_form_of_a_load_gets_the_operator_where_it_belongs(void **state)
{
	static const struct row rows[] = {
		{ "all", ".cg", "ld.global.f32 %f1, [%rd1];", "ld.global.cg.f32 %f1, [%rd1];",
		  NULL },
		{ "all", ".cs", "ld.global.f32 %f1, [%rd1];", "ld.global.cs.f32 %f1, [%rd1];",
		  NULL },
		{ "all", ".cg", "ld.global.v2.u32 {%r1, %r2}, [%rd1+8];",
		  "ld.global.cg.v2.u32 {%r1, %r2}, [%rd1+8];", NULL },
		{ "all", ".cg", "ld.global.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd1];",
		  "ld.global.cg.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd1];", NULL },
		{ "all", ".cg", "@%p1 ld.global.u8 %r1, [%rd1];",
		  "@%p1 ld.global.cg.u8 %r1, [%rd1];", NULL },
		{ "all", ".cg", "@ ! %p1 ld.global.u8 %r1, [%rd1];",
		  "@ ! %p1 ld.global.cg.u8 %r1, [%rd1];", NULL },
		{ "all", ".cg", "L1: ld.global.u8 %r1, [%rd1];", "L1: ld.global.cg.u8 %r1, [%rd1];",
		  NULL },
		{ "all", ".cg", "ld.global.ca.u8 %r1, [%rd1];", "ld.global.cg.u8 %r1, [%rd1];",
		  NULL },
		{ "all", ".cg", "ld.global.cs.u8 %r1, [%rd1];", "ld.global.cg.u8 %r1, [%rd1];",
		  NULL },
		{ "all", ".cg", "ld.global.lu.u8 %r1, [%rd1];", "ld.global.cg.u8 %r1, [%rd1];",
		  NULL },
		{ "all", ".cg", "ld.global.L2::64B.ca.u8 %r1, [%rd1];",
		  "ld.global.L2::64B.cg.u8 %r1, [%rd1];", NULL },
		{ "all", ".cg", "ld.ca.global.u8 %r1, [%rd1];", "ld.cg.global.u8 %r1, [%rd1];",
		  NULL },
		{ "all", ".cg", "ld.global.cg.u8 %r1, [%rd1];", NULL, NULL },
		{ "all", ".cs", "ld.global.cg.u8 %r1, [%rd1];", "ld.global.cs.u8 %r1, [%rd1];",
		  NULL },
		{ "all", ".cg", "ld.weak.global.L2::128B.v2.f64 {%fd1, %fd2}, [%rd1];",
		  "ld.weak.global.cg.L2::128B.v2.f64 {%fd1, %fd2}, [%rd1];", NULL },
		{ "all", ".cg", "ld.global.L2::cache_hint.f32 %f1, [%rd1], %rd2;",
		  "ld.global.cg.L2::cache_hint.f32 %f1, [%rd1], %rd2;", NULL },
		{ "all", ".cg", "ld /* a; b */ .global // }\n\t.f32 %f1, [%rd1];",
		  "ld /* a; b */ .global.cg // }\n\t.f32 %f1, [%rd1];", NULL },
		{ "all", ".cg", "{ .reg .b32 t; ld.global.u32 t, [%rd1]; }",
		  "{ .reg .b32 t; ld.global.cg.u32 t, [%rd1]; }", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

static void what_cannot_be_changed_stays_and_is_named(void **state)
{
	static const struct row rows[] = {
		{ "all", ".cg", "ld.global.nc.f32 %f1, [%rd1];", NULL, "read-only" },
		{ "all", ".cg", "ld.global.ca.nc.f32 %f1, [%rd1];", NULL, "read-only" },
		{ "all", ".cg", "ld.volatile.global.f32 %f1, [%rd1];", NULL, "volatile" },
		{ "all", ".cg", "ld.global.volatile.f32 %f1, [%rd1];", NULL, "volatile" },
		{ "all", ".cg", "ld.relaxed.gpu.global.f32 %f1, [%rd1];", NULL, ".relaxed" },
		{ "all", ".cg", "ld.acquire.sys.global.f32 %f1, [%rd1];", NULL, ".acquire" },
		{ "all", ".cg", "ld.mmio.relaxed.sys.global.u32 %r1, [%rd1];", NULL, ".relaxed" },
		{ "all", ".cg", "ld.global.cv.f32 %f1, [%rd1];", NULL, ".cv" },
		{ "all", ".cg", "ld.global.L1::evict_last.f32 %f1, [%rd1];", NULL, ".L1::" },
		{ "all", ".cg",
		  "ld.global.L2::evict_first.v4.f64 {%fd1, %fd2, %fd3, %fd4}, [%rd1];", NULL,
		  "eviction priority" },
		{ "all", ".cg", "ldu.global.f32 %f1, [%rd1];", NULL, "ldu" },
		{ "all", ".cg", "ld.f32 %f1, [%rd1];", NULL, "generic" },
		{ "warps:3", ".cg", "ld.global.nc.f32 %f1, [%rd1];", NULL, "read-only" },
		{ "all", ".cg", "ld.shared.f32 %f1, [%rd1];", NULL, "no load of global memory" },
		{ "all", ".cg", "ld.const.f32 %f1, [c];", NULL, "no load of global memory" },
		{ "all", ".cg", "ld.local.f32 %f1, [l];", NULL, "no load of global memory" },
		{ "all", ".cg", "st.global.f32 [%rd1], %f1;", NULL, "no load of global memory" },
		{ "all", ".cg", "atom.global.add.u32 %r1, [%rd1], 1;", NULL,
		  "no load of global memory" },
		{ "all", ".cg", ".pragma \"ld.global.f32 %f1, [%rd1];\";", NULL,
		  "no load of global memory" },
		{ "address:0x40", ".cg", "ld.global.f32 %f1, [%rd1];", NULL, "addresses" },
		{ "warps:32", ".cg", "ld.global.f32 %f1, [%rd1];", NULL, "32 warps at most" },
		{ "argument:a", ".cg", "ld.global.f32 %f1, [%rd1];", NULL, "only the recording" },
		{ "site:4", ".cg", "ld.global.f32 %f1, [%rd1];", NULL, "-lineinfo" },
		{ "line:4", ".cg", "ld.global.f32 %f1, [%rd1];", NULL, "-lineinfo" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

/* By hand from the definition: linear id in the group, a shift by 5, one comparison. */
#define PROLOGUE(n, warps)                                                                         \
	"\t// warps from " warps " on bypass L1\n"                                                 \
	"\t.reg .pred \t%" n "k, %" n "p, %" n "a, %" n "b;\n"                                     \
	"\t.reg .b32 \t%" n "id, %" n "size, %" n "x;\n"                                           \
	"\tmov.u32 \t%" n "id, %tid.z;\n"                                                          \
	"\tmov.u32 \t%" n "size, %ntid.y;\n"                                                       \
	"\tmov.u32 \t%" n "x, %tid.y;\n"                                                           \
	"\tmad.lo.u32 \t%" n "id, %" n "id, %" n "size, %" n "x;\n"                                \
	"\tmov.u32 \t%" n "size, %ntid.x;\n"                                                       \
	"\tmov.u32 \t%" n "x, %tid.x;\n"                                                           \
	"\tmad.lo.u32 \t%" n "id, %" n "id, %" n "size, %" n "x;\n"                                \
	"\tshr.u32 \t%" n "id, %" n "id, 5;\n"                                                     \
	"\tsetp.lt.u32 \t%" n "k, %" n "id, " warps ";\n"                                          \
	"\tnot.pred \t%" n "p, %" n "k;\n"

static void check_text(const char *before, const char *list, const char *after)
{
	struct ptx_rewritten out = ptx_rewrite(before, list, NULL, ".cg");

	assert_string_equal(out.refusal, "");
	assert_string_equal(out.text, after);
	assert_string_equal(out.notes, "");
	ptx_rewritten_release(&out);
}

static void a_threshold_of_warps_makes_two_loads_of_one(void **state)
{
	check_text(HEAD "\tmov.u64 %rd1, 0;\n\tld.global.f32 %f1, [%rd1];" TAIL, "warps:3",
	           HEAD PROLOGUE("warpline_",
	                         "3") "\tmov.u64 %rd1, 0;\n"
	                              "\t@%warpline_k ld.global.f32 %f1, [%rd1];\n"
	                              "\t@%warpline_p ld.global.cg.f32 %f1, [%rd1];" TAIL);
	check_text(HEAD "\t@%p1 ld.global.f32 %f1, [%rd1];" TAIL, "warps:17",
	           HEAD PROLOGUE("warpline_", "17") "\tand.pred \t%warpline_a, %p1, %warpline_k;\n"
	                                            "\tand.pred \t%warpline_b, %p1, %warpline_p;\n"
	                                            "\t@%warpline_a ld.global.f32 %f1, [%rd1];\n"
	                                            "\t@%warpline_b ld.global.cg.f32 %f1, "
	                                            "[%rd1];" TAIL);
	check_text(HEAD "\t@!%p1 ld.global.ca.f32 %f1, [%rd1];" TAIL, "warps:1",
	           HEAD PROLOGUE("warpline_", "1") "\tnot.pred \t%warpline_b, %p1;\n"
	                                           "\tand.pred \t%warpline_a, %warpline_b, "
	                                           "%warpline_k;\n"
	                                           "\tand.pred \t%warpline_b, %warpline_b, "
	                                           "%warpline_p;\n"
	                                           "\t@%warpline_a ld.global.ca.f32 %f1, [%rd1];\n"
	                                           "\t@%warpline_b ld.global.cg.f32 %f1, "
	                                           "[%rd1];" TAIL);
}

static void a_threshold_of_no_warps_needs_no_predicate(void **state)
{
	check_text(HEAD "\tld.global.f32 %f1, [%rd1];" TAIL, "warps:0",
	           HEAD "\tld.global.cg.f32 %f1, [%rd1];" TAIL);
	check_text(HEAD "\tld.global.f32 %f1, [%rd1];" TAIL, "warps:5,all",
	           HEAD "\tld.global.cg.f32 %f1, [%rd1];" TAIL);
	check_text(HEAD "\tld.global.cg.f32 %f1, [%rd1];" TAIL, "warps:5",
	           HEAD "\tld.global.cg.f32 %f1, [%rd1];" TAIL);
}

static void new_registers_have_names_that_the_text_has_not(void **state)
{
	check_text(HEAD "\t.reg .b32 %warpline_id;\n\tld.global.f32 %f1, [%rd1];" TAIL, "warps:3",
	           HEAD "\t.reg .b32 %warpline_id;\n" PROLOGUE(
			   "warpline1_", "3") "\t@%warpline1_k ld.global.f32 %f1, [%rd1];\n"
	                                      "\t@%warpline1_p ld.global.cg.f32 %f1, [%rd1];" TAIL);
}

static void what_is_put_before_a_loop_runs_once(void **state)
{
	check_text(HEAD "LOOP:\n\tld.global.f32 %f1, [%rd1];\n\tbra LOOP;" TAIL, "warps:2",
	           HEAD PROLOGUE("warpline_", "2") "LOOP:\n"
	                                           "\t@%warpline_k ld.global.f32 %f1, [%rd1];\n"
	                                           "\t@%warpline_p ld.global.cg.f32 %f1, [%rd1];\n"
	                                           "\tbra LOOP;" TAIL);
}

/* Without the operators the text is what it was. */
static void nothing_else_of_a_text_changes(void **state)
{
	static const char text[] =
		"//\r\n.version 8.3\n.target sm_90, debug\n.address_size 64\n"
		".file 1 \"a b.cu\", 12, 34\n.file 2 \"/x\" \"y.h\"\n"
		".extern .shared .align 16 .b8 s[];\n.global .align 4 .b8 g[4] = {1, 2, 3, 4};\n"
		".func (.param .b32 r) f(.param .b64 a)\n;\n"
		".visible .func (.param .b32 r) f(.param .b64 a)\n{\n\t.loc 2 3 4\n"
		"\tld.global.u32 %r1, [%rd1];\n\tst.param.b32 [r], %r1;\n\tret;\n}\n"
		".entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 q[16])\n"
		".maxntid 256, 1, 1\n{\n\t.reg .b32 %r<4>;\n\t.loc\t1 7 2\n"
		"\t.loc\t2 9 5, function_name $L_s0+3, inlined_at 1 7 2\n"
		"B: .branchtargets X, Y;\n\t{ // callseq\n\t.param .b32 x;\n"
		"\tcall.uni (x),\n\tf,\n\t(\n\tp0\n\t);\n\t}\n$X_1:\n"
		"\tmov.u32 %r1, 0f3F800000;  ld.global.u32\t%r2 , [ %rd1 + 0x10 ] ;\n}"
		"\n\t.section .debug_str\n\t{\n$L_s0:\n.b8 108,100,46,0\n\t}\n\t// end";
	struct ptx_rewritten out = ptx_rewrite(text, "all", NULL, ".cg");
	char *at, *back;
	size_t found = 0;

	assert_string_equal(out.refusal, "");
	assert_int_equal(strlen(out.text), strlen(text) + 6);
	back = strdup(out.text);
	while ((at = strstr(back, "ld.global.cg"))) {
		memmove(at + 9, at + 12, strlen(at + 12) + 1);
		found++;
	}
	assert_int_equal(found, 2);
	assert_string_equal(back, text);
	free(back);
	ptx_rewritten_release(&out);
}

static void heads_of_functions_may_have_pragmas_and_attributes(void **state)
{
	check_text(".entry k(.param .u64 a)\n.maxntid 64, 1, 1\n.pragma \"nounroll\";\n{\n"
	           "\tld.global.f32 %f1, [%rd1];" TAIL,
	           "all",
	           ".entry k(.param .u64 a)\n.maxntid 64, 1, 1\n.pragma \"nounroll\";\n{\n"
	           "\tld.global.cg.f32 %f1, [%rd1];" TAIL);
	check_text(".func .attribute(.unified(0xAB, 1)) (.param .b32 r) f(.param .b64 a)\n{\n"
	           "\tld.global.f32 %f1, [%rd1];" TAIL,
	           "all",
	           ".func .attribute(.unified(0xAB, 1)) (.param .b32 r) f(.param .b64 a)\n{\n"
	           "\tld.global.cg.f32 %f1, [%rd1];" TAIL);
}

static void what_is_no_ptx_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text, *refusal;
	} rows[] = {
		{ ".entry k()\n{\n ld.global.u32 %r1, [%rd1]\n", "in.ptx:3: expected a ';'" },
		{ ".entry k()\n{\n ld.global.u32 %r1, [%rd1] }\n", "in.ptx:3: expected a ';'" },
		{ ".entry k()\n{\n ret;\n", "in.ptx:2: expected a '}'" },
		{ ".entry k(\n", "in.ptx:2: expected a ')'" },
		{ ".entry k\n", "in.ptx:1: expected the body" },
		{ "\n.entry 5\n", "in.ptx:2: expected the name of a function" },
		{ ".entry k()\n{\n\n.loc 1 x 3\n}\n", "in.ptx:4: expected a number" },
		{ ".entry k()\n{\n.loc 1 2 3, what 4\n}\n", "in.ptx:3: expected function_name" },
		{ ".entry k()\n{\n@ ld.global.u32 %r1, [%rd1];}\n", "in.ptx:3: expected" },
		{ ".entry k()\n{\n@5 ret;}\n", "in.ptx:3: expected a predicate" },
		{ ".file 1 x\n", "in.ptx:1: expected the name of a file" },
		{ ".section .x {\n", "in.ptx:1: expected a '}'" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ptx_rewritten out = ptx_rewrite(rows[i].text, "all", NULL, ".cg");

		assert_null(out.text);
		assert_int_equal(strncmp(out.refusal, rows[i].refusal, strlen(rows[i].refusal)), 0);
		ptx_rewritten_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_a_load_gets_the_operator_where_it_belongs),
		cmocka_unit_test(what_cannot_be_changed_stays_and_is_named),
		cmocka_unit_test(a_threshold_of_warps_makes_two_loads_of_one),
		cmocka_unit_test(a_threshold_of_no_warps_needs_no_predicate),
		cmocka_unit_test(new_registers_have_names_that_the_text_has_not),
		cmocka_unit_test(what_is_put_before_a_loop_runs_once),
		cmocka_unit_test(nothing_else_of_a_text_changes),
		cmocka_unit_test(heads_of_functions_may_have_pragmas_and_attributes),
		cmocka_unit_test(what_is_no_ptx_is_refused_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
