/* SPDX-License-Identifier: Apache-2.0 */
#include "html_page.h"

#include "gpu.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>

/* The most fields of the map: of more sets, 2, 4, 8, ... neighbours share a field. Levels of
 * colour, and the level of the average field. */
enum { FIELDS_MAX = 256, HEAT_LEVELS = 9, HEAT_OF_MEAN = 3 };

struct set_field {
	uint64_t first, last, misses, conflict;
};

/* Add up `per_field` sets of all kernels from `first` on. */
static struct set_field make_field(const struct html_page *page, uint64_t first, uint64_t per_field)
{
	const struct report_data *d = page->data;
	struct set_field f = { .first = first, .last = first + per_field - 1 };

	if (f.last >= page->gpu->l1_sets)
		f.last = page->gpu->l1_sets - 1;
	for (size_t k = 0; k < d->kernel_count; k++)
		for (uint64_t s = f.first; d->kernels[k].sets && s <= f.last; s++) {
			f.misses += d->kernels[k].sets[s].read_misses;
			f.conflict += d->kernels[k].sets[s].conflict;
		}
	return f;
}

static void write_field(FILE *out, const struct set_field *f, double mean)
{
	double heat = (double)f->misses / mean * HEAT_OF_MEAN;
	uint64_t level = heat < HEAT_LEVELS ? (uint64_t)(heat + 0.5) : HEAT_LEVELS;

	fprintf(out, "<li class=h%" PRIu64 " title=\"set %" PRIu64, level, f->first);
	if (f->last > f->first)
		fprintf(out, " to %" PRIu64, f->last);
	fputs(": ", out);
	html_count(out, f->misses);
	fputs(" misses, ", out);
	html_count(out, f->conflict);
	fprintf(out, " of them conflict\"><b>%" PRIu64 "</b>", f->first);
	html_short_count(out, f->misses);
	fputc('\n', out);
}

struct set_range {
	uint64_t most, sum, fields, per_field, busiest;
};

static struct set_range measure(const struct html_page *page)
{
	struct set_range r = { .per_field = 1 };

	while ((page->gpu->l1_sets + r.per_field - 1) / r.per_field > FIELDS_MAX)
		r.per_field *= 2;
	for (uint64_t s = 0; s < page->gpu->l1_sets; s += r.per_field, r.fields++) {
		struct set_field f = make_field(page, s, r.per_field);

		if (f.misses > r.most) {
			r.most = f.misses;
			r.busiest = f.first;
		}
		r.sum += f.misses;
	}
	return r;
}

static void write_caption(FILE *out, const struct set_range *r)
{
	fputs("<p class=says>Read misses in each ", out);
	if (r->per_field > 1) {
		fputs("run of ", out);
		html_count(out, r->per_field);
		fputs(" neighbouring sets", out);
	} else {
		fputs("set", out);
	}
	fputs(", all SMs and launches together, below its number. Colours compare with the "
	      "average: the strongest is three times as much or more. The fullest, ",
	      out);
	html_count(out, r->busiest);
	fputs(", has ", out);
	html_ratio(out, r->most * r->fields, r->sum);
	fputs(" times the average. What to look for: a few fields far above the others.</p>\n",
	      out);
}

int html_section_sets(const struct html_page *page, FILE *out, struct err *err)
{
	struct set_range r = measure(page);

	if (!r.sum) {
		fputs("<p class=note>No read missed, or there are too many sets to count.</p>\n",
		      out);
		return 0;
	}
	write_caption(out, &r);
	fputs("<ol class=sets aria-label=\"Read misses by set\">\n", out);
	for (uint64_t s = 0; s < page->gpu->l1_sets; s += r.per_field) {
		struct set_field f = make_field(page, s, r.per_field);

		write_field(out, &f, (double)r.sum / (double)r.fields);
	}
	fputs("</ol>\n", out);
	return 0;
}
