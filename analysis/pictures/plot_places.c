/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_places.h"

#include "array.h"
#include "err.h"
#include "number.h"
#include "recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Find where each buffer of the launch begins. Shared virtual memory belongs to all launches. */
static void find_bases(struct plot_places *p, const struct recording *r, size_t launch)
{
	const struct recorded_launch *l = &r->launches[launch];

	for (size_t i = 0; i < r->buffer_count; i++) {
		p->places[i].buffer = (int64_t)i;
		p->places[i].base = r->buffers[i].svm_address;
	}
	for (size_t i = 0; i < l->argument_count; i++)
		if (l->arguments[i].buffer >= 0 && l->arguments[i].address)
			p->places[l->arguments[i].buffer].base = l->arguments[i].address;
	p->places[r->buffer_count].buffer = -1;
}

/* Mark the buffers of the arguments named `name`. Returns whether there is one. */
static bool add_wanted_argument(struct plot_places *p, const struct recording *r, size_t launch,
                                const char *name)
{
	const struct recorded_launch *l = &r->launches[launch];
	const struct kernel_table *t = &r->kernels[l->kernel].table;
	bool found = false;

	for (size_t i = 0; i < l->argument_count; i++) {
		const struct recorded_argument *a = &l->arguments[i];

		if (a->buffer < 0 || !a->address || a->index >= t->argument_count ||
		    strcmp(t->arguments[a->index].name, name) != 0)
			continue;
		p->places[a->buffer].is_wanted = found = true;
	}
	return found;
}

static int add_wanted(struct plot_places *p, const struct recording *r, size_t launch,
                      const char *name, struct err *err)
{
	uint64_t id;

	if (add_wanted_argument(p, r, launch, name))
		return 0;
	if (number_parse(name, "--buffer", 0, UINT64_MAX, &id, NULL) || id >= p->count - 1 ||
	    !p->places[id].base)
		return err_set(err, ERR_USAGE,
		               "--buffer: '%s' is neither an argument of the kernel nor the number "
		               "of a buffer that launch %" PRIu64 " has",
		               name, r->launches[launch].number);
	p->places[id].is_wanted = true;
	return 0;
}

int plot_places_init(struct plot_places *p, const struct recording *r, size_t launch,
                     const struct plot_names *wanted, struct err *err)
{
	int ret;

	*p = (struct plot_places){ .range = { 1, 0, 0, -1 }, .count = r->buffer_count + 1 };
	ret = address_map_create(&p->map, r, launch, err); /* this checks the ids of buffers */
	if (ret)
		return ret;
	p->places = array_alloc(p->count, sizeof(*p->places), "buffers", err);
	if (!p->places)
		return ERR_NOMEM;
	find_bases(p, r, launch);
	for (size_t i = 0; i < p->count; i++) {
		p->places[i].is_wanted = !wanted->count;
		p->places[i].low = UINT64_MAX;
	}
	for (size_t i = 0; !ret && i < wanted->count; i++)
		ret = add_wanted(p, r, launch, wanted->items[i], err);
	return ret;
}

void plot_places_release(struct plot_places *p)
{
	address_map_free(p->map);
	free(p->places);
	*p = (struct plot_places){ 0 };
}

void plot_place_note(struct plot_place *place, uint64_t address, uint64_t bytes, enum plot_act act)
{
	uint64_t offset = address - place->base;

	place->counts[act]++;
	place->bits |= offset | bytes;
	if (offset < place->low)
		place->low = offset;
	if (offset > place->high)
		place->high = offset;
}

void plot_places_settle(struct plot_places *p)
{
	struct plot_place *none = &p->places[p->count - 1];

	if (none->low > none->high)
		return;
	none->base = none->low;
	none->high -= none->low;
	none->low = 0;
}

uint32_t plot_place_element_shift(const struct plot_place *place)
{
	return place->bits ? (uint32_t)__builtin_ctzll(place->bits) : 0;
}

enum plot_act plot_act_of(enum site_kind kind)
{
	if (kind == SITE_WRITE)
		return PLOT_WRITES;
	return kind == SITE_ATOMIC ? PLOT_ATOMICS : PLOT_READS;
}
