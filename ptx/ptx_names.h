/*
 * ptx_names - the names of kernels and files in a PTX text, compared with those of a recording.
 */
#ifndef PTX_NAMES_H
#define PTX_NAMES_H

#include <stdbool.h>

/*
 * Whether a function of the text is this kernel: it has the name, or it is a C++ name that has it
 * inside. `mm` and `ns::mm` are both in _ZN2ns2mmEPf, `mm` is in _Z2mmIfEvPT_, for every template
 * argument.
 */
bool ptx_name_is(const char *function, const char *kernel);

/* Whether two paths may be of one file: one is the other, or its end from a '/' on; "./" says
 * nothing. */
bool ptx_file_is(const char *path, const char *other);

#endif
