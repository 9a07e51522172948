/*
 * processors - how many threads a command works with: --jobs.
 */
#ifndef PROCESSORS_H
#define PROCESSORS_H

#include "options.h"

enum { JOBS_MAX = 256 };

/* A row of an option table whose settings have a struct option_number there. */
#define JOBS_ROW(settings, member)                                                                 \
	{                                                                                          \
		.name = "jobs", .argument = "N", .kind = OPTION_NUMBER,                            \
		.offset = offsetof(settings, member), .max = JOBS_MAX,                             \
		.text = "threads; the result is the same for any number (default: the processors)" \
	}

/* The number that was given, or when none or 0 was, that of the processors on which this process
 * may run, JOBS_MAX at most. */
uint32_t processors_jobs(const struct option_number *jobs);

#endif
