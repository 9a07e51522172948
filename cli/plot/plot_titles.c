/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_titles.h"

#include "curve_set.h"
#include "err.h"
#include "gpu.h"
#include "player.h"
#include "recording.h"
#include "replay_choice.h"
#include "replay_report.h"
#include "shape_text.h"
#include "sweep_axes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Add a name that comes from a file or the user, on one line. */
static int add_name(struct str *out, const char *name, struct err *err)
{
	char *seen = str_visible(name, err);
	int ret = seen ? str_printf(out, err, "%.80s", seen) : ERR_NOMEM;

	free(seen);
	return ret;
}

/* Add the last part of the path of the recording's folder. */
static int add_recording(struct str *out, const struct recording *r, struct err *err)
{
	char *path = realpath(r->dir, NULL);
	const char *slash = strrchr(path ? path : r->dir, '/');
	int ret = add_name(out, slash && slash[1] ? slash + 1 : r->dir, err);

	free(path);
	return ret ? ret : str_printf(out, err, ": ");
}

static int add_kernel(struct str *out, const struct recording *r, size_t launch, struct err *err)
{
	int ret = str_printf(out, err, "kernel ");

	return ret ? ret : add_name(out, r->kernels[r->launches[launch].kernel].table.name, err);
}

static int add_launch(struct str *out, const struct recording *r, size_t launch, struct err *err)
{
	const struct recorded_launch *l = &r->launches[launch];
	char global[SHAPE_TEXT_BYTES], local[SHAPE_TEXT_BYTES];
	int ret = add_kernel(out, r, launch, err);

	return ret ? ret
	           : str_printf(out, err, ", launch %" PRIu64 ": %s work-items in groups of %s\n",
	                        l->number, shape_text(global, l->shape.global),
	                        shape_text(local, l->shape.local));
}

/* Add the launches that were replayed, or the job's. */
static int add_launches(struct str *out, const struct plot_job *job, const struct player *p,
                        struct err *err)
{
	const struct recording *r = job->player.launches.recording;
	char kernels[SHAPE_TEXT_BYTES];
	int ret;

	if (!p || p->played == 1)
		return add_launch(out, r, p ? p->first : job->launch, err);
	if (p->kernels > 1)
		return str_printf(out, err, "%zu launches of %s\n", p->played,
		                  amount_text(kernels, p->kernels, "kernel"));
	ret = add_kernel(out, r, p->first, err);
	return ret ? ret : str_printf(out, err, ", %zu launches\n", p->played);
}

/* Add an option with the user's value. */
static int add_option(struct str *out, const char *option, const char *text, struct err *err)
{
	int ret = text ? str_printf(out, err, " --%s ", option) : 0;

	return text && !ret ? add_name(out, text, err) : ret;
}

static int add_orders(struct str *out, const struct plot_job *job, struct err *err)
{
	char order[ISSUE_ORDER_BYTES], dispatch[DISPATCH_ORDER_BYTES];
	int ret = str_printf(out, err, "; --schedule %s",
	                     issue_order_text(order, &job->player.options.order));

	if (!ret && job->player.options.dispatch.kind != DISPATCH_roundrobin)
		ret = add_option(out, "dispatch",
		                 dispatch_order_text(dispatch, &job->player.options.dispatch), err);
	if (!ret && job->player.options.sms)
		ret = str_printf(out, err, " --sms %" PRIu32, job->player.options.sms);
	if (ret || !job->choice)
		return ret;
	ret = add_option(out, "reorder", job->choice->reorder, err);
	if (!ret)
		ret = add_option(out, "read-only", job->choice->read_only, err);
	return ret ? ret : add_option(out, "bypass", job->choice->bypass, err);
}

/* Add the choices that limit the launch. */
static int add_choice(struct str *out, const struct plot_job *job, struct err *err)
{
	int ret = 0;

	if (job->sm.is_given)
		ret = str_printf(out, err, "; only SM %" PRIu64, job->sm.value);
	if (!ret && job->group.is_given)
		ret = str_printf(out, err, "; only group %" PRIu64, job->group.value);
	for (size_t i = 0; !ret && i < job->buffers.count; i++) {
		ret = str_printf(out, err, i ? ", " : "; only ");
		if (!ret)
			ret = add_name(out, job->buffers.items[i], err);
	}
	return ret ? ret : str_printf(out, err, "\n");
}

/* Add the output of replay_text_l1() as a line, if there is any. */
static int add_l1(struct str *out, const struct gpu *gpu, struct err *err)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	int ret = 0;

	if (!memory)
		return err_set(err, ERR_NOMEM, "out of memory for the titles of a picture");
	replay_text_l1(memory, gpu);
	if (fclose(memory))
		ret = err_set(err, ERR_NOMEM, "out of memory for the titles of a picture");
	else if (length)
		ret = str_append(out, text, length, err);
	free(text);
	return ret;
}

static int add_gpu(struct str *out, const struct plot_job *job, struct err *err)
{
	const struct gpu *gpu = job->player.gpu;
	char sms[SHAPE_TEXT_BYTES], sets[SHAPE_TEXT_BYTES], lines[SHAPE_TEXT_BYTES];
	char index[SWEEP_INDEX_BYTES];
	int ret = add_name(out, gpu->title, err);

	if (!ret)
		ret = str_printf(out, err, ", %s, L1%s%s of %s (%s) of %s of %" PRIu32 " bytes",
		                 amount_text(sms, gpu->sm_count, "SM"), *gpu->l1 ? " " : "",
		                 gpu->l1, amount_text(sets, gpu->l1_sets, "set"),
		                 sweep_axes_index(index, gpu->l1_index.kind),
		                 amount_text(lines, gpu->l1_ways, "line"), gpu->l1_line_bytes);
	if (!ret)
		ret = add_orders(out, job, err);
	if (!ret)
		ret = add_choice(out, job, err);
	return ret ? ret : add_l1(out, gpu, err);
}

int plot_titles_begin(struct str *out, const struct plot_job *job, const struct player *played,
                      struct err *err)
{
	int ret = add_recording(out, job->player.launches.recording, err);

	if (!ret)
		ret = add_launches(out, job, played, err);
	return ret ? ret : add_gpu(out, job, err);
}

int plot_titles_curve(struct str *out, const struct gpu *gpu, double replay_rate, double mark_rate,
                      struct err *err)
{
	char text[CURVE_OTHER_BYTES];

	curve_set_other_cache(text, gpu, replay_rate, mark_rate);
	return *text ? str_printf(out, err, "Of %s\n", text) : 0;
}

int plot_titles_missing(struct str *out, const struct plot_job *job, bool is_whole, struct err *err)
{
	if (is_whole && recording_is_complete(job->player.launches.recording, NULL))
		return 0;
	return str_printf(out, err,
	                  "the recording is incomplete: 'warpline info' says what it lacks\n");
}
