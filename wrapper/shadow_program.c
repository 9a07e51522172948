/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow_program.h"

#include "array.h"
#include "cached_instrument.h"
#include "code_place.h"
#include "device_info.h"
#include "err.h"
#include "file.h"
#include "instrument_cache.h"
#include "own_objects.h"
#include "program_code.h"
#include "runtime.h"
#include "scratch_folder.h"
#include "session.h"
#include "str.h"
#include "work_clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_LIMIT_BYTES (256u << 20)
#define LIMIT_HASHED     (1u << 20)

/* "1.2" of "OpenCL 1.2 and more". */
static void version_number(char *text)
{
	char *from = text + strcspn(text, "0123456789");
	size_t length = strspn(from, "0123456789.");

	memmove(text, from, length);
	text[length] = '\0';
}

/* How wide the device's vector registers are, at least 16 bytes. */
static void vector_bytes(cl_device_id device, char text[16])
{
	uint64_t floats = device_info_number(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);

	snprintf(text, 16, "%u", floats > 4 && floats <= 64 ? (unsigned)floats * 4 : 16u);
}

/* Text and embedded headers, in one hash. */
static void hash_content(const struct code_part *part, uint64_t hash[2])
{
	struct array list;
	struct cache_part *at;
	struct cache_key key = { 0 };

	array_init(&list, sizeof(*at), LIMIT_HASHED, "headers");
	at = array_push(&list, 1 + 2 * part->header_count, NULL);
	if (at) {
		*at++ = (struct cache_part){ part->text->bytes, part->text->length };
		for (size_t i = 0; i < part->header_count; i++) {
			const struct embedded_header *h = &part->headers[i];

			*at++ = (struct cache_part){ h->name, strlen(h->name) };
			*at++ = (struct cache_part){ h->text->bytes, h->text->length };
		}
		key = instrument_cache_key(list.data, list.count);
	}
	array_release(&list);
	hash[0] = key.high;
	hash[1] = key.low;
}

/* The parts as the instrumenter is asked for them; free the array only. */
static struct instrument_part *make_parts(struct scratch_folder *f,
                                          const struct shadow_source *source, struct err *err)
{
	size_t count = source->code->part_count;
	struct instrument_part *parts = array_alloc(count, sizeof(*parts), "parts", err);

	for (size_t i = 0; parts && i < count; i++) {
		const struct code_part *part = &source->code->parts[i];
		struct instrument_part *p = &parts[i];

		p->source = f->parts[i].source;
		p->embedded = f->parts[i].embedded;
		p->options = part->options ? part->options : "";
		hash_content(part, p->content);
		f->parts[i].name =
			str_format(err, "sources/program-%04u.cl", source->program_ids[i]);
		p->source_name = f->parts[i].name;
	}
	return parts;
}

/* What the device and the settings say. */
static int run_instrumenter(const struct shadow_program *shadow, struct session *s,
                            const struct scratch_folder *f, const struct instrument_part *parts,
                            const char *folder, struct err *err)
{
	const struct runtime runtime = runtime_of(shadow->device);
	const uint64_t type = device_info_number(shadow->device, CL_DEVICE_TYPE);
	char *extensions = device_info_text(shadow->device, CL_DEVICE_EXTENSIONS, err);
	char *version = device_info_text(shadow->device, CL_DEVICE_VERSION, err);
	char *instrumenter = s->settings.instrumenter ? str_copy(s->settings.instrumenter, err)
	                                              : instrument_process_default(err);
	char bytes[16];
	int rc = ERR_NOMEM;

	vector_bytes(shadow->device, bytes);
	if (extensions && version && instrumenter) {
		const struct instrument_request request = {
			.instrumenter = instrumenter,
			.limit_ns = s->settings.instrument_limit_ns,
			.folder = folder,
			.parts = parts,
			.part_count = f->part_count,
			.output = f->output,
			.table = f->table,
			.headers = f->headers,
			.extensions = extensions,
			.cl_version = version,
			.door = door_name(shadow->door),
			.records = s->settings.records,
			.layout = type & CL_DEVICE_TYPE_CPU ? "item" : "lane",
			.slots = s->settings.atomics ? "0" : "1",
			.mixes_items = runtime.mixes_items ? "1" : "0",
			.wide_addresses = runtime.is_narrow ? "0" : "1",
			.vector_bytes = runtime.loses_vectors ? bytes : NULL,
			.apply =
				!strcmp(door_name(shadow->door), "text") ? s->settings.apply : NULL,
			.opt = s->settings.opt,
			.spaces = s->settings.spaces,
		};

		version_number(version);
		rc = cached_instrument_run(&request, s->settings.cache, err);
	}
	free(extensions);
	free(version);
	free(instrumenter);
	return rc;
}

/* Whether the code has any kernel: those that the door cannot take are not in it. */
static bool has_kernel(const struct shadow_program *shadow)
{
	for (size_t i = 0; i < shadow->table_count; i++)
		if (!shadow->tables[i].refusal)
			return true;
	return false;
}

static int load(struct shadow_program *shadow, cl_program original, const char *file,
                struct err *err)
{
	const struct opencl_real *real = opencl_real();
	cl_context context = NULL;
	struct str code;
	cl_int code_of_driver;
	int rc;

