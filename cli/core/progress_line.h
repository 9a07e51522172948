/*
 * progress_line - the line that says how far a command is, for what takes longer than two seconds.
 *
 * At the bottom of the terminal that stderr is (status_line.h), so that what is printed meanwhile
 * scrolls above it; nothing is written to what is no terminal, nor with --quiet. A thread of its
 * own shows it: the command only counts what it has done, which costs nothing where there is no
 * line. What is done is counted in accesses, bytes or whatever all of the work is known in.
 *
 *	struct progress_line w;
 *
 *	progress_line_begin(&w, "replay", total, operands->common.is_quiet);
 *	for (...) {
 *		progress_line_what(&w, "launch %zu of %zu, %s", i, count, kernel);
 *		... options.played = &w.watch.done: replay_launch() adds the accesses that it has
 *played
 *... progress_line_reach(&w, sum); // a launch is over: all of it is done
 *	}
 *	progress_line_end(&w); // in every case, before the command returns
 */
#ifndef PROGRESS_LINE_H
#define PROGRESS_LINE_H

#include "status_line.h"
#include "work_watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { WAIT_TEXT_BYTES = 192 };

struct progress_line {
	struct work_watch watch; /* first; what is done is added to watch.done, from any thread */
	const char *command;     /* borrowed */
	bool is_quiet;
	struct status_line line;
	uint64_t begun_ns;
	bool is_on; /* there is a thread; and from here on under the lock: */
	bool is_ending;
	char what[WORK_WATCH_BYTES];
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
};

/* Begin; `total` is what there is to do, 0 when nobody knows. End it in every case. */
void progress_line_begin(struct progress_line *w, const char *command, uint64_t total,
                         bool is_quiet);

/* The line as what a computation tells how far it is; the computation begins and ends it. */
struct work_watch *progress_line_watch(struct progress_line *w, const char *command, bool is_quiet);

/* What is being done now. */
void progress_line_what(struct progress_line *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* So much is done in all, whatever was added. */
void progress_line_reach(struct progress_line *w, uint64_t done);

/* Take the line away. Accepts a zeroed struct. */
void progress_line_end(struct progress_line *w);

/* What there is to show. */
struct wait_state {
	const char *command, *what; /* what: may be "" */
	uint64_t done, total;
	uint64_t ns; /* since the beginning */
};

/*
 * The line's text: the percentage and the time left where the total is known, the time that is gone
 * in every case. Time left = time gone * (total - done) / done, said when at least a fiftieth is
 * done and not all. Control characters are shown as "?". Returns `text`.
 */
const char *progress_line_text(char text[WAIT_TEXT_BYTES], const struct wait_state *s);

#endif
