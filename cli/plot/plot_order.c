/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_order.h"

#include "err.h"
#include "gpu.h"
#include "plot_clock.h"
#include "plot_csv.h"
#include "plot_items.h"
#include "plot_order_titles.h"
#include "plot_picture.h"
#include "plot_places.h"
#include "plot_script.h"
#include "recording.h"
#include "work_watch.h"

#include <inttypes.h>

struct plot_order {
	const struct plot_job *job;
	const struct kernel_table *table;
	struct plot_places places;
	struct plot_clock clock;
	struct plot_items items;
	struct plot_picture picture;
	uint64_t from, to; /* numbers of the accesses to be drawn */
};

static bool is_chosen(const struct plot_job *job, uint32_t sm, const struct warp_access *a)
{
	return (!job->sm.is_given || job->sm.value == sm) &&
	       (!job->group.is_given || job->group.value == a->group);
}

/* First pass: what there is. */
static void note_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct plot_order *o = context;
	const struct site *site = &o->table->sites[a->site];
	enum plot_act act = plot_act_of(site->kind);
	uint32_t wanted = 0;

	if (!is_chosen(o->job, sm, a))
		return;
	for (uint32_t i = 0; i < a->lane_count; i++) {
		struct plot_place *place = plot_places_find(&o->places, a->address[i]);

		plot_place_note(place, a->address[i], site->bytes, act);
		wanted += place->is_wanted;
	}
	plot_clock_count(&o->clock, sm, now, wanted);
}

/* What colours an access of a work-item, but for its number of accesses. */
static uint64_t plot_order_value(const struct plot_order *o, uint32_t sm,
                                 const struct warp_access *a, uint32_t item)
{
	switch (o->job->colour) {
	case PLOT_COLOUR_item:
		return plot_items_id(&o->items, item);
	case PLOT_COLOUR_group:
		return a->group;
	case PLOT_COLOUR_warp:
		return a->warp;
	case PLOT_COLOUR_sm:
		return sm;
	case PLOT_COLOUR_site:
		return a->site;
	case PLOT_COLOUR_count:
		break;
	}
	return 0;
}

static struct plot_raster *raster_of(struct plot_order *o, const struct plot_place *place,
                                     enum plot_act act)
{
	for (size_t i = 0; i < o->picture.panel_count; i++)
		if (o->picture.panels[i].place == place && o->picture.panels[i].act == act)
			return &o->picture.panels[i].raster;
	return NULL;
}

/* Second pass: each access to its dot. */
static void draw_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	struct plot_order *o = context;
	enum plot_act act = plot_act_of(o->table->sites[a->site].kind);
	const struct plot_place *last = NULL;
	struct plot_raster *raster = NULL;
	uint32_t wanted = 0;
	uint64_t number;

	if (!is_chosen(o->job, sm, a))
		return;
	for (uint32_t i = 0; i < a->lane_count; i++)
		wanted += plot_places_find(&o->places, a->address[i])->is_wanted;
	number = plot_clock_take(&o->clock, sm, now, wanted);
	if (number > o->to || number + wanted <= o->from)
		return;
	if (a->group != o->items.group)
		plot_items_group(&o->items, a->group);
	for (uint32_t i = 0; i < a->lane_count; i++) {
		const struct plot_place *place = plot_places_find(&o->places, a->address[i]);

		if (!place->is_wanted)
			continue;
		if (place != last)
			raster = raster_of(o, place, act);
		last = place;
		if (raster && number >= o->from && number <= o->to)
			plot_raster_add(raster, number, a->address[i] - place->base,
			                plot_order_value(o, sm, a, a->item[i]));
		number++;
	}
}

/* Play the launch once, the first time or the second. */
static int play(struct plot_order *o, bool is_first,
                void (*access)(void *, uint32_t, const struct warp_access *, uint64_t),
                struct replay_result *result, struct err *err)
{
	const struct plot_job *job = o->job;
	const struct recorded_launch *l = &job->recording->launches[job->launch];
	uint64_t accesses = launch_choice_accesses_of(job->recording, job->launch);
	struct replay_options options = job->options;
	int ret;

	work_watch_begin(job->watch, 2 * accesses);
	work_watch_what(job->watch, "launch %" PRIu64 ", %s", l->number, o->table->name);
	work_watch_reach(job->watch, is_first ? 0 : accesses);
	options.played = work_watch_done(job->watch);
	options.registers = job->registers[l->kernel];
	options.jobs = 1; /* the accesses of all SMs come to one place */
	options.access = access;
	options.access_context = o;
	ret = replay_launch(job->recording, job->launch, job->gpu, &options, result, err);
	work_watch_end(job->watch);
	return ret;
}

