/* SPDX-License-Identifier: Apache-2.0 */
#include "report_curve.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

enum { POINTS_MAX = 2 * 64 + 2 };

static int compare(const void *a, const void *b)
{
	uint64_t x = ((const struct report_curve_point *)a)->lines;
	uint64_t y = ((const struct report_curve_point *)b)->lines;

	return x < y ? -1 : x > y;
}

/* The numbers of lines, ascending; how many. */
static size_t choose_lines(struct report_curve_point *points, uint64_t own_lines, uint64_t enough)
{
	uint64_t most = 2 * (own_lines > enough ? own_lines : enough);
	size_t count = 0, kept = 0;

	for (uint64_t lines = 1; lines <= most && count + 4 < POINTS_MAX; lines *= 2) {
		points[count++].lines = lines;
		if (lines > 1 && lines + lines / 2 <= most)
			points[count++].lines = lines + lines / 2;
	}
	points[count++].lines = own_lines;
	points[count++].lines = enough;
	qsort(points, count, sizeof(*points), compare);
	for (size_t i = 0; i < count; i++)
		if (!kept || points[kept - 1].lines != points[i].lines)
			points[kept++] = points[i];
	return kept;
}

int report_curve_make(struct report_curve *curve, const struct report_distances *distances,
                      uint32_t sets, uint64_t own_lines, struct err *err)
{
	const struct reuse_counts *whole = &distances->counts[REPORT_WHOLE];
	const struct reuse_counts *by_set = &distances->counts[REPORT_SETS];

	*curve = (struct report_curve){ .reads = reuse_counts_reads(whole),
		                        .enough_lines = reuse_counts_enough(whole),
		                        .exact_lines = whole->unknown ? whole->limit : 0 };
	curve->points = array_alloc(POINTS_MAX, sizeof(*curve->points), "points of a curve", err);
	if (!curve->points)
		return ERR_NOMEM;
	curve->count = choose_lines(curve->points, own_lines, curve->enough_lines);
	for (size_t i = 0; i < curve->count; i++) {
		struct report_curve_point *p = &curve->points[i];

		p->misses = reuse_counts_misses(whole, p->lines);
		p->error = reuse_counts_error(whole, p->lines);
		p->lines_error = reuse_counts_ways_error(whole, p->lines);
		p->set_misses = p->lines % sets || !reuse_counts_reads(by_set)
		                        ? UINT64_MAX
		                        : reuse_counts_misses(by_set, p->lines / sets);
	}
	return 0;
}
