/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow_program.h"

#include "device_info.h"
#include "err.h"
#include "file.h"
#include "instrument_process.h"
#include "session.h"
#include "str.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BITCODE_LIMIT_BYTES (256u << 20)

/* The files of one run of the instrumenter, in a directory of their own. */
struct scratch {
	char *dir, *source, *output, *table;
};

static int scratch_init(struct scratch *f, struct err *err)
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
	f->output = file_path(f->dir, "program.bc", err);
	f->table = file_path(f->dir, "program.json", err);
	return f->source && f->output && f->table ? 0 : ERR_NOMEM;
}

static void scratch_release(struct scratch *f, bool keep)
{
	char *const files[] = { f->source, f->output, f->table };

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

static int run_instrumenter(struct session *s, const struct scratch *f, cl_device_id device,
                            const struct shadow_source *source, struct err *err)
{
	char *extensions = device_info_text(device, CL_DEVICE_EXTENSIONS, err);
	char *version = device_info_text(device, CL_DEVICE_VERSION, err);
	char *name = str_format(err, "sources/program-%04u.cl", source->program_id);
	char *instrumenter = s->settings.instrumenter ? str_copy(s->settings.instrumenter, err)
	                                              : instrument_process_default(err);
	int rc = ERR_NOMEM;

	if (extensions && version && name && instrumenter) {
		struct instrument_request request = { instrumenter, f->source, name,
			                              f->output,    f->table,  source->options,
			                              extensions,   version };

		version_number(version);
		rc = file_write(f->source, source->text, source->length, err);
		if (rc == 0)
			rc = instrument_process_run(&request, err);
	}
	free(extensions);
	free(version);
	free(name);
	free(instrumenter);
	return rc;
}

/* The first line of the driver's build log, as the end of a sentence. */
static int build_failed(cl_program program, cl_device_id device, cl_int code, struct err *err)
{
	char log[300] = "";

	/* A longer log leaves this one empty: the code must do. */
	(void)opencl_real()->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
	                                           sizeof(log) - 1, log, NULL);
	log[strcspn(log, "\r\n")] = '\0';
	return err_set(err, ERR_DEVICE, "the device does not take the instrumented program: %d%s%s",
	               code, *log ? ": " : "", log);
}

static int load(struct shadow_program *shadow, cl_program original, const struct str *bitcode,
                struct err *err)
{
	const struct opencl_real *real = opencl_real();
	const unsigned char *bytes = (const unsigned char *)bitcode->text;
	cl_context context = NULL;
	cl_program program;
	cl_int status = 0, rc;

	rc = real->clGetProgramInfo(original, CL_PROGRAM_CONTEXT, sizeof(context), (void *)&context,
	                            NULL);
	if (rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE, "the program's context is not known: %d", rc);
	program = real->clCreateProgramWithBinary(context, 1, &shadow->device, &bitcode->length,
	                                          &bytes, &status, &rc);
	if (!program || rc != CL_SUCCESS)
		return err_set(err, ERR_DEVICE, "the device takes no SPIR bitcode: %d", rc);
	rc = real->clBuildProgram(program, 1, &shadow->device, "-x spir -spir-std=1.2", NULL, NULL);
	if (rc != CL_SUCCESS) {
		build_failed(program, shadow->device, rc, err);
		real->clReleaseProgram(program);
		return ERR_DEVICE;
	}
	shadow->program = program;
	return 0;
}

/* Whether the SPIR door is open at all. */
static int check(cl_device_id device, const struct shadow_source *source, struct err *err)
{
	char *extensions;
	bool has_spir;

	if (!source->text)
		return err_set(err, ERR_UNSUPPORTED, "no source: the program was made from %s",
		               source->origin);
	extensions = device_info_text(device, CL_DEVICE_EXTENSIONS, err);
	has_spir = extensions && strstr(extensions, "cl_khr_spir");
	free(extensions);
	if (!has_spir)
		return err_set(err, ERR_UNSUPPORTED, "the device has no cl_khr_spir");
	if (device_info_number(device, CL_DEVICE_ADDRESS_BITS) != 64)
		return err_set(err, ERR_UNSUPPORTED, "the device's addresses have not 64 bits");
	return 0;
}

static int make(struct shadow_program *shadow, struct session *s, cl_program original,
                const struct shadow_source *source, struct err *err)
{
	struct scratch files = { 0 };
	struct str bitcode;
	int rc = check(shadow->device, source, err);

	if (rc < 0)
		return rc;
	str_init(&bitcode, BITCODE_LIMIT_BYTES);
	rc = scratch_init(&files, err);
	if (rc == 0)
		rc = run_instrumenter(s, &files, shadow->device, source, err);
	if (rc == 0)
		rc = kernel_tables_read(files.table, &shadow->tables, &shadow->table_count, err);
	if (rc == 0)
		rc = file_read(files.output, &bitcode, err);
	if (rc == 0)
		rc = load(shadow, original, &bitcode, err);
	str_release(&bitcode);
	scratch_release(&files, s->settings.keep);
	return rc;
}

void shadow_program_init(struct shadow_program *shadow, struct session *s, cl_program original,
                         cl_device_id device, const struct shadow_source *source)
{
	struct err err = { 0 };

	*shadow = (struct shadow_program){ .device = device };
	if (make(shadow, s, original, source, &err) < 0)
		shadow->reason = str_copy(err.msg, NULL);
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
