/* SPDX-License-Identifier: Apache-2.0 */
#include "program_build.h"

#include "array.h"
#include "device_info.h"
#include "err.h"
#include "program_state.h"
#include "recorder.h"
#include "runtime.h"
#include "session.h"
#include "shadow_program.h"
#include "str.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_DEVICES 4096
#define LIMIT_KERNELS (1 << 20)

/* A kernel that has its line. */
struct kernel_line {
	char *name;
	cl_device_id device;
	uint32_t id;
};

struct program_build {
	atomic_uint refs;
	const char *origin;
	char *text;
	size_t length;
	char *options;
	pthread_mutex_t lock; /* of the fields below, not held while the build is made */
	pthread_cond_t made;
	enum { BUILD_NEW, BUILD_BEING_MADE, BUILD_MADE } stage;
	uint32_t program_id;
	struct array shadows; /* of struct shadow_program, one per device */
	struct array lines;   /* of struct kernel_line */
};

struct program_build *program_build_create(const struct program_state *program)
{
	struct program_build *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	atomic_init(&b->refs, 1);
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->made, NULL);
	array_init(&b->shadows, sizeof(struct shadow_program), LIMIT_DEVICES, "devices");
	array_init(&b->lines, sizeof(struct kernel_line), LIMIT_KERNELS, "kernels");
	b->origin = program->origin;
	b->length = program->length;
	b->options = str_copy(program->options ? program->options : "", NULL);
	if (program->text)
		b->text = array_alloc(program->length + 1, 1, "program text", NULL);
	if (!b->options || (program->text && !b->text)) {
		program_build_release(b);
		return NULL;
	}
	if (b->text && program->text)
		memcpy(b->text, program->text, program->length);
	return b;
}

struct program_build *program_build_retain(struct program_build *b)
{
	atomic_fetch_add(&b->refs, 1);
	return b;
}

void program_build_release(struct program_build *b)
{
	struct shadow_program *shadows;
	struct kernel_line *lines;

	if (!b || atomic_fetch_sub(&b->refs, 1) != 1)
		return;
	shadows = b->shadows.data;
	for (size_t i = 0; i < b->shadows.count; i++)
		shadow_program_release(&shadows[i]);
	array_release(&b->shadows);
	lines = b->lines.data;
	for (size_t i = 0; i < b->lines.count; i++)
		free(lines[i].name);
	array_release(&b->lines);
	pthread_cond_destroy(&b->made);
	pthread_mutex_destroy(&b->lock);
	free(b->text);
	free(b->options);
	free(b);
}

/* The devices of a program; free the result. NULL when the driver does not say. */
static cl_device_id *devices_of(cl_program program, size_t *count)
{
	const struct opencl_real *real = opencl_real();
	cl_device_id *devices = NULL;
	size_t bytes = 0;

	if (real->clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &bytes) == CL_SUCCESS)
		devices = array_alloc(bytes / sizeof(*devices), sizeof(*devices), "devices", NULL);
	if (devices && real->clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes, devices, NULL)) {
		free(devices);
		devices = NULL;
	}
	*count = devices ? bytes / sizeof(*devices) : 0;
	return devices;
}

/* Whether the user wants one of the program's kernels, or the driver does not say which it has. */
static bool has_selected(const struct session *s, cl_program program)
{
	const struct opencl_real *real = opencl_real();
	char *names = NULL, *rest, *name;
	size_t bytes = 0;
	bool is_found = false;

	if (!s->filter.has_kernel)
		return true;
	if (real->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes) == CL_SUCCESS)
		names = array_alloc(bytes + 1, 1, "kernel names", NULL);
	if (!names ||
	    real->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL)) {
		free(names);
		return true;
	}
	for (rest = names; !is_found && (name = strsep(&rest, ";"));)
		is_found = launch_filter_has_kernel(&s->filter, name);
	free(names);
	return is_found;
}

static void make(struct program_build *b, struct session *s, cl_program original)
{
	struct recorded_program line = { .options = b->options };
	size_t count = 0;
	cl_device_id *devices;
	char *origin = str_copy(b->origin, NULL);

	line.origin = origin;
	if (!origin || !recorder_program(s->recorder, &line, b->text, b->length, &b->program_id)) {
		free(origin);
		return;
	}
	free(origin);
	if (!has_selected(s, original))
		return;
	devices = devices_of(original, &count);
	for (size_t i = 0; i < count; i++) {
		struct shadow_program *shadow = array_push(&b->shadows, 1, NULL);
		struct shadow_source source = { b->origin, b->text, b->length, b->options,
			                        b->program_id };

		if (shadow)
			shadow_program_init(shadow, s, original, devices[i], &source);
	}
	free(devices);
}

