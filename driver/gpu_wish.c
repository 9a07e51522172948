/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_wish.h"

#include "gpu_launch.h"
#include "gpu_session.h"
#include "group_selection.h"
#include "recorder.h"

#include <stdio.h>

static struct recorded_launch line_of(const struct gpu_job *job)
{
	return (struct recorded_launch){ .kernel = job->line.kernel_id,
		                         .shape = job->shape,
		                         .local_bytes = job->local_bytes,
		                         .groups_selected = job->session->settings.groups };
}

static enum tally_reason reason_of(enum quota_answer answer)
{
	if (answer == QUOTA_PASSED_OVER)
		return TALLY_SKIP;
	return answer == QUOTA_FULL ? TALLY_MAX_LAUNCHES : TALLY_PER_KERNEL;
}

/* Whether the user wants this launch, of a kernel that he wants. */
static bool is_wanted(void *context, uint64_t number)
{
	struct gpu_job *job = context;
	struct gpu_session *s = job->session;

	job->left_out_by = TALLY_LAUNCHES;
	if (s->filter.launches && !group_selection_has(s->filter.launches, number))
		return false;
	job->left_out_by = TALLY_GROUPS;
	if (!launch_filter_has_launch(&s->filter, number, launch_shape_group_count(&job->shape)))
		return false;
	job->quota = launch_quota_ask(&s->quota, job->line.kernel_id, gpu_session_now());
	if (job->quota == QUOTA_GRANTED || job->quota == QUOTA_ENDED)
		return true;
	job->left_out_by = reason_of(job->quota);
	return false;
}

bool gpu_wish_is_there(struct gpu_job *job)
{
	struct gpu_session *s = job->session;
	struct recorded_launch line = line_of(job);

	job->selection = s->filter.groups;
	job->left_out_by = TALLY_KERNEL;
	if (!job->line.is_selected)
		return false;
	if (!s->filter.launches)
		return is_wanted(job, 0);
	job->has_launch_id = recorder_launch_if(s->recorder, &line, is_wanted, job, &job->number);
	job->has_number = true;
	job->launch_id = (uint32_t)job->number;
	return job->has_launch_id;
}

static void count(struct gpu_job *job, enum tally_reason reason)
{
	struct gpu_session *s = job->session;

	if (!job->has_number)
		job->number = recorder_take(s->recorder);
	job->has_number = true;
	if (job->line.tally)
		gpu_session_count(s, job->line.tally, reason, job->number);
}

void gpu_wish_settle(struct gpu_job *job, bool has_run)
{
	struct gpu_session *s = job->session;

	if (!has_run && job->quota == QUOTA_PASSED_OVER)
		launch_quota_take_back(&s->quota, job->line.kernel_id, job->quota);
	/* A number that others have gone beyond stays. */
	if (has_run || (job->has_number && !recorder_take_back(s->recorder, job->number)))
		count(job, job->left_out_by);
}

void gpu_wish_begin(struct gpu_job *job)
{
	struct recorded_launch line = line_of(job);

	if (!job->has_launch_id)
		job->has_launch_id =
			recorder_launch(job->session->recorder, &line, &job->launch_id);
}

/* Kernels that never run instrumented may be launched millions of times. */
static bool is_only_counted(const struct gpu_job *job)
{
	struct launch_tally *tally = job->line.tally;

	return tally && tally->unmodified && !job->has_launch_id && job->quota != QUOTA_ENDED &&
	       atomic_fetch_add(&tally->own_lines, 1) >= TALLY_OWN_LINES;
}

static void write_fate(struct gpu_job *job, enum launch_fate fate, char *reason)
{
	struct recorded_launch line = line_of(job);

	gpu_wish_begin(job);
	line.fate = fate;
	line.reason = reason;
	if (job->has_launch_id)
		(void)recorder_fate(job->session->recorder, job->launch_id, &line);
}

void gpu_wish_skip(struct gpu_job *job, const char *reason)
{
	char text[256];

	if (is_only_counted(job)) {
		count(job, TALLY_UNMODIFIED);
		return;
	}
	snprintf(text, sizeof(text), "%s", reason);
	write_fate(job, job->quota == QUOTA_ENDED ? LAUNCH_LIMITED : LAUNCH_SKIPPED, text);
}

void gpu_wish_take_back(struct gpu_job *job)
{
	launch_quota_take_back(&job->session->quota, job->line.kernel_id, job->quota);
	if (job->has_launch_id)
		write_fate(job, LAUNCH_UNSELECTED, NULL);
}
