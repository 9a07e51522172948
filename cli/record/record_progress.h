/*
 * record_progress - the line that `warpline record` shows while the program runs.
 *
 * Only on a terminal, and only when launches go on for more than a second. What it shows comes from
 * the recordings on disk: nothing is asked of the program.
 */
#ifndef RECORD_PROGRESS_H
#define RECORD_PROGRESS_H

#include "status_line.h"

#include "array.h"

#include <stdint.h>

/* How often to look. */
#define RECORD_PROGRESS_EVERY_MS 500

struct record_progress {
	struct status_line line;
	const char *seen_path, *pattern; /* recording_name.h; borrowed */
	struct array watches;            /* of struct recording_watch */
	uint64_t begun_ns;               /* the clock when the first launch was seen; 0: none yet */
};

/* Begin with a list of what is seen; `fd` is where the line goes if it is a terminal. Release with
 * record_progress_end(). */
void record_progress_begin(struct record_progress *p, const char *seen_path, const char *pattern,
                           int fd);

/* Look, and show what is new. */
void record_progress_look(void *progress);

/* Take the line away and free what it owns. */
void record_progress_end(void *progress);

/* What there is to show. */
struct record_progress_state {
	uint64_t done, launches; /* of all recordings */
	const char *kernel;      /* at work, or NULL */
	uint64_t accesses, bytes;
	uint64_t ns; /* since the first launch was seen */
};

#define RECORD_PROGRESS_TEXT_BYTES 256

/* The line's text; returns `text`. Control characters in a name are shown as "?". */
const char *record_progress_text(char text[RECORD_PROGRESS_TEXT_BYTES],
                                 const struct record_progress_state *s);

#endif
