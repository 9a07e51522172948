/* SPDX-License-Identifier: Apache-2.0 */
#include "text_program.h"

#include "array.h"
#include "device_info.h"
#include "err.h"
#include "instrument_job.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define LOG_LIMIT_BYTES (16u << 20)
#define LOG_LINE_BYTES  200

int text_program_check(cl_device_id device, struct err *err)
{
	if (device_info_number(device, CL_DEVICE_ADDRESS_BITS) == 64)
		return 0;
	return err_set(err, ERR_UNSUPPORTED, "the device's addresses are not 64 bits wide");
}

/* Copy the first useful line of the build log to `line`, truncated. */
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

/* Build a program; `what` names the text in messages. */
static int build(cl_context context, cl_device_id device, const struct str *text, const char *what,
                 const char *options, cl_program *out, struct err *err)
{
	const struct opencl_real *real = opencl_real();
	const char *source = text->text;
	char line[LOG_LINE_BYTES];
	cl_int code = CL_SUCCESS;
	cl_program program =
		real->clCreateProgramWithSource(context, 1, &source, &text->length, &code);

	if (!program || code != CL_SUCCESS)
		err_set(err, ERR_DEVICE, "the driver cannot create a program from the %s: %d", what,
		        code);
	else if ((code = real->clBuildProgram(program, 1, &device, options, NULL, NULL))) {
		read_log(program, device, line);
		err_set(err, ERR_DEVICE, "the driver cannot build the %s: %d%s%s", what, code,
		        *line ? ": " : "", line);
	} else {
		*out = program;
		return 0;
	}
	if (program)
		real->clReleaseProgram(program);
	return ERR_DEVICE;
}

int text_program_build(cl_context context, cl_device_id device, const struct str *code,
                       cl_program *out, struct err *err)
{
	char *options = instrument_job_build_options(code, err);
	int ret = options ? build(context, device, code, "text", options, out, err) : ERR_NOMEM;

	free(options);
	return ret;
}

int text_program_build_unprobed(cl_context context, cl_device_id device, const struct str *text,
                                const char *options, cl_program *out, struct err *err)
{
	return build(context, device, text, "question", options, out, err);
}
