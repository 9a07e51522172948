/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "ptx_lines.h"
#include "ptx_rewrite.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITE(kind, argument, line, column)                                                         \
	"{\"kind\":\"" kind "\",\"bytes\":4,\"space\":1,\"loop\":-1,\"argument\":" argument        \
	",\"place\":[\"sources/program-0000.cl\"," line "," column                                 \
	"],\"inlined_at\":[],\"expression\":\"\",\"function\":\"\"}"
#define ARGUMENT(name, space)                                                                      \
	"{\"name\":\"" name "\",\"type\":\"\",\"space\":" space ",\"is_written\":true}"
#define LAUNCH(id)                                                                                 \
	"{\"type\":\"launch\",\"id\":" id ",\"kernel\":0,\"dimensions\":1,\"global\":[1,1,1],"     \
	"\"local\":[1,1,1],\"offset\":[0,0,0],\"local_bytes\":0,\"groups_selected\":null}\n"
#define FATE(id, a, b)                                                                             \
	"{\"type\":\"fate\",\"launch\":" id ",\"fate\":\"traced\",\"file\":\"l\",\"arguments\":["  \
	"{\"index\":0,\"buffer\":" a ",\"address\":0},{\"index\":1,\"buffer\":" b                  \
	",\"address\":0}],\"dropped_events\":0,\"totals\":{\"events\":0,\"accesses\":0,"           \
	"\"reads\":0,\"writes\":0,\"atomics\":0,\"barriers\":0,\"groups\":0,\"file_bytes\":0},"    \
	"\"device_ns\":0,\"device_bytes\":0}\n"

/* mm(a, b, c, n): sites 0 and 1 read a and b in line 5, 2 writes c, 3 and 4 read a in line 6. */
static const char manifest[] =
	"{\"type\":\"recording\",\"magic\":\"warpline "
	"recording\",\"version\":3,\"endian\":\"little\","
	"\"tool_version\":\"t\",\"command\":[\"a\"]}\n"
	"{\"type\":\"device\",\"id\":0,\"name\":\"\",\"vendor\":\"\",\"version\":\"\","
	"\"driver\":\"\","
	"\"platform\":\"\",\"address_bits\":64}\n"
	"{\"type\":\"program\",\"id\":0,\"source_file\":null,\"options\":\"\",\"origin\":"
	"\"source\"}\n"
	"{\"type\":\"buffer\",\"id\":0,\"bytes\":4,\"flags\":0,\"parent\":-1,\"origin_bytes\":"
	"0,"
	"\"svm_address\":0}\n"
	"{\"type\":\"buffer\",\"id\":1,\"bytes\":4,\"flags\":0,\"parent\":-1,\"origin_bytes\":"
	"0,"
	"\"svm_address\":0}\n"
	"{\"type\":\"buffer\",\"id\":2,\"bytes\":4,\"flags\":0,\"parent\":-1,\"origin_bytes\":"
	"0,"
	"\"svm_address\":0}\n"
	"{\"type\":\"kernel\",\"id\":0,\"program\":0,\"device\":0,\"door\":\"text\","
	"\"reason\":null,"
	"\"table\":{\"name\":\"mm\",\"writes_unknown\":false,\"is_repeatable\":true,"
	"\"is_irreducible\":false,\"has_conditional_barrier\":false,\"item_words\":0,"
	"\"least_words\":0,\"lanes\":1,\"records\":\"affine\",\"refusal\":null,\"sites\":"
	"[" SITE("read", "0", "5", "10") "," SITE("read", "1", "5", "20") "," SITE("write", "2", "5", "3") "," SITE(
		"read", "0", "6",
		"10") "," SITE("read", "0", "6",
                               "20") "],\"loops\":[],"
				     "\"arguments\":[" ARGUMENT("a", "1") "," ARGUMENT("b", "1") "," ARGUMENT(
					     "c", "1") "," ARGUMENT("n",
                                                                    "0") "],\"unrecorded\":[]}}"
									 "\n" LAUNCH("0") FATE(
										 "0", "0",
										 "1") LAUNCH("1")
										 FATE("1", "0",
                                                                                      "2");

static struct recording *recording;

static int open_recording(void **state)
{
	struct err err = { 0 };
	int ret = recording_parse(&recording, "r", manifest, strlen(manifest), &err);

	assert_string_equal(err.msg, "");
	return ret;
}

static int close_recording(void **state)
{
	recording_close(recording);
	return 0;
}

