/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_summary.h"

#include "err.h"
#include "launch_reader.h"
#include "recording.h"
#include "str.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* " and 18446744073709551615 more" */
enum { MORE_BYTES = 32 };

static bool is_launched(const struct recording *r, size_t kernel)
{
	for (size_t i = 0; i < r->launch_count; i++)
		if (r->launches[i].kernel == kernel)
			return true;
	for (size_t i = 0; i < r->tally_count; i++)
		if (r->tallies[i].kernel == kernel)
			return true;
	return false;
}

/* Whether a kernel of an earlier program has the name. */
static bool is_named(const struct recording *r, size_t kernel)
{
	for (size_t k = 0; k < kernel; k++)
		if (!strcmp(r->kernels[k].table.name, r->kernels[kernel].table.name) &&
		    is_launched(r, k))
			return true;
	return false;
}

const char *launched_kernels_text(char text[LAUNCHED_KERNELS_BYTES], const struct recording *r)
{
	size_t length = 0, left = 0;

	*text = '\0';
	for (size_t k = 0; k < r->kernel_count; k++) {
		const char *name = r->kernels[k].table.name;

		if (!is_launched(r, k) || is_named(r, k))
			continue;
		if (left || length + strlen(name) + 2 + MORE_BYTES > LAUNCHED_KERNELS_BYTES)
			left++;
		else
			length += (size_t)snprintf(text + length, LAUNCHED_KERNELS_BYTES - length,
			                           "%s%s", length ? ", " : "", name);
	}
	if (left)
		snprintf(text + length, LAUNCHED_KERNELS_BYTES - length,
		         length ? " and %zu more" : "%zu kernels of long names", left);
	else if (!length)
		snprintf(text, LAUNCHED_KERNELS_BYTES, "none");
	return text;
}

static const char *kernel_of(const struct recording *r, const struct recorded_tally *t)
{
	return r->kernels[t->kernel].table.name;
}

const char *tally_reason(const struct recorded_tally *t)
{
	return t->fate == LAUNCH_UNSELECTED ? "it was not selected" : t->reason;
}

/* Returns the tally that the launch must belong to, or NULL; *is_unselected becomes whether an
 * option excluded it. */
static const struct recorded_tally *find(const struct recording *r, uint64_t number,
                                         bool *is_unselected)
{
	const struct recorded_tally *found = NULL;
	size_t count = 0;

	*is_unselected = !r->launches_unknown;
	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		if (number < t->first || number > t->last)
			continue;
		found = t;
		count++;
		*is_unselected = *is_unselected && t->fate == LAUNCH_UNSELECTED;
	}
	return count == 1 && !r->launches_unknown ? found : NULL;
}

const char *tally_reason_launch(char text[TALLY_REASON_BYTES], const struct recording *r,
                                uint64_t number)
{
	bool is_unselected;
	const struct recorded_tally *t = find(r, number, &is_unselected);
	const char *why = is_unselected ? "it was not selected"
	                                : "it was one of those that are only counted (see info)";

	if (t)
		snprintf(text, TALLY_REASON_BYTES,
		         "launch %" PRIu64 " (%.200s) was not recorded: %.200s", number,
		         kernel_of(r, t), tally_reason(t));
	else
		snprintf(text, TALLY_REASON_BYTES, "launch %" PRIu64 " was not recorded: %s",
		         number, why);
	return text;
}

enum { SKIPPED_LIMIT = 1 << 16 };

const char *launch_summary_reason(const struct recording *r, size_t launch)
{
	const struct recorded_launch *l = &r->launches[launch];

	if (l->fate == LAUNCH_PENDING)
		return "the program ended before its accesses were stored";
	if (l->fate == LAUNCH_COUNTED)
		return "its accesses were only counted";
	if (l->fate == LAUNCH_UNSELECTED)
		return "it was not selected";
	return l->reason ? l->reason : "no reason recorded";
}

/* Add the totals of a launch that was traced or counted. */
static void add_totals(struct launch_summary *s, const struct recorded_launch *l)
{
	s->accesses += l->totals.accesses;
	s->reads += l->totals.reads;
	s->writes += l->totals.writes;
	s->atomics += l->totals.atomics;
	s->barriers += l->totals.barriers;
	s->dropped_events += l->dropped_events;
	if (l->room_bytes > s->room_bytes)
		s->room_bytes = l->room_bytes;
	s->device_ns += l->device_ns;
	if (l->fate != LAUNCH_TRACED)
		return;
	s->traced_accesses += l->totals.accesses;
	s->file_bytes += l->totals.file_bytes;
}

