/* SPDX-License-Identifier: Apache-2.0 */
#include "order_picture.h"

#include "err.h"
#include "gpu.h"
#include "player.h"
#include "plot_items.h"
#include "recording.h"
#include "work_watch.h"

#include <inttypes.h>

enum { ROWS_MIN = 60 };

/* The picture being made. */
struct making {
	const struct order_request *request;
	const struct recorded_launch *launch;
	const struct kernel_table *table;
	struct order_picture *picture;
	struct plot_items items;
};

static uint64_t accesses_of(const struct plot_panel *panel)
{
	return panel->place->counts[panel->act];
}

/* Add a panel; in a full picture it replaces the one with the fewest accesses. */
static void offer_panel(struct order_picture *p, struct plot_panel panel)
{
	size_t least = 0;

	if (p->panel_count < PLOT_PANELS_MAX) {
		p->panels[p->panel_count++] = panel;
		return;
	}
	for (size_t i = 1; i < p->panel_count; i++)
		if (accesses_of(&p->panels[i]) < accesses_of(&p->panels[least]))
			least = i;
	p->panels_left_out++;
	if (accesses_of(&panel) <= accesses_of(&p->panels[least])) {
		p->accesses_left_out += accesses_of(&panel);
		return;
	}
	p->accesses_left_out += accesses_of(&p->panels[least]);
	for (size_t i = least; i + 1 < p->panel_count; i++)
		p->panels[i] = p->panels[i + 1];
	p->panels[p->panel_count - 1] = panel;
}

static int prepare_panel(struct plot_panel *panel, struct plot_axis x, uint32_t rows,
                         struct err *err)
{
	const struct plot_place *place = panel->place;
	uint64_t low = place->low > place->high - place->low ? place->low : 0;

	panel->element_shift = plot_place_element_shift(place);
	return plot_raster_init(&panel->raster, x,
	                        plot_axis_fit(low, place->high, panel->element_shift, rows), err);
}

/* Add a panel for each noted place and act that was requested. */
static int add_panels(struct order_picture *p, struct err *err)
{
	struct plot_axis x = plot_axis_fit(p->from, p->to, 0, PLOT_COLUMNS_MAX);
	uint32_t rows;
	int ret = 0;

	for (size_t i = 0; i < p->places.count; i++)
		for (int act = 0; act < PLOT_ACT_COUNT; act++) {
			const struct plot_place *place = &p->places.places[i];

			if (place->is_wanted && place->counts[act])
				offer_panel(p, (struct plot_panel){ .place = place,
				                                    .act = (enum plot_act)act });
		}
	rows = p->panel_count ? PLOT_ROWS_ALL / (uint32_t)p->panel_count : 0;
	for (size_t i = 0; !ret && i < p->panel_count; i++)
		ret = prepare_panel(&p->panels[i], x, rows < ROWS_MIN ? ROWS_MIN : rows, err);
	return ret;
}

static bool is_chosen(const struct order_request *r, uint32_t sm, const struct warp_access *a)
{
	return (!r->sm || *r->sm == sm) && (!r->group || *r->group == a->group);
}

/* First pass: note each access. */
static void note_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct making *m = context;
	struct order_picture *p = m->picture;
	const struct site *site = &m->table->sites[a->site];
	enum plot_act act = plot_act_of(site->kind);
	uint32_t wanted = 0;

	if (!is_chosen(m->request, sm, a))
		return;
	for (uint32_t i = 0; i < a->lane_count; i++) {
		struct plot_place *place = plot_places_find(&p->places, a->address[i]);

		plot_place_note(place, a->address[i], site->bytes, act);
		wanted += place->is_wanted;
	}
	plot_clock_count(&p->clock, sm, now, wanted);
}

/* Returns the value that colours an access of a work-item, except for the number of accesses in a
 * dot. */
static uint64_t value_of(const struct making *m, uint32_t sm, const struct warp_access *a,
                         uint32_t item)
{
	switch (m->request->colour) {
	case ORDER_COLOUR_item:
		return plot_items_id(&m->items, item);
	case ORDER_COLOUR_group:
		return a->group;
	case ORDER_COLOUR_warp:
		return a->warp;
	case ORDER_COLOUR_sm:
		return sm;
	case ORDER_COLOUR_site:
		return a->site;
	case ORDER_COLOUR_count:
		break;
	}
	return 0;
}

static struct plot_raster *raster_of(struct order_picture *p, const struct plot_place *place,
                                     enum plot_act act)
{
	for (size_t i = 0; i < p->panel_count; i++)
		if (p->panels[i].place == place && p->panels[i].act == act)
			return &p->panels[i].raster;
	return NULL;
}

