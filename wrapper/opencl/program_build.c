/* SPDX-License-Identifier: Apache-2.0 */
#include "program_build.h"

#include "array.h"
#include "clock.h"
#include "device_info.h"
#include "file.h"
#include "kernel_table.h"
#include "launch_filter.h"
#include "program_code.h"
#include "program_state.h"
#include "recorder.h"
#include "session.h"
#include "shadow_program.h"
#include "str.h"
#include "sub_device.h"
#include "text_program.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The result of looking a kernel up in the shadow of its device. */
struct shadow_find {
	const struct shadow_program *shadow; /* that has it; NULL: none */
	const struct kernel_table *table;    /* its table there; NULL: none */
	const char *reason;                  /* why no shadow has it, borrowed; else NULL */
};

struct program_line {
	const struct program_code *code; /* the build's */
	uint32_t program_id;
	uint32_t *part_ids; /* of its parts; of one part: program_id */
	bool lacks_text;    /* it came without text, which was not looked for in files yet */
};

/* Of struct program_line. Release with program_lines_release(). */
struct program_lines {
	struct array list;
};

/* Returns why a shadow lacks the kernel with this table, which may be NULL; NULL if it has the
 * kernel. */
static const char *reason_of(const struct shadow_program *shadow, const struct kernel_table *table)
{
	if (shadow->reason)
		return shadow->reason;
	if (!table)
		return "the instrumenter wrote no table for this kernel";
	if (table->refusal)
		return table->refusal;
	return shadow->program ? NULL : "out of memory";
}

/* Look for kernel `name` in the shadow for `device`. */
static struct shadow_find shadow_find(const struct shadow_program *shadows, size_t count,
                                      cl_device_id device, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		const struct kernel_table *table;
		const char *reason;

		if (shadows[i].device != device)
			continue;
		table = shadow_program_table(&shadows[i], name);
		reason = reason_of(&shadows[i], table);
		return (struct shadow_find){ reason ? NULL : &shadows[i], table, reason };
	}
	return (struct shadow_find){ .reason = "the program was not built for this device" };
}

#define LIMIT_LINES 4096

enum { SOURCE_LIMIT_BYTES = 16 << 20 };

static void program_lines_init(struct program_lines *lines)
{
	array_init(&lines->list, sizeof(struct program_line), LIMIT_LINES, "programs");
}

static void program_lines_release(struct program_lines *lines)
{
	struct program_line *list = lines->list.data;

	for (size_t i = 0; i < lines->list.count; i++)
		free(list[i].part_ids);
	array_release(&lines->list);
}

/* Write the line of a program, or of a part, with its text if it is one. */
static bool write_program(struct session *s, const char *origin, const char *options,
                          const struct code_part *part, uint32_t *id)
{
	bool has_text = part && part->kind == CODE_SOURCE;
	struct recorded_program line = { .options = str_copy(options, NULL),
		                         .origin = str_copy(origin, NULL) };
	bool is_written = line.options && line.origin &&
	                  recorder_program(s->recorder, &line, has_text ? part->text->bytes : NULL,
	                                   has_text ? part->text->length : 0, id);

	free(line.options);
	free(line.origin);
	return is_written;
}

/* Write the lines of a code: its own, and of several parts theirs. */
static bool write_lines(struct session *s, struct program_line *line)
{
	static const char *const origins[CODE_KINDS] = { "source", "binary", "il", "binary" };
	const struct program_code *code = line->code;

	line->part_ids = array_alloc(code->part_count, sizeof(uint32_t), "parts", NULL);
	if (!line->part_ids)
		return false;
	for (size_t i = 0; code->part_count > 1 && i < code->part_count; i++) {
		const struct code_part *part = &code->parts[i];
		const char *options = part->options ? part->options : "";

		if (!write_program(s, origins[part->kind], options, part, &line->part_ids[i]))
			return false;
	}
	if (!write_program(s, code->origin, code->options,
	                   code->part_count == 1 ? code->parts : NULL, &line->program_id))
		return false;
	if (code->part_count == 1)
		line->part_ids[0] = line->program_id;
	return true;
}

/* Returns the line of a code, or NULL. A NULL code means any. Borrowed until the next line is
 * written. */
static const struct program_line *program_lines_find(const struct program_lines *lines,
                                                     const struct program_code *code)
{
	const struct program_line *list = lines->list.data;

	for (size_t i = 0; i < lines->list.count; i++)
		if (list[i].code == code || !code)
			return &list[i];
	return NULL;
}

/* Returns the line of a code, written if needed; NULL when that fails. */
static const struct program_line *
program_lines_write(struct program_lines *lines, struct session *s, const struct program_code *code)
{
	const struct program_line *known = program_lines_find(lines, code);
	struct program_line *line = known ? NULL : array_push(&lines->list, 1, NULL);

	if (!line)
		return known;
	line->code = code;
	line->lacks_text = code->part_count == 1 && code->parts->kind != CODE_SOURCE;
	if (write_lines(s, line))
		return line;
	free(line->part_ids);
	lines->list.count--;
	return NULL;
}

/* Whether the name of a file is that of a C++ or CUDA source or header, all of which may have
 * kernels. */
static bool is_source(const char *file)
{
	static const char *const ends[] = { ".cu",  ".cuh", ".h",  ".hh",  ".hpp", ".hxx", ".inl",
		                            ".inc", ".ipp", ".cc", ".cpp", ".cxx", ".c" };
	const char *dot = file ? strrchr(file, '.') : NULL;

	for (size_t i = 0; dot && i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(dot, ends[i]))
			return true;
	return false;
}

