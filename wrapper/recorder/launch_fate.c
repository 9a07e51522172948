/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_fate.h"

#include "array.h"
#include "launch_filter.h"
#include "launch_wish.h"
#include "recorder.h"
#include "recording_writer.h"
#include "session.h"
#include "session_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the buffers that the kernel's global pointers pointed into; the caller frees the list. */
static struct recorded_argument *list_arguments(const struct launch_outcome *o, size_t *count)
{
	const struct kernel_table *table = o->table;
	struct recorded_argument *list = NULL;

	*count = 0;
	if (o->slots)
		list = array_alloc(table->argument_count, sizeof(*list), "list", NULL);
	for (uint32_t i = 0; list && i < table->argument_count; i++) {
		const struct job_argument *a = &o->arguments[i];
		uint64_t address = o->slots[i];

		if (table->arguments[i].space != SPACE_GLOBAL)
			continue;
		list[(*count)++] = (struct recorded_argument){
			.index = i,
			.buffer = address ? a->buffer_id : -1,
			.address = a->memory_address ? a->memory_address : address,
		};
	}
	return list;
}

static void note(const struct launch_outcome *o, const char *what, const char *why)
{
	char reason[sizeof(o->trouble.msg) + 64];

	snprintf(reason, sizeof(reason), "launch %" PRIu32 ": %s", o->launch_id, why);
	recorder_note(o->recorder, what, reason);
}

static void note_damage(const struct launch_outcome *o)
{
	char why[80];

	snprintf(why, sizeof(why), "%" PRIu64 " pieces of the device buffer were malformed",
	         o->damaged);
	note(o, "damaged records", why);
}

static void write_counts(const struct launch_outcome *o, struct recorded_launch *fate)
{
	fate->fate = LAUNCH_COUNTED;
	fate->count_count = o->table->site_count;
	fate->counts = array_alloc(fate->count_count, sizeof(*fate->counts), "counts", NULL);
	if (!fate->counts) {
		fate->count_count = 0;
		return;
	}
	memcpy(fate->counts, o->counts, fate->count_count * sizeof(*fate->counts));
	recorded_counts_total(o->table, o->counts, &fate->totals);
}

struct launch_outcome launch_outcome_begin(struct session *s, const struct launch_wish *wish,
                                           const struct kernel_table *table,
                                           const struct job_argument *arguments)
{
	return (struct launch_outcome){ .recorder = s->recorder,
		                        .quota = &s->quota,
		                        .table = table,
		                        .arguments = arguments,
		                        .has_launch_id = launch_wish_has_id(wish),
		                        .has_line = wish->has_line,
		                        .launch_id = (uint32_t)wish->number,
		                        .kernel_id = wish->kernel_id,
		                        .shape = &wish->shape,
		                        .local_bytes = wish->local_bytes,
		                        .groups_selected = s->settings.groups };
}

int launch_outcome_keep(struct launch_outcome *o, uint64_t group, const struct group_events *part,
                        bool is_last, struct err *err)
{
	struct err own = { 0 };
	int rc = 0;

	if (!o->is_refusing)
		rc = launch_writer_add_part(o->writer, group, part, is_last, &own);
	if (rc == ERR_FORMAT) {
		o->bad_groups++;
		o->is_refusing = true;
		rc = launch_writer_end_group(o->writer, &own);
	}
	if (is_last)
		o->is_refusing = false;
	return rc < 0 ? err_set(err, (enum err_code)rc, "%s", own.msg) : 0;
}

static struct recorded_launch begin_fate(const struct launch_outcome *o)
{
	struct recorded_launch fate = { .number = o->launch_id,
		                        .kernel = o->kernel_id,
		                        .local_bytes = o->local_bytes,
		                        .groups_selected = o->groups_selected };

	if (o->shape)
		fate.shape = *o->shape;
	return fate;
}

static void release_fate(struct recorded_launch *fate)
{
	free(fate->reason);
	free(fate->arguments);
	free(fate->counts);
}

/* Fill in the launch's fate, except the writer's part. */
static void judge(const struct launch_outcome *o, const struct err *trouble, bool has_file,
                  struct recorded_launch *fate)
{
	bool has_groups = has_file && fate->totals.groups > 0;

