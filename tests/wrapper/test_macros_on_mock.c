/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a device is asked for its macros, on a driver and with an instrumenter of our own: what the
 * instrumenter is told, what it wants to know, and what the device has.
 */
#include "cmocka_all.h"
#include "err.h"
#include "file.h"
#include "kernel_table.h"
#include "mock_driver.h"
#include "opencl_session.h"
#include "recording.h"
#include "script_file.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ITEMS 32
#define MOST  64

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[64];

/* What the driver has, and what it was asked. */
static struct {
	const char *macro, *value; /* the device's only one beside `lang` */
	bool is_broken;            /* its answers have no end */
	cl_program found[MOST];    /* programs that have the kernel which says so */
	size_t found_count, questions;
	cl_program question; /* the last */
	char options[128];   /* it was asked with */
	char answer[512];
	bool is_asked;
} device;

/* Whether the names of a text, "#ifdef NAME", have a macro of the device's. */
static bool has_macro(const char *text, const char *macro)
{
	char line[128];

	snprintf(line, sizeof(line), "#ifdef %s\n", macro);
	return macro && strstr(text, line);
}

static cl_program CL_API_CALL create(cl_context c, cl_uint n, const char **s, const size_t *l,
                                     cl_int *rc)
{
	cl_program p = mock_driver()->clCreateProgramWithSource(c, n, s, l, rc);
	bool is_question = strstr(s[0], "warpline_answers");
	bool has_lang = has_macro(s[0], "lang"), has_other = has_macro(s[0], device.macro);
	bool is_shown = strstr(s[0], "\n#define warpline_found\n#ifdef warpline_found\n");

	if (p && device.found_count < MOST &&
	    (has_other || is_shown ||
	     (is_question && !strncmp(s[0], "#define warpline_found", 22))))
		device.found[device.found_count++] = p;
	if (is_question) {
		device.questions++;
		device.question = p;
		snprintf(device.answer, sizeof(device.answer), "%s%s%s%s%s%s",
		         has_lang ? "lang 1\n" : "", has_other ? device.macro : "",
		         has_other ? " " : "", has_other ? device.value : "", has_other ? "\n" : "",
		         device.is_broken ? "" : "warpline end\n1");
	}
	return p;
}

static cl_int CL_API_CALL build(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                                void(CL_CALLBACK *f)(cl_program, void *), void *u)
{
	if (o && p == device.question)
		snprintf(device.options, sizeof(device.options), "%s", o);
	return mock_driver()->clBuildProgram(p, n, d, o, f, u);
}

static cl_int CL_API_CALL info(cl_program p, cl_program_info name, size_t size, void *value,
                               size_t *bytes)
{
	static const char kernels[] = "update;other;warpline_macros";

	for (size_t i = 0; name == CL_PROGRAM_KERNEL_NAMES && i < device.found_count; i++) {
		if (device.found[i] != p)
			continue;
		if (bytes)
			*bytes = sizeof(kernels);
		if (value)
			memcpy(value, kernels, sizeof(kernels));
		return CL_SUCCESS;
	}
	return mock_driver()->clGetProgramInfo(p, name, size, value, bytes);
}

static cl_kernel CL_API_CALL make_kernel(cl_program p, const char *name, cl_int *rc)
{
	device.is_asked = !strcmp(name, "warpline_macros");
	return mock_driver()->clCreateKernel(p, name, rc);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
static cl_int CL_API_CALL read_buffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n,
                                      void *p, cl_uint c, const cl_event *w, cl_event *e)
{
	cl_int rc = mock_driver()->clEnqueueReadBuffer(q, m, b, o, n, p, c, w, e);

	if (rc == CL_SUCCESS && device.is_asked)
		memcpy(p, device.answer, sizeof(device.answer));
	device.is_asked = false;
	return rc;
}

static const struct opencl_real *driver(void)
{
	static struct opencl_real mine;

	mine = *mock_driver();
	mine.clCreateProgramWithSource = create;
	mine.clBuildProgram = build;
	mine.clGetProgramInfo = info;
	mine.clCreateKernel = make_kernel;
	mine.clEnqueueReadBuffer = read_buffer;
	return &mine;
}

