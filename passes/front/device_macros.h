/*
 * device_macros - the macros that the device's own compiler has, so that a program's text means the
 * same to the instrumenter's compiler: after the lines of device_macros_write() the preprocessor
 * makes of the text what the device's makes of it, but that functions of OpenCL C keep their names
 * where the device has them renamed.
 *
 * They are read from a file that is made by asking the device (wrapper/opencl/program_macros.h), a
 * line each:
 *
 *   NAME TEXT        what NAME becomes where it stands alone: its own name, if it is a macro with
 *                    parameters, or stands for itself
 *   NAME(2 TEXT      what NAME(warpline_0, warpline_1) becomes
 *   NAME=1           an expression that was asked for, as a digit
 *
 * What was asked for and is not there is no macro. The names of the language (language_names.h) are
 * asked for at first, without a look at any text; an empty file says that this has not been done.
 * All other names in the source are assumed not to be macros, and device_macros_ask() lists them:
 * the device is then asked, with the code of the source, whether that is so.
 */
#ifndef DEVICE_MACROS_H
#define DEVICE_MACROS_H

#include <stdbool.h>

struct device_macros;
struct err;
struct source_names;
struct str;
struct word_list;

/* What stands for a renamed function in source that is written to be searched. */
#define DEVICE_MACROS_MARK "warpline_renamed_"

/*
 * Read the file, and from the program's build options the names that they define: of these only
 * what the file says is known. Free with device_macros_free(). Returns 0, ERR_IO, ERR_FORMAT,
 * ERR_USAGE (options that cannot be read), ERR_LIMIT or ERR_NOMEM.
 */
int device_macros_read(struct device_macros **out, const char *path, const char *options,
                       struct err *err);

/* Free. NULL is allowed. */
void device_macros_free(struct device_macros *m);

/* Whether the names of the language have been asked for. */
bool device_macros_are_known(const struct device_macros *m);

/* The language: 100, 110, 120, 200 or 300; 0 when it is not known, as of OpenCL C++. */
unsigned device_macros_version(const struct device_macros *m);

/* Whether its pointers without a qualifier are generic. */
bool device_macros_has_generic(const struct device_macros *m);

/*
 * clang's option for that language as the device has it, or NULL. A device of OpenCL C 2.0 without
 * generic pointers gets the language of 3.0, where they are a feature.
 */
const char *device_macros_standard(const struct device_macros *m);

/* Append, as -cl-ext= takes them, the features of that language, each with ",+". 0, ERR_LIMIT,
 * ERR_NOMEM. */
int device_macros_features(const struct device_macros *m, struct str *list, struct err *err);

/*
 * Append the lines to stand before the text. `tested` has the names of the text's conditions, or is
 * NULL. With is_marked a function that the device has renamed becomes DEVICE_MACROS_MARK, its name
 * and
 * "_". Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int device_macros_write(const struct device_macros *m, const struct source_names *tested,
                        bool is_marked, struct str *out, struct err *err);

/*
 * Whether the text is then known to mean the same: `names` are all of the text, of the headers that
 * it reads and of what the preprocessor made of it with marks. Returns 0, or ERR_UNSUPPORTED with
 * the first name that may mean something else to the device.
 */
int device_macros_check(const struct device_macros *m, const struct source_names *names,
                        struct err *err);

/* Whether a name stands for the file that it is in, as __FILE__ does. */
bool device_macros_is_place(const char *name);

/*
 * Append the names of which nothing is known, a line each: NAME, NAME(2 for one that is called with
 * two arguments, NAME=EXPRESSION for an expression whose value is a digit. When nothing is known at
 * all these are the names of the language, and `names` is not read. Returns 0, ERR_LIMIT or
 * ERR_NOMEM.
 */
int device_macros_ask(const struct device_macros *m, const struct source_names *names,
                      struct str *out, struct err *err);

#endif
