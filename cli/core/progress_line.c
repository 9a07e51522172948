/* SPDX-License-Identifier: Apache-2.0 */
#include "progress_line.h"

#include "clock.h"
#include "interrupt.h"

#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS   UINT64_C(2000000000)
#define NS_PER_SECOND 1000000000L

enum { DURATION_BYTES = 32, SURE_PART = 50, EVERY_NS = 250000000 };

/* "9 s", "2 min 5 s", "3 h 20 min". */
static const char *duration(char text[DURATION_BYTES], double seconds)
{
	uint64_t s = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : (uint64_t)1e9;

	if (s < 60)
		snprintf(text, DURATION_BYTES, "%u s", (unsigned)s);
	else if (s < 3600)
		snprintf(text, DURATION_BYTES, "%u min %u s", (unsigned)(s / 60),
		         (unsigned)(s % 60));
	else
		snprintf(text, DURATION_BYTES, "%u h %u min", (unsigned)(s / 3600),
		         (unsigned)(s / 60 % 60));
	return text;
}

const char *progress_line_text(char text[PROGRESS_LINE_BYTES], const struct progress_line_state *s)
{
	char gone[DURATION_BYTES], left[DURATION_BYTES], part[64] = "", rest[64] = "";
	uint64_t done = s->done < s->total ? s->done : s->total;
	double seconds = (double)s->ns / (double)NS_PER_SECOND;

	if (s->total)
		snprintf(part, sizeof(part), "%u%%, ",
		         (unsigned)(100.0 * (double)done / (double)s->total));
	if (done && done >= s->total / SURE_PART && done < s->total)
		snprintf(rest, sizeof(rest), ", about %s left",
		         duration(left, seconds * ((double)s->total / (double)done - 1)));
	snprintf(text, PROGRESS_LINE_BYTES, "warpline %s: %s%s%s%s%s", s->command, s->what,
	         *s->what ? ", " : "", part, duration(gone, seconds), rest);
	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return text;
}

/* Under the lock. */
static void show(struct progress_line *w)
{
	const struct progress_line_state state = { .command = w->command,
		                                   .what = w->what,
		                                   .done = w->watch.done,
		                                   .total = w->watch.total,
		                                   .ns = clock_now_ns() - w->begun_ns };
	char text[PROGRESS_LINE_BYTES];

	if (state.ns < PATIENCE_NS)
		return;
	interrupt_line(true);
	status_line_show(&w->line, progress_line_text(text, &state));
}

static void *work(void *progress_line)
{
	struct progress_line *w = progress_line;
	struct timespec until;

	pthread_mutex_lock(&w->lock);
	clock_gettime(CLOCK_MONOTONIC, &until);
	while (!w->is_ending) {
		until.tv_nsec += EVERY_NS;
		until.tv_sec += until.tv_nsec / NS_PER_SECOND;
		until.tv_nsec %= NS_PER_SECOND;
		if (pthread_cond_timedwait(&w->changed, &w->lock, &until))
			show(w);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* The thread masks signals: the main thread handles them. */
static bool start(struct progress_line *w)
{
	sigset_t all, before;
	bool has_begun;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	has_begun = !pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return has_begun;
}

/* The functions of the work_watch. */
static void begin(struct work_watch *watch)
{
	struct progress_line *w = (struct progress_line *)(void *)watch;
	pthread_condattr_t monotonic;

	w->begun_ns = clock_now_ns();
	w->is_on = w->is_ending = false;
	w->what[0] = '\0';
	status_line_init(&w->line, STDERR_FILENO, getenv("TERM"));
	if (w->is_quiet || !w->line.is_possible)
		return;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	w->is_on = start(w);
	if (w->is_on)
		return;
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
}

static void say_what(struct work_watch *watch, const char *text)
{
	progress_line_what((struct progress_line *)(void *)watch, "%s", text);
}

static void end(struct work_watch *watch)
{
	progress_line_end((struct progress_line *)(void *)watch);
}

struct work_watch *progress_line_watch(struct progress_line *w, const char *command, bool is_quiet)
{
	*w = (struct progress_line){ .watch = { .begin = begin, .what = say_what, .end = end },
		                     .command = command,
		                     .is_quiet = is_quiet };
	return &w->watch;
}

void progress_line_begin(struct progress_line *w, const char *command, uint64_t total,
                         bool is_quiet)
{
	work_watch_begin(progress_line_watch(w, command, is_quiet), total);
}

void progress_line_what(struct progress_line *w, const char *fmt, ...)
{
	va_list ap;

	if (!w->is_on)
		return;
	va_start(ap, fmt);
	pthread_mutex_lock(&w->lock);
	vsnprintf(w->what, sizeof(w->what), fmt, ap);
	pthread_mutex_unlock(&w->lock);
	va_end(ap);
}

void progress_line_reach(struct progress_line *w, uint64_t done)
{
	w->watch.done = done;
}

void progress_line_end(struct progress_line *w)
{
	if (!w->is_on)
		return;
	pthread_mutex_lock(&w->lock);
	w->is_ending = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	status_line_remove(&w->line);
	interrupt_line(false);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	w->is_on = false;
}
