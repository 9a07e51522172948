/*
 * instrumented - a file of kernels with probes, built on a test's device.
 *
 * Everything here fails the running test when a call does.
 */
#ifndef INSTRUMENTED_H
#define INSTRUMENTED_H

#include "cl_device.h"
#include "kernel_table.h"

struct str;

struct instrumented {
	cl_program program;
	struct kernel_table *tables;
	size_t table_count;
};

/*
 * Run the instrumenter and build what it makes for the device. words: its path and its options but
 * --output and --table, ended by NULL.
 */
void instrumented_init(struct instrumented *p, const struct cl_device *device,
                       const char *const words[]);

/* What the instrumenter makes, into files. words: as above. */
void instrumented_write(const char *const words[], const char *output, const char *table);

/* Run it and append what it makes, text, to *out. */
void instrumented_text(const char *const words[], struct str *out);

void instrumented_release(struct instrumented *p);

#endif
