/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_numbers.h"

#include "err.h"
#include "recording.h"

#include <inttypes.h>
#include <stdlib.h>

static int order_launches(const void *number, const void *launch)
{
	uint64_t a = *(const uint64_t *)number,
		 b = ((const struct recorded_launch *)launch)->number;

	return (a > b) - (a < b);
}

struct recorded_launch *launch_numbers_find(const struct recorded_launch *launches, size_t count,
                                            uint64_t number)
{
	if (!count)
		return NULL;
	return bsearch(&number, launches, count, sizeof(*launches), order_launches);
}

struct local_sample recording_local_sample(const struct recording *r, size_t launch)
{
	const struct recorded_launch *l = &r->launches[launch];

	return local_sample_of(r->kernels[l->kernel].table.local_groups,
	                       launch_shape_group_count(&l->shape), l->groups_selected != NULL);
}

size_t recording_find_launch(const struct recording *r, uint64_t number)
{
	const struct recorded_launch *l = launch_numbers_find(r->launches, r->launch_count, number);

	return l ? (size_t)(l - r->launches) : r->launch_count;
}

int launch_numbers_count(struct recording *r, struct err *err)
{
	uint64_t known = r->launch_count, seen = 0;
	bool is_too_many = false;

	if (r->launch_count)
		seen = r->launches[r->launch_count - 1].number + 1;
	/* The launches of a bundle that cannot be read had numbers. */
	for (size_t i = 0; i < r->bundle_count; i++)
		seen = r->bundles[i].last >= seen ? r->bundles[i].last + 1 : seen;
	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		seen = t->last >= seen ? t->last + 1 : seen;
		is_too_many = is_too_many || __builtin_add_overflow(known, t->count, &known);
	}
	if (is_too_many || known > seen)
		return err_set(err, ERR_FORMAT,
		               "%s/manifest.jsonl: more launches are told of than there are "
		               "numbers up to %" PRIu64,
		               r->dir, seen);
	r->launches_seen = seen;
	r->launches_unknown = seen - known;
	return 0;
}
