/*
 * source_macros - relates the macros of the device's compiler to a program's source: which names
 * decide how the source is preprocessed.
 *
 * Names are collected from the source, from every header that it reads, and from our own
 * preprocessor's output: a name made by ## appears only there.
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
	struct source_names names; /* empty when the device has not been asked anything yet */
	bool has_place;            /* one of them expands to the file's name */
};

/*
 * Read settings->macros, and what they mean for settings->source, which is OpenCL C. settings->seen
 * becomes m. Returns 0; ERR_UNSUPPORTED, with the name, when the source may mean something else to
 * the device's compiler; or the errors of device_macros_read() and front_end_preprocess(). Release
 * *m in every case.
 */
int source_macros_read(struct source_macros *m, struct settings *settings, struct err *err);

/* Accepts a zeroed struct. */
void source_macros_release(struct source_macros *m);

#endif
