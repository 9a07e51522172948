/* SPDX-License-Identifier: Apache-2.0 */
#include "program_scene.h"

#include "cmocka_all.h"
#include "err.h"
#include "kernel_table.h"
#include "mock_calls.h"
#include "mock_driver.h"
#include "opencl_session.h"
#include "script_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[64];

/* The scene that is being played. */
static struct session *session;
cl_context scene_context;
cl_command_queue scene_queue;
static cl_mem buffer;
static char recording_dir[128];

struct scene_driver scene_driver = { .device_count = 1, .binary = "a binary" };

static cl_int build(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                    void(CL_CALLBACK *f)(cl_program, void *), void *u)
{
	cl_int rc = scene_driver.next_build ? scene_driver.next_build
	                                    : mock_driver()->clBuildProgram(p, n, d, o, NULL, NULL);

	scene_driver.next_build = 0;
	if (f && rc == CL_SUCCESS)
		f(p, u);
	return rc;
}

/* Calls back before it returns. */
/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
static cl_program link_now(cl_context c, cl_uint n, const cl_device_id *d, const char *o,
                           cl_uint count, const cl_program *programs,
                           void(CL_CALLBACK *f)(cl_program, void *), void *u, cl_int *rc)
{
	cl_program p = mock_driver()->clLinkProgram(c, n, d, o, count, programs, NULL, NULL, rc);

	if (f)
		f(p, u);
	return p;
}

static cl_program create(cl_context c, cl_uint n, const char **s, const size_t *l, cl_int *rc)
{
	cl_program p = scene_driver.next_source;

	scene_driver.next_source = NULL;
	return p ? p : mock_driver()->clCreateProgramWithSource(c, n, s, l, rc);
}

static cl_int program_info(cl_program p, cl_program_info name, size_t bytes, void *value,
                           size_t *bytes_ret)
{
	const cl_device_id devices[2] = { (cl_device_id)&mock_devices[0],
		                          (cl_device_id)&mock_devices[1] };
	size_t lengths[2] = { strlen(scene_driver.binary), 0 };

	if (bytes_ret)
		*bytes_ret = scene_driver.device_count * sizeof(void *);
	if (name == CL_PROGRAM_BINARIES && value && *(char **)value)
		memcpy(*(char **)value, scene_driver.binary, lengths[0]);
	else if (name == CL_PROGRAM_DEVICES && value)
		memcpy(value, (const void *)devices,
		       scene_driver.device_count * sizeof(devices[0]));
	else if (name == CL_PROGRAM_BINARY_SIZES && value)
		memcpy(value, lengths, scene_driver.device_count * sizeof(lengths[0]));
	else if (name == CL_PROGRAM_KERNEL_NAMES || name == CL_PROGRAM_CONTEXT)
		return mock_driver()->clGetProgramInfo(p, name, bytes, value, bytes_ret);
	return CL_SUCCESS;
}

static cl_int group_info(cl_kernel k, cl_device_id d, cl_kernel_work_group_info name, size_t bytes,
                         void *value, size_t *bytes_ret)
{
	size_t small = SCENE_SMALL_ITEMS;

	if (name != CL_KERNEL_WORK_GROUP_SIZE || !scene_driver.has_small_groups ||
	    !((struct object *)k)->owner->is_probed)
		return mock_driver()->clGetKernelWorkGroupInfo(k, d, name, bytes, value, bytes_ret);
	memcpy(value, &small, sizeof(small));
	return CL_SUCCESS;
}

static const struct opencl_real *driver(void)
{
	static struct opencl_real mine;

	mine = *mock_driver();
	mine.clBuildProgram = build;
	mine.clLinkProgram = link_now;
	mine.clCreateProgramWithSource = create;
	mine.clGetProgramInfo = program_info;
	mine.clGetKernelWorkGroupInfo = group_info;
	return &mine;
}

