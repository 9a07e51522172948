/* SPDX-License-Identifier: Apache-2.0 */
#include "player.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "launch_summary.h"
#include "recording.h"
#include "work_watch.h"

#include <inttypes.h>
#include <stdlib.h>

void replay_setup_release(struct replay_setup *s)
{
	free(s->registers);
	reorder_config_release(&s->reorder);
	bypass_list_release(&s->options.read_only);
	bypass_list_release(&s->bypass);
	*s = (struct replay_setup){ 0 };
}

static int begin_and_play(const struct player *p, size_t launch, const struct player_visitor *v,
                          struct replay_result *result, struct err *err)
{
	const struct recording *r = p->launches.recording;
	struct replay_options options = p->options;
	int ret;

	if (p->registers)
		options.registers = p->registers[r->launches[launch].kernel];
	ret = v->begin ? v->begin(v->context, launch, &options, err) : 0;
	if (ret)
		return ret;
	return v->play ? v->play(v->context, launch, &options, result, err)
	               : replay_launch(r, launch, p->gpu, &options, result, err);
}

static int count(struct player *p, size_t launch, const struct player_visitor *v,
                 const struct replay_result *result, struct err *err)
{
	p->outcome.lacks_accesses |= !result->is_whole;
	counters_add(&p->l1, &result->total);
	p->beside += counters_requests(&result->read_only);
	if (!p->played++)
		p->first = launch;
	return v->end ? v->end(v->context, launch, result, err) : 0;
}

/* The launch does not fit on the GPU: count it and continue with the others. */
static int refuse(struct player *p, size_t launch, const struct player_visitor *v,
                  const struct err *why, struct err *err)
{
	if (!p->outcome.refused++)
		p->outcome.refusal = *why;
	return v->refused ? v->refused(v->context, launch, why->msg, err) : 0;
}

int player_launch(struct player *p, size_t launch, const struct player_visitor *v, struct err *err)
{
	const struct recording *r = p->launches.recording;
	struct replay_result result = { 0 };
	struct err why = { 0 };
	int ret;

	if (r->launches[launch].fate != LAUNCH_TRACED)
		return v->refused ? v->refused(v->context, launch, launch_summary_reason(r, launch),
		                               err)
		                  : 0;
	ret = begin_and_play(p, launch, v, &result, &why);
	if (!ret)
		ret = count(p, launch, v, &result, err);
	else if (ret == PLAYER_SKIP)
		ret = 0;
	else if (ret == ERR_CONFIG && !p->is_strict && !p->launches.is_one)
		ret = refuse(p, launch, v, &why, err);
	else
		err_set(err, (enum err_code)ret, "%s", why.msg);
	if (v->kept)
		*v->kept = result;
	else
		replay_result_release(&result);
	if (v->release)
		v->release(v->context);
	return ret;
}

/* Replay a launch, which the progress line names; `seen` has the kernels of the earlier launches.
 */
static int play_next(struct player *p, size_t launch, const struct player_visitor *v, bool *seen,
                     struct err *err)
{
	const struct recording *r = p->launches.recording;
	const struct recorded_launch *l = &r->launches[launch];
	size_t before = p->played;
	int ret;

	if (l->fate == LAUNCH_TRACED)
		work_watch_what(p->watch, "launch %" PRIu64 ", %s", l->number,
		                r->kernels[l->kernel].table.name);
	ret = player_launch(p, launch, v, err);
	if (p->played > before && !seen[l->kernel]) {
		seen[l->kernel] = true;
		p->kernels++;
	}
	return ret;
}

int player_play(struct player *p, const struct player_visitor *v, struct err *err)
{
	const struct launch_choice *c = &p->launches;
	bool *seen = array_alloc(c->recording->kernel_count, sizeof(*seen), "kernels", err);
	uint64_t done = 0;
	int ret = 0;

	if (!seen)
		return ERR_NOMEM;
	if (p->watch) {
		work_watch_begin(p->watch, launch_choice_accesses(c));
		p->options.played = work_watch_done(p->watch);
	}
	for (size_t i = c->first; !ret && i < c->end; i++) {
		ret = play_next(p, i, v, seen, err);
		done += launch_choice_accesses_of(c->recording, i);
		work_watch_reach(p->watch, done);
	}
	if (p->watch)
		p->options.played = NULL;
	work_watch_end(p->watch);
	free(seen);
	return ret;
}

struct launch_choice launch_choice_make(const struct recording *r, const uint64_t *number)
{
	struct launch_choice c = { .recording = r, .end = r->launch_count };

	if (number) {
		c.is_one = true;
		c.number = *number;
		c.first = recording_find_launch(r, c.number);
		c.end = c.first + 1;
	}
	return c;
}

int launch_choice_check(const struct launch_choice *c, struct err *err)
{
	const struct recording *r = c->recording;
	bool has_line = c->first < r->launch_count;
	char text[TALLY_REASON_BYTES];

	if (!c->is_one || (has_line && r->launches[c->first].fate == LAUNCH_TRACED))
		return 0;
	if (!r->launches_seen)
		return err_set(err, ERR_USAGE, "--launch: the recording has no launches");
	if (c->number >= r->launches_seen)
		return err_set(err, ERR_USAGE,
		               "--launch: %" PRIu64 ": expected 0..%" PRIu64
		               ", the launches of the recording",
		               c->number, r->launches_seen - 1);
	if (!has_line)
		return err_set(err, ERR_USAGE, "--launch: %s",
		               tally_reason_launch(text, r, c->number));
	return err_set(err, ERR_USAGE, "--launch: launch %" PRIu64 " (%s) was not recorded: %s",
	               c->number, r->kernels[r->launches[c->first].kernel].table.name,
	               launch_summary_reason(r, c->first));
}

uint64_t launch_choice_accesses_of(const struct recording *r, size_t launch)
{
	const struct recorded_launch *l = &r->launches[launch];

	return l->fate == LAUNCH_TRACED ? l->totals.accesses : 0;
}

uint64_t launch_choice_accesses(const struct launch_choice *c)
{
	uint64_t sum = 0;

	for (size_t i = c->first; i < c->end; i++)
		sum += launch_choice_accesses_of(c->recording, i);
	return sum;
}
