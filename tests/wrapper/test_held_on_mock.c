/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application may release whatever a launch needs as soon as the call returns: it lives until
 * the launch has run, and no longer. Of every sort of object, by every call that makes one, in
 * every way to launch.
 */
#include "cmocka_all.h"
#include "held_objects.h"
#include "kernel_table.h"
#include "mock_driver.h"
#include "mock_host.h"
#include "mock_instrumenter.h"
#include "mock_objects.h"
#include "opencl_session.h"
#include "recording.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES 256
#define ROOM  (1 << 20) /* for records */

static char work_dir[] = "/tmp/warpline-test-XXXXXX";

/* An application with one kernel, whose one argument is `object`. */
struct scene {
	const struct opencl_real *cl;
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_event gate;
	void *object;
};

/* How an object is made, how the kernel gets it, and how the application has done with it. */
struct held_row {
	const char *name, *type; /* type: what the kernel calls it */
	uint32_t space;
	void *(*make)(struct scene *s);
	void (*pass)(struct scene *s);
	void (*release)(struct scene *s);
};

static const cl_image_format format = { CL_R, CL_FLOAT };
static const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
	                            .image_width = 4,
	                            .image_height = 4 };

static void pass_value(struct scene *s)
{
	assert_int_equal(
		s->cl->clSetKernelArg(s->kernel, 0, sizeof(s->object), (const void *)&s->object),
		CL_SUCCESS);
}

static void release_memory(struct scene *s)
{
	s->cl->clReleaseMemObject(s->object);
}

static void *make_buffer(struct scene *s)
{
	return s->cl->clCreateBuffer(s->context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
}

static void *make_buffer_by_properties(struct scene *s)
{
	return s->cl->clCreateBufferWithProperties(s->context, NULL, CL_MEM_READ_WRITE, BYTES, NULL,
	                                           NULL);
}

/* The whole is released at once: its part keeps it. */
static void *make_part(struct scene *s)
{
	const cl_buffer_region region = { 0, BYTES / 2 };
	cl_mem whole = make_buffer(s);
	cl_mem part =
		s->cl->clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);

	s->cl->clReleaseMemObject(whole);
	return part;
}

static void *make_image(struct scene *s)
{
	return s->cl->clCreateImage(s->context, CL_MEM_READ_WRITE, &format, &desc, NULL, NULL);
}

static void *make_image_by_properties(struct scene *s)
{
	return s->cl->clCreateImageWithProperties(s->context, NULL, CL_MEM_READ_WRITE, &format,
	                                          &desc, NULL, NULL);
}

static void *make_image_2d(struct scene *s)
{
	return s->cl->clCreateImage2D(s->context, CL_MEM_READ_WRITE, &format, 4, 4, 0, NULL, NULL);
}

static void *make_image_3d(struct scene *s)
{
	return s->cl->clCreateImage3D(s->context, CL_MEM_READ_WRITE, &format, 4, 4, 4, 0, 0, NULL,
	                              NULL);
}

static void *make_pipe(struct scene *s)
{
	return s->cl->clCreatePipe(s->context, CL_MEM_READ_WRITE, 4, 16, NULL, NULL);
}

static void *make_sampler(struct scene *s)
{
	return s->cl->clCreateSampler(s->context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST,
	                              NULL);
}

static void *make_sampler_by_properties(struct scene *s)
{
	return s->cl->clCreateSamplerWithProperties(s->context, NULL, NULL);
}

static void release_sampler(struct scene *s)
{
	s->cl->clReleaseSampler(s->object);
}

/* Retained and given back once more: what the application holds is counted. */
static void release_sampler_later(struct scene *s)
{
	s->cl->clRetainSampler(s->object);
	s->cl->clReleaseSampler(s->object);
	s->cl->clReleaseSampler(s->object);
}

static void release_memory_later(struct scene *s)
{
	s->cl->clRetainMemObject(s->object);
	s->cl->clReleaseMemObject(s->object);
	s->cl->clReleaseMemObject(s->object);
}

