/* SPDX-License-Identifier: Apache-2.0 */
#include "tally_report.h"

#include "recording.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static const char *kernel_of(const struct recording *r, const struct recorded_tally *t)
{
	return r->kernels[t->kernel].table.name;
}

json_t *tally_report_json(struct json_out *out, const struct recording *r)
{
	static const char *const fates[] = {
#define LAUNCH_FATE(NAME, name) name,
#include "launch_fates.def"
#undef LAUNCH_FATE
	};
	json_t *array = json_array();

	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];
		json_t *row = json_object();

		json_out_text(out, row, "kernel", kernel_of(r, t));
		json_out_text(out, row, "fate", fates[t->fate]);
		json_out_text(out, row, "reason", t->reason);
		json_out_count(out, row, "launches", t->count);
		json_out_count(out, row, "first", t->first);
		json_out_count(out, row, "last", t->last);
		json_out_append(out, array, row);
	}
	return array;
}

void tally_report_print(FILE *out, const struct recording *r, const char *head)
{
	char launches[SHAPE_TEXT_BYTES], first[COUNT_TEXT_BYTES], last[COUNT_TEXT_BYTES];

	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];
		bool is_one = t->count == 1;

		fprintf(out, "%s%s of %s, number%s %s%s%s: %s%s\n", head,
		        amount_text(launches, t->count, "launch"), kernel_of(r, t),
		        is_one ? "" : "s", count_text(first, t->first), is_one ? "" : " to ",
		        is_one ? "" : count_text(last, t->last),
		        t->fate == LAUNCH_UNSELECTED ? "not selected by " : "", t->reason);
	}
}
