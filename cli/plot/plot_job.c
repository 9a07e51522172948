/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_job.h"

#include "gpu.h"
#include "plot_output.h"
#include "recording.h"
#include "replay_choice.h"
#include "say.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static plot_write_fn *const writers[] = {
#define PLOT_KIND(name, text) plot_##name##_write,
#include "plot_kinds.def"
#undef PLOT_KIND
};

static const char *const names[] = {
#define PLOT_KIND(name, text) #name,
#include "plot_kinds.def"
#undef PLOT_KIND
	"all",
};

struct player plot_job_one(const struct plot_job *job)
{
	const struct recording *r = job->player.launches.recording;
	struct player one = job->player;

	one.launches = (struct launch_choice){ .recording = r,
		                               .first = job->launch,
		                               .end = job->launch + 1,
		                               .number = r->launches[job->launch].number,
		                               .is_one = true };
	return one;
}

const char *plot_kind_name(uint32_t kind)
{
	return names[kind];
}

/* Orders of work-items are of a whole launch and do not involve SMs: they are drawn on one SM,
 * unless the user sets another number. */
static void choose_sms(struct gpu *gpu, const struct plot_job *job)
{
	static const char key[] = "sm_count=";
	const struct option_list *set = &job->choice->gpu.set;

	if (issue_order_unit(&job->player.options.order) != ISSUE_ITEMS)
		return;
	for (size_t i = 0; i < set->count; i++)
		if (!strncmp(set->items[i], key, strlen(key)))
			return;
	gpu->sm_count = 1;
}

/* The context of write_picture(). */
struct drawing {
	const struct plot_job *job;
	plot_write_fn *write;
	struct player_outcome *outcome;
};

static int write_picture(void *context, FILE *out, struct err *err)
{
	struct drawing *d = context;

	return d->write(d->job, out, d->outcome, err);
}

int plot_job_draw(const struct plot_job *job, uint32_t kind, const char *file,
                  struct player_outcome *outcome, struct err *err)
{
	struct gpu gpu = *job->player.gpu;
	struct plot_job own = *job;
	struct drawing drawing = { &own, writers[kind], outcome };

	own.player.gpu = &gpu;
	if (kind == PLOT_KIND_order)
		choose_sms(&gpu, job);
	return plot_output_make(job->format, file, write_picture, &drawing, err);
}

/* "a/b-sets.png" of "a/b.png", on the heap. */
static char *name_of(const char *file, uint32_t kind, struct err *err)
{
	const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
	int length = dot ? (int)(dot - file) : (int)strlen(file);

	return str_format(err, "%.*s-%s%s", length, file, names[kind], dot ? dot : "");
}

int plot_job_draw_all(const struct plot_job *job, const char *file, struct player_outcome *outcome,
                      struct err *err)
{
	int ret = 0;

	for (uint32_t kind = 0; kind < PLOT_KINDS && !ret; kind++) {
		struct player_outcome own = { 0 };
		struct err why = { 0 };
		char *name = name_of(file, kind, err);

		if (!name)
			return ERR_NOMEM;
		ret = plot_job_draw(job, kind, name, &own, &why);
		if (ret == PLOT_NOTHING) {
			say_line("plot", "%s is not drawn: %s", name, why.msg);
			ret = 0;
		} else if (ret) {
			err_set(err, (enum err_code)ret, "%s", why.msg);
		}
		outcome->lacks_accesses |= own.lacks_accesses;
		if (own.refused > outcome->refused) {
			outcome->refused = own.refused;
			outcome->refusal = own.refusal;
		}
		free(name);
	}
	return ret;
}
