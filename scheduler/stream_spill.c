/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_spill.h"

#include "err.h"
#include "group_stream.h"

#include <errno.h>
#include <stdlib.h>

/* Sizes of a window: 4.5 KB, plus its lanes. An SM has a few tens of windows. */
enum { WINDOW_INSTRUCTIONS = 64, WINDOW_REQUESTS = 256, LANE_INSTRUCTIONS = 16 };

/* An extent has about a megabyte. */
static const size_t EXTENTS_MAX = (size_t)1 << 24;

void stream_spill_init(struct stream_spill *s)
{
	*s = (struct stream_spill){ 0 };
	array_init(&s->extents, sizeof(struct stream_extent), EXTENTS_MAX, "extents of a group");
}

void stream_spill_release(struct stream_spill *s)
{
	for (uint32_t i = 0; i < s->window_count; i++) {
		free(s->windows[i].instructions);
		free(s->windows[i].requests);
		free(s->windows[i].lane_ends);
		free(s->windows[i].items);
		free(s->windows[i].addresses);
	}
	free(s->windows);
	array_release(&s->extents);
	stream_spill_init(s);
}

void stream_spill_clear(struct stream_spill *s)
{
	s->file = NULL;
	s->is_refused = false;
	s->extent_count = s->instructions = s->requests = 0;
}

/* --- writing --------------------------------------------------------------------------------- */

size_t stream_spill_bytes(const struct group_stream *s)
{
	return s->instructions.count * sizeof(struct stream_instruction) +
	       s->requests.count * sizeof(struct stream_request) +
	       s->lane_ends.count * sizeof(size_t) +
	       s->items.count * (sizeof(uint32_t) + sizeof(uint64_t));
}

/* The next extent, which may reuse the place of an earlier group's extent. */
static struct stream_extent *next_extent(struct stream_spill *s, struct err *err)
{
	struct stream_extent *extent;

	if (s->extent_count == s->extents.count && !array_push(&s->extents, 1, err))
		return NULL;
	extent = (struct stream_extent *)s->extents.data + s->extent_count;
	*extent = (struct stream_extent){ .place = extent->place,
		                          .first_instruction = s->instructions,
		                          .first_request = s->requests };
	return extent;
}

static bool write_array(struct spill_file *f, struct stream_extent *extent, size_t all,
                        uint64_t *offset, const struct array *a)
{
	size_t bytes = a->count * a->item_bytes;
	bool is_good = !bytes || spill_file_write(f, &extent->place, all, *offset, a->data, bytes);

	*offset += bytes;
	return is_good;
}

int stream_spill_add(struct group_stream *s, struct spill_file *f, struct err *err)
{
	struct array *const arrays[] = { &s->instructions, &s->requests, &s->lane_ends, &s->items,
		                         &s->addresses };
	struct stream_spill *spill = &s->spill;
	struct stream_extent *extent = next_extent(spill, err);
	size_t bytes = stream_spill_bytes(s);
	uint64_t offset = 0;
	bool is_good = true;

	if (!extent)
		return ERR_NOMEM;
	for (size_t i = 0; is_good && i < sizeof(arrays) / sizeof(arrays[0]); i++)
		is_good = write_array(f, extent, bytes, &offset, arrays[i]);
	if (!is_good && spill->extent_count)
		return err_set(err, ERR_IO,
		               "a long group needs a temporary file of more than %zu MB; TMPDIR "
		               "says where",
		               spill->extent_count);
	spill->is_refused = !is_good;
	if (!is_good)
		return 0;
	extent->instructions = s->instructions.count;
	extent->requests = s->requests.count;
	extent->lanes = s->items.count;
	spill->instructions += extent->instructions;
	spill->requests += extent->requests;
	spill->extent_count++;
	spill->file = f;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		array_clear(arrays[i]);
	return 0;
}

/* Memory for the lanes of a window. */
static bool make_lanes(struct stream_window *w, size_t lanes)
{
	if (!w->lane_ends)
		w->lane_ends = malloc((LANE_INSTRUCTIONS + 1) * sizeof(*w->lane_ends));
	if (lanes > w->lane_room) {
		free(w->items);
		free(w->addresses);
		w->items = malloc(lanes * sizeof(*w->items));
		w->addresses = malloc(lanes * sizeof(*w->addresses));
		w->lane_room = w->items && w->addresses ? lanes : 0;
	}
	return w->lane_ends && lanes <= w->lane_room;
}

/* Make a window for each warp; false if out of memory. */
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