/* The numbers to be drawn. */
static int choose_span(struct plot_order *o, struct err *err)
{
	uint64_t total = o->clock.total;

	if (!total) {
		err_set(err, ERR_USAGE,
		        "there is nothing to draw: launch %" PRIu64 " has no accesses to global "
		        "memory, or --group, --sm and --buffer leave none",
		        o->job->recording->launches[o->job->launch].number);
		return PLOT_NOTHING;
	}
	o->from = o->job->from.is_given ? o->job->from.value : 0;
	o->to = o->job->to.is_given && o->job->to.value < total ? o->job->to.value : total - 1;
	if (o->from <= o->to)
		return 0;
	return err_set(err, ERR_USAGE,
	               "--from %" PRIu64 ": there is nothing to draw up to access %" PRIu64
	               ", the last one",
	               o->from, o->to);
}

static uint64_t colour_limit(const struct plot_order *o)
{
	const struct plot_job *job = o->job;

	switch (job->colour) {
	case PLOT_COLOUR_item:
		return plot_items_count(&o->items) - 1;
	case PLOT_COLOUR_group:
		return launch_shape_group_count(o->items.shape) - 1;
	case PLOT_COLOUR_warp: {
		uint32_t size[3], items = launch_shape_group_size(o->items.shape, 0, size);

		return (items - 1) / job->gpu->warp_lanes;
	}
	case PLOT_COLOUR_sm:
		return job->gpu->sm_count - 1;
	case PLOT_COLOUR_site:
		return o->table->site_count - 1;
	case PLOT_COLOUR_count:
		break;
	}
	return plot_picture_fullest(&o->picture);
}

static void set_colours(struct plot_order *o)
{
	static const struct {
		const char *name, *label;
	} rows[] = {
#define PLOT_COLOUR(name, label, text) { #name, label },
#include "plot_colours.def"
#undef PLOT_COLOUR
	};

	o->picture.colour_name = rows[o->job->colour].name;
	o->picture.colour_label = rows[o->job->colour].label;
	o->picture.is_count = o->job->colour == PLOT_COLOUR_count;
	o->picture.colour_limit = colour_limit(o);
}

/* Play twice and leave the picture. */
static int make_picture(struct plot_order *o, struct player_outcome *outcome, struct err *err)
{
	struct replay_result result = { 0 };
	int ret = play(o, true, note_access, &result, err);

	outcome->lacks_accesses |= !ret && !result.is_whole;
	if (!ret)
		ret = choose_span(o, err);
	if (!ret) {
		plot_places_settle(&o->places);
		plot_clock_start(&o->clock);
		ret = plot_picture_add_panels(&o->picture, &o->places, o->from, o->to, err);
	}
	replay_result_release(&result);
	if (!ret)
		ret = play(o, false, draw_access, &result, err);
	if (!ret) {
		set_colours(o);
		ret = plot_order_titles(&o->picture, o->job,
		                        &(struct plot_order_facts){ .chosen = o->clock.total,
		                                                    .from = o->from,
		                                                    .to = o->to,
		                                                    .schedule = &result.schedule,
		                                                    .is_whole = result.is_whole },
		                        err);
	}
	replay_result_release(&result);
	return ret;
}

static int check_choices(const struct plot_job *job, const struct launch_shape *shape,
                         struct err *err)
{
	uint64_t groups = launch_shape_group_count(shape);

	if (job->sm.is_given && job->sm.value >= job->gpu->sm_count)
		return err_set(err, ERR_USAGE, "--sm: %s has SMs 0..%" PRIu32 ", not %" PRIu64,
		               job->gpu->name, job->gpu->sm_count - 1, job->sm.value);
	if (job->group.is_given && job->group.value >= groups)
		return err_set(
			err, ERR_USAGE,
			"--group: launch %" PRIu64 " has groups 0..%" PRIu64 ", not %" PRIu64,
			job->recording->launches[job->launch].number, groups - 1, job->group.value);
	return 0;
}

int plot_order_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	const struct recorded_launch *l = &job->recording->launches[job->launch];
	struct plot_order o = { .job = job, .table = &job->recording->kernels[l->kernel].table };
	int ret = check_choices(job, &l->shape, err);

	plot_picture_init(&o.picture);
	if (!ret)
		ret = plot_places_init(&o.places, job->recording, job->launch, &job->buffers, err);
	if (!ret)
		ret = plot_clock_init(&o.clock, job->gpu->sm_count, err);
	if (!ret)
		ret = plot_items_init(&o.items, &l->shape, err);
	if (!ret)
		ret = make_picture(&o, outcome, err);
	if (!ret && job->format == PLOT_FORMAT_csv)
		plot_csv_write(&o.picture, out);
	else if (!ret)
		plot_script_write(&o.picture, job->format, out);
	plot_picture_release(&o.picture);
	plot_items_release(&o.items);
	plot_clock_release(&o.clock);
	plot_places_release(&o.places);
	return ret;
}