#define PARAMETERS                                                                                 \
	".file 1 \"/x/mm.cu\"\n.entry _Z2mmPfS_S_m(.param .u64 A, .param .u64 B, .param .u64 C, "  \
	".param .u64 N)\n{\n.loc 1 2 0\n"                                                          \
	"ld.param.u64 %rd1, [A];\nld.param.u64 %rd2, [B];\nld.param.u64 %rd3, [N];\n"              \
	"cvta.to.global.u64 %rd4, %rd1;\ncvta.to.global.u64 %rd5, %rd2;\n"                         \
	"add.s64 %rd8, %rd4, %rd3;\nL:\nmad.wide.u32 %rd6, %r1, 4, %rd8;\n"                        \
	"selp.b64 %rd7, %rd5, %rd7, %p1;\n"

/* As nvcc writes it: the statement's column for all, b before a, twice. */
static const char nvcc[] = ".version 8.0\n.target sm_80\n.address_size 64\n" PARAMETERS
			   ".loc 1 5 3\nld.global.f32 %f1, [%rd7];\nld.global.f32 %f2, [%rd6];\n"
			   "ld.global.f32 %f3, [%rd7+4];\nld.global.f32 %f4, [%rd6+4];\n"
			   ".loc 1 6 3\nld.global.f32 %f5, [%rd6+8];\nld.global.f32 %f6, [%rd6];\n"
			   "bra L;\n}\n";
/* As clang writes it. */
static const char clang[] = ".version 8.0\n.target sm_80\n.address_size 64\n" PARAMETERS
			    ".loc 1 5 20\nld.global.f32 %f1, [%rd7];\n.loc 1 5 10\n"
			    "ld.global.f32 %f2, [%rd6];\nld.global.f32 %f3, [%rd6+4];\n"
			    ".loc 1 6 20\nld.global.f32 %f4, [%rd6+8];\n.loc 1 6 10\n"
			    "ld.global.f32 %f5, [%rd6];\n}\n";

/* The numbers of the registers that loads with .cg load to, as a text. */
static void find_changed(const char *text, char out[64])
{
	*out = '\0';
	for (const char *at = text; (at = strstr(at, "ld.global.cg.f32 %f")); at++)
		snprintf(out + strlen(out), 64 - strlen(out), "%s%c", *out ? " " : "",
		         at[strlen("ld.global.cg.f32 %f")]);
}

struct row {
	const char *ptx, *list;
	bool has_recording;
	const char *changed;
	size_t left;
	const char *note; /* a part of what is said; NULL: nothing */
};

static void check_row(const struct row *row)
{
	struct ptx_rewritten out =
		ptx_rewrite(row->ptx, row->list, row->has_recording ? recording : NULL, ".cg");
	char changed[64];

	assert_string_equal(out.refusal, "");
	find_changed(out.text, changed);
	assert_string_equal(changed, row->changed);
	assert_int_equal(out.left_rules, row->left);
	if (row->note)
		assert_non_null(strstr(out.notes, row->note));
	else
		assert_string_equal(out.notes, "");
	ptx_rewritten_release(&out);
}

#define FILE_OF(rules) "warpline bypass 1\nkernel mm\n" rules "\n"

