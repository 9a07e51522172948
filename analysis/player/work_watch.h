/*
 * work_watch - the progress of a long computation, for a display (cli/core/progress_line.h).
 *
 * The computation counts finished work, in accesses or another unit in which the total is known,
 * and names its current step. Every function accepts NULL, for a computation without a watch.
 */
#ifndef WORK_WATCH_H
#define WORK_WATCH_H

#include <stdatomic.h>
#include <stdint.h>

enum { WORK_WATCH_BYTES = 96 };

struct work_watch {
	_Atomic uint64_t done; /* of `total`; added to from any thread */
	_Atomic uint64_t total;
	/* Set by the display. what() is not called between end and begin. */
	void (*begin)(struct work_watch *w);
	void (*what)(struct work_watch *w, const char *text);
	void (*end)(struct work_watch *w);
};

/* Begin work with this total, 0 when it is not known. May be repeated after the end. */
void work_watch_begin(struct work_watch *w, uint64_t total);

/* Name the current step, in at most WORK_WATCH_BYTES. */
void work_watch_what(struct work_watch *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Set the total of finished work, whatever was added. */
void work_watch_reach(struct work_watch *w, uint64_t done);

/* Returns the counter for replay_options.played; NULL for NULL. */
_Atomic uint64_t *work_watch_done(struct work_watch *w);

void work_watch_end(struct work_watch *w);

#endif