void program_build_make(struct program_build *b, struct session *s, cl_program original)
{
	bool is_ours;

	pthread_mutex_lock(&b->lock);
	while (b->stage == BUILD_BEING_MADE)
		pthread_cond_wait(&b->made, &b->lock);
	is_ours = b->stage == BUILD_NEW;
	if (is_ours)
		b->stage = BUILD_BEING_MADE;
	pthread_mutex_unlock(&b->lock);
	if (!is_ours)
		return;

	make(b, s, original);

	pthread_mutex_lock(&b->lock);
	b->stage = BUILD_MADE;
	pthread_cond_broadcast(&b->made);
	pthread_mutex_unlock(&b->lock);
}

static const struct kernel_table *table_of(const struct shadow_program *shadow, const char *name)
{
	for (size_t i = 0; i < shadow->table_count; i++)
		if (strcmp(shadow->tables[i].name, name) == 0)
			return &shadow->tables[i];
	return NULL;
}

/* The shadow for a device, or NULL. */
static const struct shadow_program *shadow_for(const struct program_build *b, cl_device_id device)
{
	const struct shadow_program *shadows = b->shadows.data;

	for (size_t i = 0; i < b->shadows.count; i++)
		if (shadows[i].device == device)
			return &shadows[i];
	return NULL;
}

static void find_kernel(const struct program_build *b, const struct session *s, const char *name,
                        cl_device_id device, struct shadow_kernel *out)
{
	const struct shadow_program *shadow = shadow_for(b, device);

	*out = (struct shadow_kernel){ .is_selected = launch_filter_has_kernel(&s->filter, name) };
	out->reason = out->is_selected ? "the program was not built for this device"
	                               : "kernels of this name were not selected";
	if (!shadow || !out->is_selected)
		return;
	out->program = shadow->program;
	out->reason = shadow->reason;
	out->table = shadow->program ? table_of(shadow, name) : NULL;
	if (out->program && !out->table) {
		out->program = NULL;
		out->reason = "the instrumenter made no table of this kernel";
	} else if (out->program && out->table->has_conditional_barrier &&
	           runtime_of(device).mixes_items) {
		out->program = NULL;
		out->reason = "a barrier under a condition: this platform's compiler mixes up the "
			      "work-items of such a kernel when it is instrumented";
	}
}

/* Write the line of a kernel on device `at` (its own number in at->id). */
static bool write_line(struct program_build *b, struct session *s, const char *name,
                       const struct kernel_line *at, struct shadow_kernel *found)
{
	struct recorded_kernel line = { .program = b->program_id, .device = at->id };
	struct kernel_line *known;
	char *copy = str_copy(name, NULL), *reason = NULL, *door = NULL;
	bool is_written = false;

	if (found->reason)
		reason = str_copy(found->reason, NULL);
	door = str_copy(found->program ? "spir" : "", NULL);
	line.door = door;
	line.reason = reason;
	if (found->table)
		line.table = *found->table;
	line.table.name = copy;
	if (copy && door && (reason || !found->reason))
		is_written = recorder_kernel(s->recorder, &line, &found->kernel_id);
	free(reason);
	free(door);
	known = is_written ? array_push(&b->lines, 1, NULL) : NULL;
	if (!known) {
		free(copy);
		return false;
	}
	*known = (struct kernel_line){ copy, at->device, found->kernel_id };
	return true;
}

bool program_build_kernel(struct program_build *b, struct session *s, const char *name,
                          cl_device_id device, struct shadow_kernel *out)
{
	struct kernel_line at = { .device = device };
	const struct kernel_line *lines;
	bool is_known = false;

	find_kernel(b, s, name, device, out);
	if (!device_info_id(s, device, &at.id))
		return false;
	pthread_mutex_lock(&b->lock);
	lines = b->lines.data;
	for (size_t i = 0; i < b->lines.count && !is_known; i++) {
		is_known = lines[i].device == device && strcmp(lines[i].name, name) == 0;
		out->kernel_id = lines[i].id;
	}
	/* Two threads may not write the line twice: the lock stays, over a write to a file. */
	if (!is_known)
		is_known = write_line(b, s, name, &at, out);
	pthread_mutex_unlock(&b->lock);
	return is_known;
}