static void *make_queue(struct scene *s)
{
	return s->cl->clCreateCommandQueue(s->context, s->device, 0, NULL);
}

static void release_queue(struct scene *s)
{
	s->cl->clReleaseCommandQueue(s->object);
}

/* Made by calls that the recorder does not know, as those of OpenGL: only the type tells. */
static void *make_unseen_memory(struct scene *s)
{
	return mock_driver()->clCreateBuffer(s->context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
}

static void *make_unseen_sampler(struct scene *s)
{
	return mock_driver()->clCreateSampler(s->context, CL_FALSE, CL_ADDRESS_CLAMP,
	                                      CL_FILTER_NEAREST, NULL);
}

static void *make_svm(struct scene *s)
{
	return s->cl->clSVMAlloc(s->context, CL_MEM_READ_WRITE, BYTES, 0);
}

/* By any address in it. */
static void pass_svm(struct scene *s)
{
	s->cl->clSetKernelArgSVMPointer(s->kernel, 0, s->object);
}

static void pass_svm_beside(struct scene *s)
{
	s->cl->clSetKernelArgSVMPointer(s->kernel, 0, NULL);
	assert_int_equal(s->cl->clSetKernelExecInfo(s->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
	                                            sizeof(s->object), (const void *)&s->object),
	                 CL_SUCCESS);
}

static void free_svm(struct scene *s)
{
	s->cl->clSVMFree(s->context, s->object);
}

static void enqueue_free_svm(struct scene *s)
{
	assert_int_equal(
		s->cl->clEnqueueSVMFree(s->queue, 1, &s->object, NULL, NULL, 0, NULL, NULL),
		CL_SUCCESS);
}

static void *make_arm(struct scene *s)
{
	return hook_clSVMAllocARM(s->context, CL_MEM_READ_WRITE, BYTES, 0);
}

static void pass_arm(struct scene *s)
{
	hook_clSetKernelArgSVMPointerARM(s->kernel, 0, s->object);
}

static void free_arm(struct scene *s)
{
	hook_clSVMFreeARM(s->context, s->object);
}

static void enqueue_free_arm(struct scene *s)
{
	hook_clEnqueueSVMFreeARM(s->queue, 1, &s->object, NULL, NULL, 0, NULL, NULL);
}

static void *make_host_memory(struct scene *s)
{
	return hook_clHostMemAllocINTEL(s->context, NULL, BYTES, 0, NULL);
}

static void *make_device_memory(struct scene *s)
{
	return hook_clDeviceMemAllocINTEL(s->context, s->device, NULL, BYTES, 0, NULL);
}

static void *make_shared_memory(struct scene *s)
{
	return hook_clSharedMemAllocINTEL(s->context, s->device, NULL, BYTES, 0, NULL);
}

static void pass_usm(struct scene *s)
{
	hook_clSetKernelArgMemPointerINTEL(s->kernel, 0, s->object);
}

static void free_usm(struct scene *s)
{
	assert_int_equal(hook_clMemFreeINTEL(s->context, s->object), CL_SUCCESS);
}

#define IMAGE "__read_only image2d_t"

static const struct held_row rows[] = {
	{ "clCreateBuffer", "int*", 1, make_buffer, pass_value, release_memory },
	{ "retained", "int*", 1, make_buffer, pass_value, release_memory_later },
	{ "clCreateBuffer, constant", "int*", 2, make_buffer, pass_value, release_memory },
	{ "clCreateBufferWithProperties", "int*", 1, make_buffer_by_properties, pass_value,
	  release_memory },
	{ "clCreateSubBuffer", "int*", 1, make_part, pass_value, release_memory },
	{ "clCreateImage", IMAGE, 0, make_image, pass_value, release_memory },
	{ "clCreateImage, as a type of another name", "picture", 0, make_image, pass_value,
	  release_memory_later },
	{ "clCreateImageWithProperties", "", 0, make_image_by_properties, pass_value,
	  release_memory },
	{ "clCreateImage2D", "", 0, make_image_2d, pass_value, release_memory },
	{ "clCreateImage3D", "", 0, make_image_3d, pass_value, release_memory },
	{ "clCreatePipe", "", 0, make_pipe, pass_value, release_memory },
	{ "clCreateSampler", "", 0, make_sampler, pass_value, release_sampler },
	{ "clCreateSamplerWithProperties", "", 0, make_sampler_by_properties, pass_value,
	  release_sampler_later },
	{ "clCreateCommandQueue", "", 0, make_queue, pass_value, release_queue },
	{ "an image of others", IMAGE, 0, make_unseen_memory, pass_value, release_memory },
	{ "a written image of others", "write_only image3d_t", 0, make_unseen_memory, pass_value,
	  release_memory },
	{ "a pipe of others", "__read_only pipe int", 0, make_unseen_memory, pass_value,
	  release_memory },
	{ "a buffer of others", "int*", 1, make_unseen_memory, pass_value, release_memory },
	{ "a sampler of others", "sampler_t", 0, make_unseen_sampler, pass_value, release_sampler },
	{ "clSVMAlloc", "int*", 1, make_svm, pass_svm, free_svm },
	{ "clSVMAlloc, clEnqueueSVMFree", "int*", 1, make_svm, pass_svm, enqueue_free_svm },
	{ "clSVMAlloc, not an argument", "int*", 1, make_svm, pass_svm_beside, free_svm },
	{ "clSVMAllocARM", "int*", 1, make_arm, pass_arm, free_arm },
	{ "clSVMAllocARM, clEnqueueSVMFreeARM", "int*", 1, make_arm, pass_arm, enqueue_free_arm },
	{ "clHostMemAllocINTEL", "int*", 1, make_host_memory, pass_usm, free_usm },
	{ "clDeviceMemAllocINTEL", "int*", 1, make_device_memory, pass_usm, free_usm },
	{ "clSharedMemAllocINTEL", "int*", 1, make_shared_memory, pass_usm, free_usm },
};

static const size_t items = 32, group = 16;

static void by_range(struct scene *s)
{
	assert_int_equal(s->cl->clEnqueueNDRangeKernel(s->queue, s->kernel, 1, NULL, &items, &group,
	                                               1, &s->gate, NULL),
	                 CL_SUCCESS);
}

static void by_task(struct scene *s)
{
	assert_int_equal(s->cl->clEnqueueTask(s->queue, s->kernel, 1, &s->gate, NULL), CL_SUCCESS);
}

static void by_command_buffer(struct scene *s)
{
	cl_command_buffer_khr buffer = hook_clCreateCommandBufferKHR(1, &s->queue, NULL, NULL);

	assert_non_null(buffer);
	assert_int_equal(hook_clCommandNDRangeKernelKHR(buffer, NULL, NULL, s->kernel, 1, NULL,
	                                                &items, &group, 0, NULL, NULL, NULL),
	                 CL_SUCCESS);
	hook_clFinalizeCommandBufferKHR(buffer);
	assert_int_equal(hook_clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &s->gate, NULL),
	                 CL_SUCCESS);
	hook_clReleaseCommandBufferKHR(buffer);
}

