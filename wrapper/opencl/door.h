/*
 * door - the ways in which instrumented code reaches a device: as OpenCL C, for every device with a
 * compiler, or as SPIR bitcode (cl_khr_spir).
 *
 * The application's build options are not used: the code already contains their meaning. The first
 * line of a text, "// options: ...", gives the options to build it with.
 */
#ifndef DOOR_H
#define DOOR_H

#include "opencl.h"

#include <stdbool.h>

struct err;
struct str;

/* In the order in which they are tried. */
enum door { DOOR_TEXT, DOOR_SPIR, DOOR_COUNT };

/* What --door of warpline-instrument and a recording call it: "text", "spir"; and the name of the
 * instrumenter's output file. Static storage. */
const char *door_name(enum door door);
const char *door_file(enum door door);

/* Whether the user's choice ("auto" or a door's name) allows this door. */
bool door_is_allowed(enum door door, const char *choice);

/* Whether the device has this door at all. Returns 0, or ERR_UNSUPPORTED with the reason. */
int door_check(enum door door, cl_device_id device, struct err *err);

/*
 * Make and build a program of `code` for one device. On success *out is the caller's to release.
 * Returns 0, or ERR_DEVICE with the first line of the device's build log; ERR_NOMEM.
 */
int door_build(enum door door, cl_context context, cl_device_id device, const struct str *code,
               cl_program *out, struct err *err);

/* Make and build a program of the recorder's own source, which is not instrumented, with these
 * options. */
int door_build_text(cl_context context, cl_device_id device, const struct str *text,
                    const char *options, cl_program *out, struct err *err);

#endif
