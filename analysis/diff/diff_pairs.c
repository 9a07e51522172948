/* SPDX-License-Identifier: Apache-2.0 */
#include "diff_pairs.h"

#include "array.h"
#include "err.h"
#include "recording.h"
#include "report_data.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const struct diff_item *x, const struct diff_item *y)
{
	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	return strcmp(x->key, y->key);
}

static int compare(const void *a, const void *b)
{
	const struct diff_item *x = *(struct diff_item *const *)a,
			       *y = *(struct diff_item *const *)b;
	int order = compare_keys(x, y);

	if (order)
		return order;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Returns the *count items to match, sorted. */
static struct diff_item **sorted(const struct diff_items *items, size_t *count, struct err *err)
{
	struct diff_item **list =
		array_alloc(items->count, sizeof(struct diff_item *), "rows", err);

	*count = 0;
	for (size_t i = 0; list && i < items->count; i++)
		if (items->list[i].key && items->list[i].match == DIFF_ALONE)
			list[(*count)++] = &items->list[i];
	if (list)
		qsort(list, *count, sizeof(struct diff_item *), compare);
	return list;
}

/* Returns how many items at the start of the list have the key of the first. */
static size_t alike(struct diff_item *const *list, size_t count)
{
	size_t n = 1;

	while (n < count && !compare_keys(list[0], list[n]))
		n++;
	return n;
}

/*
 * Match items that have a key and no match yet. With `is_even`, a key of which one side has more
 * items than the other is skipped: matching would be a guess. Returns 0 or ERR_NOMEM.
 */
int diff_match(struct diff_items *a, struct diff_items *b, bool is_even, struct err *err)
{
	size_t count_a, count_b;
	struct diff_item **of_a = sorted(a, &count_a, err), **of_b = sorted(b, &count_b, err);
	size_t i = 0, k = 0;
	int ret = of_a && of_b ? 0 : ERR_NOMEM;

	while (!ret && i < count_a && k < count_b) {
		int order = compare_keys(of_a[i], of_b[k]);
		size_t n = alike(of_a + i, count_a - i), m = alike(of_b + k, count_b - k);

		for (size_t j = 0; !order && j < n && j < m && (n == m || !is_even); j++) {
			of_a[i + j]->match = (size_t)(of_b[k + j] - b->list);
			of_b[k + j]->match = (size_t)(of_a[i + j] - a->list);
		}
		i += order <= 0 ? n : 0;
		k += order >= 0 ? m : 0;
	}
	free(of_a);
	free(of_b);
	return ret;
}

const char *diff_pairs_name(const struct diff_pairs *p, size_t side, uint32_t kernel)
{
	return p->side[side]->recording->kernels[kernel].table.name;
}

static int items_init(struct diff_items *items, size_t count, struct err *err)
{
	items->list = array_alloc(count, sizeof(*items->list), "rows", err);
	if (!items->list)
		return ERR_NOMEM;
	items->count = count;
	for (size_t i = 0; i < count; i++)
		items->list[i].match = DIFF_ALONE;
	return 0;
}

/* Free keys that were made for a match. */
static void free_keys(struct diff_items *items)
{
	for (size_t i = 0; i < items->count; i++) {
		free(items->list[i].owned);
		items->list[i].owned = NULL;
		items->list[i].key = NULL;
	}
}

static int compare_names(const void *a, const void *b)
{
	const struct diff_item *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* List the names of the replayed kernels of a side, sorted, each once. Keys are borrowed. */
static int names_init(struct diff_items *names, const struct report_data *d, struct err *err)
{
	size_t count = 0;
	int ret = items_init(names, d->kernel_count, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < d->kernel_count; i++)
		names->list[i].key = d->kernels[i].name;
	qsort(names->list, names->count, sizeof(*names->list), compare_names);
	for (size_t i = 0; i < names->count; i++)
		if (!count || strcmp(names->list[count - 1].key, names->list[i].key) != 0)
			names->list[count++] = names->list[i];
	names->count = count;
	return 0;
}

/* Returns the only unmatched item, or DIFF_ALONE if there is none or several. */
static size_t find_alone(const struct diff_items *items)
{
	size_t found = DIFF_ALONE;

	for (size_t i = 0; i < items->count; i++) {
		if (items->list[i].match != DIFF_ALONE)
			continue;
		if (found != DIFF_ALONE)
			return DIFF_ALONE;
		found = i;
	}
	return found;
}

/* Number the pairs: the names of A, then those of B that have no match; by kernel of the
 * recording. */
static int number_pairs(struct diff_pairs *p, const struct diff_items names[DIFF_SIDES],
                        struct err *err)
{
	size_t *of_b = array_alloc(names[DIFF_B].count, sizeof(*of_b), "kernels", err);

	if (!of_b)
		return ERR_NOMEM;
	p->count = names[DIFF_A].count;
	for (size_t i = 0; i < names[DIFF_B].count; i++) {
		size_t match = names[DIFF_B].list[i].match;

		of_b[i] = match == DIFF_ALONE ? p->count++ : match;
	}
	for (size_t side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < p->side[side]->kernel_count; i++) {
			const struct report_kernel *k = &p->side[side]->kernels[i];
			const struct diff_item key = { .key = k->name };
			const struct diff_item *found =
				bsearch(&key, names[side].list, names[side].count, sizeof(key),
			                compare_names);
			size_t at = (size_t)(found - names[side].list);

			p->of[side][k->kernel] = side == DIFF_A ? at : of_b[at];
		}
	free(of_b);
	return 0;
}

static int pair_kernels(struct diff_pairs *p, struct err *err)
{
	struct diff_items names[DIFF_SIDES] = { { 0 } };
	size_t left_a, left_b;
	int ret = 0;

	for (size_t side = 0; !ret && side < DIFF_SIDES; side++) {
		size_t count = p->side[side]->recording->kernel_count;

		p->of[side] = array_alloc(count, sizeof(size_t), "kernels", err);
		ret = p->of[side] ? names_init(&names[side], p->side[side], err) : ERR_NOMEM;
		for (size_t i = 0; !ret && i < count; i++)
			p->of[side][i] = DIFF_ALONE;
	}
	if (!ret)
		ret = diff_match(&names[DIFF_A], &names[DIFF_B], false, err);
	left_a = find_alone(&names[DIFF_A]);
	left_b = find_alone(&names[DIFF_B]);
	if (!ret && left_a != DIFF_ALONE && left_b != DIFF_ALONE)
		names[DIFF_B].list[left_b].match = left_a;
	if (!ret)
		ret = number_pairs(p, names, err);
	free(names[DIFF_A].list);
	free(names[DIFF_B].list);
	return ret;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool diff_is_same_text(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (is_blank(a[0]) && is_blank(a[1]))
			a++;
		while (is_blank(b[0]) && is_blank(b[1]))
			b++;
		if (*a != *b && !(is_blank(*a) && is_blank(*b)))
			return false;
		if (!*a)
			return true;
	}
}

/* Returns a line's text with each run of blanks as one, or, without a source, its place. NULL if
 * out of memory. */
static char *line_key(const struct report_line *x, struct err *err)
{
	char *key, *to;

	if (!x->text)
		return x->file ? str_format(err, "\n%s:%" PRIu32, x->file, x->line)
		               : str_format(err, "\nsite %" PRIu32, x->line);
	key = str_copy(x->text, err);
	to = key;
	for (const char *from = key; from && *from; from++)
		if (!is_blank(*from))
			*to++ = *from;
		else if (to == key || to[-1] != ' ')
			*to++ = ' ';
	if (to)
		*to = '\0';
	return key;
}

/* A line and its position. */
struct placed_line {
	size_t scope;
	const struct report_line *line;
	struct diff_item *item;
};

static int compare_places(const void *a, const void *b)
{
	const struct placed_line *x = a, *y = b;
	int order = x->line->file && y->line->file ? strcmp(x->line->file, y->line->file) : 0;

	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	if (order)
		return order;
	if (x->line->line != y->line->line)
		return x->line->line < y->line->line ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

/*
 * Give unmatched lines a key. Their scope is the line of B at, or matched with, the last matched
 * line before them. So lines that match then are between the same two lines.
 */
static int key_by_neighbour(struct diff_pairs *p, size_t side, struct err *err)
{
	struct diff_items *items = &p->lines[side];
	struct placed_line *lines = array_alloc(items->count, sizeof(*lines), "lines", err);
	size_t last = 0;

	if (!lines)
		return ERR_NOMEM;
	for (size_t i = 0; i < items->count; i++) {
		const struct report_line *line = &p->side[side]->lines[i];

		lines[i] = (struct placed_line){ p->of[side][line->kernel], line, &items->list[i] };
	}
	qsort(lines, items->count, sizeof(*lines), compare_places);
	for (size_t i = 0; i < items->count; i++) {
		struct diff_item *item = lines[i].item;

		if (!i || lines[i].scope != lines[i - 1].scope)
			last = lines[i].scope;
		if (item->match != DIFF_ALONE) {
			last = p->count +
			       (side == DIFF_A ? item->match : (size_t)(item - items->list));
			continue;
		}
		/* without a source, a line is identified by its number */
		item->key = lines[i].line->text ? "" : NULL;
		item->scope = last;
	}
	free(lines);
	return 0;
}

static int pair_lines(struct diff_pairs *p, struct err *err)
{
	int ret = 0;

	for (size_t side = 0; !ret && side < DIFF_SIDES; side++) {
		const struct report_data *d = p->side[side];

		ret = items_init(&p->lines[side], d->line_count, err);
		for (size_t i = 0; !ret && i < d->line_count; i++) {
			struct diff_item *item = &p->lines[side].list[i];

			item->scope = p->of[side][d->lines[i].kernel];
			item->order = d->lines[i].line;
			item->owned = line_key(&d->lines[i], err);
			item->key = item->owned;
			ret = item->key ? 0 : ERR_NOMEM;
		}
	}
	if (!ret)
		ret = diff_match(&p->lines[DIFF_A], &p->lines[DIFF_B], false, err);
	free_keys(&p->lines[DIFF_A]);
	free_keys(&p->lines[DIFF_B]);
	for (size_t side = 0; !ret && side < DIFF_SIDES; side++)
		ret = key_by_neighbour(p, side, err);
	return ret ? ret : diff_match(&p->lines[DIFF_A], &p->lines[DIFF_B], true, err);
}

/* How buffers are matched: most exactly first. */
enum buffer_pass { BY_NAMES_AND_SIZE, BY_NAMES, BY_NUMBER_AND_SIZE, BUFFER_PASSES };

static char *buffer_key(const struct report_buffer *x, enum buffer_pass pass, struct err *err)
{
	if (x->buffer < 0)
		return str_copy("\n", err);
	if (pass == BY_NAMES_AND_SIZE)
		return str_format(err, "%s\n%" PRIu64, x->names, x->bytes);
	if (pass == BY_NAMES)
		return str_copy(x->names, err);
	return str_format(err, "%" PRId64 "\n%" PRIu64, x->buffer, x->bytes);
}

static int match_buffers(struct diff_pairs *p, enum buffer_pass pass, struct err *err)
{
	int ret = 0;

	for (size_t side = 0; !ret && side < DIFF_SIDES; side++)
		for (size_t i = 0; !ret && i < p->buffers[side].count; i++) {
			const struct report_buffer *x = &p->side[side]->buffers[i];
			struct diff_item *item = &p->buffers[side].list[i];

			item->order = (uint64_t)x->buffer;
			item->owned = buffer_key(x, pass, err);
			item->key = item->owned;
			ret = item->key ? 0 : ERR_NOMEM;
		}
	if (!ret)
		ret = diff_match(&p->buffers[DIFF_A], &p->buffers[DIFF_B], false, err);
	free_keys(&p->buffers[DIFF_A]);
	free_keys(&p->buffers[DIFF_B]);
	return ret;
}

static int pair_buffers(struct diff_pairs *p, struct err *err)
{
	int ret = 0;

	for (size_t side = 0; !ret && side < DIFF_SIDES; side++)
		ret = items_init(&p->buffers[side], p->side[side]->buffer_count, err);
	for (int pass = 0; !ret && pass < BUFFER_PASSES; pass++)
		ret = match_buffers(p, (enum buffer_pass)pass, err);
	return ret;
}

/* Pair the launches: the first replayed one of a kernel with the first. */
static int pair_launches(struct diff_pairs *p, struct err *err)
{
	int ret = 0;

	for (size_t side = 0; !ret && side < DIFF_SIDES; side++) {
		const struct report_data *d = p->side[side];

		ret = items_init(&p->launches[side], d->launch_count, err);
		for (size_t i = 0; !ret && i < d->launch_count; i++) {
			struct diff_item *item = &p->launches[side].list[i];

			item->scope = p->of[side][d->launches[i].kernel];
			item->order = d->launches[i].number;
			item->key = d->launches[i].is_played ? "" : NULL;
		}
	}
	return ret ? ret : diff_match(&p->launches[DIFF_A], &p->launches[DIFF_B], false, err);
}

int diff_pairs_make(struct diff_pairs *p, const struct report_data *a, const struct report_data *b,
                    struct err *err)
{
	int ret;

	*p = (struct diff_pairs){ .side = { a, b } };
	ret = pair_kernels(p, err);
	if (!ret)
		ret = pair_lines(p, err);
	if (!ret)
		ret = pair_buffers(p, err);
	return ret ? ret : pair_launches(p, err);
}

void diff_pairs_release(struct diff_pairs *p)
{
	for (size_t side = 0; side < DIFF_SIDES; side++) {
		free(p->of[side]);
		free(p->lines[side].list);
		free(p->buffers[side].list);
		free(p->launches[side].list);
	}
	*p = (struct diff_pairs){ 0 };
}
