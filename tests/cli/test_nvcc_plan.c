/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "nvcc_line.h"
#include "nvcc_plan.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The commands of a line of nvcc, a line each; or the sentence of its error. On the heap. */
static char *commands_of(const char *text)
{
	struct nvcc_places places = { .headers = (char[]){ "/H" },
		                      .libraries = (char[]){ "/L" },
		                      .temporary = (char[]){ "/T" } };
	struct nvcc_plan plan = { .steps = { .count = 0 } };
	struct err err = { 0 };
	struct nvcc_line line;
	struct word_list words;
	struct str out;
	int ret;

	word_list_init(&words);
	str_init(&out, 1 << 20);
	assert_int_equal(word_list_add_pieces(&words, text, " ", &err), 0);
	ret = nvcc_line_read(&line, (const char *const *)word_list_argv(&words, &err),
	                     word_list_count(&words), &err);
	if (!ret)
		ret = nvcc_plan_make(&plan, &line, &places, &err);
	for (size_t i = 0; i < plan.steps.count && !ret; i++) {
		assert_int_equal(
			word_list_print((struct word_list *)plan.steps.data + i, &out, &err), 0);
		assert_int_equal(str_append(&out, " \n", 2, &err), 0);
	}
	if (ret)
		assert_int_equal(str_printf(&out, &err, "%s", err.msg), 0);
	nvcc_plan_release(&plan);
	nvcc_line_release(&line);
	word_list_release(&words);
	return str_take(&out);
}

/* Line number `step` of a text, on the heap. */
static char *step_of(const char *commands, int step)
{
	while (step-- && (commands = strchr(commands, '\n')))
		commands++;
	assert_non_null(commands);
	return str_format(NULL, " %.*s", (int)strcspn(commands, "\n"), commands);
}

/* `words` stand in the command of that step, or do not when they begin with '!'. */
static void check(const char *line, int step, const char *words)
{
	char *commands = commands_of(line), *text = step_of(commands, step);
	bool is_absent = *words == '!';
	char *wanted = str_format(NULL, " %s ", words + is_absent);

	if ((strstr(text, wanted) != NULL) == is_absent)
		fail_msg("%s: step %d is%s, expected %s", line, step, text, words);
	free(wanted);
	free(text);
	free(commands);
}