int stream_spill_end(struct group_stream *s, struct spill_file *f, size_t least_bytes,
                     struct err *err)
{
	struct stream_spill *spill = &s->spill;
	size_t bytes = stream_spill_bytes(s);
	int rc = 0;

	if (!spill->extent_count && (bytes < least_bytes || !s->instructions.count))
		return 0;
	if (!make_windows(spill, s->warp_count))
		return spill->extent_count
		               ? err_set(err, ERR_NOMEM, "out of memory for a long group")
		               : 0;
	if (s->instructions.count)
		rc = stream_spill_add(s, f, err);
	if (!rc && spill->file) {
		array_release(&s->instructions);
		array_release(&s->requests);
		array_release(&s->lane_ends);
		array_release(&s->items);
		array_release(&s->addresses);
	}
	return rc;
}

/* --- reading --------------------------------------------------------------------------------- */

struct stream_window *stream_spill_window(const struct group_stream *s, uint32_t warp)
{
	const struct stream_warp *warps = s->warps.data;
	const struct stream_extent *extents = s->spill.extents.data;
	struct stream_window *w = &s->spill.windows[warp];

	w->at = warps[warp].first_instruction;
	w->end = warps[warp + 1].first_instruction;
	w->request = warps[warp].first_request;
	w->extent = 0;
	while (w->extent + 1 < s->spill.extent_count &&
	       extents[w->extent + 1].first_instruction <= w->at)
		w->extent++;
	return w;
}

/* Make room for the requests of one instruction. */
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

/* Returns how many of the instructions read have room for their requests, with the number of these
 * in *requests. */
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

/* Read `count` items of `bytes` each from an extent, from number `first` on of those at `offset`.
 */
static bool read_items(const struct stream_spill *s, const struct stream_extent *extent,
                       uint64_t offset, size_t first, void *to, size_t count, size_t bytes)
{
	return !count ||
	       spill_file_read(s->file, &extent->place, offset + first * bytes, to, count * bytes);
}

/* Read the lanes of `count` instructions, from number `first` of an extent on. */
static bool read_lanes(const struct stream_spill *s, const struct stream_extent *extent,
                       size_t first, size_t count, struct stream_window *w)
{
	const size_t ends_at = extent->instructions * sizeof(struct stream_instruction) +
	                       extent->requests * sizeof(struct stream_request);
	const size_t items_at = ends_at + extent->instructions * sizeof(size_t);
	const size_t addresses_at = items_at + extent->lanes * sizeof(uint32_t);
	size_t begin = 0, lanes;

	if (!make_lanes(w, 0) ||
	    (first && !read_items(s, extent, ends_at, first - 1, &begin, 1, sizeof(begin))) ||
	    !read_items(s, extent, ends_at, first, w->lane_ends, count, sizeof(*w->lane_ends)))
		return false;
	lanes = w->lane_ends[count - 1] - begin;
	for (size_t i = 0; i < count; i++)
		w->lane_ends[i] -= begin;
	return make_lanes(w, lanes) &&
	       read_items(s, extent, items_at, begin, w->items, lanes, sizeof(*w->items)) &&
	       read_items(s, extent, addresses_at, begin, w->addresses, lanes,
	                  sizeof(*w->addresses));
}

size_t stream_spill_fill(const struct group_stream *s, struct stream_window *w)
{
	const struct stream_spill *spill = &s->spill;
	const struct stream_extent *extent = (const struct stream_extent *)spill->extents.data;
	size_t left = w->end - w->at, most, inside, count, requests, requests_at;

	if (!left)
		return 0;
	while (w->at >= extent[w->extent].first_instruction + extent[w->extent].instructions)
		w->extent++;
	extent += w->extent;
	inside = w->at - extent->first_instruction;
	most = extent->lanes ? LANE_INSTRUCTIONS : WINDOW_INSTRUCTIONS;
	count = extent->instructions - inside < left ? extent->instructions - inside : left;
	count = count < most ? count : most;
	if (!read_items(spill, extent, 0, inside, w->instructions, count, sizeof(*w->instructions)))
		return 0;
	count = count_fit(w, count, &requests);
	if (!count)
		spill_file_fail(spill->file, ENOMEM);
	requests_at = extent->instructions * sizeof(*w->instructions);
	if (!count || !read_items(spill, extent, requests_at, w->request - extent->first_request,
	                          w->requests, requests, sizeof(*w->requests)))
		return 0;
	if (extent->lanes && !read_lanes(spill, extent, inside, count, w)) {
		spill_file_fail(spill->file, ENOMEM);
		return 0;
	}
	w->at += count;
	w->request += requests;
	return count;
}
