/* SPDX-License-Identifier: Apache-2.0 */
#include "work_watch.h"

#include <stdarg.h>
#include <stdio.h>

void work_watch_begin(struct work_watch *w, uint64_t total)
{
	if (!w)
		return;
	w->done = 0;
	w->total = total;
	w->begin(w);
}

void work_watch_what(struct work_watch *w, const char *fmt, ...)
{
	char text[WORK_WATCH_BYTES];
	va_list ap;

	if (!w)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	w->what(w, text);
}

void work_watch_reach(struct work_watch *w, uint64_t done)
{
	if (w)
		w->done = done;
}

_Atomic uint64_t *work_watch_done(struct work_watch *w)
{
	return w ? &w->done : NULL;
}

void work_watch_end(struct work_watch *w)
{
	if (w)
		w->end(w);
}
