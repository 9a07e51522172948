/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the instrumenter is asked to make of programs that are built, compiled and linked in many
 * ways, and what becomes of their launches.
 */
#include "cmocka_all.h"
#include "mock_calls.h"
#include "mock_driver.h"
#include "program_scene.h"

#include <stdio.h>
#include <string.h>

/* The same of a recording that nothing more is asked of. */
static void expect_fates_of(struct recording *r, const char *want)
{
	scene_expect_fates(r, want);
	recording_close(r);
}

static void a_linked_program_is_all_its_parts_as_they_were_compiled(void **state)
{
	static const char *names[] = { "inc/h.h", "../up.h" };
	cl_program headers[2], a, b, linked, library, again;
	struct recording *r;

	scene_begin("linked", false);
	a = scene_source("A");
	b = scene_source("B");
	headers[0] = scene_source("H");
	headers[1] = scene_source("UP");
	assert_int_equal(hook_clCompileProgram(a, 0, NULL, "-a", 2, headers, names, NULL, NULL), 0);
	scene_release(headers[0], headers[1], NULL);
	scene_compile(b, NULL);
	linked = scene_link(a, b, "-l");
	library = scene_link(a, NULL, "-create-library");
	/* What is linked stays as it is. */
	scene_compile(b, "-b2");
	scene_compile(a, "-a2");
	again = scene_link(b, library, "");
	scene_release(a, b, library);
	scene_launch(scene_kernel(linked), SCENE_ITEMS);
	scene_expect_asked("<cl A +inc/h.h=H +../up.h=UP -a><cl B >");
	scene_launch(scene_kernel(again), SCENE_ITEMS);
	scene_expect_asked("<cl B -b2><cl A +inc/h.h=H +../up.h=UP -a>");
	scene_release(linked, again, NULL);
	r = scene_end();
	scene_expect_fates(r, "tt");
	/* Of each link its parts' lines, with their texts, then its own. */
	assert_int_equal(r->program_count, 6);
	assert_string_equal(r->programs[0].origin, "source");
	assert_string_equal(r->programs[0].options, "-a");
	assert_string_equal(r->programs[0].source_file, "sources/program-0000.cl");
	assert_string_equal(r->programs[2].origin, "linked");
	assert_string_equal(r->programs[2].options, "-l");
	assert_null(r->programs[2].source_file);
	assert_int_equal(r->kernels[0].program, 2);
	assert_int_equal(r->kernels[1].program, 5);
	recording_close(r);
}

static void a_header_that_is_no_file_below_a_folder_is_a_reason(void **state)
{
	static const char *const names[] = { "/abs.h", "../../../../../out.h", "a/", "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *name = names[i];
		cl_program a, header, linked;
		struct recording *r;
		char scene[32];

		snprintf(scene, sizeof(scene), "name-%zu", i);
		scene_begin(scene, false);
		a = scene_source("A");
		header = scene_source("H");
		assert_int_equal(
			hook_clCompileProgram(a, 0, NULL, "", 1, &header, &name, NULL, NULL), 0);
		linked = scene_link(a, NULL, "");
		scene_launch(scene_kernel(linked), SCENE_ITEMS);
		scene_release(a, header, linked);
		scene_expect_asked("");
		r = scene_end();
		scene_expect_fates(r, "s");
		assert_non_null(strstr(r->launches[0].reason, "is not a usable file name"));
		recording_close(r);
	}
}

static void a_build_that_is_refused_leaves_the_last_one(void **state)
{
	static const struct {
		cl_int answer;
		const char *asked; /* for the kernel that is made afterwards */
	} rows[] = {
		{ CL_INVALID_OPERATION, "" }, /* the build of the first kernel serves */
		{ CL_OUT_OF_HOST_MEMORY, "" },
		{ CL_SUCCESS, "<cl A -2>" },
		{ CL_BUILD_PROGRAM_FAILURE, "<cl A -2>" }, /* no driver makes a kernel of that */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cl_program a;
		char scene[32];

		snprintf(scene, sizeof(scene), "rebuilt-%zu", i);
		scene_begin(scene, false);
		a = scene_source("A");
		assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-1", NULL, NULL), 0);
		scene_launch(scene_kernel(a), SCENE_ITEMS);
		scene_expect_asked("<cl A -1>");
		scene_driver.next_build = rows[i].answer;
		assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-2", NULL, NULL), rows[i].answer);
		scene_launch(scene_kernel(a), SCENE_ITEMS);
		scene_expect_asked(rows[i].asked);
		scene_release(a, NULL, NULL);
		recording_close(scene_end());
	}
}

