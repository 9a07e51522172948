/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are no PTX, or strange PTX: a sentence with a place, or a kernel that is refused. */
#include "err.h"
#include "file.h"
#include "ptx_reader.h"
#include "str.h"

#include "cmocka_all.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD ".version 8.0\n.target sm_70\n.address_size 64\n"
#define BODY                                                                                       \
	HEAD ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>; .reg .b64 %q<9>; .reg .pred "   \
	     "%p<3>;\n"

static int read_text(const char *text, size_t length, struct str *refusal, struct err *err)
{
	static const char name[] = "warpline-refusal";
	char path[] = "/tmp/ptx-reader-XXXXXX";
	LLVMContextRef context = LLVMContextCreate();
	LLVMModuleRef module = NULL;
	LLVMAttributeRef attribute = NULL;
	LLVMValueRef kernel;
	unsigned bytes = 0;
	int file = mkstemp(path), ret;

	assert_true(file >= 0);
	close(file);
	assert_int_equal(file_write(path, text, length, err), 0);
	ret = ptx_reader_run(context, path, "t.ptx", &module, err);
	unlink(path);
	assert_int_equal(module != NULL, ret == 0);
	kernel = module ? LLVMGetNamedFunction(module, "k") : NULL;
	if (kernel)
		attribute = LLVMGetStringAttributeAtIndex(
			kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
			sizeof(name) - 1);
	if (attribute)
		str_printf(refusal, err, "%s", LLVMGetStringAttributeValue(attribute, &bytes));
	if (module)
		LLVMDisposeModule(module);
	LLVMContextDispose(context);
	return ret;
}

static void what_is_no_ptx_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *message;
	} rows[] = {
		{ "", ERR_FORMAT,
		  "t.ptx:1: expected PTX, which begins with '.version', not the end of the text" },
		{ "hello", ERR_FORMAT,
		  "t.ptx:1: expected PTX, which begins with '.version', not 'hello'" },
		{ ".version 8.0\n.address_size 32\n", ERR_FORMAT,
		  "t.ptx:2: expected an address size of 64 bits, not '32'" },
		{ HEAD "hello", ERR_FORMAT, "t.ptx:4: expected a directive of PTX, not 'hello'" },
		{ HEAD ".visible .entry k", ERR_FORMAT,
		  "t.ptx:4: expected the body of this function, or ';'" },
		{ HEAD ".entry k(.param .u64", ERR_FORMAT,
		  "t.ptx:4: expected a name, not the end of the text" },
		{ HEAD ".entry k(.param .u64 a .param", ERR_FORMAT,
		  "t.ptx:4: expected ',' or ')', not '.param'" },
		{ HEAD ".entry k(.param .b8 a[99999999]) {}", ERR_LIMIT,
		  "t.ptx:4: more than 4096 parameters, or a large one" },
		{ HEAD ".entry k() .maxntid x\n{}", ERR_FORMAT,
		  "t.ptx:4: expected a number, not 'x'" },
		{ HEAD ".entry k() {}\n.entry k() {}", ERR_FORMAT,
		  "t.ptx:5: 'k' is declared differently on line 4" },
		{ HEAD ".entry k() {}\n.func k() ;", ERR_FORMAT,
		  "t.ptx:5: 'k' is declared differently on line 4" },
		{ HEAD ".entry k() { .reg .b32 %r<4000000000>; }", ERR_LIMIT,
		  "t.ptx:4: 4000000000 registers, more than 1048576" },
		{ HEAD ".entry k() { ret; ", ERR_FORMAT,
		  "t.ptx:4: expected a '}' at the end of this function" },
		{ HEAD ".file x", ERR_FORMAT, "t.ptx:4: expected a number, not 'x'" },
		{ HEAD ".section .debug_str { a", ERR_FORMAT,
		  "t.ptx:4: expected ':', not the end of the text" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(read_text(rows[i].text, strlen(rows[i].text), NULL, &err),
		                 rows[i].code);
		assert_string_equal(err.msg, rows[i].message);
	}
}

