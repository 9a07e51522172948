/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_choice.h"

#include "err.h"
#include "gpu.h"
#include "read_rules.h"
#include "recording.h"
#include "replay.h"
#include "say.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int order_choice_read(struct replay_options *options, const struct order_choice *c,
                      const struct gpu *gpu, struct err *err)
{
	struct err why = { 0 };

	if (c->schedule && (issue_order_parse(&options->order, c->schedule, &why) ||
	                    issue_order_check(&options->order, gpu->warp_lanes, &why)))
		return err_set(err, ERR_USAGE, "--schedule: %s", why.msg);
	if (c->dispatch && dispatch_order_parse(&options->dispatch, c->dispatch, &why))
		return err_set(err, ERR_USAGE, "--dispatch: %s", why.msg);
	if (c->sms.is_given && (c->sms.value < 1 || c->sms.value > gpu->sm_count))
		return err_set(err, ERR_USAGE,
		               "--sms: %" PRIu64 ": expected 1..%" PRIu32 ", the SMs of %s",
		               c->sms.value, gpu->sm_count, gpu->name);
	options->sms = (uint32_t)c->sms.value;
	return 0;
}

/* Fail with ERR_USAGE if two options read standard input. */
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

/* Read the file of --reorder. */
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
	s->options.jobs = options_jobs(&c->jobs);
	return ret ? ret : load_reorder(s, c, err);
}

/* Load the rules of --bypass, or else the list kept in the recording, which is then reported on
 * stderr. */
static int load_bypass(struct bypass_list *list, const char *text_or_path, const char *command,
                       const struct recording *r, const struct gpu *gpu, struct err *err)
{
	int ret;

	if (text_or_path || !r->bypass.file)
		return read_rules_load(list, "--bypass", text_or_path, r, gpu, err);
	ret = read_rules_load_kept(list, r, gpu, err);
	if (!ret)
		say_line(command, "the recording's bypass list is applied; --bypass none "
		                  "replays without it");
	return ret;
}

/* Load the rules of --read-only; none if `text` is NULL. The GPU must have a read-only cache. */
static int load_read_only(struct bypass_list *out, const char *text, const struct recording *r,
                          const struct gpu *gpu, struct err *err)
{
	struct err why = { 0 };
	struct gpu cache;
	int ret;

	*out = (struct bypass_list){ 0 };
	if (!text)
		return 0;
	ret = read_only_list_parse(out, text, &why);
	if (ret)
		return err_set(err, (enum err_code)ret, "--read-only: %s", why.msg);
	ret = read_rules_check(out, "--read-only", r, gpu, err);
	if (ret || !read_only_gpu(&cache, gpu, &why))
		return ret;
	return err_set(err, ERR_USAGE, "--read-only: %s", why.msg);
}

int replay_choice_recording(struct replay_setup *s, const struct replay_choice *c,
                            const char *command, const struct recording *r, struct err *err)
{
	int ret;

	s->registers = register_choice_kernels(&c->registers, command, r, err);
	ret = s->registers ? 0 : err->code;
	if (!ret)
		ret = load_read_only(&s->options.read_only, c->read_only, r, &s->gpu, err);
	if (!ret)
		ret = load_bypass(&s->bypass, c->bypass, command, r, &s->gpu, err);
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
