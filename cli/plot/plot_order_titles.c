/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_order_titles.h"

#include "err.h"
#include "plot_titles.h"
#include "shape_text.h"

#include <inttypes.h>

/* What part of the accesses is shown, and how. */
static int add_part(struct str *out, const struct plot_picture *p, const struct plot_order_facts *f,
                    struct err *err)
{
	uint64_t shown = plot_picture_accesses(p), all = f->schedule->lanes;
	uint32_t shift = p->panels[0].raster.x.shift;
	char number[COUNT_TEXT_BYTES], whole[COUNT_TEXT_BYTES], cell[COUNT_TEXT_BYTES];
	int ret = str_printf(out, err, shown == all ? "all %s accesses" : "%s of %s accesses",
	                     count_text(number, shown), count_text(whole, all));

	if (!ret && f->to - f->from + 1 < f->chosen)
		ret = str_printf(out, err, " (numbers %s to %s)", count_text(number, f->from),
		                 count_text(whole, f->to));
	if (!ret && !shift)
		return str_printf(out, err, ", each a dot of its own\n");
	if (!ret)
		ret = str_printf(out, err, "; a column of dots is %s accesses in a row",
		                 count_text(cell, UINT64_C(1) << shift));
	if (!ret && !p->is_count)
		ret = str_printf(out, err,
		                 "; a dot has the colour of one of its accesses, chosen by a hash");
	return ret ? ret : str_printf(out, err, "\n");
}

/* What there was besides. */
static int add_rest(struct str *out, const struct plot_picture *p, const struct plot_job *job,
                    const struct plot_order_facts *f, struct err *err)
{
	char count[COUNT_TEXT_BYTES], amount[SHAPE_TEXT_BYTES];
	int ret = 0;

	if (p->panels_left_out)
		ret = str_printf(out, err, "%s more with %s accesses not shown: --buffer chooses\n",
		                 amount_text(amount, p->panels_left_out, "panel"),
		                 count_text(count, p->accesses_left_out));
	if (!ret && f->schedule->side.local_lanes + f->schedule->side.constant_lanes)
		ret = str_printf(out, err, "accesses to local and constant memory not shown: %s\n",
		                 count_text(count, f->schedule->side.local_lanes +
		                                           f->schedule->side.constant_lanes));
	return ret ? ret : plot_titles_missing(out, job, f->is_whole, err);
}

int plot_order_titles(struct plot_picture *p, const struct plot_job *job,
                      const struct plot_order_facts *facts, struct err *err)
{
	int ret = plot_titles_launch(&p->titles, job, err);

	if (!ret)
		ret = plot_titles_gpu(&p->titles, job, err);
	if (!ret)
		ret = add_part(&p->titles, p, facts, err);
	if (!ret)
		ret = add_rest(&p->titles, p, job, facts, err);
	for (size_t i = 0; !ret && i < p->panel_count; i++)
		ret = plot_panel_set_title(&p->panels[i], job->recording, job->launch, err);
	return ret;
}
