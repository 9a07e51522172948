/*
 * quiet_signals - writing without SIGPIPE and SIGXFSZ, in a process that is not ours.
 *
 * A write that the application did not ask for must not kill it: between begin
 * and end the two signals are blocked in this thread, and those that our own
 * writes caused are discarded. The write fails with EPIPE or EFBIG instead.
 */
#ifndef QUIET_SIGNALS_H
#define QUIET_SIGNALS_H

#include <signal.h>

#include <stdbool.h>

struct quiet_signals {
	sigset_t mask, pending; /* before */
};

void quiet_signals_begin(struct quiet_signals *q);

/* `has_failed`: a write failed, so a signal may be pending. errno does not change. */
void quiet_signals_end(const struct quiet_signals *q, bool has_failed);

#endif
