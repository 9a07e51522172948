/* SPDX-License-Identifier: Apache-2.0 */
#include "completeness.h"

#include "launch_reader.h"
#include "recording.h"
#include "str.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_broken(const struct recording *r, size_t launch)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	bool is_whole;

	if (r->launches[launch].bundle)
		return false; /* it was looked at when the recording was opened */
	is_whole = !recording_open_launch(r, launch, &source, &reader, NULL) &&
	           launch_reader_is_whole(reader);

	launch_reader_close(reader);
	trace_source_close(source);
	return !is_whole;
}

/* The sentence without the words that the place it is shown in says already. */
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
