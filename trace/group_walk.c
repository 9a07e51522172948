/* SPDX-License-Identifier: Apache-2.0 */
#include "group_walk.h"

#include "array.h"
#include "err.h"
#include "expander.h"
#include "launch_reader.h"

#include <inttypes.h>
#include <stdlib.h>

struct group_walk {
	struct launch_reader *reader;
	struct expander *expander;
	struct group_items group;
	uint64_t number;
	uint32_t item; /* the current one, when it is open; else the next */
	bool is_open, has_begun;
};

int group_walk_create(struct group_walk **out, struct launch_reader *r,
                      const struct kernel_table *t, struct err *err)
{
	struct group_walk *w = array_alloc(1, sizeof(*w), "a group", err);

	if (!w)
		return ERR_NOMEM;
	w->reader = r;
	if (expander_create(&w->expander, t, err)) {
		free(w);
		return ERR_NOMEM;
	}
	*out = w;
	return 0;
}

void group_walk_free(struct group_walk *w)
{
	if (!w)
		return;
	expander_free(w->expander);
	group_items_release(&w->group);
	free(w);
}

int group_walk_start(struct group_walk *w, uint64_t group, struct err *err)
{
	group_items_release(&w->group);
	w->number = group;
	w->item = 0;
	w->is_open = false;
	return launch_reader_load(w->reader, group, &w->group, err);
}

static int refuse(const struct group_walk *w, const struct err *why, struct err *err)
{
	return err_set(err, (enum err_code)why->code,
	               "%s: group %" PRIu64 ": work-item %" PRIu32 ": %s",
	               launch_reader_name(w->reader), w->number, w->item, why->msg);
}

int group_walk_next(struct group_walk *w, struct walked_piece *piece, struct err *err)
{
	struct err why = { 0 };

	for (; w->item < w->group.events.item_count; w->item++, w->is_open = false) {
		if (!w->is_open) {
			const struct item_events from = group_items_at(&w->group, w->item);

			if (expander_start(w->expander, &from, &why))
				return refuse(w, &why, err);
			w->is_open = true;
			w->has_begun = false;
		}
		if (expander_next(w->expander, &piece->events, &piece->count, &why))
			return refuse(w, &why, err);
		if (!piece->count)
			continue;
		piece->item = w->item;
		piece->is_first = !w->has_begun;
		w->has_begun = true;
		return 1;
	}
	return 0;
}
