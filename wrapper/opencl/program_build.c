/* SPDX-License-Identifier: Apache-2.0 */
#include "program_build.h"

#include "array.h"
#include "clock.h"
#include "device_codes.h"
#include "device_info.h"
#include "kernel_doors.h"
#include "launch_kit.h"
#include "program_code.h"
#include "program_lines.h"
#include "program_notify.h"
#include "program_state.h"
#include "recorder.h"
#include "session.h"
#include "shadow_program.h"
#include "str.h"
#include "sub_device.h"
#include "work_clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_SHADOWS 4096
#define LIMIT_KERNELS (1 << 20)

/* A kernel that has its line in the recording. */
struct kernel_line {
	char *name;
	cl_device_id device;
	char *reason;
	struct shadow_kernel found; /* borrows the reason */
};

struct program_build {
	atomic_uint refs;
	cl_program original; /* not retained: the kernels do that */
	struct device_codes codes;
	pthread_mutex_t lock; /* of the fields below, not held while the build is made */
	pthread_cond_t made;
	enum { BUILD_NEW, BUILD_BEING_MADE, BUILD_MADE } stage;
	struct program_lines programs;
	bool is_late;         /* made when nothing more was to be recorded: there are no shadows */
	struct array shadows; /* of struct shadow_program: per device, each door that was tried */
	struct array lines;   /* of struct kernel_line */
	struct launch_kits kits;
};

struct program_build *program_build_create(const struct program_state *program)
{
	struct program_build *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	atomic_init(&b->refs, 1);
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->made, NULL);
	program_lines_init(&b->programs);
	launch_kits_init(&b->kits);
	array_init(&b->shadows, sizeof(struct shadow_program), LIMIT_SHADOWS, "devices");
	array_init(&b->lines, sizeof(struct kernel_line), LIMIT_KERNELS, "kernels");
	b->original = program->handle;
	if (device_codes_copy(&b->codes, program_state_codes(program)))
		return b;
	program_build_release(b);
	return NULL;
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
	launch_kits_release(&b->kits);
	shadows = b->shadows.data;
	for (size_t i = 0; i < b->shadows.count; i++)
		shadow_program_release(&shadows[i]);
	array_release(&b->shadows);
	lines = b->lines.data;
	for (size_t i = 0; i < b->lines.count; i++) {
		free(lines[i].name);
		free(lines[i].reason);
	}
	array_release(&b->lines);
	program_lines_release(&b->programs);
	device_codes_release(&b->codes);
	pthread_cond_destroy(&b->made);
	pthread_mutex_destroy(&b->lock);
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

/* Try one door after the other until each kernel that is wanted has come through. */
static void make_shadows(struct program_build *b, struct session *s, cl_device_id device,
                         const struct program_line *line)
{
	const struct shadow_source source = { line->code, line->part_ids };

	for (unsigned door = 0; door < DOOR_COUNT; door++) {
		struct shadow_program *shadow;

		if (!door_is_allowed((enum door)door, s->settings.door) ||
		    !kernel_doors_lack_some(b->shadows.data, b->shadows.count, device, &s->filter))
			continue;
		shadow = array_push(&b->shadows, 1, NULL);
		if (!shadow)
			return;
		*shadow = (struct shadow_program){ .device = device, .door = (enum door)door };
		shadow_program_init(shadow, s, b->original, &source);
		if (shadow->is_over_limit)
			return;
	}
}

static void make(struct program_build *b, struct session *s)
{
	size_t count = 0;
	cl_device_id *devices = devices_of(b->original, &count);
	bool is_wanted = has_selected(s, b->original);

	b->is_late = launch_quota_is_spent(&s->quota, clock_now_ns());
	for (size_t i = 0; i < count; i++) {
		const struct program_code *code = device_codes_find(&b->codes, devices[i]);
		const struct program_line *line = NULL;

		if (code)
			line = program_lines_write(&b->programs, s, code);
		if (line && is_wanted && !b->is_late)
			make_shadows(b, s, devices[i], line);
	}
	free(devices);
}

void program_build_make(struct program_build *b, struct session *s)
{
	uint64_t since;
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

	since = clock_now_ns();
	make(b, s);
	work_clock_end(s, since);

	pthread_mutex_lock(&b->lock);
	b->stage = BUILD_MADE;
	pthread_cond_broadcast(&b->made);
	pthread_mutex_unlock(&b->lock);
}

static struct kernel_line *find_line(const struct program_build *b, const char *name,
                                     cl_device_id device)
{
	struct kernel_line *lines = b->lines.data;

	for (size_t i = 0; i < b->lines.count; i++)
		if (lines[i].device == device && strcmp(lines[i].name, name) == 0)
			return &lines[i];
	return NULL;
}