/* Returns the source file with the most sites, the first of equals; NULL without sites. */
static const char *main_file(const struct kernel_table *table)
{
	const char *best = NULL, *file;
	size_t most = 0, count;

	for (size_t i = 0; i + most < table->site_count; i++) {
		file = table->sites[i].place.file;
		if (!is_source(file))
			continue;
		count = 0;
		for (size_t k = i; k < table->site_count; k++)
			count += table->sites[k].place.file &&
			         !strcmp(table->sites[k].place.file, file);
		if (count > most) {
			best = file;
			most = count;
		}
	}
	return best;
}

/* Read a file by its path or, failing that, from the folder of the running program. */
static bool read_file(const char *file, struct str *text)
{
	char self[4096], *slash, *beside;
	ssize_t length;
	bool is_read = !file_read(file, text, NULL);

	if (is_read || *file == '/')
		return is_read;
	length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[length > 0 ? length : 0] = '\0';
	slash = strrchr(self, '/');
	beside = slash ? str_format(NULL, "%.*s/%s", (int)(slash - self), self, file) : NULL;
	is_read = beside && !file_read(beside, text, NULL);
	free(beside);
	return is_read;
}

/*
 * For reports, keep the text of a program that came without one, as CUDA programs do: the present
 * contents of the source file with most sites of its table, found by its path or beside the running
 * program. Once for each code; a file that cannot be read is not kept.
 */
static void program_lines_keep_source(struct program_lines *lines, struct session *s,
                                      const struct program_code *code,
                                      const struct kernel_table *table)
{
	struct program_line *list = lines->list.data, *line = NULL;
	const char *file = main_file(table);
	struct str text;

	for (size_t i = 0; !line && i < lines->list.count; i++)
		line = list[i].code == code ? &list[i] : NULL;
	if (!line || !line->lacks_text || !file)
		return;
	line->lacks_text = false;
	str_init(&text, SOURCE_LIMIT_BYTES);
	if (read_file(file, &text))
		recorder_source(s->recorder, line->program_id, file, text.text, text.length);
	str_release(&text);
}

#define LIMIT_SHADOWS 4096
#define LIMIT_KERNELS (1 << 20)

/* A kernel that has a line in the recording. */
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
	bool is_late;         /* made when nothing more was to be recorded: it has no shadows */
	struct array shadows; /* of struct shadow_program: one for each device */
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

/* Returns the devices of a program, which the caller frees; NULL when the driver does not report
 * them. */
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

/* Whether the user wants one of the program's kernels, or the driver does not list them. */
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

static void make_shadow(struct program_build *b, struct session *s, cl_device_id device,
                        const struct program_line *line)
{
	const struct shadow_source source = { line->code, line->part_ids };
	struct shadow_program *shadow = array_push(&b->shadows, 1, NULL);

	if (!shadow)
		return;
	*shadow = (struct shadow_program){ .device = device };
	shadow_program_init(shadow, s, b->original, &source);
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
			make_shadow(b, s, devices[i], line);
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
                       uint32_t device_id)
{
	struct recorded_kernel recorded = { .device = device_id, .reason = line->reason };
	const struct program_line *program =
		program_lines_find(&b->programs, device_codes_find(&b->codes, line->device));
	bool is_written;

	if (!program)
		return false;
	recorded.program = program->program_id;
	recorded.door = str_copy(line->found.program ? TEXT_PROGRAM_DOOR : "", NULL);
	if (!recorded.door)
		return false;
	if (line->found.table)
		recorded.table = *line->found.table;
	recorded.table.name = line->name;
	is_written = recorder_kernel(s->recorder, &recorded, &line->found.kernel_id);
	free(recorded.door);
	return is_written;
}

/* Look a kernel up in the shadows. */
static void find_kernel(const struct program_build *b, const struct session *s,
                        struct kernel_line *line)
{
	struct shadow_find found;
	cl_device_id device;

	line->found.is_selected = launch_filter_has_kernel(&s->filter, line->name);
	if (!line->found.is_selected) {
		line->reason = str_copy("kernels of this name were not selected", NULL);
		return;
	}
	if (b->is_late) {
		line->reason = str_copy("it was built after recording had ended", NULL);
		line->found.reason = line->reason;
		return;
	}
	device = sub_device_built(b->shadows.data, b->shadows.count, line->device);
	found = shadow_find(b->shadows.data, b->shadows.count, device, line->name);
	line->reason = found.reason ? str_copy(found.reason, NULL) : NULL;
	line->found.reason = line->reason;
	line->found.table = found.shadow ? found.table : NULL;
	line->found.facts = found.table;
	line->found.program = found.shadow ? found.shadow->program : NULL;
	if (found.shadow)
		line->found.most_items = shadow_program_most_items(found.shadow, found.table);
}

/* Write the line of a kernel that has none yet. Returns NULL when that fails. */
static struct kernel_line *add_line(struct program_build *b, struct session *s, const char *name,
                                    cl_device_id device, uint32_t device_id)
{
	struct kernel_line line = { .name = str_copy(name, NULL), .device = device }, *known = NULL;

	if (line.name) {
		find_kernel(b, s, &line);
		if (write_line(b, s, &line, device_id))
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
	/* The lock is held while a file is written, so that two threads do not write the line
	 * twice. */
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
	struct shadow_find found;

	if (!is_made(b) || !launch_filter_has_kernel(&s->filter, name))
		return 0;
	device = sub_device_built(b->shadows.data, b->shadows.count, device);
	found = shadow_find(b->shadows.data, b->shadows.count, device, name);
	return found.shadow ? shadow_program_most_items(found.shadow, found.table) : 0;
}
