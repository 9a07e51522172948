/* SPDX-License-Identifier: Apache-2.0 */
#include "device_macros.h"

#include "cmocka_all.h"
#include "err.h"
#include "file.h"
#include "language_names.h"
#include "source_names.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/warpline-test-XXXXXX";

static struct device_macros *read_answers(const char *answers, const char *options)
{
	struct device_macros *m = NULL;
	struct err err = { 0 };

	assert_int_equal(file_write(path, answers, strlen(answers), &err), 0);
	if (device_macros_read(&m, path, options, &err) < 0)
		fail_msg("%s", err.msg);
	return m;
}

static void read_names(struct source_names *n, const char *text)
{
	source_names_init(n);
	assert_int_equal(source_names_read(n, text, strlen(text), NULL), 0);
}

/* What is written of one name: the last line that defines or undefines it; "" for none. */
static char *line_of(const char *lines, const char *name)
{
	static const char *const words[] = { "#undef ", "#define ", "#ifdef ", "#ifndef " };
	const char *found = "";

	for (const char *line = lines; *line; line += *line == '\n') {
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			const char *at = line + strlen(words[i]);
			size_t length = strlen(name);

			if (!strncmp(line, words[i], strlen(words[i])) &&
			    !strncmp(at, name, length) && strchr(" (\n", at[length]))
				found = line;
		}
		line += strcspn(line, "\n");
	}
	return str_format(NULL, "%.*s", (int)strcspn(found, "\n"), found);
}

static const struct {
	const char *answers, *options, *tested, *name, *line;
} macros[] = {
	/* What says what the compiler is, as the device has it. */
	{ "__OPENCL_C_VERSION__ 300\n", "", "", "__OPENCL_C_VERSION__",
	  "#define __OPENCL_C_VERSION__ 300" },
	{ "x 1\n", "", "", "__SPIR__", "#undef __SPIR__" },
	{ "x 1\n", "", "", "cl_khr_fp16", "#undef cl_khr_fp16" },
	{ "cl_khr_fp16 \n", "", "", "cl_khr_fp16", "#define cl_khr_fp16 " },
	/* Nobody's but the device's. */
	{ "x (1 + y)\n", "", "", "x", "#define x (1 + y)" },
	{ "x x\n", "", "", "x", "" },
	{ "x x\nx(1 [warpline_0]\n", "", "", "x", "#define x(warpline_0) [warpline_0]" },
	{ "x x\nx(2 warpline_1 + f(warpline_0)\n", "", "", "x",
	  "#define x(warpline_0, warpline_1) warpline_1 + f(warpline_0)" },
	{ "x x\nx(0 5\n", "", "", "x", "#define x() 5" },
	{ "x x\nx(2 x(warpline_0, warpline_1)\n", "", "", "x", "#define x x" },
	{ "x 5\nx(1 5(warpline_0)\n", "", "", "x", "#define x 5" },
	/* Asked again with arguments, the answers stand behind the first. */
	{ "x x\ny 1\nx x\nx(1 warpline_0\n", "", "", "x", "#define x(warpline_0) warpline_0" },
	/* An argument that becomes part of a string or of a name says nothing. */
	{ "x x\nx(1 \"warpline_0\"\n", "", "", "x", "" },
	{ "x x\nx(1 a_warpline_0\n", "", "", "x", "" },
	{ "x x\nx(1 warpline_0b\n", "", "", "x", "" },
	/* What stands for something of the language: by words that all have, or as ours. */
	{ "M_PI 3.5\n", "", "", "M_PI", "#define M_PI 3.5" },
	{ "INFINITY (__builtin_inff())\n", "", "", "INFINITY",
	  "#define INFINITY (__builtin_inff())" },
	{ "NAN _private_nan()\n", "", "", "NAN", "#define NAN _private_nan()" },
	{ "as_int as_int\n", "", "", "as_int", "#define as_int as_int" },
	{ "x 1\n", "", "", "as_int", "" },
	{ "x 1\n", "", "#ifdef as_int", "as_int", "#ifdef as_int" },
	{ "x 1\n", "", "as_int(x)", "as_int", "" },
	/* Functions that the device has under names of its own. */
	{ "min _cl_min\n", "", "", "min", "#define min min" },
	{ "min _cl_min\nmax _cl_min\n", "", "", "min", "#define min min" },
	{ "min _cl_max\nmax _cl_max\nx _cl_max\n", "", "", "x", "#define x _cl_max" },
	{ "max _cl_max\nx _cl_max(1)\n", "", "", "x", "#define x max(1)" },
	{ "min max\n", "", "", "min", "#define min max" },
	{ "min min\n", "", "", "min", "#define min min" },
	{ "x 1\n", "", "", "min", "" },
	{ "inline \n", "", "", "inline", "#define inline " },
	/* What the program defines itself; of that the answers were asked for with it. */
	{ "x 1\n", "-D__SPIR__", "", "__SPIR__", "" },
	{ "x 1\n", "-D __SPIR__=3", "", "__SPIR__", "" },
	{ "x 1\n", "-U__SPIR__", "", "__SPIR__", "" },
	{ "__SPIR__ 4\n", "-D__SPIR__=4", "", "__SPIR__", "#define __SPIR__ 4" },
	/* What a condition asks the compiler, as its answer. */
	{ "warpline__has_builtin_f=1\n", "", "", "warpline__has_builtin_f",
	  "#define warpline__has_builtin_f 1" },
	{ "warpline__has_builtin_f=1\n", "", "", "__has_builtin",
	  "#define __has_builtin(thing) warpline__has_builtin_##thing" },
	/* Never asked. */
	{ "__FILE__ \"x\"\n", "", "", "__FILE__", "" },
	{ "__COUNTER__ 7\n", "", "", "__COUNTER__", "" },
};

