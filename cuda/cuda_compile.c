/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_compile.h"

#include "array.h"
#include "cached_instrument.h"
#include "compile_folder.h"
#include "cuda_core.h"
#include "device_image.h"
#include "err.h"
#include "file.h"
#include "module_table.h"
#include "number.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

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

/* "1.2" of "OpenCL 1.2 pocl". */
static void cut_version(char *text)
{
	char *at = strchr(text, ' ');

	if (!at)
		return;
	memmove(text, at + 1, strlen(at));
	text[strcspn(text, " ")] = '\0';
}

/* How wide the device's vector registers are, at least 16 bytes. */
static void vector_width(cl_device_id device, char text[16])
{
	cl_uint floats = 0;

	clGetDeviceInfo(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(floats), &floats, NULL);
	snprintf(text, 16, "%u", floats > 4 && floats <= 64 ? floats * 4 : 16u);
}

static char *instrumenter_path(struct err *err)
{
	const char *given = getenv("WARPLINE_INSTRUMENT");

	return given && *given ? str_copy(given, err) : instrument_process_default(err);
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

/* Loops over the work-items of a group are what CPUs' implementations make. */
static int instrument(const struct compile_folder *f, const struct instrument_part *part,
                      struct err *err)
{
	const struct cuda_core *c = cuda_core();
	char *extensions = device_text(c->device, CL_DEVICE_EXTENSIONS, err);
	char *version = device_text(c->device, CL_DEVICE_VERSION, err);
	char *instrumenter = instrumenter_path(err), width[16];
	int rc = ERR_NOMEM;

	vector_width(c->device, width);
	if (extensions && version && instrumenter) {
		const struct instrument_request request = { .instrumenter = instrumenter,
			                                    .limit_ns = limit_ns(),
			                                    .parts = part,
			                                    .part_count = 1,
			                                    .output = f->output,
			                                    .table = f->table,
			                                    .headers = f->headers,
			                                    .cuda_table = f->cuda_table,
			                                    .extensions = extensions,
			                                    .cl_version = version,
			                                    .keep_device = "1",
			                                    .door = "spir",
			                                    .records = "none",
			                                    .mixes_items = "1",
			                                    .vector_bytes = width };

		cut_version(version);
		rc = cached_instrument_run(&request, getenv("WARPLINE_CACHE"), err);
	}
	free(extensions);
	free(version);
	free(instrumenter);
	return rc;
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

int cuda_compile(const struct device_image *image, cl_program *program, struct module_table *table,
                 struct err *err)
{
	static const char *const names[] = { [DEVICE_IMAGE_BITCODE] = "module.bc",
		                             [DEVICE_IMAGE_PTX] = "module.ptx",
		                             [DEVICE_IMAGE_CUDA] = "module.cu" };
	const char *name = names[image->kind];
	const struct str *text = &image->text;
	XXH128_hash_t hash = XXH3_128bits(text->text ? text->text : "", text->length);
	struct instrument_part part = { .source_name = name,
		                        .options = image->options ? image->options : "",
		                        .content = { hash.high64, hash.low64 } };
	struct compile_folder folder;
	int rc =
		compile_folder_init(&folder, name, text->text ? text->text : "", text->length, err);

	*table = (struct module_table){ .kernel_count = 0 };
	*program = NULL;
	part.source = folder.source;
	if (rc == 0)
		rc = instrument(&folder, &part, err);
	if (rc == 0)
		rc = read_table(folder.cuda_table, table, err);
	/* A module of variables alone has no code to build. */
	if (rc == 0 && table->kernel_count)
		rc = read_program(folder.output, program, err);
	compile_folder_release(&folder);
	return rc;
}
