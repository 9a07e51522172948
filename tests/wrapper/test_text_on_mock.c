/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a kernel runs as instrumented text, on a driver and with an instrumenter of our own: the
 * instrumenter answers with a table, a code and a complaint that the test has laid out.
 */
#include "cmocka_all.h"
#include "err.h"
#include "kernel_table.h"
#include "mock_driver.h"
#include "opencl_session.h"
#include "recording.h"
#include "script_file.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEMS 32

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[64];

/* What the instrumenter does. */
struct answer {
	const char *complaint; /* it fails with this; NULL: it does not */
	const char *code;
	const char *refusal; /* of kernel "update" in the table, or NULL */
};

static const struct answer good = { NULL, "// options: -cl-std=CL1.2\n", NULL };
static const struct answer wrong = { NULL, "// options:\nwrong\n", NULL };
static const struct answer broken = { "in.cl:1: no such type", "", NULL };
static const struct answer goto_text = { NULL, "// options:\n", "text: goto at in.cl:3" };

/* What is said of a scene: the kernels that the user wants, the answer, what must come of it. */
struct scene {
	const char *kernels; /* WARPLINE_KERNEL */
	const struct answer *answer;
	bool is_tried;      /* the instrumenter runs */
	const char *door;   /* of the kernel */
	const char *reason; /* NULL: none */
};