	fate->dropped_events = o->dropped;
	fate->room_bytes = o->dropped ? o->room_bytes : 0;
	fate->device_ns = o->device_ns;
	fate->device_bytes = o->device_bytes;
	if (o->is_limited) {
		fate->fate = LAUNCH_LIMITED;
		fate->reason = strdup(trouble->msg);
	} else if (!o->has_run || (trouble->code && !has_groups && !o->counts)) {
		fate->fate = LAUNCH_SKIPPED;
		fate->reason = strdup(trouble->msg);
	} else if (o->counts) {
		write_counts(o, fate);
	} else if (has_file) {
		fate->fate = LAUNCH_TRACED;
		fate->arguments = list_arguments(o, &fate->argument_count);
	} else {
		fate->fate = LAUNCH_UNSELECTED;
	}
}

/* Remove the file of a launch that exceeds the user's limit: it is not recorded at all. */
static void limit(struct launch_outcome *o, struct err *trouble)
{
	char end[LAUNCH_QUOTA_TEXT_BYTES];

	launch_quota_end(o->quota, end);
	*trouble = (struct err){ 0 };
	err_set(trouble, ERR_LIMIT, "%s", end);
	recorder_remove_launch(o->recorder, o->launch_id);
	o->is_limited = true;
}

/* Whether a launch shares a file with others; *fate then has what is written of it. */
static bool is_small(const struct launch_outcome *o, struct recorded_launch *fate)
{
	if (!o->has_launch_id || o->has_line || o->is_limited || !o->has_run || o->trouble.code ||
	    o->dropped || o->damaged || (!o->writer && !o->counts))
		return false;
	if (o->writer)
		fate->totals = *launch_writer_totals(o->writer);
	judge(o, &o->trouble, o->writer != NULL, fate);
	if (recording_writer_is_small(fate, o->writer))
		return true;
	release_fate(fate);
	*fate = begin_fate(o);
	return false;
}

/* Write the line of a launch that had none, or only its fate. */
static void write_line(const struct launch_outcome *o, const struct recorded_launch *fate)
{
	if (o->has_line)
		(void)recorder_fate(o->recorder, o->launch_id, fate);
	else
		(void)recorder_late_launch(o->recorder, fate);
}

/* Add the launch to a shared file if the user's limit allows. */
static void keep_small(struct launch_outcome *o, struct recorded_launch *fate)
{
	uint64_t room = launch_quota_room(o->quota, recorder_small_bytes(o->recorder));
	char end[LAUNCH_QUOTA_TEXT_BYTES];
	bool has_room = true;

	(void)recorder_small_launch(
		o->recorder, &(struct small_launch){ fate, o->table, &o->writer, room }, &has_room);
	launch_writer_discard(o->writer);
	if (!o->is_flushed_later)
		(void)recorder_flush(o->recorder);
	if (has_room)
		return;
	launch_quota_end_by_bytes(o->quota);
	launch_quota_end(o->quota, end);
	fate->fate = LAUNCH_LIMITED;
	fate->reason = strdup(end);
	(void)recorder_late_launch(o->recorder, fate);
}

void launch_fate_write(struct launch_outcome *o)
{
	struct recorded_launch fate = begin_fate(o);
	struct err trouble = o->trouble, inner = { 0 };
	bool has_file = o->writer != NULL, is_whole;

	o->damaged += o->bad_groups;
	o->bad_groups = 0;
	is_whole = o->has_run && !trouble.code && !o->dropped && !o->damaged;
	if (is_small(o, &fate)) {
		keep_small(o, &fate);
		release_fate(&fate);
		return;
	}
	if (launch_writer_close(o->writer, is_whole, &fate.totals, &inner) < 0 && !trouble.code)
		trouble = inner;
	if (has_file && !launch_quota_keep(o->quota, fate.totals.file_bytes))
		limit(o, &trouble);
	judge(o, &trouble, has_file, &fate);
	if (o->has_launch_id) {
		write_line(o, &fate);
		if (trouble.code && fate.fate != LAUNCH_SKIPPED && fate.fate != LAUNCH_LIMITED)
			note(o, "part of a launch", trouble.msg);
		if (o->damaged)
			note_damage(o);
	}
	release_fate(&fate);
}

void launch_fate_write_line(const struct launch_outcome *o)
{
	struct recorded_launch line = begin_fate(o);

	if (o->has_launch_id && !o->has_line)
		(void)recorder_late_launch(o->recorder, &line);
}