static void write_table(void)
{
	struct site site = { SITE_READ, 4, 1, -1, 0, { 0 }, NULL, 0, NULL, NULL };
	char update[] = "update", pointer[] = "a", type[] = "int*", path[128];
	struct kernel_argument argument = { pointer, type, 1, true };
	struct kernel_table table = { .name = update,
		                      .sites = &site,
		                      .site_count = 1,
		                      .arguments = &argument,
		                      .argument_count = 1,
		                      .lanes = 1,
		                      .is_repeatable = true };
	struct err err = { 0 };

	snprintf(path, sizeof(path), "%s/table", work_dir);
	if (kernel_tables_write(path, &table, 1, &err) < 0)
		fail_msg("%s", err.msg);
}

/*
 * Told nothing it asks for the language; then for each of the words in `wanted` that it was not
 * told about. Without one that begins with a + it makes no code. It notes what it was told, in one
 * line.
 */
static void write_instrumenter(void)
{
	char text[1024];

	snprintf(instrumenter, sizeof(instrumenter), "%s/instrument", work_dir);
	snprintf(text, sizeof(text),
	         "while [ $# -gt 1 ]; do case $1 in --output) out=$2;; --table) table=$2;;\n"
	         "--headers) headers=$2;; --names) names=$2;; --macros) macros=$2;; esac; shift 2; "
	         "done\n"
	         "cd %s; { tr '\\n' ',' <$macros; echo; } >>told\n"
	         ": >$headers; echo '// options:' >$out; cp table $table\n"
	         "if [ ! -s $macros ]; then printf 'lang\\nexpression=1\\n' >$names; exit; fi\n"
	         "for w in $(cat wanted); do n=${w#+}; grep -q \"^$n \" $macros && continue\n"
	         "case $n in *=*) grep -q \"^${n%%%%=*}=\" $macros && continue;; esac\n"
	         "echo $n; [ $n = $w ] || lacks=$n; done >$names\n"
	         "[ -z \"$lacks\" ] || { echo \"$lacks is no type\" >&2; exit 1; }",
	         work_dir);
	script_file_write(instrumenter, text);
}

