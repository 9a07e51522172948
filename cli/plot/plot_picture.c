/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_picture.h"

#include "array.h"
#include "err.h"
#include "recording.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROWS_MIN = 60, TITLE_BYTES = 1 << 16 };

void plot_picture_init(struct plot_picture *p)
{
	*p = (struct plot_picture){ 0 };
	str_init(&p->titles, TITLE_BYTES);
}

void plot_picture_release(struct plot_picture *p)
{
	for (size_t i = 0; i < p->panel_count; i++) {
		free(p->panels[i].title);
		plot_raster_release(&p->panels[i].raster);
	}
	str_release(&p->titles);
	p->panel_count = 0;
}

static uint64_t accesses_of(const struct plot_panel *panel)
{
	return panel->place->counts[panel->act];
}

/* Take a panel in; for a full picture, in the place of the one with the fewest accesses. */
static void offer_panel(struct plot_picture *p, struct plot_panel panel)
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

int plot_picture_add_panels(struct plot_picture *p, const struct plot_places *places, uint64_t from,
                            uint64_t to, struct err *err)
{
	struct plot_axis x = plot_axis_fit(from, to, 0, PLOT_COLUMNS_MAX);
	uint32_t rows;
	int ret = 0;

	for (size_t i = 0; i < places->count; i++)
		for (int act = 0; act < PLOT_ACT_COUNT; act++) {
			const struct plot_place *place = &places->places[i];

			if (place->is_wanted && place->counts[act])
				offer_panel(p, (struct plot_panel){ .place = place,
				                                    .act = (enum plot_act)act });
		}
	rows = p->panel_count ? PLOT_ROWS_ALL / (uint32_t)p->panel_count : 0;
	for (size_t i = 0; !ret && i < p->panel_count; i++)
		ret = prepare_panel(&p->panels[i], x, rows < ROWS_MIN ? ROWS_MIN : rows, err);
	return ret;
}

/* Add the names of the arguments through which the kernel sees a buffer. */
static int add_names(struct str *out, const struct recording *r, size_t launch, int64_t buffer,
                     struct err *err)
{
	const struct recorded_launch *l = &r->launches[launch];
	const struct kernel_table *t = &r->kernels[l->kernel].table;
	int ret = 0;

	for (size_t i = 0; !ret && i < l->argument_count; i++) {
		const struct recorded_argument *a = &l->arguments[i];

		if (a->buffer == buffer && a->index < t->argument_count)
			ret = str_printf(out, err, "%s%.60s", out->length ? ", " : "",
			                 t->arguments[a->index].name);
	}
	return ret;
}

/* What a panel's accesses are, and of what size its elements and dots. */
static int add_amounts(struct str *out, const struct plot_panel *panel, struct err *err)
{
	static const char *const acts[] = { "read", "write", "atomic" };
	uint32_t unit = panel->raster.y.shift - panel->element_shift;
	char amount[SHAPE_TEXT_BYTES], size[SHAPE_TEXT_BYTES], count[COUNT_TEXT_BYTES];
	int ret = str_printf(out, err, ": %s, elements of %s%s",
	                     amount_text(amount, accesses_of(panel), acts[panel->act]),
	                     amount_text(size, UINT64_C(1) << panel->element_shift, "byte"),
	                     panel->place->buffer < 0 ? " from the lowest address on" : "");

	if (!ret && unit)
		ret = str_printf(out, err, ", %s to a dot", count_text(count, UINT64_C(1) << unit));
	return ret;
}

int plot_panel_set_title(struct plot_panel *panel, const struct recording *r, size_t launch,
                         struct err *err)
{
	int64_t buffer = panel->place->buffer;
	struct str title;
	int ret;

	str_init(&title, TITLE_BYTES);
	if (buffer >= 0)
		ret = add_names(&title, r, launch, buffer, err);
	else
		ret = str_printf(&title, err, r->buffer_count ? "in no buffer" : "global memory");
	if (!ret && buffer >= 0)
		ret = str_printf(&title, err, "%sbuffer %" PRId64, title.length ? ", " : "",
		                 buffer);
	if (!ret)
		ret = add_amounts(&title, panel, err);
	panel->title = str_take(&title);
	return ret;
}

uint64_t plot_picture_accesses(const struct plot_picture *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->panel_count; i++) {
		const struct plot_raster *r = &p->panels[i].raster;

		for (size_t k = 0; k < (size_t)r->x.count * r->y.count; k++)
			sum += r->cells[k].count;
	}
	return sum;
}

uint64_t plot_picture_fullest(const struct plot_picture *p)
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