/* Count a launch of a kernel that was not recorded, for a reason. */
static int count_skipped(struct launch_summary *s, const char *kernel, const char *reason,
                         uint64_t launches, struct err *err)
{
	struct skipped_launches *list = s->skipped.data, *row;

	for (size_t i = 0; i < s->skipped.count; i++) {
		if (!strcmp(list[i].kernel, kernel) && !strcmp(list[i].reason, reason)) {
			list[i].launches += launches;
			return 0;
		}
	}
	row = array_push(&s->skipped, 1, err);
	if (!row)
		return err->code;
	*row = (struct skipped_launches){ kernel, reason, launches };
	return 0;
}

int launch_summary_make(struct launch_summary *s, const struct recording *r, struct err *err)
{
	int ret = 0;

	*s = (struct launch_summary){ .seen = r->launches_seen, .unknown = r->launches_unknown };
	array_init(&s->skipped, sizeof(struct skipped_launches), SKIPPED_LIMIT,
	           "reasons for skipped launches");
	for (size_t i = 0; !ret && i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		s->traced += l->fate == LAUNCH_TRACED;
		s->counted += l->fate == LAUNCH_COUNTED;
		s->unselected += l->fate == LAUNCH_UNSELECTED;
		s->limited += l->fate == LAUNCH_LIMITED;
		if (l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED)
			add_totals(s, l);
		else if (l->fate != LAUNCH_UNSELECTED && l->fate != LAUNCH_LIMITED)
			ret = count_skipped(s, r->kernels[l->kernel].table.name,
			                    launch_summary_reason(r, i), 1, err);
	}
	for (size_t i = 0; !ret && i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		if (t->fate == LAUNCH_UNSELECTED)
			s->unselected += t->count;
		else
			ret = count_skipped(s, r->kernels[t->kernel].table.name, tally_reason(t),
			                    t->count, err);
	}
	for (size_t i = 0; !ret && i < r->note_count; i++) {
		if (strcmp(r->notes[i].what, RECORDED_NOTE_LAUNCH) != 0)
			continue;
		s->seen += r->notes[i].count;
		ret = count_skipped(s, "kernels without a line", r->notes[i].reason,
		                    r->notes[i].count, err);
	}
	return ret;
}

void launch_summary_release(struct launch_summary *s)
{
	array_release(&s->skipped);
}

bool launch_summary_is_empty(const struct launch_summary *s, const char **why)
{
	if (s->traced || s->counted)
		return false;
	if (!s->seen)
		*why = "nothing was recorded: no kernel was launched that the recorder could see";
	else if (s->unselected == s->seen)
		*why = "nothing was recorded: no launch matches the options, or --records none "
		       "was given";
	else if (s->unselected + s->limited == s->seen)
		*why = "nothing was recorded: the limit was reached before the first launch was "
		       "whole";
	else
		*why = "nothing was recorded, for the reasons above";
	return true;
}

static bool is_broken(const struct recording *r, size_t launch)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	bool is_whole;

	if (r->launches[launch].bundle)
		return false; /* checked when the recording was opened */
	is_whole = !recording_open_launch(r, launch, &source, &reader, NULL) &&
	           launch_reader_is_whole(reader);

	launch_reader_close(reader);
	trace_source_close(source);
	return !is_whole;
}

/* Returns the reason without the words that its context already has. */
static const char *short_reason(const char *why)
{
	static const char *const heads[] = { "incomplete: ", "missing: " };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (!strncmp(why, heads[i], strlen(heads[i])))
			why += strlen(heads[i]);
	}
	return why;
}

void completeness_make(struct completeness *c, const struct recording *r, bool opens_files)
{
	char *why = NULL, files[64] = "";

	*c = (struct completeness){ .is_complete = recording_is_complete(r, &why),
		                    .limited_launches = recording_limited_launches(r) };
	for (size_t i = 0; c->limited_launches && i < r->launch_count && !c->limit; i++)
		if (r->launches[i].fate == LAUNCH_LIMITED)
			c->limit = r->launches[i].reason;
	for (size_t i = 0; opens_files && i < r->launch_count; i++)
		c->broken_launches += r->launches[i].fate == LAUNCH_TRACED && is_broken(r, i);
	if (c->broken_launches)
		snprintf(files, sizeof(files), "%s%" PRIu64 " launch file%s damaged or cut short",
		         c->is_complete ? "" : ", ", c->broken_launches,
		         c->broken_launches == 1 ? "" : "s");
	if (!c->is_complete || c->broken_launches)
		c->missing = str_format(NULL, "%s%s", why ? short_reason(why) : "", files);
	c->is_complete = c->is_complete && !c->broken_launches;
	free(why);
}

void completeness_release(struct completeness *c)
{
	free(c->missing);
	c->missing = NULL;
}
