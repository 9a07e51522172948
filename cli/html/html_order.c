/* SPDX-License-Identifier: Apache-2.0 */
#include "html_order.h"

#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "report_data.h"

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

int html_order_make(struct html_order *o, const struct report_data *d, bool is_quiet,
                    struct err *err)
{
	static const struct plot_names all_buffers = { 0 };
	struct progress_line wait;
	struct order_request request = { .recording = d->recording,
		                         .gpu = &d->setup->gpu,
		                         .options = d->setup->options,
		                         .buffers = &all_buffers,
		                         .colour = ORDER_COLOUR_count,
		                         .watch = progress_line_watch(&wait, "report", is_quiet) };
	int ret;

	*o = (struct html_order){ 0 };
	o->has_launch = choose_launch(o, d);
	if (!o->has_launch)
		return 0;
	request.launch = o->launch;
	if (d->setup->registers)
		request.options.registers =
			d->setup->registers[d->recording->launches[o->launch].kernel];
	ret = order_picture_make(&o->picture, &request, err);
	o->has_launch = o->picture.accesses > 0;
	return ret;
}

void html_order_release(struct html_order *o)
{
	order_picture_release(&o->picture);
}