static void write_instrumenter(void)
{
	char other[] = "other", pointer[] = "a", type[] = "int*", path[128], text[1024];
	struct site site = { SITE_READ, 4, 1, -1, 0, { 0 }, NULL, 0, NULL, NULL };
	struct kernel_argument argument = { pointer, type, 1, true };
	struct kernel_table table = { .name = other,
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
	snprintf(instrumenter, sizeof(instrumenter), "%s/instrument", work_dir);
	snprintf(text, sizeof(text),
	         "while [ $# -gt 1 ]; do case $1 in\n"
	         "--output) out=$2;; --table) table=$2;; --headers) : >$2;;\n"
	         "--source) line=\"$line<${2##*.} $(cat \"$2\")\";;\n"
	         "--embedded) for f in $(find \"$2/../../../..\" -type f | LC_ALL=C sort); do\n"
	         "line=\"$line +$(realpath --relative-to=\"$2\" \"$f\")=$(cat \"$f\")\"; done;;\n"
	         "--options) line=\"$line $2>\";; esac; shift 2; done\n"
	         "echo \"$line\" >>%s/log\n"
	         "echo '// options:' >$out; cp %s/table $table",
	         work_dir, work_dir);
	script_file_write(instrumenter, text);
}

void scene_begin(const char *name, bool has_cache)
{
	char cache[128] = "off";

	cl_device_id device = (cl_device_id)&mock_devices[0];
	char log[128];
	cl_int rc;

	snprintf(log, sizeof(log), "%s/log", work_dir);
	unlink(log);
	if (has_cache)
		snprintf(cache, sizeof(cache), "%s/cache", work_dir);
	setenv("WARPLINE_CACHE", cache, 1);
	snprintf(recording_dir, sizeof(recording_dir), "%s/%s", work_dir, name);
	mock_driver_reset();
	mock_driver_set_lanes(1);
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(driver());
	session = session_create(&opencl_part, recording_dir, instrumenter, 1 << 20);
	assert_non_null(session);
	scene_context = hook_clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	scene_queue = driver()->clCreateCommandQueue(scene_context, device, 0, &rc);
	buffer = hook_clCreateBuffer(scene_context, 0, 64 * sizeof(int), NULL, &rc);
}

/* End it; its recording, and nothing alive. */
struct recording *scene_end(void)
{
	struct recording *recording = NULL;
	struct err err = { 0 };

	hook_clReleaseMemObject(buffer);
	driver()->clReleaseCommandQueue(scene_queue);
	hook_clReleaseContext(scene_context);
	session_end();
	session_free(session);
	assert_true(scene_driver.leaves_objects || !mock_driver_alive());
	assert_int_equal(mock_driver_misuses(), 0);
	if (recording_open(&recording, recording_dir, &err) < 0)
		fail_msg("%s", err.msg);
	return recording;
}

/* What the instrumenter was asked since the last time, its lines joined by " | ". */
void scene_expect_asked(const char *want)
{
	char path[128], got[2048] = "", line[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/log", work_dir);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", *got ? " | " : "",
		         line);
	}
	if (file)
		fclose(file);
	unlink(path);
	assert_string_equal(got, want);
}

cl_program scene_source(const char *text)
{
	cl_int rc = CL_SUCCESS;
	cl_program program = hook_clCreateProgramWithSource(scene_context, 1, &text, NULL, &rc);

	assert_non_null(program);
	return program;
}

cl_program scene_link(cl_program one, cl_program two, const char *options)
{
	const cl_program programs[2] = { one, two };
	cl_int rc = CL_SUCCESS;

	return hook_clLinkProgram(scene_context, 0, NULL, options, two ? 2 : 1, programs, NULL,
	                          NULL, &rc);
}

void scene_compile(cl_program program, const char *options)
{
	assert_int_equal(
		hook_clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL),
		CL_SUCCESS);
}

cl_kernel scene_kernel(cl_program program)
{
	cl_int rc = CL_SUCCESS;

	return hook_clCreateKernel(program, "other", &rc);
}

/* Launch with groups of `local` work-items, and release the kernel. */
void scene_launch(cl_kernel kernel, size_t local)
{
	const size_t global = SCENE_ITEMS;

	assert_int_equal(hook_clSetKernelArg(kernel, 0, sizeof(buffer), (const void *)&buffer), 0);
	assert_int_equal(hook_clEnqueueNDRangeKernel(scene_queue, kernel, 1, NULL, &global, &local,
	                                             0, NULL, NULL),
	                 0);
	assert_int_equal(driver()->clFinish(scene_queue), 0);
	hook_clReleaseKernel(kernel);
}

void scene_release(cl_program one, cl_program two, cl_program three)
{
	const cl_program programs[] = { one, two, three };

	for (size_t i = 0; i < 3; i++)
		if (programs[i])
			hook_clReleaseProgram(programs[i]);
}

/* Each launch's fate: t traced, s skipped. */
void scene_expect_fates(const struct recording *r, const char *want)
{
	char got[32] = "";

	for (size_t i = 0; i < r->launch_count && i < sizeof(got) - 1; i++)
		got[i] = r->launches[i].fate == LAUNCH_TRACED ? 't' : 's';
	assert_string_equal(got, want);
}

bool scene_open(void)
{
	char command[128];

	if (!mkdtemp(work_dir))
		return false;
	snprintf(command, sizeof(command), "mkdir %s/cache", work_dir);
	if (system(command) != 0)
		return false;
	write_instrumenter();
	return true;
}

bool scene_close(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", work_dir);
	return system(command) == 0;
}