static void (*const ways[])(struct scene *s) = { by_range, by_task, by_command_buffer };
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

/* A program of one kernel, of whose argument the instrumenter says this. */
static struct session *open_scene(struct scene *s, const char *dir, const struct held_row *row,
                                  uint64_t buffer_bytes)
{
	const char *text = "other";
	char instrumenter[128], name[] = "a", type[64];
	struct kernel_argument argument = { name, type, row->space, false };
	struct session *session;

	snprintf(type, sizeof(type), "%s", row->type);
	mock_driver_reset();
	mock_driver_fail(SIZE_MAX);
	opencl_real_set(mock_driver());
	mock_instrumenter_write_for(work_dir, instrumenter, "other", &argument);
	session = session_create(&opencl_part, dir, instrumenter, buffer_bytes);
	assert_non_null(session);
	*s = (struct scene){ .cl = mock_host_hooked() };
	mock_driver()->clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &s->device, NULL);
	s->context = s->cl->clCreateContext(NULL, 1, &s->device, NULL, NULL, NULL);
	s->queue = s->cl->clCreateCommandQueue(s->context, s->device, 0, NULL);
	s->gate = s->cl->clCreateUserEvent(s->context, NULL);
	s->program = s->cl->clCreateProgramWithSource(s->context, 1, &text, NULL, NULL);
	s->cl->clBuildProgram(s->program, 0, NULL, "", NULL, NULL);
	s->kernel = s->cl->clCreateKernel(s->program, "other", NULL);
	s->object = row->make(s);
	assert_non_null(s->object);
	return session;
}