static void devices_may_have_builds_of_their_own(void **state)
{
	const cl_device_id second = (cl_device_id)&mock_devices[1];
	cl_program a;

	scene_begin("devices", false);
	scene_driver.device_count = 2;
	a = scene_source("A");
	assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-all", NULL, NULL), 0);
	assert_int_equal(hook_clBuildProgram(a, 1, &second, "-second", NULL, NULL), 0);
	scene_launch(scene_kernel(a), SCENE_ITEMS);
	scene_expect_asked("<cl A -all> | <cl A -second>");
	/* A build for all takes the place of both. */
	assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-both", NULL, NULL), 0);
	scene_launch(scene_kernel(a), SCENE_ITEMS);
	scene_expect_asked("<cl A -both> | <cl A -both>");
	scene_release(a, NULL, NULL);
	scene_driver.device_count = 1;
	recording_close(scene_end());
}

static cl_kernel made_in_callback;
static void (*in_callback)(cl_program program);

static void make_kernel(cl_program program)
{
	made_in_callback = scene_kernel(program);
	scene_expect_asked("");
}

static void launch_there(cl_program program)
{
	scene_launch(scene_kernel(program), SCENE_ITEMS);
	scene_expect_asked("");
}

static void CL_CALLBACK notify(cl_program program, void *user_data)
{
	assert_ptr_equal(user_data, &made_in_callback);
	in_callback(program);
}

/* The driver may compile on the thread that calls back: then a compilation there would not end. */
static void nothing_is_compiled_inside_a_callback(void **state)
{
	cl_program a, linked;
	struct recording *r;
	cl_int rc;

	scene_begin("callback", false);
	a = scene_source("A");
	in_callback = make_kernel;
	assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-c", notify, &made_in_callback), 0);
	scene_launch(made_in_callback, SCENE_ITEMS);
	scene_expect_asked("<cl A -c>");
	linked = hook_clLinkProgram(scene_context, 0, NULL, "", 1, &a, notify, &made_in_callback,
	                            &rc);
	scene_launch(made_in_callback, SCENE_ITEMS);
	scene_expect_asked("<cl A -c>");
	/* The program was told of once. */
	scene_launch(scene_kernel(linked), SCENE_ITEMS);
	scene_expect_asked("");
	scene_release(linked, NULL, NULL);
	in_callback = launch_there;
	linked = hook_clLinkProgram(scene_context, 0, NULL, "", 1, &a, notify, &made_in_callback,
	                            &rc);
	scene_release(a, linked, NULL);
	r = scene_end();
	scene_expect_fates(r, "ttt");
	assert_int_equal(r->note_count, 1);
	assert_non_null(strstr(r->notes[0].reason, "inside a callback"));
	recording_close(r);
}

/* A program of the bytes, built and launched; the bytes are those that the driver hands out. */
static void launch_binary(const char *bytes)
{
	const cl_device_id device = (cl_device_id)&mock_devices[0];
	const unsigned char *binaries[1] = { (const unsigned char *)bytes };
	size_t length = strlen(bytes);
	cl_int rc = CL_SUCCESS;
	cl_program p = hook_clCreateProgramWithBinary(scene_context, 1, &device, &length, binaries,
	                                              NULL, &rc);

	((struct object *)p)->is_probed = false;
	assert_int_equal(hook_clBuildProgram(p, 0, NULL, "-x", NULL, NULL), 0);
	scene_launch(scene_kernel(p), SCENE_ITEMS);
	scene_release(p, NULL, NULL);
}

static void ask_binary(cl_program program)
{
	char place[64];
	void *places[1] = { place };

	assert_int_equal(hook_clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(places),
	                                       (void *)places, NULL),
	                 0);
}

