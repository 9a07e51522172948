/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_refusal.h"

#include "launch_job.h"
#include "recorder.h"
#include "session.h"

void launch_refusal_record(struct session *s, struct launch_refusal *refusal)
{
	struct launch_wish *w = &refusal->wish;

	if (!refusal->is_recordable && refusal->is_unselected)
		return;
	if (!refusal->is_recordable) {
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH, refusal->reason);
		return;
	}
	if (refusal->is_unselected) {
		if (!w->has_line && w->tally)
			launch_wish_count(s, w, w->left_out_by);
		else
			launch_wish_end(s, w, LAUNCH_UNSELECTED, NULL);
		return;
	}
	(void)launch_wish_spends_line(s, w);
	launch_wish_end(s, w, w->quota == QUOTA_ENDED ? LAUNCH_LIMITED : LAUNCH_SKIPPED,
	                *refusal->reason ? refusal->reason
	                                 : "the driver took a call it should refuse");
}
