/* SPDX-License-Identifier: Apache-2.0 */
#include "read_only_choice.h"

#include "err.h"
#include "gpu.h"
#include "recording.h"

#include <inttypes.h>
#include <string.h>

static bool meets_any(const struct read_only_rule *rule, const struct recording *r)
{
	if (rule->kind == READ_ONLY_BUFFER)
		return rule->number < r->buffer_count;
	for (size_t i = 0; i < r->kernel_count; i++)
		if (read_only_rule_meets(rule, &r->kernels[i].table))
			return true;
	return false;
}

static int refuse(const struct read_only_rule *rule, const struct recording *r, struct err *err)
{
	switch (rule->kind) {
	case READ_ONLY_SITE:
		return err_set(err, ERR_USAGE,
		               "--read-only: site %" PRIu64 " of no kernel of %s is a read",
		               rule->number, r->dir);
	case READ_ONLY_LINE:
		return err_set(err, ERR_USAGE,
		               "--read-only: no kernel of %s has a read in line %" PRIu64, r->dir,
		               rule->number);
	case READ_ONLY_ARGUMENT:
		return err_set(err, ERR_USAGE,
		               "--read-only: no kernel of %s has a read through an argument '%s'",
		               r->dir, rule->name);
	case READ_ONLY_BUFFER:
		break;
	}
	return err_set(err, ERR_USAGE,
	               "--read-only: %s has %zu buffers, and none has number %" PRIu64, r->dir,
	               r->buffer_count, rule->number);
}

int read_only_choice_load(struct read_only_list *out, const char *text, const struct recording *r,
                          const struct gpu *gpu, struct err *err)
{
	struct err why = { 0 };
	struct gpu cache;
	int ret;

	*out = (struct read_only_list){ 0 };
	if (!text)
		return 0;
	ret = read_only_list_parse(out, text, &why);
	if (ret)
		return err_set(err, (enum err_code)ret, "--read-only: %s", why.msg);
	for (size_t i = 0; i < out->count; i++)
		if (!meets_any(&out->rules[i], r))
			return refuse(&out->rules[i], r, err);
	return read_only_gpu(&cache, gpu, err);
}
