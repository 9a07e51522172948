/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_fate.h"

#include "array.h"
#include "job_argument.h"
#include "launch_quota.h"
#include "recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The buffers that the kernel's global pointers named; free the result. */
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
			.address = a->svm_address ? a->svm_address : address,
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

	snprintf(why, sizeof(why), "%" PRIu64 " pieces of the device buffer made no sense",
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

/* What became of it; everything but the writer's part. */
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

/* A launch that had no room is recorded not at all. */
static void be_limited(struct launch_outcome *o, struct err *trouble)
{
	char end[LAUNCH_QUOTA_TEXT_BYTES];

	launch_quota_end(o->quota, end);
	*trouble = (struct err){ 0 };
	err_set(trouble, ERR_LIMIT, "%s", end);
	recorder_remove_launch(o->recorder, o->launch_id);
	o->is_limited = true;
}

void launch_fate_write(struct launch_outcome *o)
{
	struct recorder *recorder = o->recorder;
	struct recorded_launch fate = { 0 };
	struct err trouble = o->trouble, inner = { 0 };
	bool is_whole = o->has_run && !trouble.code && !o->dropped && !o->damaged;
	bool has_file = o->writer != NULL;

	if (launch_writer_close(o->writer, is_whole, &fate.totals, &inner) < 0 && !trouble.code)
		trouble = inner;
	if (has_file && !launch_quota_keep(o->quota, fate.totals.file_bytes))
		be_limited(o, &trouble);
	judge(o, &trouble, has_file, &fate);
	if (o->has_launch_id) {
		(void)recorder_fate(recorder, o->launch_id, &fate);
		if (trouble.code && fate.fate != LAUNCH_SKIPPED && fate.fate != LAUNCH_LIMITED)
			note(o, "part of a launch", trouble.msg);
		if (o->damaged)
			note_damage(o);
	}
	free(fate.reason);
	free(fate.arguments);
	free(fate.counts);
}
