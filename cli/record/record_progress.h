/*
 * record_progress - the progress line of `warpline record` while the program runs.
 *
 * Only on a terminal, and only once launches have gone on for more than a second. It reads the
 * recordings on disk and does not involve the program.
 */
#ifndef RECORD_PROGRESS_H
#define RECORD_PROGRESS_H

#include "status_line.h"

#include "array.h"

#include <stdint.h>

/* The interval of record_progress_look(). */
#define RECORD_PROGRESS_EVERY_MS 500

struct record_progress {
	struct status_line line;
	const char *seen_path, *pattern; /* recording_name.h; borrowed */
	struct array watches;            /* of struct recording_watch */
	uint64_t begun_ns;               /* the clock when the first launch was seen; 0: none yet */
};

/* Begin, with the list of recordings; the line goes to `fd` if it is a terminal. Release with
 * record_progress_end(). */
void record_progress_begin(struct record_progress *p, const char *seen_path, const char *pattern,
                           int fd);

/* Read what is new, and update the line. */
void record_progress_look(void *progress);

/* Remove the line and free what it owns. */
void record_progress_end(void *progress);

/* What the line shows. */
struct record_progress_state {
	uint64_t done, launches; /* of all recordings */
	const char *kernel;      /* running now, or NULL */
	uint64_t accesses, bytes;
	uint64_t ns; /* since the first launch was seen */
};

#define RECORD_PROGRESS_TEXT_BYTES 256

/* The line's text; returns `text`. Control characters in a name are shown as "?". */
const char *record_progress_text(char text[RECORD_PROGRESS_TEXT_BYTES],
                                 const struct record_progress_state *s);

#endif