/* Second pass: add each access to its dot. */
static void draw_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct making *m = context;
	struct order_picture *p = m->picture;
	enum plot_act act = plot_act_of(m->table->sites[a->site].kind);
	const struct plot_place *last = NULL;
	struct plot_raster *raster = NULL;
	uint32_t wanted = 0;
	uint64_t number;

	if (!is_chosen(m->request, sm, a))
		return;
	for (uint32_t i = 0; i < a->lane_count; i++)
		wanted += plot_places_find(&p->places, a->address[i])->is_wanted;
	number = plot_clock_take(&p->clock, sm, now, wanted);
	if (number > p->to || number + wanted <= p->from)
		return;
	if (a->group != m->items.group)
		plot_items_group(&m->items, a->group);
	for (uint32_t i = 0; i < a->lane_count; i++) {
		const struct plot_place *place = plot_places_find(&p->places, a->address[i]);

		if (!place->is_wanted)
			continue;
		if (place != last)
			raster = raster_of(p, place, act);
		last = place;
		if (raster && number >= p->from && number <= p->to)
			plot_raster_add(raster, number, a->address[i] - place->base,
			                value_of(m, sm, a, a->item[i]));
		number++;
	}
}

/* Replay the launch once. */
static int play(struct making *m,
                void (*access)(void *, uint32_t, const struct warp_access *, uint64_t),
                struct err *err)
{
	const struct order_request *r = m->request;
	struct replay_options options = r->options;
	struct replay_result result = { 0 };
	int ret;

	options.played = work_watch_done(r->watch);
	options.jobs = 1; /* all SMs add to one raster */
	options.is_unclassified = true;
	options.access = access;
	options.access_context = m;
	ret = replay_launch(r->recording, r->launch, r->gpu, &options, &result, err);
	m->picture->launch_accesses = result.schedule.lanes;
	m->picture->side_accesses =
		result.schedule.side.local_lanes + result.schedule.side.constant_lanes;
	m->picture->is_whole = result.is_whole;
	replay_result_release(&result);
	return ret;
}

static int choose_span(struct making *m, struct err *err)
{
	struct order_picture *p = m->picture;
	const uint64_t *from = m->request->from, *to = m->request->to;

	p->from = from ? *from : 0;
	p->to = to && *to < p->accesses ? *to : p->accesses - 1;
	if (p->from <= p->to)
		return 0;
	return err_set(err, ERR_USAGE,
	               "--from %" PRIu64 ": there is nothing to draw up to access %" PRIu64
	               ", the last one",
	               p->from, p->to);
}

static uint64_t fullest(const struct order_picture *p)
{
	uint64_t most = 0;

	for (size_t i = 0; i < p->panel_count; i++) {
		const struct plot_raster *r = &p->panels[i].raster;

		for (size_t k = 0; k < (size_t)r->x.count * r->y.count; k++)
			if (r->cells[k].count > most)
				most = r->cells[k].count;
	}
	return most;
}

static uint64_t colour_limit(const struct making *m)
{
	const struct launch_shape *shape = &m->launch->shape;
	uint32_t size[3];

	switch (m->request->colour) {
	case ORDER_COLOUR_item:
		return plot_items_count(&m->items) - 1;
	case ORDER_COLOUR_group:
		return launch_shape_group_count(shape) - 1;
	case ORDER_COLOUR_warp:
		return (launch_shape_group_size(shape, 0, size) - 1) / m->request->gpu->warp_lanes;
	case ORDER_COLOUR_sm:
		return m->request->gpu->sm_count - 1;
	case ORDER_COLOUR_site:
		return m->table->site_count - 1;
	case ORDER_COLOUR_count:
		break;
	}
	return fullest(m->picture);
}

/* Replay twice. */
static int draw(struct making *m, struct err *err)
{
	struct order_picture *p = m->picture;
	int ret = play(m, note_access, err);

	p->accesses = p->clock.total;
	if (ret || !p->accesses)
		return ret;
	ret = choose_span(m, err);
	if (ret)
		return ret;
	plot_places_settle(&p->places);
	plot_clock_start(&p->clock);
	ret = add_panels(p, err);
	if (!ret)
		ret = play(m, draw_access, err);
	p->colour_limit = ret ? 0 : colour_limit(m);
	return ret;
}

int order_picture_make(struct order_picture *p, const struct order_request *r, struct err *err)
{
	const struct recorded_launch *l = &r->recording->launches[r->launch];
	struct making m = { .request = r,
		            .launch = l,
		            .table = &r->recording->kernels[l->kernel].table,
		            .picture = p };
	int ret;

	*p = (struct order_picture){ 0 };
	ret = plot_places_init(&p->places, r->recording, r->launch, r->buffers, err);
	if (!ret)
		ret = plot_clock_init(&p->clock, r->gpu->sm_count, err);
	if (!ret)
		ret = plot_items_init(&m.items, &l->shape, err);
	if (ret)
		return ret;
	work_watch_begin(r->watch, 2 * launch_choice_accesses_of(r->recording, r->launch));
	work_watch_what(r->watch, "the order of accesses of launch %" PRIu64, l->number);
	ret = draw(&m, err);
	work_watch_end(r->watch);
	plot_items_release(&m.items);
	return ret;
}

void order_picture_release(struct order_picture *p)
{
	for (size_t i = 0; i < p->panel_count; i++)
		plot_raster_release(&p->panels[i].raster);
	p->panel_count = 0;
	plot_places_release(&p->places);
	plot_clock_release(&p->clock);
}

uint64_t order_picture_drawn(const struct order_picture *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->panel_count; i++) {
		const struct plot_raster *r = &p->panels[i].raster;

		for (size_t k = 0; k < (size_t)r->x.count * r->y.count; k++)
			sum += r->cells[k].count;
	}
	return sum;
}