static void write_file(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", work_dir, name);
	unlink(path);
	if (text)
		assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static void application(const char *options)
{
	const struct opencl_real *real = opencl_real();
	const size_t global = ITEMS, local = ITEMS;
	const char *text = "the application's";
	cl_device_id none = NULL;
	cl_int rc;
	cl_context context = hook_clCreateContext(NULL, 1, &none, NULL, NULL, &rc);
	cl_command_queue queue = real->clCreateCommandQueue(context, NULL, 0, &rc);
	cl_program program = hook_clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	cl_mem mem = hook_clCreateBuffer(context, 0, ITEMS * sizeof(int), NULL, &rc);
	cl_kernel kernel;

	assert_int_equal(hook_clBuildProgram(program, 0, NULL, options, NULL, NULL), 0);
	kernel = hook_clCreateKernel(program, "update", &rc);
	assert_int_equal(hook_clSetKernelArg(kernel, 0, sizeof(mem), &mem), 0);
	assert_int_equal(
		hook_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
		0);
	assert_int_equal(real->clFinish(queue), 0);
	hook_clReleaseKernel(kernel);
	hook_clReleaseProgram(program);
	hook_clReleaseMemObject(mem);
	real->clReleaseCommandQueue(queue);
	hook_clReleaseContext(context);
}

struct scene {
	const char *options, *wanted; /* what the program is built with; what it names */
	const char *macro, *value;    /* what the device has of that */
	bool is_broken;
	const char *told; /* what the instrumenter was told, each time */
	size_t questions;
	const char *asked_with; /* options of the last question */
	const char *reason;     /* why it runs unmodified; NULL: it does not */
};

static void play(const struct scene *scene, size_t number)
{
	struct recording *recording = NULL;
	struct err err = { 0 };
	struct session *s;
	struct str told;
	char dir[128];

	memset(&device, 0, sizeof(device));
	device.macro = scene->macro;
	device.value = scene->value;
	device.is_broken = scene->is_broken;
	write_file("wanted", scene->wanted);
	write_file("told", NULL);
	snprintf(dir, sizeof(dir), "%s/%zu", work_dir, number);
	mock_driver_reset();
	mock_driver_set_lanes(1);
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(driver());
	s = session_create(&opencl_part, dir, instrumenter, 1 << 20);
	assert_non_null(s);
	application(scene->options);
	session_end();
	session_free(s);
	assert_int_equal(mock_driver_alive(), 0);
	assert_int_equal(mock_driver_misuses(), 0);

	str_init(&told, 1 << 16);
	snprintf(dir, sizeof(dir), "%s/told", work_dir);
	(void)file_read(dir, &told, NULL);
	snprintf(dir, sizeof(dir), "%s/%zu", work_dir, number);
	if (recording_open(&recording, dir, &err) < 0)
		fail_msg("%s", err.msg);
	print_message("scene %zu: told %s", number, told.text ? told.text : "nothing\n");
	if (scene->reason)
		assert_string_equal(recording->kernels[0].reason, scene->reason);
	else
		assert_string_equal(recording->kernels[0].door, "text");
	assert_string_equal(told.text ? told.text : "", scene->told);
	assert_int_equal(device.questions, scene->questions);
	if (scene->asked_with)
		assert_string_equal(device.options, scene->asked_with);
	recording_close(recording);
	str_release(&told);
}

#define NOT_KNOWN "the macros of the device's compiler are not known: "

static void the_instrumenter_is_told_what_the_device_has(void **state)
{
	static const struct scene scenes[] = {
		/* The language, once; then the names show with the code that there is nothing. */
		{ "", "a b", NULL, NULL, false, "\nlang 1,expression=1,\n", 1, "-w", NULL },
		{ "", "", NULL, NULL, false, "\nlang 1,expression=1,\n", 1, "-w", NULL },
		/* A name that is a macro after all: it is asked for, and all is made once more. */
		{ "", "a b", "b", "(5)", false,
		  "\nlang 1,expression=1,\nlang 1,expression=1,b (5),\n", 2, "-w", NULL },
		/* The same of one without which the text is no program, and none that is not there.
		 */
		{ "", "a +b", "b", "(5)", false,
		  "\nlang 1,expression=1,\nlang 1,expression=1,b (5),\n", 2, "-w", NULL },
		{ "", "a +b", NULL, NULL, false, "\nlang 1,expression=1,\n", 2, "-w",
		  "b is no type" },
		/* The value of an expression is always asked for. */
		{ "", "a q=e", NULL, NULL, false,
		  "\nlang 1,expression=1,\nlang 1,expression=1,q=1,\n", 2, "-w", NULL },
		/* Asked with the options that macros hang on; with what the program defines only if
		 * the device has a macro of that name. */
		{ "-DA=1 -I x -cl-std=CL2.0 -D B -Iy -cl-mad-enable -Werror -g", "", NULL, NULL,
		  false, "\nlang 1,expression=1,\n", 1, "-w -cl-std=CL2.0 -cl-mad-enable", NULL },
		{ "-Dlang=2 -DA", "", NULL, NULL, false, "\n\nlang 1,expression=1,\n", 2,
		  "-w -Dlang=2", NULL },
		{ "-D lang -DA", "", NULL, NULL, false, "\n\nlang 1,expression=1,\n", 2,
		  "-w -D lang", NULL },
		{ "", "a", NULL, NULL, true, "\n", 1, "-w",
		  NOT_KNOWN "the device's answer has no end" },
		{ "-DA='x", "", NULL, NULL, false, "", 0, NULL,
		  "options have a ' that is not closed: '-DA='x'" },
		{ "'-Dlang=a b'", "", NULL, NULL, false, "\n", 1, "-w",
		  NOT_KNOWN
		  "the device cannot be asked for its macros with the build option '-Dlang=a b'" },
	};

	setenv("WARPLINE_CACHE", "off", 1);
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		play(&scenes[i], i);
}

static void answers_are_kept_for_the_next_process(void **state)
{
	static const struct scene scenes[] = {
		{ "", "a", NULL, NULL, false, "\nlang 1,expression=1,\n", 1, "-w", NULL },
		/* What is made is kept, too: the instrumenter is told nothing. */
		{ "", "a", NULL, NULL, false, "", 0, NULL, NULL },
		{ "-cl-mad-enable", "a", NULL, NULL, false, "\nlang 1,expression=1,\n", 1,
		  "-w -cl-mad-enable", NULL },
		{ "-cl-mad-enable -DX", "a", NULL, NULL, false, "lang 1,expression=1,\n", 0, NULL,
		  NULL },
	};
	char cache[128];

	snprintf(cache, sizeof(cache), "%s/cache", work_dir);
	setenv("WARPLINE_CACHE", cache, 1);
	assert_int_equal(mkdir(cache, 0700), 0);
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		play(&scenes[i], 100 + i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_instrumenter_is_told_what_the_device_has),
		cmocka_unit_test(answers_are_kept_for_the_next_process),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	write_instrumenter();
	write_table();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}
