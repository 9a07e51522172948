/*
 * made_reports - reports that a test makes by hand: one kernel, its lines, and what they count.
 *
 * Not part of the program.
 */
#ifndef MADE_REPORTS_H
#define MADE_REPORTS_H

#include "recording.h"
#include "replay_choice.h"
#include "report_data.h"

enum { MADE_LINES = 8 };

/* A line: its number, its text (NULL: there is no source) and how many of its reads missed, of
 * twice as many, each of 128 bytes. A number of 0 ends a list. */
struct made_line {
	uint32_t number;
	const char *text;
	uint64_t misses;
};

struct made_report {
	struct recorded_kernel kernel;
	struct recorded_launch recorded[MADE_LINES];
	struct recording recording;
	struct replay_setup setup; /* a GPU of 4 SMs whose turns are 32 bytes long */
	struct report_kernel kernels[1];
	struct report_line lines[MADE_LINES];
	struct report_launch launches[MADE_LINES];
	struct report_buffer buffers[MADE_LINES];
	char name[32], texts[MADE_LINES][128], names[MADE_LINES][32];
	struct report_data data;
};

/* A report of one kernel with these lines and so many launches of 4 groups, of which the first has
 * all that is counted. It stays where it is. */
void made_report_init(struct made_report *m, const char *kernel, const struct made_line *lines,
                      size_t launches);

/* One more buffer, of 2^20 bytes times its number + 1. */
void made_report_buffer(struct made_report *m, int64_t buffer, const char *names);

#endif