static void binaries_lead_back_to_what_they_are_made_of(void **state)
{
	static const struct {
		const char *bytes, *asked, *reason;
	} rows[] = {
		{ "a binary", "<cl A -1>", NULL },
		{ "another", "", "source is not known" },
		{ "BC\xc0\xde of LLVM", "<bc BC\xc0\xde of LLVM -x>", NULL },
		{ "\x03\x02\x23\x07 SPIR-V", "<spv \x03\x02\x23\x07 SPIR-V -x>", NULL },
	};
	struct recording *r;
	cl_program a;

	scene_begin("binaries", false);
	a = scene_source("A");
	assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-1", NULL, NULL), 0);
	ask_binary(a);
	assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-2", NULL, NULL), 0);
	scene_release(a, NULL, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		launch_binary(rows[i].bytes);
		scene_expect_asked(rows[i].asked);
	}
	r = scene_end();
	scene_expect_fates(r, "tstt");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(r->programs[i].origin, "binary");
		if (rows[i].reason)
			assert_non_null(strstr(r->launches[i].reason, rows[i].reason));
	}
	assert_non_null(r->programs[0].source_file);
	assert_null(r->programs[2].source_file);
	recording_close(r);
}

/* Text of Warpline's CUDA libraries: what is instrumented is the code that it carries. */
static void the_code_that_a_text_carries_is_instrumented(void **state)
{
	static const struct {
		const char *text, *asked, *reason;
	} rows[] = {
		{ "// options: -y\n/* warpline: made of this code\nQQ==\n*/\nrest", "<bc A -x>",
		  NULL },
		{ "// options: -y\n/* warpline: made of this code\nQQ\n*/\n", "",
		  "the code in the text is damaged" },
		{ "// options: -y\nrest", "<cl // options: -y | rest -x>", NULL },
	};
	struct recording *r;

	scene_begin("carried", false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cl_program p = scene_source(rows[i].text);

		assert_int_equal(hook_clBuildProgram(p, 0, NULL, "-x", NULL, NULL), 0);
		scene_launch(scene_kernel(p), SCENE_ITEMS);
		scene_release(p, NULL, NULL);
		scene_expect_asked(rows[i].asked);
	}
	r = scene_end();
	scene_expect_fates(r, "tst");
	assert_string_equal(r->launches[1].reason, rows[1].reason);
	recording_close(r);
}

/* In the cache of one process, and by another one, with headers and several parts. */
static void another_process_knows_the_binary(void **state)
{
	static const char *name = "h.h";
	cl_program a, b, header, linked;
	scene_begin("keeps", true);
	a = scene_source("A");
	b = scene_source("B");
	header = scene_source("H");
	assert_int_equal(hook_clCompileProgram(a, 0, NULL, "-a", 1, &header, &name, NULL, NULL), 0);
	scene_compile(b, "-b");
	linked = scene_link(a, b, "");
	ask_binary(linked);
	scene_release(a, b, header);
	scene_release(linked, NULL, NULL);
	recording_close(scene_end());
	scene_begin("finds", true);
	launch_binary("a binary");
	scene_expect_asked("<cl A +h.h=H -a><cl B -b>");
	expect_fates_of(scene_end(), "t");
}

static void groups_that_the_instrumented_kernel_cannot_take_run_unmodified(void **state)
{
	struct recording *r;
	cl_kernel kernel;
	size_t most = 0;
	cl_program a;

	scene_begin("groups", false);
	scene_driver.has_small_groups = true;
	a = scene_source("A");
	assert_int_equal(hook_clBuildProgram(a, 0, NULL, "", NULL, NULL), 0);
	kernel = scene_kernel(a);
	assert_int_equal(hook_clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE,
	                                               sizeof(most), &most, NULL),
	                 0);
	assert_int_equal(most, SCENE_SMALL_ITEMS);
	scene_launch(kernel, SCENE_SMALL_ITEMS);
	scene_launch(scene_kernel(a), 2 * SCENE_SMALL_ITEMS);
	scene_release(a, NULL, NULL);
	scene_driver.has_small_groups = false;
	r = scene_end();
	scene_expect_fates(r, "ts");
	assert_non_null(strstr(r->launches[1].reason, "larger than the 16 work-items"));
	recording_close(r);
}

