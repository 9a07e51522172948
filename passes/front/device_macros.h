/*
 * device_macros - the macros of the device's own compiler, so that a program's source means the
 * same to the instrumenter's compiler. After the lines of device_macros_write(), our preprocessor
 * produces what the device's does, except that functions of OpenCL C keep their names where the
 * device renames them.
 *
 * They are read from a file made by asking the device (wrapper/opencl/program_macros.h), one line
 * each:
 *
 * NAME TEXT        the expansion of NAME where it stands alone: its own name, if it is a macro with
 *                  parameters, or stands for itself
 * NAME(2 TEXT      the expansion of NAME(warpline_0, warpline_1)
 * NAME=1           an expression that was asked for, as a digit
 *
 * A name that was asked for and is missing is not a macro. The names of the language
 * (language_names.h) are asked for first, independently of any source; an empty file means that
 * this has not been done. All other names in the source are assumed not to be macros.
 * device_macros_ask() lists them, and the device is then asked, with the source's code, whether
 * that is so.
 */
#ifndef DEVICE_MACROS_H
#define DEVICE_MACROS_H

#include <stdbool.h>

struct device_macros;
struct err;
struct source_names;
struct str;
struct word_list;

/* Prefix that stands for a renamed function in source that is written to be searched. */
#define DEVICE_MACROS_MARK "warpline_renamed_"

/*
 * Read the file, and the names that the program's build options define: of these only what is in
 * the file is known. Free with device_macros_free(). Returns 0, ERR_IO, ERR_FORMAT, ERR_USAGE
 * (unreadable options), ERR_LIMIT or ERR_NOMEM.
 */
int device_macros_read(struct device_macros **out, const char *path, const char *options,
                       struct err *err);

/* Free. NULL is allowed. */
void device_macros_free(struct device_macros *m);

/* Whether the names of the language have been asked for. */
bool device_macros_are_known(const struct device_macros *m);

/* The language: 100, 110, 120, 200 or 300; 0 when it is not known, for example OpenCL C++. */
unsigned device_macros_version(const struct device_macros *m);

/* Whether pointers without a qualifier are generic in it. */
bool device_macros_has_generic(const struct device_macros *m);

/*
 * clang's option for the language that the device has, or NULL. A device of OpenCL C 2.0 without
 * generic pointers gets the language 3.0, where they are an optional feature.
 */
const char *device_macros_standard(const struct device_macros *m);

/* Append the features of that language in the form of -cl-ext=, each followed by ",+". Returns 0,
 * ERR_LIMIT or ERR_NOMEM. */
int device_macros_features(const struct device_macros *m, struct str *list, struct err *err);

/*
 * Append the lines to insert before the source. `tested` has the names in the source's conditions,
 * or is NULL. With is_marked, a function that the device renames becomes DEVICE_MACROS_MARK, its
 * name and "_". Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int device_macros_write(const struct device_macros *m, const struct source_names *tested,
                        bool is_marked, struct str *out, struct err *err);

/*
 * Check that the source is then certain to mean the same: `names` are all names of the source, of
 * its headers, and of the preprocessor's marked output. Returns 0, or ERR_UNSUPPORTED with the
 * first name that may mean something else to the device.
 */
int device_macros_check(const struct device_macros *m, const struct source_names *names,
                        struct err *err);

/* Whether a name stands for the file that contains it, like __FILE__. */
bool device_macros_is_place(const char *name);

/*
 * Append the unknown names, one a line: NAME, NAME(2 for one that is called with two arguments,
 * NAME=EXPRESSION for an expression whose value is a digit. When nothing is known yet, these are
 * the names of the language, and `names` is not read. Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int device_macros_ask(const struct device_macros *m, const struct source_names *names,
                      struct str *out, struct err *err);

#endif
