/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_compare.h"

#include "array.h"
#include "cuda_words.h"
#include "diff_pairs.h"
#include "err.h"
#include "finding.h"
#include "player.h"
#include "report_data.h"

#include <stdlib.h>
#include <string.h>

const char *diff_metric_name(enum diff_metric m)
{
	static const char *const names[] = {
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) #name,
#include "diff_metrics.def"
#undef DIFF_METRIC
	};

	return names[m];
}

static const char *title_of(enum diff_metric m)
{
	static const char *const titles[] = {
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) title,
#include "diff_metrics.def"
#undef DIFF_METRIC
	};

	return titles[m];
}

const char *diff_title(const struct diff *d, enum diff_metric m)
{
	return cuda_word(d->side[DIFF_A]->recording, title_of(m));
}

/* The rows that have a metric. */
enum { ALL, LINES, LAUNCHES };

bool diff_metric_is_of(enum diff_metric m, enum diff_section section)
{
	static const uint8_t are[] = {
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) is_of,
#include "diff_metrics.def"
#undef DIFF_METRIC
	};

	if (section == DIFF_SECTION_kernels || section == DIFF_SECTION_launches)
		return true;
	return are[m] == ALL || (are[m] == LINES && section == DIFF_SECTION_lines);
}

/* The counts of a row; NULL: it has none. */
struct counted {
	const struct l1_stats_row *l1;
	const struct side_counts *side;
	const struct report_numbers *n;
};

static void add_counts(struct diff_counts *c, const struct counted *x, const struct report_data *of)
{
	static const struct report_numbers none;
	const struct l1_stats_row *l1 = x->l1 ? x->l1 : &none.l1;
	const struct side_counts *side = x->side ? x->side : &none.side;
	const struct report_numbers *n = x->n ? x->n : &none;
	const struct gpu *gpu = &of->setup->gpu;

#define DIFF_METRIC(name, title, verb, is_of, is_default, value) c->of[DIFF_##name] += (value);
#include "diff_metrics.def"
#undef DIFF_METRIC
}

static void add_numbers(struct diff_counts *c, const struct report_numbers *n,
                        const struct report_data *of)
{
	add_counts(c, &(struct counted){ &n->l1, &n->side, n }, of);
}

bool diff_row_is_same(const struct diff_row *row)
{
	return !row->item[DIFF_A] == !row->item[DIFF_B] &&
	       row->launches[DIFF_A] == row->launches[DIFF_B] &&
	       !memcmp(&row->counts[DIFF_A], &row->counts[DIFF_B], sizeof(row->counts[DIFF_A]));
}

bool diff_is_same(const struct diff *d)
{
	bool is_same = diff_row_is_same(&d->total);

	for (size_t i = 0; i < DIFF_SECTIONS; i++)
		is_same = is_same && !d->sections[i].changed;
	return is_same;
}

static double change_of(const struct diff *d, const struct diff_row *row, enum diff_metric m)
{
	uint64_t a = row->counts[DIFF_A].of[m], b = row->counts[DIFF_B].of[m];
	uint64_t of_a = d->total.counts[DIFF_A].of[m], of_b = d->total.counts[DIFF_B].of[m];
	uint64_t most = of_a > of_b ? of_a : of_b;

	return most ? (double)(a > b ? a - b : b - a) / (double)most : 0;
}

static void weigh(const struct diff *d, struct diff_row *row)
{
	static const enum diff_metric by[] = { DIFF_bytes_from_l2, DIFF_misses, DIFF_requests,
		                               DIFF_dram_bytes, DIFF_bank_conflicts };

	for (size_t i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		double change = change_of(d, row, by[i]);

		if (change > row->weight)
			row->weight = change;
	}
}

/* A row and its position, which keeps rows of the same weight in order. */
struct ranked_row {
	struct diff_row row;
	size_t number;
};