/* A driver may use a handle again although a kernel of the old program is alive to us. */
static void a_handle_that_is_used_again_is_another_program(void **state)
{
	cl_program a, b;
	cl_kernel of_a, of_b;

	scene_begin("again", false);
	a = scene_source("A");
	assert_int_equal(hook_clBuildProgram(a, 0, NULL, "-a", NULL, NULL), 0);
	of_a = scene_kernel(a);
	scene_driver.next_source = a;
	b = scene_source("B");
	assert_int_equal(hook_clBuildProgram(b, 0, NULL, "-b", NULL, NULL), 0);
	of_b = scene_kernel(b);
	scene_expect_asked("<cl A -a> | <cl B -b>");
	scene_launch(of_a, SCENE_ITEMS);
	scene_launch(of_b, SCENE_ITEMS);
	scene_launch(scene_kernel(b), SCENE_ITEMS);
	scene_expect_asked("");
	scene_release(b, NULL, NULL);
	expect_fates_of(scene_end(), "ttt");
}

/* As an application that goes on without what it did not get; the call that failed. */
static const char *link_and_launch(void)
{
	static const char *texts[] = { "A", "B" }, *name = "h.h";
	const size_t global = SCENE_ITEMS;
	cl_program made[2] = { NULL, NULL }, linked = NULL;
	cl_kernel kernel = NULL;
	const char *failed;
	cl_int rc = 0;

	for (int i = 0; i < 2; i++)
		made[i] = hook_clCreateProgramWithSource(scene_context, 1, &texts[i], NULL, &rc);
	if (made[0] && made[1] &&
	    !hook_clCompileProgram(made[0], 0, NULL, "-a", 1, &made[1], &name, NULL, NULL) &&
	    !hook_clCompileProgram(made[1], 0, NULL, "-b", 0, NULL, NULL, NULL, NULL))
		linked = hook_clLinkProgram(scene_context, 0, NULL, "", 2, made, NULL, NULL, &rc);
	if (linked)
		kernel = hook_clCreateKernel(linked, "other", &rc);
	if (kernel)
		(void)hook_clEnqueueNDRangeKernel(scene_queue, kernel, 1, NULL, &global, NULL, 0,
		                                  NULL, NULL);
	failed = mock_driver_failed();
	mock_driver_fail(SIZE_MAX);
	if (kernel)
		hook_clReleaseKernel(kernel);
	scene_release(made[0], made[1], linked);
	return failed;
}

static void any_call_of_the_driver_may_fail_while_programs_are_linked(void **state)
{
	const char *failed = "";

	for (size_t i = 0; failed; i++) {
		char scene[32];

		snprintf(scene, sizeof(scene), "fault-%zu", i);
		scene_begin(scene, false);
		mock_driver_fail(i);
		failed = link_and_launch();
		scene_driver.leaves_objects = failed && !strncmp(failed, "clRelease", 9);
		recording_close(scene_end());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_linked_program_is_all_its_parts_as_they_were_compiled),
		cmocka_unit_test(a_header_that_is_no_file_below_a_folder_is_a_reason),
		cmocka_unit_test(a_build_that_is_refused_leaves_the_last_one),
		cmocka_unit_test(devices_may_have_builds_of_their_own),
		cmocka_unit_test(nothing_is_compiled_inside_a_callback),
		cmocka_unit_test(binaries_lead_back_to_what_they_are_made_of),
		cmocka_unit_test(the_code_that_a_text_carries_is_instrumented),
		cmocka_unit_test(another_process_knows_the_binary),
		cmocka_unit_test(groups_that_the_instrumented_kernel_cannot_take_run_unmodified),
		cmocka_unit_test(a_handle_that_is_used_again_is_another_program),
		cmocka_unit_test(any_call_of_the_driver_may_fail_while_programs_are_linked),
	};
	int failed;

	if (!scene_open())
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed || scene_close() ? failed : 1;
}
