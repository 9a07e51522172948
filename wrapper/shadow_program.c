/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow_program.h"

#include "cached_instrument.h"
#include "device_info.h"
#include "err.h"
#include "file.h"
#include "runtime.h"
#include "session.h"
#include "str.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CODE_LIMIT_BYTES (256u << 20)

/* The files of one run of the instrumenter, in a directory of their own. */
struct scratch {
	char *dir, *source, *output, *table, *headers;
};

static int scratch_init(struct scratch *f, const char *output, struct err *err)
{
	const char *base = getenv("TMPDIR");

	f->dir = str_format(err, "%s/warpline-XXXXXX", base && *base ? base : "/tmp");
	if (!f->dir)
		return ERR_NOMEM;
	if (!mkdtemp(f->dir)) {
		int rc = err_set(err, ERR_IO, "%s: %s", f->dir, strerror(errno));

		free(f->dir);
		f->dir = NULL;
		return rc;
	}
	f->source = file_path(f->dir, "program.cl", err);
	f->output = file_path(f->dir, output, err);
	f->table = file_path(f->dir, "program.json", err);
	f->headers = file_path(f->dir, "headers", err);
	return f->source && f->output && f->table && f->headers ? 0 : ERR_NOMEM;
}

static void scratch_release(struct scratch *f, bool keep)
{
	char *const files[] = { f->source, f->output, f->table, f->headers };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (files[i] && !keep)
			unlink(files[i]);
		free(files[i]);
	}
	if (f->dir && !keep)
		rmdir(f->dir);
	free(f->dir);
}

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

static int run_instrumenter(struct shadow_program *shadow, struct session *s,
                            const struct scratch *f, const struct shadow_source *source,
                            struct err *err)
{
	const struct runtime runtime = runtime_of(shadow->device);
	const uint64_t type = device_info_number(shadow->device, CL_DEVICE_TYPE);
	char *extensions = device_info_text(shadow->device, CL_DEVICE_EXTENSIONS, err);
	char *version = device_info_text(shadow->device, CL_DEVICE_VERSION, err);
	char *name = str_format(err, "sources/program-%04u.cl", source->program_id);
	char *instrumenter = s->settings.instrumenter ? str_copy(s->settings.instrumenter, err)
	                                              : instrument_process_default(err);
	char bytes[16];
	struct str text;
	int rc = ERR_NOMEM;

	vector_bytes(shadow->device, bytes);
	if (extensions && version && name && instrumenter) {
		const struct instrument_request request = {
			.instrumenter = instrumenter,
			.source = f->source,
			.source_name = name,
			.output = f->output,
			.table = f->table,
			.headers = f->headers,
			.options = source->options,
			.extensions = extensions,
			.cl_version = version,
			.door = door_name(shadow->door),
			.records = s->settings.records,
			.layout = type & CL_DEVICE_TYPE_CPU ? "item" : "lane",
			.slots = s->settings.atomics ? "0" : "1",
			.mixes_items = runtime.mixes_items ? "1" : "0",
			.wide_addresses = runtime.is_narrow ? "0" : "1",
			.vector_bytes = runtime.loses_vectors ? bytes : NULL,
			.opt = s->settings.opt,
			.spaces = s->settings.spaces,
		};

		version_number(version);
		rc = file_write(f->source, source->text, source->length, err);
		str_init(&text, CODE_LIMIT_BYTES);
		if (rc == 0)
			rc = str_append(&text, source->text, source->length, err);
		if (rc == 0)
			rc = cached_instrument_run(&request, &text, s->settings.cache, err);
		str_release(&text);
	}
	free(extensions);
	free(version);
	free(name);
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

static int make(struct shadow_program *shadow, struct session *s, cl_program original,
                const struct shadow_source *source, struct err *err)
{
	struct scratch files = { 0 };
	int rc;

	if (!source->text)
		return err_set(err, ERR_UNSUPPORTED, "no source: the program was made from %s",
		               source->origin);
	rc = door_check(shadow->door, shadow->device, err);
	if (rc < 0)
		return rc;
	rc = scratch_init(&files, door_file(shadow->door), err);
	if (rc == 0)
		rc = run_instrumenter(shadow, s, &files, source, err);
	if (rc == 0)
		rc = kernel_tables_read(files.table, &shadow->tables, &shadow->table_count, err);
	if (rc == 0)
		rc = load(shadow, original, files.output, err);
	scratch_release(&files, s->settings.keep);
	return rc;
}

void shadow_program_init(struct shadow_program *shadow, struct session *s, cl_program original,
                         const struct shadow_source *source)
{
	struct err err = { 0 };

	if (make(shadow, s, original, source, &err) < 0)
		shadow->reason = str_copy(err.msg, NULL);
}

const struct kernel_table *shadow_program_table(const struct shadow_program *shadow,
                                                const char *name)
{
	for (size_t i = 0; i < shadow->table_count; i++)
		if (strcmp(shadow->tables[i].name, name) == 0)
			return &shadow->tables[i];
	return NULL;
}

void shadow_program_release(struct shadow_program *shadow)
{
	if (shadow->program)
		opencl_real()->clReleaseProgram(shadow->program);
	for (size_t i = 0; i < shadow->table_count; i++)
		kernel_table_release(&shadow->tables[i]);
	free(shadow->tables);
	free(shadow->reason);
	*shadow = (struct shadow_program){ 0 };
}
