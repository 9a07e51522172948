/* SPDX-License-Identifier: Apache-2.0 */
#include "record_progress.h"

#include "clock.h"
#include "recording_name.h"
#include "recording_watch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDINGS_LIMIT 1024
#define PATIENCE_NS      UINT64_C(1000000000)
#define NS_PER_SECOND    1e9

void record_progress_begin(struct record_progress *p, const char *seen_path, const char *pattern,
                           int fd)
{
	*p = (struct record_progress){ .seen_path = seen_path, .pattern = pattern };
	status_line_init(&p->line, fd, getenv("TERM"));
	array_init(&p->watches, sizeof(struct recording_watch), RECORDINGS_LIMIT, "recordings");
}

/* Begin to watch new recordings. */
static void find_recordings(struct record_progress *p)
{
	struct seen_list seen = { 0 };
	const char *dir;

	(void)seen_list_read(&seen, p->seen_path, p->pattern, NULL);
	while ((dir = seen_list_text(&seen, SEEN_RECORDING, p->watches.count))) {
		struct recording_watch *w = array_push(&p->watches, 1, NULL);

		if (!w || recording_watch_init(w, dir))
			break;
	}
	seen_list_release(&seen);
}

/* Three digits and a decimal prefix: "12.3 M", "999 ". */
static void rough(char text[16], double value)
{
	static const char units[] = "kMGTPE";
	int unit = -1;

	while (value >= 999.5 && unit < (int)strlen(units) - 1) {
		value /= 1000;
		unit++;
	}
	if (unit < 0)
		snprintf(text, 16, "%.0f ", value);
	else
		snprintf(text, 16, "%.*f %c",
		         value < 9.995   ? 2
		         : value < 99.95 ? 1
		                         : 0,
		         value, units[unit]);
}

const char *record_progress_text(char text[RECORD_PROGRESS_TEXT_BYTES],
                                 const struct record_progress_state *s)
{
	char rate[16], bytes[16];
	double seconds = (double)s->ns / NS_PER_SECOND;

	rough(rate, seconds > 0 ? (double)s->accesses / seconds : 0);
	rough(bytes, (double)s->bytes);
	snprintf(text, RECORD_PROGRESS_TEXT_BYTES,
	         "warpline: %" PRIu64 " of %" PRIu64 " launches%s%.100s, %s%saccesses/s, %sB",
	         s->done, s->launches, s->kernel ? ", " : "", s->kernel ? s->kernel : "", rate,
	         isblank((unsigned char)rate[strlen(rate) - 1]) ? "" : " ", bytes);
	for (char *c = text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return text;
}

void record_progress_look(void *progress)
{
	struct record_progress *p = progress;
	struct record_progress_state state = { 0 };
	char text[RECORD_PROGRESS_TEXT_BYTES];
	struct recording_watch *watches;
	uint64_t now = clock_now_ns();

	find_recordings(p);
	watches = p->watches.data;
	for (size_t i = 0; i < p->watches.count; i++) {
		const char *kernel;

		(void)recording_watch_look(&watches[i]);
		kernel = recording_watch_kernel(&watches[i]);
		state.kernel = kernel ? kernel : state.kernel;
		state.launches += watches[i].launches.count + watches[i].late + watches[i].counted;
		state.done += watches[i].done + watches[i].counted;
		state.accesses += watches[i].accesses;
		state.bytes += recording_watch_bytes(&watches[i]);
	}
	if (!p->begun_ns)
		p->begun_ns = state.launches ? now : 0;
	if (!p->begun_ns || now - p->begun_ns < PATIENCE_NS)
		return;
	state.ns = now - p->begun_ns;
	status_line_show(&p->line, record_progress_text(text, &state));
}

void record_progress_end(void *progress)
{
	struct record_progress *p = progress;
	struct recording_watch *watches = p->watches.data;

	status_line_remove(&p->line);
	for (size_t i = 0; i < p->watches.count; i++)
		recording_watch_release(&watches[i]);
	array_release(&p->watches);
}
