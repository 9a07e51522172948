/* SPDX-License-Identifier: Apache-2.0 */
#include "count_report.h"

#include "recording.h"
#include "shape_text.h"

#include <stdbool.h>
#include <string.h>

static void add(uint64_t *sum, uint64_t count)
{
	*sum = *sum > UINT64_MAX - count ? UINT64_MAX : *sum + count;
}

/* The counted launches of a kernel; their totals in *sum. */
static uint64_t count_launches(const struct recording *r, size_t kernel, struct launch_totals *sum)
{
	uint64_t launches = 0;

	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->kernel != kernel || l->fate != LAUNCH_COUNTED)
			continue;
		launches++;
#define TOTAL(name) add(&sum->name, l->totals.name);
#include "launch_totals.def"
#undef TOTAL
	}
	return launches;
}

void count_report_kernels(FILE *out, const struct recording *r)
{
	const char *head = "counted   ";

	for (size_t k = 0; k < r->kernel_count; k++) {
		struct launch_totals sum;
		uint64_t launches = count_launches(r, k, &sum);
		char texts[4][SHAPE_TEXT_BYTES], count[COUNT_TEXT_BYTES];

		if (!launches)
			continue;
		fprintf(out, "%s%s: %s launch%s, %s, %s, %s, %s\n", head, r->kernels[k].table.name,
		        count_text(count, launches), launches == 1 ? "" : "es",
		        amount_text(texts[0], sum.reads, "read"),
		        amount_text(texts[1], sum.writes, "write"),
		        amount_text(texts[2], sum.atomics, "atomic"),
		        amount_text(texts[3], sum.barriers, "barrier"));
		head = "          ";
	}
}

/* How often a site was reached, over the kernel's counted launches. */
static uint64_t count_site(const struct recording *r, size_t kernel, size_t site)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->kernel == kernel && l->fate == LAUNCH_COUNTED && site < l->count_count)
			add(&sum, l->counts[site]);
	}
	return sum;
}

static void print_site(FILE *out, const struct site *site, uint64_t times)
{
	char count[COUNT_TEXT_BYTES];
	const struct place *p = &site->place;

	fprintf(out, "  %15s  %-8s ", count_text(count, times), site_kind_name(site->kind));
	if (p->file)
		fprintf(out, "%s:%u:%u", p->file, p->line, p->column);
	else
		fprintf(out, "?");
	if (site->expression && *site->expression)
		fprintf(out, "  %s", site->expression);
	fputc('\n', out);
}

void count_report_sites(FILE *out, const struct recording *r)
{
	for (size_t k = 0; k < r->kernel_count; k++) {
		const struct kernel_table *t = &r->kernels[k].table;
		struct launch_totals sum;

		if (!count_launches(r, k, &sum))
			continue;
		fprintf(out, "\ncounts of %s:\n  %15s  %-8s place\n", t->name, "times", "kind");
		for (size_t i = 0; i < t->site_count; i++)
			print_site(out, &t->sites[i], count_site(r, k, i));
	}
}
