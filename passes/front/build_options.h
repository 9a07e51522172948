/*
 * build_options - translates the application's build options for clang, and for the device's
 * compiler that builds OpenCL C output.
 *
 * Only options in the table in build_options.c reach clang; it says what is done with each, and
 * why.
 */
#ifndef BUILD_OPTIONS_H
#define BUILD_OPTIONS_H

#include "word_list.h"

struct err;
struct str;

/*
 * Append to `argv` what clang should see of `options` (as given to clBuildProgram, "" for none).
 * `standard` is the language of the device ("-cl-std=CL3.0") and overrides the options. If NULL,
 * the options decide; without one, it is "-cl-std=CL1.2" or, if lower, the greatest that
 * `cl_version` ("1.1"; NULL: unknown) has. Returns 0; ERR_USAGE (an unclosed quote, a missing word
 * at the end); ERR_UNSUPPORTED with the unknown option; ERR_NOMEM, ERR_LIMIT.
 */
int build_options_append(struct word_list *argv, const char *options, const char *cl_version,
                         const char *standard, struct err *err);

/* Append the names of the macros that `options` define or undefine. Errors as above. */
int build_options_macros(struct word_list *names, const char *options, struct err *err);

/* Append the headers that `options` include before the source. Errors as above. */
int build_options_includes(struct word_list *headers, const char *options, struct err *err);

/*
 * Append to *out, as a line without its newline, those of the application's `options` that OpenCL C
 * output is built with; *version is the language: 120, 200, 300. Returns 0, ERR_USAGE (an unclosed
 * quote), ERR_NOMEM or ERR_LIMIT.
 */
int build_options_for_text(struct str *out, const char *options, unsigned *version,
                           struct err *err);

#endif
