/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_choice.h"

#include "err.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"

/* What was given goes in the place of A's. */
static void take_text(const char **to, const char *given)
{
	if (given)
		*to = given;
}

static void take_number(struct option_number *to, const struct option_number *given)
{
	if (given->is_given)
		*to = *given;
}

static int add_settings(struct option_list *to, const struct option_list *given, struct err *err)
{
	for (size_t i = 0; i < given->count; i++) {
		if (to->count == OPTION_LIST_LIMIT)
			return err_set(err, ERR_USAGE, "--set-b: more than %d with those of --set",
			               OPTION_LIST_LIMIT);
		to->items[to->count++] = given->items[i];
	}
	return 0;
}

int diff_choice_of_b(const struct diff_choice *b, const struct replay_choice *a,
                     struct replay_choice *out, struct err *err)
{
	*out = *a;
	if (b->gpu)
		out->gpu.l1 = NULL;
	take_text(&out->gpu.gpu, b->gpu);
	take_text(&out->gpu.l1, b->l1);
	take_text(&out->order.schedule, b->order.schedule);
	take_text(&out->order.dispatch, b->order.dispatch);
	take_text(&out->read_only, b->read_only);
	take_text(&out->bypass, b->bypass);
	take_number(&out->launch, &b->launch);
	take_text(&out->pick.launches, b->pick.launches);
	take_text(&out->pick.kernel, b->pick.kernel);
	if (b->registers.is_given)
		out->registers.ptxas = NULL;
	if (b->ptxas)
		out->registers.registers.is_given = false;
	take_number(&out->registers.registers, &b->registers);
	take_text(&out->registers.ptxas, b->ptxas);
#define CACHE_OPTION(member, option, value, key, text)                                             \
	take_text(&out->gpu.cache.member, b->cache.member);
#include "cache_options.def"
#undef CACHE_OPTION
	return add_settings(&out->gpu.set, &b->set, err);
}

int diff_side_play(struct diff_side *s, const struct replay_choice *choice, const char *dir,
                   bool is_quiet, struct err *err)
{
	struct progress_line wait;
	const struct report_request request = { .watch = progress_line_watch(&wait, "diff",
		                                                             is_quiet) };
	struct launch_choice launches;
	int ret = replay_choice_setup(&s->setup, choice, err);

	if (!ret)
		ret = launch_pick_open(&choice->pick, &s->recording, dir, err);
	if (!ret)
		ret = replay_choice_recording(&s->setup, choice, "diff", s->recording, err);
	if (ret)
		return ret;
	launches = launch_choice_make(s->recording, option_number_given(&choice->launch));
	return report_data_make(&s->data, &s->setup, &launches, &request, err);
}

void diff_side_release(struct diff_side *s)
{
	report_data_release(&s->data);
	replay_setup_release(&s->setup);
	recording_close(s->recording);
	*s = (struct diff_side){ 0 };
}
