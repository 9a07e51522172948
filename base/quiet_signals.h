/*
 * quiet_signals - writing without SIGPIPE and SIGXFSZ, in a process that is not ours.
 *
 * A write that the application did not ask for must not kill it: between begin
 * and end the two signals are held back from this thread, and those that our
 * own writes caused are taken away. The write says EPIPE or EFBIG.
 */
#ifndef QUIET_SIGNALS_H
#define QUIET_SIGNALS_H

#include <signal.h>

#include <stdbool.h>

struct quiet_signals {
	sigset_t mask, pending; /* before */
};

void quiet_signals_begin(struct quiet_signals *q);

/* `has_failed`: a write did, so that a signal may be waiting. Leaves errno alone. */
void quiet_signals_end(const struct quiet_signals *q, bool has_failed);

#endif
