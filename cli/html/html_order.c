/* SPDX-License-Identifier: Apache-2.0 */
#include "html_order.h"

#include "err.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "replay.h"
#include "report_data.h"

#include <inttypes.h>

static bool choose_launch(struct html_order *o, const struct report_data *d)
{
	const struct report_launch *best = NULL;

	for (size_t i = 0; i < d->launch_count; i++) {
		const struct report_launch *l = &d->launches[i];

		if (!l->is_played || !l->counts.lanes || l->counts.lanes > HTML_ORDER_ACCESSES_MAX)
			continue;
		if (!best || l->counts.l1.read_misses > best->counts.l1.read_misses)
			best = l;
	}
	if (!best)
		return false;
	o->launch = best->launch;
	o->table = &d->recording->kernels[best->kernel].table;
	return true;
}

/* First pass: what there is. */
static void note_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct html_order *o = context;
	const struct site *site = &o->table->sites[a->site];
	enum plot_act act = plot_act_of(site->kind);

	for (uint32_t i = 0; i < a->lane_count; i++)
		plot_place_note(plot_places_find(&o->places, a->address[i]), a->address[i],
		                site->bytes, act);
	plot_clock_count(&o->clock, sm, now, a->lane_count);
}

static struct plot_raster *raster_of(struct html_order *o, const struct plot_place *place,
                                     enum plot_act act)
{
	for (size_t i = 0; i < o->picture.panel_count; i++)
		if (o->picture.panels[i].place == place && o->picture.panels[i].act == act)
			return &o->picture.panels[i].raster;
	return NULL;
}

/* Second pass: each access to its cell. */
static void draw_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct html_order *o = context;
	enum plot_act act = plot_act_of(o->table->sites[a->site].kind);
	uint64_t number = plot_clock_take(&o->clock, sm, now, a->lane_count);
	const struct plot_place *last = NULL;
	struct plot_raster *raster = NULL;

	for (uint32_t i = 0; i < a->lane_count; i++) {
		const struct plot_place *place = plot_places_find(&o->places, a->address[i]);

		if (place != last)
			raster = raster_of(o, place, act);
		last = place;
		if (raster)
			plot_raster_add(raster, number + i, a->address[i] - place->base, 0);
	}
}

static int play(struct html_order *o, const struct report_data *d,
                void (*access)(void *, uint32_t, const struct warp_access *, uint64_t),
                struct progress_line *wait, struct err *err)
{
	struct replay_options options = d->setup->options;
	struct replay_result result = { 0 };
	int ret;

	options.access = access;
	options.access_context = o;
	options.jobs = 1;
	options.played = &wait->watch.done;
	options.is_unclassified = true;
	if (d->setup->registers)
		options.registers = d->setup->registers[d->recording->launches[o->launch].kernel];
	ret = replay_launch(d->recording, o->launch, &d->setup->gpu, &options, &result, err);
	replay_result_release(&result);
	return ret;
}

static int draw(struct html_order *o, const struct report_data *d, struct progress_line *wait,
                struct err *err)
{
	int ret = play(o, d, note_access, wait, err);

	o->has_launch = o->clock.total > 0;
	if (ret || !o->has_launch)
		return ret;
	plot_places_settle(&o->places);
	plot_clock_start(&o->clock);
	ret = plot_picture_add_panels(&o->picture, &o->places, 0, o->clock.total - 1, err);
	return ret ? ret : play(o, d, draw_access, wait, err);
}

int html_order_make(struct html_order *o, const struct report_data *d, bool is_quiet,
                    struct err *err)
{
	static const struct plot_names all = { 0 };
	struct progress_line wait;
	int ret;

	*o = (struct html_order){ 0 };
	plot_picture_init(&o->picture);
	o->has_launch = choose_launch(o, d);
	if (!o->has_launch)
		return 0;
	ret = plot_places_init(&o->places, d->recording, o->launch, &all, err);
	if (!ret)
		ret = plot_clock_init(&o->clock, d->setup->gpu.sm_count, err);
	if (ret)
		return ret;
	progress_line_begin(&wait, "report", 2 * d->recording->launches[o->launch].totals.accesses,
	                    is_quiet);
	progress_line_what(&wait, "the order of accesses of launch %" PRIu64,
	                   d->recording->launches[o->launch].number);
	ret = draw(o, d, &wait, err);
	progress_line_end(&wait);
	return ret;
}

void html_order_release(struct html_order *o)
{
	plot_picture_release(&o->picture);
	plot_places_release(&o->places);
	plot_clock_release(&o->clock);
}
