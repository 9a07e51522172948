/* SPDX-License-Identifier: Apache-2.0 */
#include "order_choice.h"

#include "err.h"
#include "gpu.h"
#include "replay.h"

#include <inttypes.h>

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
