/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "err.h"
#include "ptx_outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Sanitizers make a reader slower, not quadratic. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SECONDS_MOST 20.0
#else
#define SECONDS_MOST 1.0
#endif

/* Kernels as "name:bytes", then variables, each with a space behind it. */
static void outline(const char *text, char out[256])
{
	struct ptx_outline o;
	struct err err = { 0 };
	size_t at = 0;

	*out = '\0';
	assert_int_equal(ptx_outline_init(&o, text, &err), 0);
	for (size_t i = 0; i < o.kernels.count; i++) {
		const struct ptx_kernel *k = (const struct ptx_kernel *)o.kernels.data + i;

		at += (size_t)snprintf(out + at, 256 - at, "%s:%d ", k->name,
		                       (int)k->parameter_bytes);
		assert_ptr_equal(ptx_outline_kernel(&o, k->name), k);
	}
	for (size_t i = 0; i < o.variables.count; i++)
		at += (size_t)snprintf(out + at, 256 - at, "%s ", ((char **)o.variables.data)[i]);
	ptx_outline_release(&o);
}

/* Bytes by hand: each parameter at a multiple of its alignment. */
static void kernels_and_variables_are_those_of_the_outermost_level(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "" },
		{ ".visible .entry k()\n{ ret; }", "k:0 " },
		{ ".entry bare\n{ ret; }", "bare:0 " },
		/* 8, then 4 at 8, then 8 at 16. */
		{ ".visible .entry k(.param .u64 a, .param .u32 b, .param .f64 c) { }", "k:24 " },
		/* 1, then 2 at 2, then a struct of 12 at 8. */
		{ ".entry k(.param .u8 a, .param .b16 b, .param .align 8 .b8 c[12]) { }", "k:20 " },
		/* The alignment of what a pointer points to is none of the parameter's. */
		{ ".entry k(.param .u32 n, .param .u64 .ptr .global .align 256 p) { }", "k:16 " },
		{ ".entry k(.param .align 4 .b8 s[3],\n// .param .u64 x,\n.param .s8 t) { }",
		  "k:4 " },
		{ ".entry a(.param .u32 x) .maxntid 64, 1, 1 { { ret; } } .entry b() { }",
		  "a:4 b:0 " },
		{ ".visible .global .align 4 .u32 total;", "total " },
		{ ".const .align 4 .f32 w[3] = {0f3F800000, 0f40000000, 0f40400000};\n"
		  ".global .u64 p = generic(w);",
		  "w p " },
		{ ".extern .global .align 1 .b8 data[];", "data " },
		{ ".global .attribute(.managed) .align 4 .u32 m;", "m " },
		{ ".global .u32 x, y[2], z = 4;", "x y z " },
		/* Inside functions, in comments, strings and other memory there is none. */
		{ ".func (.param .u32 r) f(.param .u64 .ptr .global p) { .global .u32 x; }\n"
		  "/* .entry c() */ .file 1 \".entry d() .global .u32 e;\"\n"
		  ".shared .align 4 .b8 s[64]; .local .u32 l;",
		  "" },
		/* Cut short, or no PTX. */
		{ ".entry", "" },
		{ ".entry k(.param .u64 a, .param", "" },
		{ ".entry k(.param .u64 a,\n.entry l(.param .u64 a) { ", "l:8 " },
		{ ".global .u32 = 5, x; .global .u32 y, z; .entry 5() { } .entry k() { }",
		  "k:0 y z " },
		{ ".global .u32 x, 5; .entry k() { }", "k:0 x " },
		{ ".global", "" },
		{ "/* never closed .entry k()", "" },
		{ ".file \"never closed .entry k()", "" },
		{ ".entry k(.param .align 99999999999999999999 .b8 s[99999999999999999999]) { }",
		  "" },
		{ "}}}} .entry k() { }", "k:0 " },
	};
	char got[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		outline(rows[i].text, got);
		if (strcmp(got, rows[i].want) != 0)
			fail_msg("%s\ngives \"%s\", not \"%s\"", rows[i].text, got, rows[i].want);
	}
}

/* Whatever is cut off or changed, nothing outside the text is read (which ASan sees). */
static void any_text_is_read_to_its_end(void **state)
{
	static const char text[] =
		".version 7.0 /* c */ .global .align 4 .u32 t[2] = {1, 2}; .visible .entry k(\n"
		".param .u64 a, // b\n.param .align 8 .b8 s[24]) { bar.sync 0; } .file \"x\"";

	for (size_t length = 0; length <= strlen(text); length++) {
		char *copy = strndup(text, length), got[256];

		outline(copy, got);
		for (size_t i = 0; i < length; i += 3) {
			char kept = copy[i];

			copy[i] = "\"({/.\x80["[(i + length) % 7];
			outline(copy, got);
			copy[i] = kept;
		}
		free(copy);
	}
}

/* What a text of `count` times `piece` has, and the seconds of processor time that it takes. */
static double time_of(const char *piece, size_t count, struct ptx_outline *o)
{
	size_t length = strlen(piece);
	char *text = malloc(count * length + 1);
	struct err err = { 0 };
	clock_t begin;

	assert_non_null(text);
	for (size_t i = 0; i < count; i++)
		memcpy(text + i * length, piece, length);
	text[count * length] = '\0';
	begin = clock();
	assert_int_equal(ptx_outline_init(o, text, &err), 0);
	free(text);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* Of each piece, 10 MB: a reader that searches far ahead at each takes several seconds. */
static void what_is_never_closed_costs_no_more_than_its_length(void **state)
{
	static const char *const pieces[] = {
		".func .attribute(",    ".func .attribute([",    ".entry k .pragma \"x\" ",
		".entry; .file (",      ".entry k(.param .u64 ", ".global .attribute( .func\n",
		".entry k .pragma (\n",
	};

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct ptx_outline o;
		double seconds = time_of(pieces[i], 10000000 / strlen(pieces[i]), &o);

		assert_int_equal(o.kernels.count, 0);
		ptx_outline_release(&o);
		if (seconds > SECONDS_MOST)
			fail_msg("%s: %.1f s", pieces[i], seconds);
	}
}

/* Braces are matched 256 deep, the body's own counted; past that the reader looks for items again.
 */
static void bodies_are_skipped_up_to_their_nesting(void **state)
{
	for (size_t inner = 254; inner <= 256; inner++) {
		char text[2048] = ".entry k() {", got[256];

		size_t at = strlen(text);

		memset(text + at, '{', inner);
		at += inner;
		at += (size_t)snprintf(text + at, sizeof(text) - at, ".global .u32 x;");
		memset(text + at, '}', inner + 1);
		snprintf(text + at + inner + 1, sizeof(text) - at - inner - 1, ".entry l() { }");
		outline(text, got);
		assert_string_equal(got, inner < 256 ? "k:0 l:0 " : "k:0 l:0 x ");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_and_variables_are_those_of_the_outermost_level),
		cmocka_unit_test(any_text_is_read_to_its_end),
		cmocka_unit_test(bodies_are_skipped_up_to_their_nesting),
		cmocka_unit_test(what_is_never_closed_costs_no_more_than_its_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