static void write_file(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", work_dir, name);
	unlink(path);
	if (!text)
		return;
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Lay out an answer: kernel "update" as asked, and "other", which is no text. */
static void write_answer(const struct answer *a)
{
	struct site site = { SITE_READ, 4, 1, -1, 0, { 0 }, NULL, 0, NULL, NULL };
	char update[] = "update", other[] = "other", pointer[] = "a", type[] = "int*";
	char refusal[64] = "", no_text[] = "text: a union at in.cl:7";
	struct kernel_argument argument = { pointer, type, 1, true };
	struct kernel_table tables[2] = { { .name = update,
		                            .sites = &site,
		                            .site_count = 1,
		                            .arguments = &argument,
		                            .argument_count = 1,
		                            .lanes = 1,
		                            .is_repeatable = true } };
	struct err err = { 0 };
	char path[128];

	tables[1] = tables[0];
	tables[1].name = other;
	tables[1].refusal = no_text;
	if (a->refusal) {
		snprintf(refusal, sizeof(refusal), "%s", a->refusal);
		tables[0].refusal = refusal;
	}
	snprintf(path, sizeof(path), "%s/table", work_dir);
	if (kernel_tables_write(path, tables, 2, &err) < 0)
		fail_msg("%s", err.msg);
	write_file("code", a->code);
	write_file("complaint", a->complaint);
}

static void write_instrumenter(void)
{
	char text[512];

	snprintf(instrumenter, sizeof(instrumenter), "%s/instrument", work_dir);
	snprintf(text, sizeof(text),
	         "while [ $# -gt 1 ]; do case $1 in --output) out=$2;; --table) table=$2;;\n"
	         "--door) door=$2;; esac; shift 2; done\n"
	         "cd %s; printf '%%s ' $door >>tried\n"
	         "[ -e complaint ] && { cat complaint >&2; exit 1; }\n"
	         "cp code $out; cp table $table",
	         work_dir);
	script_file_write(instrumenter, text);
}

/* A program of both kernels that launches "update" once. */
static void application(void)
{
	const struct opencl_real *real = opencl_real();
	const size_t global = ITEMS, local = ITEMS;
	const char *text = "the application's";
	cl_device_id device = NULL;
	cl_int rc;
	cl_context context = hook_clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	cl_command_queue queue = real->clCreateCommandQueue(context, NULL, 0, &rc);
	cl_program program = hook_clCreateProgramWithSource(context, 1, &text, NULL, &rc);
	cl_mem mem = hook_clCreateBuffer(context, 0, ITEMS * sizeof(int), NULL, &rc);
	cl_kernel kernel;

	assert_int_equal(hook_clBuildProgram(program, 0, NULL, "-DX", NULL, NULL), 0);
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

/* Run the application in a session of the scene's; its recording. */
static struct recording *run(const struct scene *scene, size_t number)
{
	struct recording *recording = NULL;
	struct err err = { 0 };
	struct session *s;
	char dir[128];

	write_answer(scene->answer);
	snprintf(dir, sizeof(dir), "%s/tried", work_dir);
	unlink(dir);
	setenv("WARPLINE_KERNEL", scene->kernels, 1);
	snprintf(dir, sizeof(dir), "%s/%zu", work_dir, number);
	mock_driver_reset();
	mock_driver_set_lanes(1);
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	s = session_create(&opencl_part, dir, instrumenter, 1 << 20);
	assert_non_null(s);
	application();
	session_end();
	session_free(s);
	assert_int_equal(mock_driver_alive(), 0);
	if (recording_open(&recording, dir, &err) < 0)
		fail_msg("%s", err.msg);
	return recording;
}

/* For what the instrumenter ran, "" for nothing. */
static void read_tried(char tried[64])
{
	char path[128];
	FILE *file;
	size_t length = 0;

	snprintf(path, sizeof(path), "%s/tried", work_dir);
	file = fopen(path, "r");
	if (file) {
		length = fread(tried, 1, 63, file);
		fclose(file);
	}
	tried[length] = '\0';
}

static const char no_build[] = "the driver cannot build the text: -11: log";

static void a_kernel_that_is_no_text_runs_unmodified_and_says_why(void **state)
{
	const struct scene scenes[] = {
		{ "update", &good, true, "text", NULL },
		{ "update", &wrong, true, "", no_build },
		{ "update", &goto_text, true, "", goto_text.refusal },
		{ "update", &broken, true, "", broken.complaint },
		/* Kernel "other" is wanted too, and is no text. */
		{ "", &good, true, "text", NULL },
	};

	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		const struct scene *scene = &scenes[i];
		struct recording *r = run(scene, i);
		const struct recorded_kernel *k = &r->kernels[0];
		char tried[64];

		read_tried(tried);
		print_message("scene %zu: tried %s\n", i, tried);
		assert_string_equal(tried, scene->is_tried ? "text " : "");
		assert_int_equal(r->kernel_count, 1);
		assert_string_equal(k->door, scene->door);
		if (!scene->reason)
			assert_null(k->reason);
		else
			assert_string_equal(k->reason, scene->reason);
		assert_int_equal(r->launch_count, 1);
		assert_int_equal(r->launches[0].fate,
		                 *scene->door ? LAUNCH_TRACED : LAUNCH_SKIPPED);
		if (!*scene->door)
			assert_string_equal(r->launches[0].reason, scene->reason);
		recording_close(r);
	}
}

/*
 * Text says how it is to be built, without a word of warning to the user's terminal; the
 * application's options are not used.
 */
static void text_is_built_with_options_of_its_own(void **state)
{
	static const struct {
		const char *code, *options;
	} rows[] = {
		{ "// options: -cl-std=CL1.2 -cl-mad-enable\nx",
		  "-w -cl-std=CL1.2 -cl-mad-enable" },
		{ "// options:\n-cl-std=CL2.0\n", "-w" },
		{ "// options: -cl-std=CL3.0", "-w -cl-std=CL3.0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct answer answer = { NULL, rows[i].code, NULL };
		const struct scene scene = { .kernels = "update", .answer = &answer };
		struct recording *r = run(&scene, 200 + i);

		assert_string_equal(r->kernels[0].door, "text");
		assert_string_equal(mock_driver_built_with(), rows[i].options);
		recording_close(r);
	}
}

static void what_is_not_wanted_is_not_instrumented(void **state)
{
	static const struct {
		const char *kernels, *tried;
	} rows[] = {
		{ "^nosuch$", "" },
		{ "^other$", "text " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct scene scene = { .kernels = rows[i].kernels, .answer = &good };
		struct recording *r = run(&scene, 100 + i);
		char tried[64];

		read_tried(tried);
		assert_string_equal(tried, rows[i].tried);
		assert_int_equal(r->launch_count, 0);
		assert_int_equal(r->launches_seen, 1);
		assert_int_equal(r->tally_count, 1);
		assert_int_equal(r->tallies[0].fate, LAUNCH_UNSELECTED);
		assert_string_equal(r->tallies[0].reason, "--kernel");
		assert_int_equal(r->tallies[0].count, 1);
		assert_string_equal(r->kernels[0].door, "");
		assert_string_equal(r->kernels[0].reason, "kernels of this name were not selected");
		assert_true(recording_is_complete(r, NULL));
		recording_close(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_that_is_no_text_runs_unmodified_and_says_why),
		cmocka_unit_test(text_is_built_with_options_of_its_own),
		cmocka_unit_test(what_is_not_wanted_is_not_instrumented),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	write_instrumenter();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}
