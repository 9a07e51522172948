/*
 * progress_line - the progress line of a command that takes longer than two seconds.
 *
 * It stands at the bottom of the terminal that stderr is (status_line.h), so that other output
 * scrolls above it; there is none if stderr is not a terminal, or with --quiet. A thread shows it:
 * the command only counts the work it has done, which costs nothing without a line. Work is counted
 * in accesses, bytes or another unit in which the total is known.
 *
 *	progress_line_begin(&w, "replay", total, operands->common.is_quiet);
 *	progress_line_what(&w, "launch %zu, %s", i, kernel);
 *	progress_line_reach(&w, sum);
 *	progress_line_end(&w);
 */
#ifndef PROGRESS_LINE_H
#define PROGRESS_LINE_H

#include "status_line.h"
#include "work_watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_LINE_BYTES = 192 };

struct progress_line {
	struct work_watch watch; /* first; any thread adds finished work to watch.done */
	const char *command;     /* borrowed */
	bool is_quiet;
	struct status_line line;
	uint64_t begun_ns;
	bool is_on; /* there is a thread; what follows is under the lock */
	bool is_ending;
	char what[WORK_WATCH_BYTES];
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
};

/* Begin; `total` is all of the work, 0 if it is not known. End it in every case. */
void progress_line_begin(struct progress_line *w, const char *command, uint64_t total,
                         bool is_quiet);

/* The line as the watch of a computation, which begins and ends it. */
struct work_watch *progress_line_watch(struct progress_line *w, const char *command, bool is_quiet);

/* Name the current step. */
void progress_line_what(struct progress_line *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Set the work done so far, whatever was added. */
void progress_line_reach(struct progress_line *w, uint64_t done);

/* Remove the line. Accepts a zeroed struct. */
void progress_line_end(struct progress_line *w);

/* What the line shows. */
struct progress_line_state {
	const char *command, *what; /* what: may be "" */
	uint64_t done, total;
	uint64_t ns; /* since the beginning */
};

/*
 * The line's text: always the time elapsed; if the total is known, the percentage and the time left
 * too. Time left = time elapsed * (total - done) / done, shown when at least 2% but not all is
 * done. Control characters are shown as "?". Returns `text`.
 */
const char *progress_line_text(char text[PROGRESS_LINE_BYTES], const struct progress_line_state *s);

#endif