/* Write the line of a kernel; its number goes to line->found. */
static bool write_line(const struct program_build *b, struct session *s, struct kernel_line *line,
                       uint32_t device_id, enum door door)
{
	struct recorded_kernel recorded = { .device = device_id, .reason = line->reason };
	const struct program_line *program =
		program_lines_find(&b->programs, device_codes_find(&b->codes, line->device));
	bool is_written;

	if (!program)
		return false;
	recorded.program = program->program_id;
	recorded.door = str_copy(line->found.program ? door_name(door) : "", NULL);
	if (!recorded.door)
		return false;
	if (line->found.table)
		recorded.table = *line->found.table;
	recorded.table.name = line->name;
	is_written = recorder_kernel(s->recorder, &recorded, &line->found.kernel_id);
	free(recorded.door);
	return is_written;
}

/* Fill what is found of a kernel. */
static enum door find_kernel(const struct program_build *b, const struct session *s,
                             struct kernel_line *line)
{
	struct kernel_doors doors;
	cl_device_id device;

	line->found.is_selected = launch_filter_has_kernel(&s->filter, line->name);
	if (!line->found.is_selected) {
		line->reason = str_copy("kernels of this name were not selected", NULL);
		return DOOR_TEXT;
	}
	if (b->is_late) {
		line->reason = str_copy("it was built when nothing more was to be recorded", NULL);
		line->found.reason = line->reason;
		return DOOR_TEXT;
	}
	device = sub_device_built(b->shadows.data, b->shadows.count, line->device);
	kernel_doors_find(&doors, b->shadows.data, b->shadows.count, device, line->name);
	line->reason = doors.reason;
	line->found.reason = doors.reason;
	line->found.table = doors.table;
	line->found.facts = doors.facts;
	line->found.program = doors.shadow ? doors.shadow->program : NULL;
	if (doors.shadow)
		line->found.most_items = shadow_program_most_items(doors.shadow, doors.table);
	return doors.shadow ? doors.shadow->door : DOOR_TEXT;
}

/* The line of a kernel that has none yet; NULL when it cannot be written. */
static struct kernel_line *add_line(struct program_build *b, struct session *s, const char *name,
                                    cl_device_id device, uint32_t device_id)
{
	struct kernel_line line = { .name = str_copy(name, NULL), .device = device }, *known = NULL;

	if (line.name) {
		enum door door = find_kernel(b, s, &line);

		if (write_line(b, s, &line, device_id, door))
			known = array_push(&b->lines, 1, NULL);
		if (known && line.found.table)
			program_lines_keep_source(&b->programs, s,
			                          device_codes_find(&b->codes, line.device),
			                          line.found.table);
	}
	if (known) {
		const char *why = line.found.program ? NULL : line.reason;

		line.found.tally = launch_tallies_add(&s->tallies, line.found.kernel_id,
		                                      line.found.is_selected, why);
		*known = line;
		return known;
	}
	free(line.name);
	free(line.reason);
	return NULL;
}

static bool is_made(struct program_build *b)
{
	bool answer;

	pthread_mutex_lock(&b->lock);
	answer = b->stage == BUILD_MADE;
	pthread_mutex_unlock(&b->lock);
	return answer;
}

bool program_build_kernel(struct program_build *b, struct session *s, const char *name,
                          cl_device_id device, struct shadow_kernel *out)
{
	const struct kernel_line *line;
	uint32_t device_id;

	if (!is_made(b)) {
		if (program_notify_is_running())
			return false;
		program_build_make(b, s);
	}
	if (!device_info_id(s, device, &device_id))
		return false;
	pthread_mutex_lock(&b->lock);
	line = find_line(b, name, device);
	/* Two threads may not write the line twice: the lock stays, over a write to a file. */
	if (!line)
		line = add_line(b, s, name, device, device_id);
	if (line)
		*out = line->found;
	pthread_mutex_unlock(&b->lock);
	return line;
}

struct launch_kits *program_build_kits(struct program_build *b)
{
	return &b->kits;
}

bool shadow_kernel_takes(const struct shadow_kernel *shadow, const uint64_t local[3])
{
	return !shadow->most_items || local[0] * local[1] * local[2] <= shadow->most_items;
}

size_t program_build_most_items(struct program_build *b, const struct session *s, const char *name,
                                cl_device_id device)
{
	struct kernel_doors doors;
	size_t most = 0;

	if (!is_made(b) || !launch_filter_has_kernel(&s->filter, name))
		return 0;
	device = sub_device_built(b->shadows.data, b->shadows.count, device);
	kernel_doors_find(&doors, b->shadows.data, b->shadows.count, device, name);
	if (doors.shadow)
		most = shadow_program_most_items(doors.shadow, doors.table);
	free(doors.reason);
	return most;
}
