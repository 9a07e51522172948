/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_spill.h"

#include "array.h"
#include "group_stream.h"

#include <errno.h>
#include <stdlib.h>

/* Of a window: 4.5 KB, of which an SM has at most some tens. */
enum { WINDOW_INSTRUCTIONS = 64, WINDOW_REQUESTS = 256 };

void stream_spill_release(struct stream_spill *s)
{
	for (uint32_t i = 0; i < s->window_count; i++) {
		free(s->windows[i].instructions);
		free(s->windows[i].requests);
	}
	free(s->windows);
	*s = (struct stream_spill){ 0 };
}

/* A window for each warp; false when there is no memory. */
static bool make_windows(struct stream_spill *s, uint32_t count)
{
	struct stream_window *windows;

	if (count > s->window_count) {
		windows = realloc(s->windows, count * sizeof(*windows));
		if (!windows)
			return false;
		s->windows = windows;
	}
	for (; s->window_count < count; s->window_count++) {
		struct stream_window *w = &s->windows[s->window_count];

		*w = (struct stream_window){ .room = WINDOW_REQUESTS };
		w->instructions = malloc(WINDOW_INSTRUCTIONS * sizeof(*w->instructions));
		w->requests = malloc(WINDOW_REQUESTS * sizeof(*w->requests));
		if (!w->instructions || !w->requests) {
			free(w->instructions);
			free(w->requests);
			return false;
		}
	}
	return true;
}

void stream_spill_move(struct group_stream *s, struct spill_file *f)
{
	const size_t instructions = s->instructions.count * sizeof(struct stream_instruction);
	const size_t requests = s->requests.count * sizeof(struct stream_request);
	struct stream_spill *spill = &s->spill;

	if (instructions + requests < f->least_bytes || !s->instructions.count ||
	    !make_windows(spill, s->warp_count) ||
	    !spill_file_write(f, &spill->place, instructions + requests, 0, s->instructions.data,
	                      instructions) ||
	    !spill_file_write(f, &spill->place, instructions + requests, instructions,
	                      s->requests.data, requests))
		return;
	spill->file = f;
	spill->requests_at = instructions;
	array_release(&s->instructions);
	array_release(&s->requests);
}

struct stream_window *stream_spill_window(const struct group_stream *s, uint32_t warp)
{
	const struct stream_warp *warps = s->warps.data;
	struct stream_window *w = &s->spill.windows[warp];

	w->at = warps[warp].first_instruction;
	w->end = warps[warp + 1].first_instruction;
	w->request = warps[warp].first_request;
	return w;
}

/* Room for the requests of one instruction. */
static bool reserve(struct stream_window *w, size_t requests)
{
	struct stream_request *larger;

	if (requests <= w->room)
		return true;
	larger = realloc(w->requests, requests * sizeof(*larger));
	if (!larger)
		return false;
	w->requests = larger;
	w->room = requests;
	return true;
}

/* How many of the instructions that were read have their requests fit; *requests: how many. */
static size_t count_fit(struct stream_window *w, size_t count, size_t *requests)
{
	size_t fit = 0, sum = 0;

	for (; fit < count; fit++) {
		const struct stream_instruction *i = &w->instructions[fit];
		size_t own = i->site == STREAM_BUNDLE ? 0 : i->request_count;

		if (sum + own > w->room && (fit || !reserve(w, own)))
			break;
		sum += own;
	}
	*requests = sum;
	return fit;
}

size_t stream_spill_fill(const struct group_stream *s, struct stream_window *w)
{
	const struct stream_spill *spill = &s->spill;
	size_t left = w->end - w->at, requests;
	size_t count = left < WINDOW_INSTRUCTIONS ? left : WINDOW_INSTRUCTIONS;

	if (!count || !spill_file_read(spill->file, &spill->place, w->at * sizeof(*w->instructions),
	                               w->instructions, count * sizeof(*w->instructions)))
		return 0;
	count = count_fit(w, count, &requests);
	if (!count)
		spill_file_fail(spill->file, ENOMEM);
	if (!spill_file_read(spill->file, &spill->place,
	                     spill->requests_at + w->request * sizeof(*w->requests), w->requests,
	                     requests * sizeof(*w->requests)))
		return 0;
	w->at += count;
	w->request += requests;
	return count;
}
