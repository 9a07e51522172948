/* SPDX-License-Identifier: Apache-2.0 */
#include "quiet_signals.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static const int numbers[] = { SIGPIPE, SIGXFSZ };

#define NUMBER_COUNT (sizeof(numbers) / sizeof(numbers[0]))

void quiet_signals_begin(struct quiet_signals *q)
{
	sigset_t ours;

	sigemptyset(&ours);
	for (size_t i = 0; i < NUMBER_COUNT; i++)
		sigaddset(&ours, numbers[i]);
	sigemptyset(&q->mask);
	pthread_sigmask(SIG_BLOCK, &ours, &q->mask);
	/* Only signals that were blocked before can be pending already. */
	sigemptyset(&q->pending);
	for (size_t i = 0; i < NUMBER_COUNT; i++)
		if (sigismember(&q->mask, numbers[i]))
			sigpending(&q->pending);
}

/* Discard the signals that became pending since. */
static void take_away(const struct quiet_signals *q)
{
	static const struct timespec now;
	sigset_t pending, one;

	sigemptyset(&pending);
	sigpending(&pending);
	for (size_t i = 0; i < NUMBER_COUNT; i++) {
		if (!sigismember(&pending, numbers[i]) || sigismember(&q->pending, numbers[i]))
			continue;
		sigemptyset(&one);
		sigaddset(&one, numbers[i]);
		while (sigtimedwait(&one, NULL, &now) < 0 && errno == EINTR)
			continue;
	}
}

void quiet_signals_end(const struct quiet_signals *q, bool has_failed)
{
	int code = errno;

	if (has_failed)
		take_away(q);
	pthread_sigmask(SIG_SETMASK, &q->mask, NULL);
	errno = code;
}
