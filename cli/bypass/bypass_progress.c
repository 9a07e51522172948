/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_progress.h"

#include "shape_text.h"
#include "str.h"
#include "work_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_NS UINT64_C(2000000000)
#define EVERY_NS    UINT64_C(200000000)

#define LINE_BEGIN "\r\033[K"

void bypass_progress_begin(struct bypass_progress *p)
{
	*p = (struct bypass_progress){ .begun_ns = work_clock_now(),
		                       .is_possible = isatty(STDERR_FILENO) };
}

void bypass_progress_tell(struct bypass_progress *p, uint64_t replays)
{
	char count[SHAPE_TEXT_BYTES], *name;
	uint64_t now;

	if (!p->is_possible)
		return;
	now = work_clock_now();
	if (now - p->begun_ns < PATIENCE_NS || now - p->shown_ns < EVERY_NS)
		return;
	name = str_visible(p->kernel ? p->kernel : "", NULL);
	fprintf(stderr, LINE_BEGIN "warpline bypass: %.40s: %s, %.0f s", name ? name : "",
	        amount_text(count, replays, "replay"), (double)(now - p->begun_ns) / 1e9);
	fflush(stderr);
	free(name);
	p->shown_ns = now;
	p->is_up = true;
}

void bypass_progress_end(struct bypass_progress *p)
{
	if (p->is_up)
		fputs(LINE_BEGIN, stderr);
	p->is_up = false;
}
