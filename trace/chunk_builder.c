/* SPDX-License-Identifier: Apache-2.0 */
#include "chunk_builder.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "launch_format.h"
#include "launch_pack.h"
#include "site_guide.h"
#include "varint.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static void held_groups_init(struct held_groups *h)
{
	array_init(&h->groups, sizeof(struct group_events), HELD_GROUPS_MAX, "held groups");
	array_init(&h->firsts, sizeof(uint64_t), HELD_FIRSTS_MAX, "work-items of held groups");
	array_init(&h->events, sizeof(struct event), HELD_EVENTS_MAX, "events of held groups");
}

static void held_groups_release(struct held_groups *h)
{
	array_release(&h->groups);
	array_release(&h->firsts);
	array_release(&h->events);
}

const struct group_events *held_groups_all(const struct held_groups *h)
{
	return h->groups.data;
}

/* Update the groups' pointers into the arrays, which have moved. */
static void rebase(struct held_groups *h)
{
	struct group_events *g = h->groups.data;
	const uint64_t *first = h->firsts.data;
	const struct event *event = h->events.data;

	for (size_t i = 0; i < h->groups.count; i++) {
		g[i].first = first;
		g[i].events = event;
		first += (size_t)g[i].item_count + 1;
		event += g[i].first[g[i].item_count];
	}
}

/* Keep a copy of a group; false if out of memory. */
static bool held_groups_add(struct held_groups *h, const struct group_events *g)
{
	size_t firsts = (size_t)g->item_count + 1;
	uint64_t events = g->first[g->item_count];
	const void *old_firsts = h->firsts.data, *old_events = h->events.data;
	struct group_events *copy;
	struct event *event;
	uint64_t *first;

	if (events > HELD_EVENTS_MAX - h->events.count ||
	    firsts > HELD_FIRSTS_MAX - h->firsts.count || h->groups.count == HELD_GROUPS_MAX)
		return false;
	first = array_push(&h->firsts, firsts, NULL);
	event = first ? array_push(&h->events, (size_t)events, NULL) : NULL;
	copy = event || (first && !events) ? array_push(&h->groups, 1, NULL) : NULL;
	if (!copy) {
		/* as before the call, except that the arrays may have moved */
		h->firsts.count -= first ? firsts : 0;
		h->events.count -= event ? (size_t)events : 0;
		rebase(h);
		return false;
	}
	memcpy(first, g->first, firsts * sizeof(*first));
	if (events)
		memcpy(event, g->events, events * sizeof(*event));
	*copy = (struct group_events){ g->item_count, first, event };
	if (old_firsts != h->firsts.data || old_events != h->events.data)
		rebase(h);
	return true;
}

static void held_groups_clear(struct held_groups *h)
{
	array_clear(&h->groups);
	array_clear(&h->firsts);
	array_clear(&h->events);
}

void chunk_builder_init(struct chunk_builder *b, const struct kernel_table *t)
{
	memset(b, 0, sizeof(*b));
	b->table = t;
	array_init(&b->groups, sizeof(uint32_t), LAUNCH_CHUNK_GROUPS_MAX, "groups of a chunk");
	held_groups_init(&b->held);
}

/* Create the encoder when the first chunk needs it: it is larger than a small launch. */
static int make_parts(struct chunk_builder *b, struct err *err)
{
	const struct kernel_table *t = b->table;

	if (b->has_parts)
		return 0;
	if (!b->guides)
		b->guides = array_alloc(t->site_count, sizeof(*b->guides), "guides of sites", err);
	if (!b->guides || (!b->choice && guide_choice_create(&b->choice, t, err)) ||
	    launch_model_init(&b->model, t, err))
		return ERR_NOMEM;
	b->has_parts = true;
	return 0;
}

void chunk_builder_release(struct chunk_builder *b)
{
	ZSTD_freeCCtx(b->context);
	b->context = NULL;
	launch_model_release(&b->model);
	guide_choice_free(b->choice);
	b->choice = NULL;
	held_groups_release(&b->held);
	array_release(&b->groups);
	free(b->guides);
	b->guides = NULL;
	b->has_parts = false;
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		column_release(&b->columns[c]);
		column_release(&b->planes[c]);
	}
}

bool chunk_builder_has_room(const struct chunk_builder *b, uint32_t items, uint64_t events)
{
	const struct launch_chunk_header *h = &b->header;

	return !h->groups ||
	       (h->groups < LAUNCH_CHUNK_GROUPS_MAX && items <= LAUNCH_CHUNK_ITEMS_MAX - h->items &&
	        events <= LAUNCH_CHUNK_EVENTS_MAX &&
	        h->totals.events <= LAUNCH_CHUNK_EVENTS_MAX - events);
}

/* Choose the guides by the held groups, or by `more`, a further group or NULL, whichever has more
 * events; then encode the held groups. */
