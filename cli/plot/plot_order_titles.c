/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_order_titles.h"

#include "err.h"
#include "gpu.h"
#include "recording.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdlib.h>

/* Add a name that comes from a file or the user, on one line. */
static int add_name(struct str *out, const char *name, struct err *err)
{
	char *seen = str_visible(name, err);
	int ret = seen ? str_printf(out, err, "%.80s", seen) : ERR_NOMEM;

	free(seen);
	return ret;
}

/* The kernel and its launch. */
static int add_launch(struct str *out, const struct plot_job *job, struct err *err)
{
	const struct recorded_launch *l = &job->recording->launches[job->launch];
	char global[SHAPE_TEXT_BYTES], local[SHAPE_TEXT_BYTES];

	int ret = str_printf(out, err, "kernel ");

	if (!ret)
		ret = add_name(out, job->recording->kernels[l->kernel].table.name, err);
	return ret ? ret
	           : str_printf(out, err, ", launch %" PRIu64 ": %s work-items in groups of %s\n",
	                        l->number, shape_text(global, l->shape.global),
	                        shape_text(local, l->shape.local));
}

/* The GPU and the order. */
static int add_order(struct str *out, const struct plot_job *job, struct err *err)
{
	char order[ISSUE_ORDER_BYTES], dispatch[DISPATCH_ORDER_BYTES];
	int ret = add_name(out, job->gpu->name, err);

	if (!ret)
		ret = str_printf(out, err, ", %" PRIu32 " SM%s, --schedule %s", job->gpu->sm_count,
		                 job->gpu->sm_count == 1 ? "" : "s",
		                 issue_order_text(order, &job->options.order));

	if (!ret && job->options.dispatch.kind != DISPATCH_roundrobin)
		ret = str_printf(out, err, " --dispatch %s",
		                 dispatch_order_text(dispatch, &job->options.dispatch));
	if (!ret && job->sm.is_given)
		ret = str_printf(out, err, "; only SM %" PRIu64, job->sm.value);
	if (!ret && job->group.is_given)
		ret = str_printf(out, err, "; only group %" PRIu64, job->group.value);
	for (size_t i = 0; !ret && i < job->buffers->count; i++) {
		ret = str_printf(out, err, i ? ", " : "; only ");
		if (!ret)
			ret = add_name(out, job->buffers->items[i], err);
	}
	return ret ? ret : str_printf(out, err, "\n");
}

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
		                 "; a dot has the colour of one of its accesses, drawn by lot");
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
	if (!ret && (!f->is_whole || !recording_is_complete(job->recording, NULL)))
		ret = str_printf(
			out, err,
			"the recording is incomplete: 'warpline info' says what it lacks\n");
	return ret;
}

int plot_order_titles(struct plot_picture *p, const struct plot_job *job,
                      const struct plot_order_facts *facts, struct err *err)
{
	int ret = add_launch(&p->titles, job, err);

	if (!ret)
		ret = add_order(&p->titles, job, err);
	if (!ret)
		ret = add_part(&p->titles, p, facts, err);
	if (!ret)
		ret = add_rest(&p->titles, p, job, facts, err);
	for (size_t i = 0; !ret && i < p->panel_count; i++)
		ret = plot_panel_set_title(&p->panels[i], job->recording, job->launch, err);
	return ret;
}