static void sites_are_found_by_the_parameter_or_the_column(void **state)
{
	static const struct row rows[] = {
		{ nvcc, "site:0", true, "2 4", 0, NULL },
		{ nvcc, "site:1", true, "1 3", 0, NULL },
		{ nvcc, "site:0,site:1", true, "1 2 3 4", 0, NULL },
		{ nvcc, "site:3", true, "5", 0, "by their order" },
		{ nvcc, "site:4", true, "6", 0, "by their order" },
		{ nvcc, "site:3,site:4", true, "5 6", 0, NULL },
		{ nvcc, "site:2", true, "", 1, "not a read" },
		{ nvcc, "site:9", true, "", 1, "no such site" },
		{ clang, "site:0", true, "2 3", 0, NULL },
		{ clang, "site:1", true, "1", 0, NULL },
		{ clang, "site:3", true, "5", 0, NULL },
		{ clang, "site:4", true, "4", 0, NULL },
		{ nvcc, FILE_OF("site 1 at program-0000.cl:5:20 #2"), true, "1 3", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

static void lines_arguments_and_buffers_need_no_sites(void **state)
{
	static const struct row rows[] = {
		{ nvcc, "line:5", false, "1 2 3 4", 0, NULL },
		{ nvcc, "line:7", false, "", 1, "no load is of that line" },
		{ nvcc, "argument:a", true, "2 4 5 6", 0, NULL },
		{ nvcc, "argument:b", true, "1 3", 0, NULL },
		{ nvcc, "argument:c", true, "", 1, "no load's address" },
		{ nvcc, "argument:d", true, "", 1, "no such argument" },
		{ nvcc, "buffer:0", true, "2 4 5 6", 0, NULL },
		{ nvcc, "buffer:1", true, "", 1, "in 1 of 2 launches only" },
		{ nvcc, "buffer:7", true, "", 1, "no argument of" },
		{ nvcc, "all,argument:a", false, "1 2 3 4 5 6", 1, "only the recording" },
		{ nvcc, FILE_OF("all"), false, "1 2 3 4 5 6", 0, NULL },
		{ nvcc, "warpline bypass 1\nkernel m\nall\n", false, "", 1,
		  "no function of that name" },
		{ nvcc, "address:0x40,address:0x80,line:6", false, "5 6", 2,
		  "2 rules of addresses" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

static void without_the_recording_the_list_tells_the_place(void **state)
{
	static const struct row rows[] = {
		{ nvcc, FILE_OF("site 0 at mm.cu:5:10 #1"), false, "1", 0, "by their order" },
		{ nvcc, FILE_OF("site 1 at x/mm.cu:5:20 #2"), false, "2", 0, "by their order" },
		{ nvcc, FILE_OF("site 1 at mm.cu:5:20 #5"), false, "", 1, "has 4 loads" },
		{ nvcc, FILE_OF("site 1 at mm.cu:8:20 #1"), false, "", 1, "has 0 loads" },
		{ nvcc, FILE_OF("site 1 at nn.cu:5:20 #1"), false, "", 1, "has 0 loads" },
		{ nvcc, FILE_OF("site 1"), false, "", 1, "does not say where" },
		{ clang, FILE_OF("site 0 at mm.cu:5:10 #1"), false, "2 3", 0, NULL },
		{ clang, FILE_OF("site 1 at sources/program-0000.cl:5:20 #2"), false, "1", 0,
		  NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

static void a_number_of_loads_that_does_not_fit_the_sites_is_left(void **state)
{
	static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n" PARAMETERS
				   ".loc 1 6 3\nld.global.f32 %f5, [%rd6+8];\n}\n";
	static const struct row rows[] = {
		{ text, "site:3", true, "", 1, "cannot be told" },
		{ text, "site:3,site:4", true, "5", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

/* And one that is loaded from memory comes from none. */
static void a_pointer_from_several_parameters_is_of_none_of_them(void **state)
{
	static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n" PARAMETERS
				   "selp.b64 %rd9, %rd6, %rd7, %p2;\nld.global.f32 %f1, [%rd9];\n"
				   "ld.global.u64 %rd10, [%rd6];\nld.global.f32 %f2, [%rd10];\n"
				   "ld.global.f32 %f3, [%rd6];\nld.global.f32 %f4, [%rd7];\n}\n";
	static const struct row rows[] = {
		{ text, "argument:a", true, "3", 0, NULL },
		{ text, "argument:b", true, "4", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

static void loads_of_inlined_functions_are_of_the_innermost_line(void **state)
{
	static const char text[] =
		".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"mm.cu\"\n.file 2 "
		"\"h.cuh\"\n"
		".entry mm()\n{\n.loc 1 2 0\n.loc 1 5 3\n"
		".loc 1 9 3, function_name $L+4, inlined_at 1 5 3\nld.global.f32 %f1, [%rd1];\n"
		".loc 1 10 3, function_name $L+4, inlined_at 1 5 3\nld.global.f32 %f4, [%rd1];\n"
		".loc 1 5 3\n.loc 2 7 3, function_name $L, inlined_at 1 5 3\n"
		".loc 2 8 3, function_name $L, inlined_at 2 7 3\nld.global.f32 %f2, [%rd1];\n"
		".loc 1 6 1\nld.global.f32 %f3, [%rd1];\n}\n";
	static const struct row rows[] = {
		{ text, "line:9", false, "1", 0, NULL },
		{ text, "line:6", false, "3", 0, NULL },
		{ text, "line:5", false, "1 4", 0, NULL }, /* the nearest call */
		{ text, FILE_OF("site 1 at h.cuh:8:1 #1"), false, "2", 0, NULL },
		{ text, FILE_OF("site 1 at h.cuh:7:1 #1"), false, "2", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

/* A load of the line first, which needs no predicate, and then one that does. */
static void sites_and_warps_go_together(void **state)
{
	struct ptx_rewritten out = ptx_rewrite(nvcc, "line:5,warps:3", NULL, ".cg");
	char changed[64];

	assert_string_equal(out.refusal, "");
	find_changed(out.text, changed);
	assert_string_equal(changed, "1 2 3 4 5 6");
	assert_non_null(strstr(out.text, ".loc 1 2 0\n\t// warps from 3 on"));
	assert_non_null(strstr(out.text, "shr.u32 \t%warpline_id, %warpline_id, 5;"));
	assert_non_null(strstr(out.text, "%warpline_k;\nld.param.u64 %rd1, [A];"));
	assert_non_null(strstr(out.text, "\nld.global.cg.f32 %f1, [%rd7];\n"));
	assert_non_null(strstr(out.text, "\n@%warpline_k ld.global.f32 %f5, [%rd6+8];\n\t"
	                                 "@%warpline_p ld.global.cg.f32 %f5, [%rd6+8];\n"));
	ptx_rewritten_release(&out);
}

static void a_list_of_another_recording_is_refused(void **state)
{
	struct ptx_rewritten out =
		ptx_rewrite(nvcc, FILE_OF("site 0 at program-0000.cl:5:11 #1"), recording, ".cg");

	assert_null(out.text);
	assert_non_null(strstr(out.refusal, "the list is of another one"));
	ptx_rewritten_release(&out);
}

static void kernels_are_found_in_mangled_names(void **state)
{
	static const struct {
		const char *function, *kernel;
		bool is;
	} rows[] = {
		{ "mm", "mm", true },
		{ "mm", "m", false },
		{ "mmm", "mm", false },
		{ "_Z2mmPf", "mm", true },
		{ "_Z2mmPf", "_Z2mmPf", true },
		{ "_Z2mmIfEvPT_", "mm", true },
		{ "_Z3mmmPf", "mm", false },
		{ "_ZL2mmPf", "mm", true },
		{ "_ZN2ns2mmEPf", "mm", true },
		{ "_ZN2ns2mmEPf", "ns::mm", true },
		{ "_ZN2ns2mmEPf", "ns", false },
		{ "_ZN2ns2mmEPf", "x::mm", false },
		{ "_ZN1a1b2mmIiEEvPT_", "a::b::mm", true },
		{ "_ZN1a1b2mmIiEEvPT_", "b::mm", false },
		{ "_ZN2nsL2mmEPf", "mm", true },
		{ "_ZN2nsL2mmEPf", "ns", false },
		{ "_Z2mm3fooPf", "mm", true },
		{ "_Z2mm3fooPf", "foo", false },
		{ "_Z2mmN2ns3fooE", "mm", true },
		{ "_Z", "", false },
		{ "_Z99mm", "mm", false },
		{ "_Z99999999999999999999mm", "mm", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(ptx_name_is(rows[i].function, rows[i].kernel), rows[i].is);
}

static void files_are_the_same_when_the_end_of_their_paths_is(void **state)
{
	static const struct {
		const char *a, *b;
		bool are;
	} rows[] = {
		{ "k.cu", "k.cu", true },
		{ "/a/k.cu", "k.cu", true },
		{ "/a/k.cu", "a/k.cu", true },
		{ "/a/k.cu", "/a/k.cu", true },
		{ "/a/k.cu", "./k.cu", true },
		{ "/a/./k.cu", "/a/k.cu", true },
		{ "/b/a/./k.cu", "a//k.cu", true },
		{ "/a/k.cu", "/k.cu", false },
		{ "/a/k.cu", "b/k.cu", false },
		{ "/a/kk.cu", "k.cu", false },
		{ "/a/.k.cu", "k.cu", false },
		{ "/a/k.cu", "", false },
		{ "", "", false },
		{ "./", "/", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(ptx_file_is(rows[i].a, rows[i].b), rows[i].are);
		assert_int_equal(ptx_file_is(rows[i].b, rows[i].a), rows[i].are);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sites_are_found_by_the_parameter_or_the_column),
		cmocka_unit_test(lines_arguments_and_buffers_need_no_sites),
		cmocka_unit_test(without_the_recording_the_list_tells_the_place),
		cmocka_unit_test(a_number_of_loads_that_does_not_fit_the_sites_is_left),
		cmocka_unit_test(a_pointer_from_several_parameters_is_of_none_of_them),
		cmocka_unit_test(loads_of_inlined_functions_are_of_the_innermost_line),
		cmocka_unit_test(sites_and_warps_go_together),
		cmocka_unit_test(a_list_of_another_recording_is_refused),
		cmocka_unit_test(kernels_are_found_in_mangled_names),
		cmocka_unit_test(files_are_the_same_when_the_end_of_their_paths_is),
	};

	return cmocka_run_group_tests(tests, open_recording, close_recording);
}