/* The body of a kernel, and why it is refused; NULL: it is not. */
static void what_cannot_be_said_refuses_the_kernel(void **state)
{
	static const struct {
		const char *body, *refusal;
	} rows[] = {
		{ "ret; }", NULL },
		{ "}", NULL },
		{ "bra $l; $l: bra $l; }", NULL },
		{ "mov.u32 %r1, %r9; ret; }", "t.ptx:6: '%r9' is not known" },
		{ "bra $nowhere; }", "t.ptx:6: there is no label '$nowhere'" },
		{ "$l: mov.u32 %r1, 0; $l: bra $l; }", "t.ptx:6: the label '$l' is defined twice" },
		{ "{ $in: mov.u32 %r1, 0; } bra $in; }", "t.ptx:6: there is no label '$in'" },
		{ "{ $in: bra $in; } }", NULL },
		{ "add.s32 %r1, %r2; }", "t.ptx:6: the operands of 'add' are not supported" },
		{ "add.s32 %r1, %r2, {%r3, %r4}; }",
		  "t.ptx:6: an operand must not be a list or an address" },
		{ "add.s32 %r1, %p1, %r3; }", "t.ptx:6: '%p1' has type pred, expected s32" },
		{ "add.s32 %p1, %r1, %r3; }",
		  "t.ptx:6: '%p1' is not a register for a result of type s32" },
		{ "add.s32 [%q1], %r1, %r3; }", "t.ptx:6: its result is not a register" },
		{ "@%r1 mov.u32 %r1, 0; }", "t.ptx:6: '%r1' has type b32, expected pred" },
		{ "ld.global.u32 %r1, [16]; }",
		  "t.ptx:6: an address that is a number is not supported" },
		{ "ld.global.v2.u32 {%r1}, [%q1]; }",
		  "t.ptx:6: this form of 'ld' is not supported" },
		{ "ld.shared::cluster.u32 %r1, [%q1]; }",
		  "t.ptx:6: 'ld.shared::cluster' is not supported" },
		{ "bar.sync 1; }", NULL },
		{ "lop3.b32 %r1, %r1, %r2, %r3, 256; }",
		  "t.ptx:6: the table of 'lop3' must be a number up to 255" },
		{ "brx.idx %r1, $list; }", "t.ptx:6: there is no list of targets '$list'" },
		{ "call k, (%q1); }",
		  "t.ptx:6: the call of 'k' has other arguments than the function" },
		{ "call nobody, (%q1); }",
		  "t.ptx:6: calls of functions by their address are not supported" },
		{ "mov.u64 %q1, k; }",
		  "t.ptx:6: the address of 'k' is taken, which is no variable" },
		{ "mov.b64 {%r1, %r2, %r3}, %q1; }", "t.ptx:6: a list in 'mov' is not supported" },
		{ "cvt.rn.f32 %r1, %r2; }", "t.ptx:6: this form of 'cvt' is not supported" },
		{ "atom.global.add.f16 %r1, [%q1], %r2; }",
		  "t.ptx:6: this form of 'atom' is not supported" },
		{ "{ .shared .align 4 .b8 s[8]; } st.shared.u32 [s], 1; }",
		  "t.ptx:6: 's' is not a supported address" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct str text, refusal;

		str_init(&text, 1u << 16);
		str_init(&refusal, 1u << 16);
		str_printf(&text, &err, "%s%s", BODY, rows[i].body);
		assert_int_equal(read_text(text.text, text.length, &refusal, &err), 0);
		assert_string_equal(refusal.text ? refusal.text : "",
		                    rows[i].refusal ? rows[i].refusal : "");
		str_release(&text);
		str_release(&refusal);
	}
}

/* Cut anywhere a text is read or refused with a sentence. */
static void a_text_may_end_anywhere(void **state)
{
	static const char text[] =
		HEAD ".global .align 8 .u64 v[2] = {generic(w)+8, 1};\n.file 1 \"a.cu\", 1, 2\n"
		     ".func (.param .b32 r) f(.param .b64 a)\n{\n.reg .b32 %r<3>;\n"
		     ".loc 1 2 3, function_name $s, inlined_at 1 2 3\n"
		     "@%p1 ld.param.v2.u32 {%r1, _}, [a+0];\nst.param.b32 [r], %r1;\nret;\n}\n"
		     ".visible .entry k(.param .align 8 .b8 p[16]) .maxntid 1, 2, 3 {\n"
		     ".reg .b64 %q<3>; .reg .b32 %r<3>; .reg .pred %p<2>;\n"
		     "{ .param .b64 x; st.param.b64 [x], %q1; .param .b32 y;\n"
		     "call.uni (y), f, (x); ld.param.b32 %r1, [y]; }\n"
		     "list: .branchtargets a, b;\nbrx.idx %r1, list; a: bra b; b: ret;\n}\n";

	for (size_t length = 0; length <= sizeof(text); length++) {
		struct err err = { 0 };
		struct str refusal;
		int ret;

		str_init(&refusal, 1u << 16);
		ret = read_text(text, length, &refusal, &err);
		if (ret)
			assert_non_null(strstr(err.msg, "t.ptx:"));
		str_release(&refusal);
	}
}

/* A chain of sums that is longer than the stack would be deep. */
static void long_chains_of_addresses_are_followed(void **state)
{
	struct err err = { 0 };
	struct str text, refusal;

	str_init(&text, 1u << 24);
	str_init(&refusal, 1u << 16);
	str_printf(&text, &err, "%s ld.param.u64 %%q1, [p];\n", BODY);
	for (unsigned i = 0; i < 40000; i++)
		str_printf(&text, &err, "add.s64 %%q1, %%q1, %u;\n", i);
	str_printf(&text, &err, "st.global.u32 [%%q1], 1;\nret; }");
	assert_int_equal(err.code, 0);
	assert_int_equal(read_text(text.text, text.length, &refusal, &err), 0);
	assert_null(refusal.text);
	str_release(&text);
	str_release(&refusal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_ptx_is_refused_with_its_place),
		cmocka_unit_test(what_cannot_be_said_refuses_the_kernel),
		cmocka_unit_test(a_text_may_end_anywhere),
		cmocka_unit_test(long_chains_of_addresses_are_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