/* A program of one CUDA source is three commands: device, host, link. */
static const struct {
	const char *line;
	int step;
	const char *words;
} translations[] = {
	{ "a.cu", 0, NVCC_CLANG " -x cuda" },
	{ "a.cu", 0, "--cuda-device-only" },
	{ "a.cu", 0, "--cuda-gpu-arch=sm_80 -D__CUDA_ARCH_LIST__=800" },
	{ "a.cu", 1, "--cuda-gpu-arch=sm_80" },
	{ "a.cu", 0, "-c a.cu -o /T/0.bc" },
	{ "a.cu", 0, "-isystem/H --cuda-path=/nonexistent -nocudainc" },
	{ "a.cu", 0, "-std=gnu++17" },
	{ "a.cu", 1, "--cuda-host-only" },
	{ "a.cu", 1, "-fcuda-include-gpubinary -Xclang /T/0.bc" },
	{ "a.cu", 1, "-c a.cu -o /T/0-a.o" },
	{ "a.cu", 2, NVCC_CLANG_CXX " -o a.out /T/0-a.o /L/libcudart.so.12" },
	{ "-c dir/a.b.cu", 1, "-c dir/a.b.cu -o a.b.o" },
	{ "-c dir/a.cu -odir out", 1, "-o out/a.o" },
	{ "-dc a.cu -o x.o", 1, "-o x.o" },
	{ "-rdc=true -c a.cu -ox.o", 1, "-o x.o" },
	{ "-std=c++11 -DN=3 -D M -Idir -I other a.cu", 0, "-std=c++11 -DN=3 -DM -Idir -Iother" },
	{ "-std c++14 a.cu", 1, "-std=c++14" },
	{ "-arch=sm_70 a.cu", 0, "--cuda-gpu-arch=sm_70" },
	{ "-arch sm_88 a.cu", 0, "--cuda-gpu-arch=sm_87" },
	{ "--gpu-architecture=compute_61 a.cu", 0, "--cuda-gpu-arch=sm_61" },
	{ "-gencode arch=compute_60,code=sm_60 -gencode=arch=compute_75,code=sm_75 a.cu", 0,
	  "--cuda-gpu-arch=sm_75" },
	{ "-arch sm_90a a.cu", 0, "--cuda-gpu-arch=sm_90" },
	{ "-arch sm_120 a.cu", 0, "--cuda-gpu-arch=sm_90" },
	{ "-arch=sm_20 a.cu", 0, "--cuda-gpu-arch=sm_35" },
	{ "-arch=native a.cu", 0, "--cuda-gpu-arch=sm_80" },
	/* The macros of nvcc's manual, "NVCC Identification Macro"; what they say of the compiler
	 * itself our headers define. */
	{ "-G a.cu", 0, "-D__CUDACC_DEBUG__" },
	{ "-G a.cu", 1, "-D__CUDACC_DEBUG__" },
	{ "a.cu", 0, "!-D__CUDACC_DEBUG__" },
	{ "-rdc=true a.cu", 0, "-D__CUDACC_RDC__" },
	{ "-rdc=false a.cu", 0, "!-D__CUDACC_RDC__" },
	{ "-dc a.cu", 0, "-D__CUDACC_RDC__" },
	{ "-dc a.cu", 1, "-D__CUDACC_RDC__" },
	{ "-c a.cu", 1, "!-D__CUDACC_RDC__" },
	{ "-ewp a.cu", 0, "-D__CUDACC_EWP__" },
	{ "--expt-relaxed-constexpr a.cu", 1, "-D__CUDACC_RELAXED_CONSTEXPR__" },
	{ "--extended-lambda a.cu", 0, "-D__CUDACC_EXTENDED_LAMBDA__" },
	{ "--expt-extended-lambda a.cu", 1, "-D__CUDACC_EXTENDED_LAMBDA__" },
	{ "--default-stream per-thread a.cu", 1, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM" },
	{ "--default-stream=legacy a.cu", 1, "!-DCUDA_API_PER_THREAD_DEFAULT_STREAM" },
	{ "-arch=sm_70 a.cu", 1, "-D__CUDA_ARCH_LIST__=700" },
	{ "a.cu", 0, "-D__CUDA_ARCH_LIST__=800" },
	{ "-O3 -G -lineinfo a.cu", 0, "!-O3" },
	{ "-O3 -G -lineinfo a.cu", 1, "-O3" },
	{ "--use_fast_math a.cu", 0, "-fgpu-approx-transcendentals" },
	{ "--use_fast_math a.cu", 1, "!-fgpu-approx-transcendentals" },
	{ "-Xcompiler -Wall,-fPIC -Xcompiler=-fopenmp a.cu", 1, "-Wall -fPIC -fopenmp" },
	{ "-Xcompiler -fopenmp a.cu", 0, "!-fopenmp" },
	{ "-Xcompiler -fopenmp a.cu", 2, "-fopenmp" },
	{ "-Xptxas -v,-O3 -maxrregcount 32 -Xcudafe --x a.cu", 0, "!-v" },
	{ "-Xlinker -z,now -shared -o l.so a.cu", 2, "-o l.so -Xlinker -z -Xlinker now -shared" },
	{ "a.cu -Lx -lm -lcudart -lcudadevrt -lcuda", 2,
	  "-Lx /T/0-a.o -lm /L/libcuda.so.1 /L/libcudart.so.12" },
	{ "-cudart none a.o", 0, NVCC_CLANG_CXX " -o a.out a.o" },
	{ "-cudart none a.o", 0, "!/L/libcudart.so.12" },
	{ "-cudart static a.o b.a", 0, "a.o b.a /L/libcudart.so.12" },
	{ "-ccbin g++-12 a.o", 0, "g++-12 -o a.out" },
	{ "-ccbin g++-12 a.cu", 1, NVCC_CLANG " -x cuda" },
	{ "-c a.cpp", 0, NVCC_CLANG " -x c++ -D__NVCC__ -std=gnu++17 -isystem/H -c a.cpp -o a.o" },
	{ "-c -std=c++17 a.c", 0, NVCC_CLANG " -x c -D__NVCC__ -isystem/H -c a.c -o a.o" },
	{ "-x cu -c a.cpp", 0, "-x cuda" },
	{ "-MD -MF a.d -c a.cu", 1, "-MD -MFa.d" },
	{ "-MD -MF a.d -c a.cu", 0, "!-MD" },
	{ "-M a.cu", 0, "--cuda-host-only -M a.cu" },
	{ "-E a.cu -o a.ii", 0, "-E a.cu -o a.ii" },
	{ "-dlink a.o b.o -o d.o", 0, NVCC_CLANG " -x c -c /dev/null -o d.o" },
	{ "-lib a.o b.o -o l.a", 0, "ar rcs l.a a.o b.o" },
	{ "--forward-unknown-to-host-compiler -fPIC -c a.cu", 1, "-fPIC" },
};

static void options_become_those_of_clang(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(translations) / sizeof(translations[0]); i++)
		check(translations[i].line, translations[i].step, translations[i].words);
}

