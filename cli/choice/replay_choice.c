/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_choice.h"

#include "err.h"
#include "kept_rules.h"
#include "read_only_choice.h"

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

int replay_choice_setup(struct replay_setup *s, const struct replay_choice *c, struct err *err)
{
	int ret;

	*s = (struct replay_setup){ 0 };
	ret = check_stdin(c, err);
	if (!ret)
		ret = gpu_choice_load(&c->gpu, &s->gpu, err);
	if (!ret)
		ret = order_choice_read(&s->options, &c->order, &s->gpu, err);
	s->options.jobs = processors_jobs(&c->jobs);
	return ret ? ret : load_reorder(s, c, err);
}

int replay_choice_recording(struct replay_setup *s, const struct replay_choice *c,
                            const char *command, const struct recording *r, struct err *err)
{
	int ret;

	s->registers = register_choice_kernels(&c->registers, command, r, err);
	ret = s->registers ? 0 : err->code;
	if (!ret)
		ret = read_only_choice_load(&s->options.read_only, c->read_only, r, &s->gpu, err);
	if (!ret)
		ret = read_rules_load_or_kept(&s->bypass, c->bypass, command, r, &s->gpu, err);
	s->options.bypass = !ret && s->bypass.count ? &s->bypass : NULL;
	return ret;
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
