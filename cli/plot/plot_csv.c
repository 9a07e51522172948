/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_csv.h"

#include "plot_picture.h"

#include <inttypes.h>

static void write_row(const struct plot_picture *p, const struct plot_panel *panel, uint32_t row,
                      FILE *out)
{
	static const char *const acts[] = { "read", "write", "atomic" };
	const struct plot_raster *r = &panel->raster;
	uint64_t element = plot_axis_number(&r->y, row) >> panel->element_shift;
	uint64_t elements = UINT64_C(1) << (r->y.shift - panel->element_shift);

	for (uint32_t column = 0; column < r->x.count; column++) {
		const struct plot_cell *cell = plot_raster_cell(r, column, row);

		uint64_t value = p->is_count ? cell->count : cell->value;

		if (!cell->count)
			continue;
		fprintf(out,
		        "%" PRId64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		        ",%" PRIu64 "\n",
		        panel->place->buffer, acts[panel->act], plot_axis_number(&r->x, column),
		        element, UINT64_C(1) << r->x.shift, elements, cell->count, value);
	}
}

void plot_csv_write(const struct plot_picture *p, FILE *out)
{
	fprintf(out, "buffer,act,order,element,orders,elements,accesses,%s\n", p->colour_name);
	for (size_t i = 0; i < p->panel_count; i++)
		for (uint32_t row = 0; row < p->panels[i].raster.y.count; row++)
			write_row(p, &p->panels[i], row, out);
}
