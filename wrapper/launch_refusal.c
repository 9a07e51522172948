/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_refusal.h"

#include "launch_job.h"
#include "left_out.h"
#include "recorder.h"
#include "session.h"

#include <stdio.h>

static enum launch_fate fate_of(const struct launch_refusal *refusal)
{
	if (refusal->is_unselected)
		return LAUNCH_UNSELECTED;
	return refusal->quota == QUOTA_ENDED ? LAUNCH_LIMITED : LAUNCH_SKIPPED;
}

void launch_refusal_record(struct session *s, const struct launch_refusal *refusal)
{
	struct recorded_launch line = { .kernel = refusal->kernel_id,
		                        .shape = refusal->shape,
		                        .local_bytes = refusal->local_bytes,
		                        .groups_selected = s->settings.groups,
		                        .fate = fate_of(refusal) };
	char reason[sizeof(refusal->reason)];
	uint32_t id = refusal->launch_id;

	if (!refusal->is_recordable && refusal->is_unselected)
		return;
	if (!refusal->is_recordable) {
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH, refusal->reason);
		return;
	}
	if (refusal->is_unselected && !refusal->has_launch_id && refusal->tally) {
		left_out_count(s, refusal->tally, refusal->left_out_by,
		               refusal->has_number ? refusal->number : recorder_take(s->recorder));
		return;
	}
	if (!refusal->is_unselected && refusal->tally && refusal->tally->unmodified &&
	    atomic_fetch_add(&refusal->tally->own_lines, 1) + 1 == TALLY_OWN_LINES)
		atomic_store(&s->has_unmodified, true);
	snprintf(reason, sizeof(reason), "%s",
	         *refusal->reason ? refusal->reason : "the driver took a call it should refuse");
	line.reason = refusal->is_unselected ? NULL : reason;
	line.number = refusal->number;
	if (refusal->has_number && !refusal->has_launch_id)
		(void)recorder_late(s->recorder, &line);
	else if (refusal->has_launch_id || recorder_launch(s->recorder, &line, &id))
		(void)recorder_fate(s->recorder, id, &line);
}
