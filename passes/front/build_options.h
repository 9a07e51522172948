/*
 * build_options - the application's build options as clang takes them.
 *
 * Only options of the table in build_options.c reach clang; it states what becomes of each, and
 * why.
 */
#ifndef BUILD_OPTIONS_H
#define BUILD_OPTIONS_H

#include "word_list.h"

struct err;

/*
 * Append to `argv` what clang is to see of `options` (as given to clBuildProgram, "" for none).
 * `standard` is the language as the device has it ("-cl-std=CL3.0"), whatever the options say.
 * NULL: it is what they say, or "-cl-std=CL1.2", the language when a program asks for none, or the
 * greatest that `cl_version` ("1.1"; NULL: unknown) has below it. Returns 0; ERR_USAGE (a quote not
 * closed, a word missing at the end); ERR_UNSUPPORTED with the option that is not known; ERR_NOMEM,
 * ERR_LIMIT.
 */
int build_options_append(struct word_list *argv, const char *options, const char *cl_version,
                         const char *standard, struct err *err);

/* Append the names of the macros that `options` define or undefine. Errors as above. */
int build_options_macros(struct word_list *names, const char *options, struct err *err);

/* Append the headers that `options` have read before the text. Errors as above. */
int build_options_includes(struct word_list *headers, const char *options, struct err *err);

#endif
