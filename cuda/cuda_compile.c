/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_compile.h"

#include "array.h"
#include "cuda_core.h"
#include "device_image.h"
#include "err.h"
#include "file.h"
#include "instrument_job.h"
#include "module_table.h"
#include "number.h"
#include "str.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT_BYTES (1u << 30)
#define LOG_LIMIT_BYTES  (1u << 20)
#define LOG_LINE_BYTES   200
#define SPIR_OPTIONS     "-x spir -spir-std=1.2"

/* A text property of the device, on the heap. */
static char *device_text(cl_device_id device, cl_device_info property, struct err *err)
{
	size_t bytes = 0;
	char *text;

	if (clGetDeviceInfo(device, property, 0, NULL, &bytes) != CL_SUCCESS)
		bytes = 0;
	text = array_alloc(bytes + 1, 1, "property of the device", err);
	if (text && bytes && clGetDeviceInfo(device, property, bytes, text, NULL) != CL_SUCCESS)
		*text = '\0';
	return text;
}

/* Of a run of the instrumenter; 0: its own. */
static uint64_t limit_ns(void)
{
	const char *name = "WARPLINE_INSTRUMENT_LIMIT", *given = getenv(name);
	uint64_t ns = 0;

	if (given && *given)
		(void)number_parse_seconds(given, name, &ns, NULL);
	return ns;
}

static int set_device(struct instrument_job *job, struct err *err)
{
	cl_device_id device = cuda_core()->device;
	char *extensions = device_text(device, CL_DEVICE_EXTENSIONS, err);
	char *version = device_text(device, CL_DEVICE_VERSION, err);
	struct job_device facts = { .extensions = extensions,
		                    .version = version,
		                    .loses_vectors = true };
	cl_uint floats = 0;
	int rc = ERR_NOMEM;

	clGetDeviceInfo(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(floats), &floats, NULL);
	facts.native_floats = floats;
	if (extensions && version)
		rc = instrument_job_set_device(job, &facts, err);
	free(extensions);
	free(version);
	return rc;
}

/* Loops over the work-items of a group are what CPUs' implementations make. */
static int instrument(struct instrument_job *job, const struct device_image *image, struct err *err)
{
	static const char *const names[] = { [DEVICE_IMAGE_BITCODE] = "module.bc",
		                             [DEVICE_IMAGE_PTX] = "module.ptx",
		                             [DEVICE_IMAGE_CUDA] = "module.cu" };
	const struct job_part part = { .file = names[image->kind],
		                       .name = names[image->kind],
		                       .bytes = image->text.text ? image->text.text : "",
		                       .length = image->text.length,
		                       .options = image->options };
	struct instrument_request *r = &job->request;
	int rc;

	r->limit_ns = limit_ns();
	r->cuda_table = instrument_job_path(job, "cuda.json", err);
	r->keep_device = "1";
	r->door = "spir";
	r->records = "none";
	r->mixes_items = "1";
	rc = r->cuda_table ? instrument_job_add(job, &part, err) : ERR_NOMEM;
	if (rc == 0)
		rc = set_device(job, err);
	return rc ? rc : instrument_job_run(job, getenv("WARPLINE_CACHE"), err);
}

/* The first line of the build log, after ": "; "" when it says nothing. */
static void read_log(cl_program program, char line[LOG_LINE_BYTES])
{
	cl_device_id device = cuda_core()->device;
	size_t bytes = 0;
	const char *from;
	char *log;

	*line = '\0';
	if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) ||
	    bytes > LOG_LIMIT_BYTES)
		return;
	log = calloc(bytes + 1, 1);
	if (log &&
	    !clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL)) {
		from = log + strspn(log, " \t\r\n");
		snprintf(line, LOG_LINE_BYTES, "%s%.*s", *from ? ": " : "",
		         (int)strcspn(from, "\r\n"), from);
	}
	free(log);
}

static int build(const struct str *code, cl_program *out, struct err *err)
{
	struct cuda_core *c = cuda_core();
	const unsigned char *bytes = (const unsigned char *)code->text;
	char line[LOG_LINE_BYTES];
	cl_int status = 0, error = 0;
	int rc;

	*out = clCreateProgramWithBinary(c->context, 1, &c->device, &code->length, &bytes, &status,
	                                 &error);
	if (!*out)
		return err_set(err, ERR_DEVICE, "the OpenCL device makes no program of SPIR: %d",
		               error);
	error = clBuildProgram(*out, 1, &c->device, SPIR_OPTIONS, NULL, NULL);
	if (error == CL_SUCCESS)
		return 0;
	read_log(*out, line);
	rc = err_set(err, ERR_DEVICE, "the OpenCL device does not build the program: %d%s", error,
	             line);
	clReleaseProgram(*out);
	*out = NULL;
	return rc;
}

static int read_table(const char *path, struct module_table *table, struct err *err)
{
	struct str text;
	int rc;

	str_init(&text, FILE_LIMIT_BYTES);
	rc = file_read(path, &text, err);
	if (rc == 0)
		rc = module_table_parse(table, text.text ? text.text : "", text.length, err);
	str_release(&text);
	return rc;
}

static int read_program(const char *path, cl_program *program, struct err *err)
{
	struct str code;
	int rc;

	str_init(&code, FILE_LIMIT_BYTES);
	rc = file_read(path, &code, err);
	if (rc == 0 && !code.length)
		rc = err_set(err, ERR_FORMAT, "%s is empty", path);
	if (rc == 0)
		rc = build(&code, program, err);
	str_release(&code);
	return rc;
}

static bool is_kept(void)
{
	const char *keep = getenv("WARPLINE_KEEP");

	return keep && *keep && strcmp(keep, "0") != 0;
}

int cuda_compile(const struct device_image *image, cl_program *program, struct module_table *table,
                 struct err *err)
{
	const char *instrumenter = getenv("WARPLINE_INSTRUMENT");
	struct instrument_job job;
	int rc = instrument_job_init(&job, instrumenter && *instrumenter ? instrumenter : NULL,
	                             "program.spir", err);

	*table = (struct module_table){ .kernel_count = 0 };
	*program = NULL;
	if (rc == 0)
		rc = instrument(&job, image, err);
	if (rc == 0)
		rc = read_table(job.request.cuda_table, table, err);
	/* A module of variables alone has no code to build. */
	if (rc == 0 && table->kernel_count)
		rc = read_program(job.request.output, program, err);
	instrument_job_release(&job, is_kept());
	return rc;
}
