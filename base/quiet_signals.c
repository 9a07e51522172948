/* SPDX-License-Identifier: Apache-2.0 */
#include "quiet_signals.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static const int numbers[] = { SIGPIPE, SIGXFSZ };

void quiet_signals_begin(struct quiet_signals *q)
{
	sigset_t ours;

	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&ours, numbers[i]);
	sigemptyset(&q->pending);
	sigpending(&q->pending);
	pthread_sigmask(SIG_BLOCK, &ours, &q->mask);
}

void quiet_signals_end(const struct quiet_signals *q)
{
	static const struct timespec now;
	sigset_t pending, one;
	int code = errno;

	sigemptyset(&pending);
	sigpending(&pending);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!sigismember(&pending, numbers[i]) || sigismember(&q->pending, numbers[i]))
			continue;
		sigemptyset(&one);
		sigaddset(&one, numbers[i]);
		while (sigtimedwait(&one, NULL, &now) < 0 && errno == EINTR)
			continue;
	}
	pthread_sigmask(SIG_SETMASK, &q->mask, NULL);
	errno = code;
}