/* All that the application has, but for the event that it opens the gate by. */
static void release_scene(struct scene *s)
{
	s->cl->clReleaseKernel(s->kernel);
	s->cl->clReleaseProgram(s->program);
	s->cl->clReleaseCommandQueue(s->queue);
	s->cl->clReleaseContext(s->context);
}

static bool is_alive(const struct scene *s)
{
	return mock_named((const unsigned char *)&s->object)->refs > 0;
}

static void assert_all_gone(void)
{
	for (int i = 0; i < 10000 && mock_driver_alive(); i++)
		usleep(1000);
	assert_int_equal(mock_driver_alive(), 0);
	assert_int_equal(mock_driver_misuses(), 0);
}

/* It was a launch of ours, not one of the driver, that needed the object. */
static void close_scene_as(struct session *session, const char *dir, enum launch_fate fate)
{
	struct recording *recording = NULL;

	assert_int_equal(opencl_session(session)->memory.count, 0);
	assert_int_equal(opencl_session(session)->svm_holds.count, 0);
	session_end();
	session_free(session);
	assert_int_equal(recording_open(&recording, dir, NULL), 0);
	assert_int_equal(recording->launch_count, 1);
	assert_int_equal(recording->launches[0].fate, fate);
	recording_close(recording);
}

static void close_scene(struct session *session, const char *dir)
{
	close_scene_as(session, dir, LAUNCH_TRACED);
}

static void run_row(const struct held_row *row, unsigned way)
{
	struct scene scene;
	struct session *session;
	char dir[128];

	print_message("%s, way %u\n", row->name, way);
	snprintf(dir, sizeof(dir), "%s/%zu.%u", work_dir, (size_t)(row - rows), way);
	session = open_scene(&scene, dir, row, ROOM);
	row->pass(&scene);
	ways[way](&scene);
	row->release(&scene);
	release_scene(&scene);
	assert_true(is_alive(&scene));
	scene.cl->clSetUserEventStatus(scene.gate, CL_COMPLETE);
	scene.cl->clReleaseEvent(scene.gate);
	assert_all_gone();
	assert_false(is_alive(&scene));
	close_scene(session, dir);
}

static void what_a_pending_launch_needs_lives_until_it_has_run(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned way = 0; way < WAYS; way++)
			run_row(&rows[i], way);
}

/* What cannot be recorded when its turn comes runs as the application's own kernel. */
static void a_launch_that_runs_as_it_is_has_its_kernel(void **state)
{
	for (unsigned way = 0; way < WAYS; way++) {
		struct scene scene;
		struct session *session;
		char dir[128];

		snprintf(dir, sizeof(dir), "%s/small%u", work_dir, way);
		session = open_scene(&scene, dir, &rows[0], 1);
		rows[0].pass(&scene);
		ways[way](&scene);
		rows[0].release(&scene);
		release_scene(&scene);
		scene.cl->clSetUserEventStatus(scene.gate, CL_COMPLETE);
		scene.cl->clReleaseEvent(scene.gate);
		assert_all_gone();
		close_scene_as(session, dir, LAUNCH_SKIPPED);
	}
}