	if (!has_kernel(shadow))
		return 0;
	str_init(&code, CODE_LIMIT_BYTES);
	code_of_driver = real->clGetProgramInfo(original, CL_PROGRAM_CONTEXT, sizeof(context),
	                                        (void *)&context, NULL);
	if (code_of_driver != CL_SUCCESS)
		rc = err_set(err, ERR_DEVICE, "the program's context is not known: %d",
		             code_of_driver);
	else
		rc = file_read(file, &code, err);
	if (rc == 0)
		rc = door_build(shadow->door, context, shadow->device, &code, &shadow->program,
		                err);
	str_release(&code);
	return rc;
}

/* What the driver says of the kernel of a table, 0 when it does not. */
static size_t ask_most_items(const struct shadow_program *shadow, const struct kernel_table *table)
{
	const struct opencl_real *real = opencl_real();
	cl_kernel kernel;
	size_t most = 0;
	cl_int rc;

	if (table->refusal)
		return 0;
	kernel = real->clCreateKernel(shadow->program, table->name, &rc);
	if (!kernel)
		return 0;
	if (real->clGetKernelWorkGroupInfo(kernel, shadow->device, CL_KERNEL_WORK_GROUP_SIZE,
	                                   sizeof(most), &most, NULL) != CL_SUCCESS)
		most = 0;
	real->clReleaseKernel(kernel);
	return most;
}

static int ask_limits(struct shadow_program *shadow, struct err *err)
{
	shadow->most_items =
		array_alloc(shadow->table_count, sizeof(*shadow->most_items), "limits", err);
	if (!shadow->most_items)
		return ERR_NOMEM;
	for (size_t i = 0; shadow->program && i < shadow->table_count; i++)
		shadow->most_items[i] = ask_most_items(shadow, &shadow->tables[i]);
	return 0;
}

static int instrument(struct shadow_program *shadow, struct session *s, struct scratch_folder *f,
                      const struct shadow_source *source, struct err *err)
{
	struct instrument_part *parts = make_parts(f, source, err);
	const char *folder;
	int rc = parts ? code_place_folder(source->code, &folder, err) : ERR_NOMEM;

	if (rc == 0)
		rc = run_instrumenter(shadow, s, f, parts, folder, err);
	free(parts);
	if (rc == 0)
		rc = code_place_check(source->code, f->headers, err);
	return rc ? rc : kernel_tables_read(f->table, &shadow->tables, &shadow->table_count, err);
}

/* Whether there is something to instrument. */
static int check_code(const struct program_code *code, struct err *err)
{
	if (code->refusal)
		return err_set(err, ERR_UNSUPPORTED, "%s", code->refusal);
	for (size_t i = 0; i < code->part_count; i++)
		if (!code->parts[i].options)
			return err_set(err, ERR_UNSUPPORTED,
			               "the recorder has not seen how the program was built");
	return 0;
}

static int make(struct shadow_program *shadow, struct session *s, cl_program original,
                const struct shadow_source *source, struct err *err)
{
	struct scratch_folder files = { 0 };
	uint64_t since = work_clock_now();
	int rc = check_code(source->code, err);

	if (rc == 0)
		rc = door_check(shadow->door, shadow->device, err);
	if (rc < 0)
		return rc;
	rc = scratch_folder_init(&files, source->code, door_file(shadow->door), err);
	if (rc == 0)
		rc = instrument(shadow, s, &files, source, err);
	work_clock_part(s, RECORDER_INSTRUMENTS, since, 0);
	since = work_clock_now();
	if (rc == 0)
		rc = load(shadow, original, files.output, err);
	if (rc == 0)
		rc = ask_limits(shadow, err);
	work_clock_part(s, RECORDER_DRIVER, since, 0);
	scratch_folder_release(&files, s->settings.keep);
	return rc;
}

void shadow_program_init(struct shadow_program *shadow, struct session *s, cl_program original,
                         const struct shadow_source *source)
{
	struct err err = { 0 };

	if (make(shadow, s, original, source, &err) < 0) {
		shadow->reason = str_copy(err.msg, NULL);
		shadow->is_over_limit = err.code == ERR_LIMIT;
	}
	if (shadow->program)
		own_objects_change_program(shadow->program, 1);
}

const struct kernel_table *shadow_program_table(const struct shadow_program *shadow,
                                                const char *name)
{
	for (size_t i = 0; i < shadow->table_count; i++)
		if (strcmp(shadow->tables[i].name, name) == 0)
			return &shadow->tables[i];
	return NULL;
}

size_t shadow_program_most_items(const struct shadow_program *shadow,
                                 const struct kernel_table *table)
{
	return shadow->most_items ? shadow->most_items[table - shadow->tables] : 0;
}

void shadow_program_release(struct shadow_program *shadow)
{
	if (shadow->program) {
		own_objects_change_program(shadow->program, -1);
		opencl_real()->clReleaseProgram(shadow->program);
	}
	for (size_t i = 0; i < shadow->table_count; i++)
		kernel_table_release(&shadow->tables[i]);
	free(shadow->tables);
	free(shadow->most_items);
	free(shadow->reason);
	*shadow = (struct shadow_program){ 0 };
}
