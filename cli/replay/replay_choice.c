/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_choice.h"

#include "err.h"
#include "kept_rules.h"
#include "read_only_choice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Standard input is one file: ERR_USAGE when two options are to read it. */
static int check_stdin(const struct replay_choice *c, struct err *err)
{
	const struct {
		const char *name, *value;
	} readers[] = { { "--reorder", c->reorder },
		        { "--read-only", c->read_only },
		        { "--bypass", c->bypass } };
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		if (!readers[i].value || strcmp(readers[i].value, "-") != 0)
			continue;
		if (first)
			return err_set(err, ERR_USAGE,
			               "%s: '-' is standard input, which %s reads; give one of "
			               "them a file",
			               readers[i].name, first);
		first = readers[i].name;
	}
	return 0;
}

static int choose_order(struct replay_setup *s, const struct replay_choice *c, struct err *err)
{
	struct issue_order *order = &s->options.order;
	struct err why = { 0 };

	if (!c->schedule)
		return 0;
	if (!issue_order_parse(order, c->schedule, &why) &&
	    !issue_order_check(order, s->gpu.warp_lanes, &why))
		return 0;
	return err_set(err, ERR_USAGE, "--schedule: %s", why.msg);
}

/* Read what --reorder names. */
static int load_reorder(struct replay_setup *s, const struct replay_choice *c, struct err *err)
{
	if (!c->reorder)
		return 0;
	if (s->options.order.kind != ISSUE_ORDER_reorder)
		return err_set(err, ERR_USAGE, "--reorder: expected --schedule reorder with it");
	s->options.reorder = &s->reorder;
	return reorder_config_load(&s->reorder, c->reorder, err);
}

static int choose_dispatch(struct replay_setup *s, const struct replay_choice *c, struct err *err)
{
	const struct gpu *gpu = &s->gpu;
	struct err why = { 0 };

	if (c->dispatch && dispatch_order_parse(&s->options.dispatch, c->dispatch, &why))
		return err_set(err, ERR_USAGE, "--dispatch: %s", why.msg);
	if (c->sms.is_given && (c->sms.value < 1 || c->sms.value > gpu->sm_count))
		return err_set(err, ERR_USAGE,
		               "--sms: %" PRIu64 " is outside 1..%" PRIu32 ": %s has so many SMs",
		               c->sms.value, gpu->sm_count, gpu->name);
	s->options.sms = (uint32_t)c->sms.value;
	s->options.jobs = processors_jobs(&c->jobs);
	return 0;
}

int replay_setup_init(struct replay_setup *s, const struct replay_choice *c, struct err *err)
{
	int ret;

	*s = (struct replay_setup){ 0 };
	ret = check_stdin(c, err);
	if (!ret)
		ret = gpu_choice_load(&c->gpu, &s->gpu, err);
	if (!ret)
		ret = choose_order(s, c, err);
	if (!ret)
		ret = load_reorder(s, c, err);
	return ret ? ret : choose_dispatch(s, c, err);
}

static int find_registers(struct replay_setup *s, const struct replay_choice *c,
                          const char *command, const struct recording *r, struct err *err)
{
	struct register_source source;
	int ret = register_source_open(&source, &c->registers, err);

	if (!ret)
		s->registers = register_source_kernels(&source, command, r, err);
	register_source_release(&source);
	return s->registers ? 0 : err->code;
}

int replay_setup_recording(struct replay_setup *s, const struct replay_choice *c,
                           const char *command, const struct recording *r, struct err *err)
{
	int ret = find_registers(s, c, command, r, err);

	if (!ret)
		ret = read_only_choice_load(&s->options.read_only, c->read_only, r, &s->gpu, err);
	if (!ret)
		ret = read_rules_load_or_kept(&s->bypass, c->bypass, r, &s->gpu, err);
	s->options.bypass = !ret && s->bypass.count ? &s->bypass : NULL;
	return ret;
}

void replay_setup_release(struct replay_setup *s)
{
	free(s->registers);
	reorder_config_release(&s->reorder);
	bypass_list_release(&s->options.read_only);
	bypass_list_release(&s->bypass);
	*s = (struct replay_setup){ 0 };
}

bool replay_choice_is_given(const struct replay_choice *c)
{
	struct replay_choice choice;
	const unsigned char *bytes = (const unsigned char *)&choice;
	bool is_given = false;

	memcpy(&choice, c, sizeof(choice));
	memset(&choice.launch, 0, sizeof(choice.launch));
	memset(&choice.pick, 0, sizeof(choice.pick));
	memset(&choice.jobs, 0, sizeof(choice.jobs));
	for (size_t i = 0; i < sizeof(choice); i++)
		is_given = is_given || bytes[i];
	return is_given;
}
