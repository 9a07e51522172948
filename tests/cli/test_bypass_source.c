/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "bypass_list.h"
#include "bypass_source.h"
#include "err.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITE(bytes, argument, column, expression)                                                  \
	"{\"kind\":\"read\",\"bytes\":" bytes ",\"space\":1,\"loop\":-1,\"argument\":" argument    \
	",\"place\":[\"k.cl\",5," column "],\"inlined_at\":[],\"expression\":\"" expression        \
	"\",\"function\":\"\"}"
#define ARGUMENT(name, type)                                                                       \
	"{\"name\":\"" name "\",\"type\":\"" type "\",\"space\":1,\"is_written\":false}"

/* Reads of line 5, by site: an element, a struct, two of a macro, one of another, a long vector. */
static const char manifest[] =
	"{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":3,"
	"\"endian\":\"little\",\"tool_version\":\"t\",\"command\":[\"a\"]}\n"
	"{\"type\":\"device\",\"id\":0,\"name\":\"\",\"vendor\":\"\",\"version\":\"\","
	"\"driver\":\"\",\"platform\":\"\",\"address_bits\":64}\n"
	"{\"type\":\"program\",\"id\":0,\"source_file\":null,\"options\":\"\","
	"\"origin\":\"source\"}\n"
	"{\"type\":\"kernel\",\"id\":0,\"program\":0,\"device\":0,\"door\":\"text\","
	"\"reason\":null,\"table\":{\"name\":\"k\",\"writes_unknown\":false,"
	"\"is_repeatable\":true,\"is_irreducible\":false,\"has_conditional_barrier\":false,"
	"\"item_words\":0,\"least_words\":0,\"lanes\":1,\"records\":\"affine\",\"refusal\":null,"
	"\"sites\":[" SITE("4", "0", "1", "a[i]") "," SITE("12", "1", "9", "p[i]") "," SITE("4", "0", "20", "COPY(a, i)") "," SITE(
		"4", "0", "20",
		"COPY(a, i)") "," SITE("4", "0", "40",
                                       "AT(a, i)") "," SITE("64", "2", "50",
                                                            "w[i]") "],"
								    "\"loops\":[],\"arguments\":"
								    "[" ARGUMENT("a", "float*") "," ARGUMENT(
									    "p",
									    "point*") "," ARGUMENT("w",
                                                                                                   "ulong8*") "],\"unrecorded\":[]}}\n";

/* What is printed behind the head of a site, as far as it is told apart. */
static const struct {
	const char *list, *has, *has_not;
} rows[] = {
	{ "site:0", "CUDA              __ldcg(&a[i])\n", "none" },
	{ "site:0", "as_float(warpline_past_4(&a[i]))\n", "none" },
	{ "site:1", "CUDA              (12 bytes at once: none)\n", "__ldcg" },
	{ "site:1",
	  "__builtin_nontemporal_load(&p[i])  if it is a vector; of a struct: its members\n",
	  "warpline_past" },
	{ "site:2", "is one of several accesses of a macro", "&COPY" },
	{ "site:3", "is one of several accesses of a macro", "&COPY" },
	{ "site:4", "__ldcg(&AT(a, i))\n", "macro" },
	{ "site:5", "CUDA              (64 bytes at once: none)\n", "__ldcg" },
	{ "site:5", "__builtin_nontemporal_load(&w[i])\n", "struct" },
};

static void forms_are_those_that_compile(void **state)
{
	struct err err = { 0 };
	struct recording *recording = NULL;

	assert_int_equal(recording_parse(&recording, "r", manifest, strlen(manifest), &err), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bypass_list list = { 0 };
		char *text = NULL;
		size_t length = 0;
		FILE *out = open_memstream(&text, &length);
		struct bypass_source_job job = { out, &list, recording };

		assert_non_null(out);
		assert_int_equal(bypass_list_load(&list, rows[i].list, &err), 0);
		assert_int_equal(bypass_source_write(&job, &err), 0);
		assert_int_equal(fclose(out), 0);
		assert_non_null(strstr(text, rows[i].has));
		assert_null(strstr(text, rows[i].has_not));
		free(text);
		bypass_list_release(&list);
	}
	recording_close(recording);
}

static void the_type_is_told_when_it_has_the_size(void **state)
{
	static const struct {
		const char *pointer;
		uint32_t bytes;
		const char *name;
	} types[] = {
		{ "const __global float *", 4, "float" },
		{ "const __global float *", 16, "" }, /* of a vector that is read through it */
		{ "__global float4 *restrict", 16, "float4" },
		{ "global const volatile uchar16*", 16, "uchar16" },
		{ "int3 *", 16, "int3" },
		{ "double2 *", 16, "double2" },
		{ "pair *", 8, "" },
		{ "floats *", 4, "" },
		{ "float5 *", 20, "" },
		{ "averyveryverylongname *", 4, "" },
		{ "", 4, "" },
		{ "*", 0, "" },
	};
	char name[BYPASS_TYPE_BYTES];

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		assert_string_equal(bypass_source_type(types[i].pointer, types[i].bytes, name),
		                    types[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_are_those_that_compile),
		cmocka_unit_test(the_type_is_told_when_it_has_the_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