static void what_cannot_be_is_said(void **state)
{
	static const struct {
		const char *line, *want;
	} rows[] = {
		{ "", "expected a source file, an object or a library" },
		{ "-o", "-o: expected a value" },
		{ "-fPIC a.cu", "unknown option '-fPIC'; options of the host compiler go after "
		                "-Xcompiler" },
		{ "--dry-run a.cu", "unknown option '--dry-run'; is --dryrun meant?" },
		{ "-c a.cu b.cu -o x.o", "-o x.o: one name for the objects of 2 sources" },
		{ "-c a.o", "a.o: -c expected a source file" },
		{ "-m32 a.cu", "-m32: 32-bit programs are not recorded" },
		{ "a.ptx",
		  "a.ptx: expected sources, objects or libraries; device code alone is not "
		  "compiled into a program" },
		{ "--shared=yes a.cu", "--shared: takes no value" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *got = commands_of(rows[i].line);

		assert_string_equal(got ? got : "", rows[i].want);
		free(got);
	}
}

/* Every option of the table is taken, with a value where it has one. */
static void every_option_is_taken_or_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *name, *form, *meaning;
	} rows[] = {
#define NVCC_OPTION(name, letter, form, meaning, text) { name, #form, #meaning },
#include "nvcc_options.def"
#undef NVCC_OPTION
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool has_value = strcmp(rows[i].form, "NONE") != 0;
		struct nvcc_line line;
		struct err err = { 0 };
		char *option = str_format(&err, "--%s%s", rows[i].name,
		                          !has_value                         ? ""
		                          : !strcmp(rows[i].name, "machine") ? "=64"
		                                                             : "=1");
		const char *argv[] = { option };
		int ret;

		if (!strcmp(rows[i].meaning, "OPTIONS_FILE")) {
			free(option);
			continue;
		}
		ret = nvcc_line_read(&line, argv, 1, &err);
		assert_int_equal(ret, strcmp(rows[i].meaning, "REFUSE") ? 0 : ERR_USAGE);
		nvcc_line_release(&line);
		free(option);
	}
}

static void architectures_are_read_and_rounded_to_those_of_clang(void **state)
{
	(void)state;
	assert_int_equal(nvcc_arch_parse("sm_52"), 52);
	assert_int_equal(nvcc_arch_parse("arch=compute_60,code=[sm_61,compute_70]"), 70);
	assert_int_equal(nvcc_arch_parse("sm_90a"), 90);
	assert_int_equal(nvcc_arch_parse("all-major"), 0);
	assert_int_equal(nvcc_arch_parse("s"), 0);
	assert_int_equal(nvcc_arch_parse("sm_99999999999999999999"), 0);
	assert_int_equal(nvcc_arch_for_clang(0), NVCC_ARCH_DEFAULT);
	assert_int_equal(nvcc_arch_for_clang(1), 35);
	assert_int_equal(nvcc_arch_for_clang(73), 72);
	assert_int_equal(nvcc_arch_for_clang(90), 90);
	assert_int_equal(nvcc_arch_for_clang(120), 90);
}

static void options_files_are_read_where_they_stand(void **state)
{
	char file[] = "/tmp/nvcc-options-XXXXXX", *commands, *line;
	FILE *out = fdopen(mkstemp(file), "w");

	(void)state;
	assert_non_null(out);
	fputs("-DA=\"x y\" '-DB'\n -Idir\n", out);
	fclose(out);
	line = str_format(NULL, "-c @%s a.cu", file);
	commands = commands_of(line);
	assert_non_null(strstr(commands, " '-DA=x y' -DB -Idir "));
	free(commands);
	free(line);

	/* A file that reads itself comes to an end. */
	out = fopen(file, "w");
	assert_non_null(out);
	fprintf(out, "-optf %s", file);
	fclose(out);
	line = str_format(NULL, "-optf %s", file);
	commands = commands_of(line);
	assert_non_null(strstr(commands, "options files are nested more than 8 deep"));
	free(commands);
	free(line);
	unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_become_those_of_clang),
		cmocka_unit_test(what_cannot_be_is_said),
		cmocka_unit_test(every_option_is_taken_or_refused_with_a_sentence),
		cmocka_unit_test(architectures_are_read_and_rounded_to_those_of_clang),
		cmocka_unit_test(options_files_are_read_where_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