static int compare(const void *a, const void *b)
{
	const struct ranked_row *x = a, *y = b;
	bool is_same_x = diff_row_is_same(&x->row), is_same_y = diff_row_is_same(&y->row);

	if (is_same_x != is_same_y)
		return is_same_x ? 1 : -1;
	if (x->row.weight != y->row.weight)
		return x->row.weight > y->row.weight ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* Weigh the rows and put the heaviest first. */
static int rank(const struct diff *d, struct diff_rows *rows, struct err *err)
{
	struct ranked_row *list = array_alloc(rows->count, sizeof(*list), "rows", err);

	if (!list)
		return ERR_NOMEM;
	for (size_t i = 0; i < rows->count; i++) {
		weigh(d, &rows->list[i]);
		list[i] = (struct ranked_row){ rows->list[i], i };
		rows->changed += !diff_row_is_same(&rows->list[i]);
	}
	qsort(list, rows->count, sizeof(*list), compare);
	for (size_t i = 0; i < rows->count; i++)
		rows->list[i] = list[i].row;
	free(list);
	return 0;
}

/* Set the counts of a row from its item. */
static void count_line(struct diff_counts *c, const struct report_data *of, const void *item)
{
	const struct report_line *x = item;

	add_counts(c, &(struct counted){ &x->l1, &x->side, NULL }, of);
}

static void count_buffer(struct diff_counts *c, const struct report_data *of, const void *item)
{
	const struct report_buffer *x = item;

	add_counts(c, &(struct counted){ &x->l1, NULL, NULL }, of);
}

static void count_launch(struct diff_counts *c, const struct report_data *of, const void *item)
{
	const struct report_launch *x = item;

	add_numbers(c, &x->counts, of);
}

/* A section with its pairs: a row for each item of A, and one for each item of B that has no match.
 */
struct section {
	const struct diff_items *items[DIFF_SIDES];
	const char *list[DIFF_SIDES]; /* items of `bytes` each */
	size_t bytes;
	void (*count)(struct diff_counts *c, const struct report_data *of, const void *item);
	const char *(*kernel)(const struct diff_pairs *p, size_t side, const void *item);
	const struct diff_pairs *pairs;
	bool (*is_left_out)(const void *item); /* NULL: no item is left out */
};

static void put_side(struct diff_row *row, const struct section *s, size_t side, size_t i)
{
	const void *item = s->list[side] + i * s->bytes;

	row->item[side] = item;
	row->kernel[side] = s->kernel ? s->kernel(s->pairs, side, item) : NULL;
	s->count(&row->counts[side], s->pairs->side[side], item);
}

static int make_rows(struct diff_rows *rows, const struct section *s, struct err *err)
{
	const struct diff_items *a = s->items[DIFF_A], *b = s->items[DIFF_B];

	rows->list = array_alloc(a->count + b->count, sizeof(*rows->list), "rows", err);
	if (!rows->list)
		return ERR_NOMEM;
	for (size_t i = 0; i < a->count; i++) {
		if (s->is_left_out && s->is_left_out(s->list[DIFF_A] + i * s->bytes))
			continue;
		put_side(&rows->list[rows->count], s, DIFF_A, i);
		if (a->list[i].match != DIFF_ALONE)
			put_side(&rows->list[rows->count], s, DIFF_B, a->list[i].match);
		rows->count++;
	}
	for (size_t i = 0; i < b->count; i++)
		if (b->list[i].match == DIFF_ALONE &&
		    !(s->is_left_out && s->is_left_out(s->list[DIFF_B] + i * s->bytes)))
			put_side(&rows->list[rows->count++], s, DIFF_B, i);
	return 0;
}

static const char *kernel_of_line(const struct diff_pairs *p, size_t side, const void *item)
{
	return diff_pairs_name(p, side, ((const struct report_line *)item)->kernel);
}

static const char *kernel_of_launch(const struct diff_pairs *p, size_t side, const void *item)
{
	return diff_pairs_name(p, side, ((const struct report_launch *)item)->kernel);
}

static bool is_not_played(const void *item)
{
	return !((const struct report_launch *)item)->is_played;
}

/* Kernels of one name are one row. */
static int make_kernels(struct diff *d, const struct diff_pairs *p, struct err *err)
{
	struct diff_rows *rows = &d->sections[DIFF_SECTION_kernels];

	rows->list = array_alloc(p->count, sizeof(*rows->list), "kernels", err);
	if (!rows->list)
		return ERR_NOMEM;
	rows->count = p->count;
	for (size_t side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < d->side[side]->kernel_count; i++) {
			const struct report_kernel *k = &d->side[side]->kernels[i];
			struct diff_row *row = &rows->list[p->of[side][k->kernel]];

			row->kernel[side] = k->name;
			row->item[side] = row->item[side] ? row->item[side] : k;
			row->launches[side] += k->launches_played;
			add_numbers(&row->counts[side], &k->counts, d->side[side]);
		}
	return 0;
}

static int make_sections(struct diff *d, const struct diff_pairs *p, struct err *err)
{
	const struct report_data *a = d->side[DIFF_A], *b = d->side[DIFF_B];
	const struct section lines = {
		{ &p->lines[DIFF_A], &p->lines[DIFF_B] },
		{ (const char *)a->lines, (const char *)b->lines },
		sizeof(*a->lines),
		count_line,
		kernel_of_line,
		p,
		NULL,
	};
	const struct section buffers = {
		{ &p->buffers[DIFF_A], &p->buffers[DIFF_B] },
		{ (const char *)a->buffers, (const char *)b->buffers },
		sizeof(*a->buffers),
		count_buffer,
		NULL,
		p,
		NULL,
	};
	const struct section launches = {
		{ &p->launches[DIFF_A], &p->launches[DIFF_B] },
		{ (const char *)a->launches, (const char *)b->launches },
		sizeof(*a->launches),
		count_launch,
		kernel_of_launch,
		p,
		is_not_played,
	};
	int ret = make_kernels(d, p, err);

	if (!ret)
		ret = make_rows(&d->sections[DIFF_SECTION_lines], &lines, err);
	if (!ret)
		ret = make_rows(&d->sections[DIFF_SECTION_buffers], &buffers, err);
	return ret ? ret : make_rows(&d->sections[DIFF_SECTION_launches], &launches, err);
}

int diff_make(struct diff *d, const struct report_data *a, const struct report_data *b,
              struct err *err)
{
	struct diff_pairs pairs;
	int ret;

	*d = (struct diff){ .side = { a, b } };
	for (size_t side = 0; side < DIFF_SIDES; side++) {
		const struct report_data *of = d->side[side];

		d->total.item[side] = of;
		d->total.launches[side] = of->launches_played;
		add_numbers(&d->total.counts[side], &of->total, of);
	}
	ret = diff_pairs_make(&pairs, a, b, err);
	if (!ret)
		ret = make_sections(d, &pairs, err);
	for (size_t i = 0; !ret && i < DIFF_SECTIONS; i++)
		ret = rank(d, &d->sections[i], err);
	diff_pairs_release(&pairs);
	return ret;
}

void diff_release(struct diff *d)
{
	for (size_t i = 0; i < DIFF_SECTIONS; i++)
		free(d->sections[i].list);
	*d = (struct diff){ 0 };
}
