/*
 * text_program - OpenCL C of ours, which every device with a compiler takes, as a program.
 *
 * The application's build options are not used: the code already contains their meaning. The first
 * line of instrumented code, "// options: ...", gives the options to build it with.
 */
#ifndef TEXT_PROGRAM_H
#define TEXT_PROGRAM_H

#include "opencl.h"

struct err;
struct str;

/* How a recording and --door of warpline-instrument name this way to a device. */
#define TEXT_PROGRAM_DOOR "text"

/* Whether instrumented code can run on the device. Returns 0, or ERR_UNSUPPORTED with the reason.
 */
int text_program_check(cl_device_id device, struct err *err);

/*
 * Make and build a program of instrumented code for one device. On success *out is the caller's to
 * release. Returns 0, or ERR_DEVICE with the first line of the device's build log; ERR_NOMEM.
 */
int text_program_build(cl_context context, cl_device_id device, const struct str *code,
                       cl_program *out, struct err *err);

/* Make and build a program of the recorder's own source, which is not instrumented, with these
 * options. */
int text_program_build_unprobed(cl_context context, cl_device_id device, const struct str *text,
                                const char *options, cl_program *out, struct err *err);

#endif
