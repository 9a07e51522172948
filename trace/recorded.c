/* SPDX-License-Identifier: Apache-2.0 */
#include "recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void add(uint64_t *to, uint64_t count)
{
	if (__builtin_add_overflow(*to, count, to))
		*to = UINT64_MAX;
}

void recorded_counts_total(const struct kernel_table *t, const uint64_t *counts,
                           struct launch_totals *totals)
{
	uint64_t kinds[SITE_KIND_COUNT] = { 0 };

	*totals = (struct launch_totals){ 0 };
	for (size_t i = 0; i < t->site_count; i++) {
		add(&kinds[t->sites[i].kind], counts[i]);
		add(&totals->events, counts[i]);
		if (site_kind_is_access(t->sites[i].kind))
			add(&totals->accesses, counts[i]);
	}
	totals->reads = kinds[SITE_READ];
	totals->writes = kinds[SITE_WRITE];
	totals->atomics = kinds[SITE_ATOMIC];
	totals->barriers = kinds[SITE_BARRIER];
}

void recorded_launches_release(struct recorded_launch *launches, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct recorded_launch *l = &launches[i];

		free(l->reason);
		if (l->bundle)
			continue;
		free(l->arguments);
		free(l->file);
		free(l->counts);
		free(l->groups_selected);
	}
}

const char *recorded_room_text(char text[RECORDED_ROOM_TEXT_BYTES], uint64_t room_bytes)
{
	const uint64_t mebi = UINT64_C(1) << 20;

	if (!room_bytes)
		return "record with a larger --device-buffer";
	snprintf(text, RECORDED_ROOM_TEXT_BYTES,
	         "record --device-buffer %" PRIu64 "m should hold them",
	         room_bytes / mebi + (room_bytes % mebi != 0));
	return text;
}
