/*
 * source_macros - what the macros of the device's compiler and the text of a program have to do
 * with each other: the names that decide what the preprocessor makes of it.
 *
 * Names are those of the text, of every header that it reads, and of what our own preprocessor
 * leaves: a name that ## makes is in that alone.
 */
#ifndef SOURCE_MACROS_H
#define SOURCE_MACROS_H

#include "source_names.h"

#include <stdbool.h>

struct device_macros;
struct err;
struct settings;

struct source_macros {
	struct device_macros *device;
	struct source_names names; /* none, when the device has not been asked for anything yet */
	bool has_place;            /* one of them expands to the file's name */
};

/*
 * Read settings->macros, and what they mean for settings->source, which is OpenCL C. settings->seen
 * becomes *m. Returns 0; ERR_UNSUPPORTED when the text may mean something else to the device's
 * compiler, with the name that decides it; or what device_macros_read() and front_end_preprocess()
 * return. Release *m in every case.
 */
int source_macros_read(struct source_macros *m, struct settings *settings, struct err *err);

/* Accepts a zeroed struct. */
void source_macros_release(struct source_macros *m);

#endif
