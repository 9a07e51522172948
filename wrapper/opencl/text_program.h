/*
 * text_program - programs from OpenCL C that the recorder wrote, for every device with a compiler.
 *
 * The application's build options are not used, because the code already reflects them. The first
 * line of instrumented code, "// options: ...", gives its build options.
 */
#ifndef TEXT_PROGRAM_H
#define TEXT_PROGRAM_H

#include "opencl.h"

struct err;
struct str;

/* The name of this output in a recording and in --door of warpline-instrument. */
#define TEXT_PROGRAM_DOOR "text"

/* Whether instrumented code can run on the device. Returns 0, or ERR_UNSUPPORTED with the reason.
 */
int text_program_check(cl_device_id device, struct err *err);

/*
 * Build a program from instrumented code for one device. The caller releases *out on success.
 * Returns 0; ERR_DEVICE with the first line of the device's build log; ERR_NOMEM.
 */
int text_program_build(cl_context context, cl_device_id device, const struct str *code,
                       cl_program *out, struct err *err);

/* Build a program from source of the recorder's own, which is not instrumented, with these options.
 */
int text_program_build_unprobed(cl_context context, cl_device_id device, const struct str *text,
                                const char *options, cl_program *out, struct err *err);

#endif
