/*
 * build_options - the application's build options as clang takes them.
 *
 * What clang does not know, or what would change where code is seen, is left
 * out by the table build_options.def, which gives the reasons.
 */
#ifndef BUILD_OPTIONS_H
#define BUILD_OPTIONS_H

#include "word_list.h"

struct err;

/*
 * Append to `argv` what clang is to see of `options` (as given to clBuildProgram, "" for none).
 * Adds "-cl-std=CL1.2", the language when a program asks for none, or the greatest that
 * `cl_version` ("1.1"; NULL: unknown) has below it. Returns 0, ERR_USAGE (a quote not closed, a
 * word missing at the end), ERR_NOMEM, ERR_LIMIT.
 */
int build_options_append(struct word_list *argv, const char *options, const char *cl_version,
                         struct err *err);

#endif
