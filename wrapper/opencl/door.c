/* SPDX-License-Identifier: Apache-2.0 */
#include "door.h"

#include "array.h"
#include "device_info.h"
#include "err.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define LOG_LIMIT_BYTES (16u << 20)
#define LOG_LINE_BYTES  200
#define SPIR_EXTENSION  "cl_khr_spir"
#define OPTIONS_HEAD    "// options:"
#define OPTIONS_OF_SPIR "-x spir -spir-std=1.2"

/* What a door makes from its code. */
struct made {
	cl_program program;
	char *options; /* for clBuildProgram, on the heap */
	cl_int code;   /* why there is no program */
};

/* The options in the first line of a text, and -w: some drivers print warnings on the terminal. */
static char *options_of(const struct str *text, struct err *err)
{
	const char *line = text->text ? text->text : "";
	size_t head = strlen(OPTIONS_HEAD);

	if (strncmp(line, OPTIONS_HEAD, head) != 0)
		return str_copy("-w", err);
	line += head;
	return str_format(err, "-w%.*s", (int)strcspn(line, "\r\n"), line);
}

static int create_from_text(cl_context context, cl_device_id device, const struct str *code,
                            struct made *made, struct err *err)
{
	const char *text = code->text;

	made->options = options_of(code, err);
	if (!made->options)
		return ERR_NOMEM;
	made->program = opencl_real()->clCreateProgramWithSource(context, 1, &text, &code->length,
	                                                         &made->code);
	return 0;
}

static int create_from_spir(cl_context context, cl_device_id device, const struct str *code,
                            struct made *made, struct err *err)
{
	const unsigned char *bytes = (const unsigned char *)code->text;
	cl_int status = 0;

	made->options = str_copy(OPTIONS_OF_SPIR, err);
	if (!made->options)
		return ERR_NOMEM;
	made->program = opencl_real()->clCreateProgramWithBinary(context, 1, &device, &code->length,
	                                                         &bytes, &status, &made->code);
	return 0;
}

static const struct {
	const char *name, *file;
	int (*create)(cl_context context, cl_device_id device, const struct str *code,
	              struct made *made, struct err *err);
} rows[] = {
	[DOOR_TEXT] = { "text", "instrumented.cl", create_from_text },
	[DOOR_SPIR] = { "spir", "instrumented.bc", create_from_spir },
};

const char *door_name(enum door door)
{
	return rows[door].name;
}

const char *door_file(enum door door)
{
	return rows[door].file;
}

bool door_is_allowed(enum door door, const char *choice)
{
	return !choice || !strcmp(choice, "auto") || !strcmp(choice, rows[door].name);
}

int door_check(enum door door, cl_device_id device, struct err *err)
{
	char *extensions;
	bool has_spir;

	if (device_info_number(device, CL_DEVICE_ADDRESS_BITS) != 64)
		return err_set(err, ERR_UNSUPPORTED, "the device's addresses are not 64 bits wide");
	if (door != DOOR_SPIR)
		return 0;
	/* SPIR has typed pointers. */
	if (WARPLINE_LLVM > 14)
		return err_set(err, ERR_UNSUPPORTED,
		               "Warpline is built with LLVM %d, whose bitcode is not SPIR",
		               WARPLINE_LLVM);
	extensions = device_info_text(device, CL_DEVICE_EXTENSIONS, err);
	has_spir = extensions && strstr(extensions, SPIR_EXTENSION);
	free(extensions);
	return has_spir ? 0 : err_set(err, ERR_UNSUPPORTED, "the device has no %s", SPIR_EXTENSION);
}

/* The first line of the build log that says something, cut to `line`. */
static void read_log(cl_program program, cl_device_id device, char line[LOG_LINE_BYTES])
{
	const struct opencl_real *real = opencl_real();
	const char *from;
	char *log = NULL;
	size_t bytes = 0;

	*line = '\0';
	if (real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) ||
	    bytes > LOG_LIMIT_BYTES)
		return;
	log = array_alloc(bytes + 1, 1, "build log", NULL);
	if (log &&
	    !real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL)) {
		from = log + strspn(log, " \t\r\n");
		strncat(line, from,
		        strcspn(from, "\r\n") < LOG_LINE_BYTES - 1 ? strcspn(from, "\r\n")
		                                                   : LOG_LINE_BYTES - 1);
	}
	free(log);
}

/* Build what was made of a door's code; *out is the program. Takes *made over. */
static int build(struct made *made, const char *what, cl_device_id device, cl_program *out,
                 struct err *err)
{
	const struct opencl_real *real = opencl_real();
	char line[LOG_LINE_BYTES];
	int rc = 0;

	if (!made->program || made->code != CL_SUCCESS)
		rc = err_set(err, ERR_DEVICE, "the driver cannot create a program from the %s: %d",
		             what, made->code);
	if (rc == 0)
		made->code =
			real->clBuildProgram(made->program, 1, &device, made->options, NULL, NULL);
	if (rc == 0 && made->code != CL_SUCCESS) {
		read_log(made->program, device, line);
		rc = err_set(err, ERR_DEVICE, "the driver cannot build the %s: %d%s%s", what,
		             made->code, *line ? ": " : "", line);
	}
	if (rc == 0)
		*out = made->program;
	else if (made->program)
		real->clReleaseProgram(made->program);
	free(made->options);
	return rc;
}

int door_build(enum door door, cl_context context, cl_device_id device, const struct str *code,
               cl_program *out, struct err *err)
{
	struct made made = { .code = CL_SUCCESS };
	int rc = rows[door].create(context, device, code, &made, err);

	return rc ? rc : build(&made, rows[door].name, device, out, err);
}

int door_build_text(cl_context context, cl_device_id device, const struct str *text,
                    const char *options, cl_program *out, struct err *err)
{
	struct made made = { .options = str_copy(options, err) };
	const char *source = text->text;

	if (!made.options)
		return ERR_NOMEM;
	made.program = opencl_real()->clCreateProgramWithSource(context, 1, &source, &text->length,
	                                                        &made.code);
	return build(&made, "question", device, out, err);
}