static int choose(struct chunk_builder *b, const struct group_events *more, struct err *err)
{
	const struct group_events *held = held_groups_all(&b->held);
	size_t count = b->held.groups.count;
	bool is_by_more = more && more->first[more->item_count] > b->held.events.count;
	int ret = make_parts(b, err);

	if (ret)
		return ret;
	if (b->choice && !b->is_stored)
		b->guide_count = guide_choice_make(b->choice, is_by_more ? more : held,
		                                   is_by_more ? 1 : count, b->guides);
	for (size_t i = 0; i < b->guide_count; i++)
		launch_model_guide(&b->model, &b->guides[i]);
	for (size_t i = 0; i < count && !ret; i++)
		ret = launch_columns_add(b->columns, &b->model, &held[i], &b->previous_count, err);
	b->is_chosen = true;
	return ret;
}

int chunk_builder_add(struct chunk_builder *b, uint32_t group, const struct group_events *g,
                      const struct launch_totals *totals, struct err *err)
{
	struct column *groups = &b->columns[COLUMN_GROUPS];
	const uint32_t *numbers = b->groups.data;
	uint64_t expected = b->groups.count ? (uint64_t)numbers[b->groups.count - 1] + 1 : 0;
	int ret = column_reserve(groups, VARINT_BYTES_MAX, err);
	uint32_t *number = ret ? NULL : array_push(&b->groups, 1, err);

	if (!number)
		return ERR_NOMEM;
	*number = group;
	if (!b->is_chosen && !held_groups_add(&b->held, g))
		ret = choose(b, g, err);
	if (!ret && b->is_chosen)
		ret = launch_columns_add(b->columns, &b->model, g, &b->previous_count, err);
	if (ret)
		return ret;
	groups->used =
		(size_t)(varint_put(groups->bytes + groups->used, zigzag64(group - expected)) -
	                 groups->bytes);
	b->header.groups++;
	b->header.items += g->item_count;
	launch_totals_add(&b->header.totals, totals);
	return 0;
}

/* Split the values of several bytes into planes. */
static int split_values(struct chunk_builder *b, struct err *err)
{
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		const struct column *from = &b->columns[c];
		struct column *to = &b->planes[c];
		size_t width = column_width(c);

		if (width <= 1)
			continue;
		to->used = 0;
		if (column_reserve(to, from->used, err))
			return ERR_NOMEM;
		byte_planes_split(to->bytes, from->bytes, from->used / width, width);
		to->used = from->used;
	}
	return 0;
}

int chunk_builder_pack(struct chunk_builder *b, unsigned char **bytes, size_t *length,
                       struct err *err)
{
	struct launch_chunk_header *h = &b->header;
	size_t bound = LAUNCH_CHUNK_HEADER_BYTES, used = LAUNCH_CHUNK_HEADER_BYTES;
	unsigned char *out;

	if (!b->is_chosen && choose(b, NULL, err))
		return ERR_NOMEM;
	if (!b->context && !b->is_stored)
		b->context = ZSTD_createCCtx();
	if (!b->context && !b->is_stored)
		return err_set(err, ERR_NOMEM, "out of memory for a compressor");
	for (size_t c = 0; c < COLUMN_COUNT; c++)
		bound += launch_pack_bound(b->columns[c].used);
	bound += b->guide_count * SITE_GUIDE_BYTES_MAX;
	out = split_values(b, err) ? NULL : malloc(bound);
	if (!out)
		return err_set(err, ERR_NOMEM, "out of memory for a chunk of %zu bytes", bound);
	h->guide_bytes = (uint32_t)site_guides_put(out + used, b->guides, b->guide_count);
	used += h->guide_bytes;
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		const struct column *column = column_width(c) > 1 ? &b->planes[c] : &b->columns[c];
		size_t packed;
		int ret = 0;

		if (b->is_stored)
			packed = launch_store(out + used, column->bytes, column->used);
		else
			ret = launch_pack(b->context, out + used, column->bytes, column->used,
			                  &packed, err);
		if (ret) {
			free(out);
			return ret;
		}
		h->raw_bytes[c] = (uint32_t)column->used;
		h->packed_bytes[c] = (uint32_t)packed;
		used += packed;
	}
	launch_chunk_header_put(out, h, out + LAUNCH_CHUNK_HEADER_BYTES,
	                        used - LAUNCH_CHUNK_HEADER_BYTES);
	*bytes = out;
	*length = used;
	return 0;
}

void chunk_builder_clear(struct chunk_builder *b)
{
	for (size_t c = 0; c < COLUMN_COUNT; c++)
		b->columns[c].used = 0;
	b->header = (struct launch_chunk_header){ 0 };
	array_clear(&b->groups);
	b->previous_count = 0;
	b->guide_count = 0;
	b->is_chosen = false;
	held_groups_clear(&b->held);
	if (b->has_parts)
		launch_model_begin(&b->model);
}