/* A value that is no object is no handle, whatever it is called and whatever is in it. */
static void values_are_not_taken_for_objects(void **state)
{
	static const char *const types[] = { "image_size_t", "struct image", "ulong",
		                             "myimage2d_t" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct held_row row = { "a value",   types[i],   0,
			                make_buffer, pass_value, release_memory };
		struct scene scene;
		struct session *session;
		char dir[128];
		void *buffer;

		snprintf(dir, sizeof(dir), "%s/value%zu", work_dir, i);
		session = open_scene(&scene, dir, &row, ROOM);
		buffer = scene.object;
		scene.object = (void *)(work_dir + 1);
		pass_value(&scene);
		by_range(&scene);
		scene.object = buffer;
		release_memory(&scene);
		assert_false(is_alive(&scene));
		release_scene(&scene);
		scene.cl->clSetUserEventStatus(scene.gate, CL_COMPLETE);
		scene.cl->clReleaseEvent(scene.gate);
		assert_all_gone();
		close_scene(session, dir);
	}
}

static atomic_bool is_freed;

static void *free_when_done(void *scene)
{
	struct scene *s = scene;

	assert_int_equal(hook_clMemBlockingFreeINTEL(s->context, s->object), CL_SUCCESS);
	atomic_store(&is_freed, true);
	return NULL;
}

static void a_call_that_waits_for_launches_waits_for_ours(void **state)
{
	const struct held_row row = { "", "int*", 1, make_host_memory, pass_usm, NULL };
	struct scene scene;
	struct session *session;
	pthread_t thread;
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/blocking", work_dir);
	session = open_scene(&scene, dir, &row, ROOM);
	row.pass(&scene);
	by_range(&scene);
	assert_int_equal(pthread_create(&thread, NULL, free_when_done, &scene), 0);
	usleep(20000);
	assert_false(atomic_load(&is_freed));
	assert_true(is_alive(&scene));
	scene.cl->clSetUserEventStatus(scene.gate, CL_COMPLETE);
	pthread_join(thread, NULL);
	assert_true(atomic_load(&is_freed));
	assert_false(is_alive(&scene));
	release_scene(&scene);
	scene.cl->clReleaseEvent(scene.gate);
	assert_all_gone();
	close_scene(session, dir);
}

/* What makes an object that an argument may name goes past the recorder nowhere. */
static void every_object_is_seen_made(void **state)
{
	static const char *const sorts[] = { "cl_mem", "cl_sampler", "cl_command_queue",
		                             "cl_kernel", "cl_program" };
	static const struct {
		const char *type, *name;
	} unseen[] = {
#define CL_API(type, name, params, args) { #type, #name },
#define CL_HOOK(type, name, params, args)
#define CL_EXT(type, name, params, args) { #type, #name },
#define CL_EXT_HOOK(type, name, params, args)
#include "opencl_api.def"
	};

	for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
		for (size_t k = 0; k < sizeof(sorts) / sizeof(sorts[0]); k++)
			if (!strcmp(unseen[i].type, sorts[k]))
				fail_msg("%s", unseen[i].name);
		if (strstr(unseen[i].name, "Alloc") && !strcmp(unseen[i].type, "void *"))
			fail_msg("%s", unseen[i].name);
		if (strstr(unseen[i].name, "Free"))
			fail_msg("%s", unseen[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_pending_launch_needs_lives_until_it_has_run),
		cmocka_unit_test(a_launch_that_runs_as_it_is_has_its_kernel),
		cmocka_unit_test(values_are_not_taken_for_objects),
		cmocka_unit_test(a_call_that_waits_for_launches_waits_for_ours),
		cmocka_unit_test(every_object_is_seen_made),
	};
	char text[128];
	int failed;

	if (!mkdtemp(work_dir))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	if (!failed && system(text) != 0)
		return 1;
	return failed;
}
