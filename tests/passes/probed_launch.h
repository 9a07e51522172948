/*
 * probed_launch - runs a kernel as it is and with probes, for tests.
 *
 * One instrumented file of kernels on one device for the whole test program. Everything here
 * fails the running test when a call does.
 */
#ifndef PROBED_LAUNCH_H
#define PROBED_LAUNCH_H

#include "event_list.h"

#include <stdbool.h>

#define ARGUMENTS_MAX 4

/* One launch: a kernel, its shape and its arguments. */
struct launch {
	const char *kernel;
	size_t global[2], local[2], offset[2];
	struct launch_argument {
		const void *from; /* NULL: zeros, or local memory */
		size_t bytes;
		bool is_buffer; /* else a value, or local memory */
	} arguments[ARGUMENTS_MAX];
	size_t argument_count;
};

/* The forms in which the kernels are instrumented. */
enum form {
	FORM_ITEM,   /* records of each work-item together */
	FORM_LANE,   /* of 32 interleaved */
	FORM_NARROW, /* as FORM_ITEM, for addresses of 48 bits, so not for every device */
	FORM_APART,  /* as FORM_ITEM; conditional barriers keep their control flow */
	FORM_COUNT,  /* counts only */
	FORM_LIMIT
};

/* How a probed launch is run, and what was lost in all its slices. */
struct probing {
	enum form form;
	size_t slice_groups; /* at most; a slice is a box of groups */
	uint32_t chunk_count, chunk_words, place_words;
	const uint32_t
		*selection; /* a bit per group of the launch, which is one slice; NULL: all */
	uint64_t lost_events, lost_records;
	uint64_t *counts; /* FORM_COUNT: per site; else NULL */
};

struct CMUnitTest;

/*
 * main() of a test program: argv is the program, warpline-instrument, the file of kernels and maybe
 * options to build it with, for which the language is OpenCL C 3.0. spaces: recorded beside global
 * memory, "" for none. Returns the exit status: 77 without such a device, 2 for other arguments.
 */
int probed_launch_main(int argc, char **argv, const char *spaces, const struct CMUnitTest *tests,
                       size_t count);

/* The table of a kernel in a form. */
const struct kernel_table *probed_launch_table(enum form form, const char *kernel);

/* Work-groups of a launch. */
size_t probed_launch_groups(const struct launch *l);

/* Run the kernel as it was; results[i] gets the contents of buffer i or NULL, for free(). */
void probed_launch_plain(const struct launch *l, void **results);

/* Run it with probes, slice by slice, and append the events to *found (NULL: counts). */
void probed_launch_run(const struct launch *l, struct probing *how, void **results,
                       struct event_list *found);

/* Both results are the same bytes; frees them. */
void probed_launch_assert_same(const struct launch *l, void **plain, void **probed);

/*
 * Run the launch plainly and probed, as a whole and in slices of one and of three groups, in
 * every form that records: the results are the same, nothing is lost, and the events are those
 * expected.
 */
void probed_launch_check(const struct launch *l, const struct event_list *expected);

/* The same in one form only. */
void probed_launch_check_form(const struct launch *l, enum form form,
                              const struct event_list *expected);

#endif