static void each_macro_becomes_what_it_is_to_the_device(void **state)
{
	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
		struct device_macros *m = read_answers(macros[i].answers, macros[i].options);
		struct source_names tested;
		struct str lines;
		char *line;

		read_names(&tested, macros[i].tested);
		str_init(&lines, 1 << 20);
		assert_int_equal(device_macros_write(m, &tested, false, &lines, NULL), 0);
		line = line_of(lines.text, macros[i].name);
		if (strcmp(line, macros[i].line) != 0)
			fail_msg("row %zu: '%s', expected '%s'", i, line, macros[i].line);
		free(line);
		str_release(&lines);
		source_names_release(&tested);
		device_macros_free(m);
	}
}

static void the_language_is_the_devices(void **state)
{
	static const struct {
		const char *answers, *standard, *features;
	} rows[] = {
		{ "x 1\n", NULL, "" },
		{ "__OPENCL_C_VERSION__ 100\n", "-cl-std=CL1.0", "" },
		{ "__OPENCL_C_VERSION__ 110\n", "-cl-std=CL1.1", "" },
		{ "__OPENCL_C_VERSION__ 120\n__opencl_c_images 1\n", "-cl-std=CL1.2", "" },
		{ "__OPENCL_C_VERSION__ 200\nwarpline_has_generic=1\n", "-cl-std=CL2.0", "" },
		{ "__OPENCL_C_VERSION__ 300\nwarpline_has_generic=0\n__opencl_c_images 1\n"
		  "__opencl_c_generic_address_space 1\n__opencl_c_nobody_knows 1\n",
		  "-cl-std=CL3.0", ",+__opencl_c_images" },
		{ "__OPENCL_C_VERSION__ 300\nwarpline_has_generic=1\n", "-cl-std=CL3.0",
		  ",+__opencl_c_generic_address_space" },
		{ "__OPENCL_C_VERSION__ 0x12c\n", "-cl-std=CL3.0", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct device_macros *m = read_answers(rows[i].answers, "");
		const char *standard = device_macros_standard(m);
		struct str features;

		str_init(&features, 1 << 12);
		assert_int_equal(device_macros_features(m, &features, NULL), 0);
		assert_int_equal(!standard, !rows[i].standard);
		if (standard)
			assert_string_equal(standard, rows[i].standard);
		assert_string_equal(features.text ? features.text : "", rows[i].features);
		str_release(&features);
		device_macros_free(m);
	}
}

/* A device of 2.0 without generic pointers: the language of 3.0 with all that 2.0 has but what
 * needs them. */
static void generic_pointers_are_left_out_of_the_language_that_has_them_always(void **state)
{
	struct device_macros *m =
		read_answers("__OPENCL_C_VERSION__ 200\nwarpline_has_generic=0\n", "");
	struct str features;

	str_init(&features, 1 << 12);
	assert_string_equal(device_macros_standard(m), "-cl-std=CL3.0");
	assert_false(device_macros_has_generic(m));
	assert_int_equal(device_macros_features(m, &features, NULL), 0);
	assert_non_null(strstr(features.text, ",+__opencl_c_read_write_images"));
	assert_null(strstr(features.text, "generic"));
	assert_null(strstr(features.text, "device_enqueue"));
	str_release(&features);
	device_macros_free(m);
}

static void only_what_is_not_known_is_asked(void **state)
{
	static const struct {
		const char *answers, *text, *names;
	} rows[] = {
		{ "y 1\n", "x y f(1, 2) min CLK_R __SPIR__ __LINE__ __FILE__ __has_builtin kernel",
		  "x\nf(2\n" },
		{ "x x\n", "x", "" },
		{ "x x\n", "x(1)", "x(1\n" },
		{ "x x\nx(1 \"warpline_0\"\n", "x(1)", "" },
		{ "y 1\n", "warpline_x", "" },
		{ "y 1\n", "#if __has_builtin ( f )",
		  "warpline__has_builtin_f=__has_builtin(f)\nf\n" },
		{ "warpline__has_builtin_f=0\n", "#if __has_builtin(f)", "f\n" },
		{ "y 1\n", "#if __has_include(f)", "f\n" },
		{ "y 1\n", "#if __has_builtin(1)", "" },
		{ "y 1\n", "#if __has_builtins(f)", "__has_builtins(1\nf\n" },
		{ "y 1\n", "another___has_builtin_f", "another___has_builtin_f\n" },
		/* Limits of types: not without need. */
		{ "y 1\n", "__INT_FAST8_MAX__", "__INT_FAST8_MAX__\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct device_macros *m = read_answers(rows[i].answers, "");
		struct source_names names;
		struct str asked;

		read_names(&names, rows[i].text);
		str_init(&asked, 1 << 12);
		assert_true(device_macros_are_known(m));
		assert_int_equal(device_macros_ask(m, &names, &asked, NULL), 0);
		assert_string_equal(asked.text ? asked.text : "", rows[i].names);
		str_release(&asked);
		source_names_release(&names);
		device_macros_free(m);
	}
}

static void at_first_the_names_of_the_language_are_asked(void **state)
{
	static const char *const names[] = { "\n__OPENCL_C_VERSION__\n",
		                             "\ncl_khr_fp64\n",
		                             "\nmin\n",
		                             "\nCLK_R\n",
		                             "\ninline\n",
		                             "\n__SPIR__\n",
		                             "warpline_has_generic=_Generic" };
	struct device_macros *m = read_answers("", "");
	struct source_names none;
	struct str asked;

	source_names_init(&none);
	str_init(&asked, 1 << 20);
	assert_false(device_macros_are_known(m));
	assert_int_equal(device_macros_ask(m, &none, &asked, NULL), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_non_null(strstr(asked.text, names[i]));
	str_release(&asked);
	source_names_release(&none);
	device_macros_free(m);
}

static void what_may_mean_something_else_is_refused_by_name(void **state)
{
	static const struct {
		const char *answers, *text, *reason; /* NULL: it is not */
	} rows[] = {
		{ "x 1\n", "a x __FILE__", NULL },
		{ "x 1\n", "#if __has_builtin(f)", NULL }, /* it is asked first */
		{ "x 1\n", "__has_builtin(f)", "the source uses __has_builtin, whose" },
		{ "x 1\n", "#define H(f) __has_builtin(f)",
		  "the source uses __has_builtin, whose" },
		{ "x 1\n", "#ifdef __has_builtin", "the source uses __has_builtin, whose" },
		{ "x 1\n", "#if __has_builtin(f, g)", "the source uses __has_builtin, whose" },
		{ "x 1\n", "#if __has_include(f)", "the source uses __has_include, whose" },
		{ "x x\n", "x", "the source uses x, a macro of" },
		{ "x x\n", "x(1)", NULL }, /* it is asked first */
		{ "x x\nx(1 \"warpline_0\"\n", "x(1)", "the source uses x, a macro of" },
		{ "as_int as_int\n", "as_int(1)", NULL },
		{ "min _cl_min\n", "warpline_renamed_min_", NULL },
		{ "x 1\n", "warpline_renamed_native_sin_", NULL },
		{ "min _cl_min\n", "warpline_renamed_min_4",
		  "the source makes an identifier from min," },
		{ "min _cl_min\n", "my_warpline_renamed_min_",
		  "the source makes an identifier from min," },
		{ "min _cl_min\n", "\"warpline_renamed_min_ x\"",
		  "the source makes a string from min," },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct device_macros *m = read_answers(rows[i].answers, "");
		struct source_names names;
		struct err err = { 0 };

		source_names_init(&names);
		names.watched = DEVICE_MACROS_MARK;
		assert_int_equal(
			source_names_read(&names, rows[i].text, strlen(rows[i].text), NULL), 0);
		assert_int_equal(device_macros_check(m, &names, &err),
		                 rows[i].reason ? ERR_UNSUPPORTED : 0);
		if (rows[i].reason)
			assert_memory_equal(err.msg, rows[i].reason, strlen(rows[i].reason));
		source_names_release(&names);
		device_macros_free(m);
	}
}

static void a_file_of_something_else_is_refused(void **state)
{
	static const char *const files[] = {
		"x 1", "x 1\ny", "x\n", " x\n", "1 x\n", "x;\n", "\n"
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct device_macros *m = NULL;
		struct err err = { 0 };

		assert_int_equal(file_write(path, files[i], strlen(files[i]), NULL), 0);
		assert_int_equal(device_macros_read(&m, path, "", &err), ERR_FORMAT);
		assert_null(m);
	}
}

/* The list of names is in order, and has each once. */
static void the_names_of_the_language_can_be_looked_up(void **state)
{
	assert_true(language_name_count > 1500);
	for (size_t i = 1; i < language_name_count; i++)
		assert_true(strcmp(language_names[i - 1].name, language_names[i].name) < 0);
	assert_int_equal(language_names_find("min")->kind, LANGUAGE_FUNCTION);
	assert_int_equal(language_names_find("M_PI")->kind, LANGUAGE_VALUE);
	assert_int_equal(language_names_find("cl_khr_fp64")->kind, LANGUAGE_EXACT);
	assert_int_equal(language_names_find("inline")->kind, LANGUAGE_WORD);
	assert_null(language_names_find("mine"));
}

static int make_file(void **state)
{
	int fd = mkstemp(path);

	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_macro_becomes_what_it_is_to_the_device),
		cmocka_unit_test(the_language_is_the_devices),
		cmocka_unit_test(
			generic_pointers_are_left_out_of_the_language_that_has_them_always),
		cmocka_unit_test(only_what_is_not_known_is_asked),
		cmocka_unit_test(at_first_the_names_of_the_language_are_asked),
		cmocka_unit_test(what_may_mean_something_else_is_refused_by_name),
		cmocka_unit_test(a_file_of_something_else_is_refused),
		cmocka_unit_test(the_names_of_the_language_can_be_looked_up),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
