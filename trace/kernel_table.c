/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_table.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void loop_places_fill(const struct kernel_table *t, uint32_t *positions)
{
	for (size_t l = 0; l < t->loop_count; l++)
		positions[l] = 0;
	for (size_t i = t->site_count; i-- > 0;)
		if (t->sites[i].loop >= 0)
			positions[t->sites[i].loop] = 2 * (uint32_t)i + 1;
	for (size_t l = t->loop_count; l-- > 0;) {
		int32_t parent = t->loops[l].parent;

		if (parent >= 0 && positions[l] &&
		    (!positions[parent] || positions[l] < positions[parent]))
			positions[parent] = positions[l];
	}
}

static uint64_t saturated_sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

void count_cells_add(const struct kernel_table *t, const uint64_t *words, uint32_t items,
                     uint64_t *sums)
{
	const unsigned char *flags =
		(const unsigned char *)(words + (size_t)t->counter_count * items);

	for (uint32_t c = 0; c < t->counter_count; c++)
		for (uint32_t i = 0; i < items; i++)
			sums[c] = saturated_sum(sums[c], words[(size_t)c * items + i]);
	for (uint32_t c = t->counter_count; c < t->cell_count; c++, flags += items) {
		uint32_t sum = 0; /* a group has fewer than 2^24 work-items */

		for (uint32_t i = 0; i < items; i++)
			sum += flags[i];
		sums[c] = saturated_sum(sums[c], sum);
	}
}

void count_cells_expand(const struct kernel_table *t, const uint64_t *sums, uint64_t items,
                        uint64_t *counts)
{
	for (size_t s = 0; s < t->site_count; s++) {
		const struct site_count *c = &t->counts[s];
		uint64_t count = c->cell < 0 ? items : sums[c->cell];

		if (__builtin_mul_overflow(count, c->factor, &count))
			count = UINT64_MAX;
		counts[s] = saturated_sum(counts[s], count);
	}
}

static void release_site(struct site *s)
{
	free(s->place.file);
	for (size_t i = 0; i < s->inlined_count; i++)
		free(s->inlined_at[i].file);
	free(s->inlined_at);
	free(s->expression);
	free(s->function);
}

void kernel_table_release(struct kernel_table *t)
{
	for (size_t i = 0; i < t->site_count; i++)
		release_site(&t->sites[i]);
	for (size_t i = 0; i < t->loop_count; i++)
		free(t->loops[i].place.file);
	for (size_t i = 0; i < t->argument_count; i++) {
		free(t->arguments[i].name);
		free(t->arguments[i].type);
	}
	for (size_t i = 0; i < t->unrecorded_count; i++) {
		free(t->unrecorded[i].what);
		free(t->unrecorded[i].place.file);
	}
	free(t->name);
	free(t->symbol);
	free(t->sites);
	free(t->loops);
	free(t->arguments);
	free(t->unrecorded);
	free(t->companions);
	free(t->counts);
	free(t->is_applied);
	free(t->records);
	free(t->refusal);
	*t = (struct kernel_table){ 0 };
}

bool kernel_table_has_local(const struct kernel_table *t)
{
	for (size_t i = 0; i < t->site_count; i++)
		if (t->sites[i].space == SPACE_LOCAL && site_kind_is_access(t->sites[i].kind))
			return true;
	return false;
}

char *kernel_table_symbol(const struct kernel_table *t)
{
	return t->symbol ? t->symbol : t->name;
}

int kernel_table_copy_codes(struct kernel_table *to, const struct kernel_table *from,
                            struct err *err)
{
	*to = (struct kernel_table){ .is_irreducible = from->is_irreducible };
	to->sites = array_alloc(from->site_count, sizeof(*to->sites), "sites", err);
	to->loops = array_alloc(from->loop_count, sizeof(*to->loops), "loops", err);
	if (!to->sites || !to->loops) {
		kernel_table_release(to);
		return ERR_NOMEM;
	}
	to->site_count = from->site_count;
	to->loop_count = from->loop_count;
	for (size_t i = 0; i < to->site_count; i++) {
		to->sites[i].kind = from->sites[i].kind;
		to->sites[i].bytes = from->sites[i].bytes;
		to->sites[i].loop = from->sites[i].loop;
	}
	for (size_t i = 0; i < to->loop_count; i++)
		to->loops[i].parent = from->loops[i].parent;
	return 0;
}

/* Returns a message for the fault of site i, or NULL. */
static const char *site_fault(const struct kernel_table *t, const struct site *s)
{
	if ((unsigned)s->kind >= SITE_KIND_COUNT)
		return "its kind is not one of site_kinds.def";
	if (s->bytes && !site_kind_has_address(s->kind))
		return "it has no address and a size, expected 0 bytes";
	if (s->space > KERNEL_SPACE_MAX)
		return "its address space is outside 0..4";
	if (s->loop < -1 || (s->loop >= 0 && (size_t)s->loop >= t->loop_count))
		return "its loop is not in the table";
	if (s->argument < -1 || (s->argument >= 0 && (size_t)s->argument >= t->argument_count))
		return "its argument is not in the table";
	return NULL;
}

const struct companion *kernel_table_companion(const struct kernel_table *t, uint32_t site)
{
	size_t begin = 0, end = t->companion_count;

	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (t->companions[middle].site < site)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin < t->companion_count && t->companions[begin].site == site
	               ? &t->companions[begin]
	               : NULL;
}

/* Whether a companion, whose site exists, can come with the word of site `with`. */
static bool has_word_for(const struct kernel_table *t, const struct companion *c, uint32_t with)
{
	return with < c->site && !kernel_table_companion(t, with) &&
	       t->sites[with].loop == t->sites[c->site].loop;
}

static const char *companion_fault(const struct kernel_table *t, size_t i)
{
	const struct companion *c = &t->companions[i];

	if (c->site >= t->site_count || !t->sites[c->site].bytes)
		return "it is not a site of known size";
	if (i && c->site <= c[-1].site)
		return "its site is not after that of the one before";
	if (!has_word_for(t, c, c->leader) || !site_kind_has_address(t->sites[c->leader].kind))
		return "its leader is not a site before it in its loop with addresses of its own";
	if (c->after < c->leader || !has_word_for(t, c, c->after))
		return "what it comes after is not a site with words between it and its leader";
	if (c->difference < -1 ||
	    (c->difference >= 0 && (uint32_t)c->difference >= t->difference_count))
		return "its difference is not one of those that are told";
	return NULL;
}

/* Returns a message for a fault of the counts, or NULL. */
static const char *count_fault(const struct kernel_table *t)
{
	uint32_t flags = t->cell_count - t->counter_count;

	if (!t->counts)
		return t->cell_count ? "it has cells and no counts" : NULL;
	if (t->counter_count > t->cell_count || t->cell_count > t->site_count)
		return "its cells are more than its sites, or its counters than its cells";
	if (t->item_words && t->item_words < t->counter_count + (flags + 7) / 8)
		return "its slot is too small for its cells";
	for (size_t s = 0; s < t->site_count; s++)
		if (t->counts[s].cell < -1 || t->counts[s].factor > SITE_FACTOR_MAX ||
		    (t->counts[s].cell >= 0 && (uint32_t)t->counts[s].cell >= t->cell_count))
			return "the count of a site is of no cell, or its factor above 2^40";
	return NULL;
}

/* Check the meaning of the device's words. */
static int check_words(const struct kernel_table *t, struct err *err)
{
	const char *fault = count_fault(t);

	if (fault)
		return err_set(err, ERR_FORMAT, "kernel %s: %s", t->name, fault);
	for (size_t i = 0; i < t->companion_count; i++) {
		fault = companion_fault(t, i);
		if (fault)
			return err_set(err, ERR_FORMAT, "kernel %s: companion %zu: %s", t->name, i,
			               fault);
	}
	return 0;
}

static const char *loop_fault(const struct kernel_table *t, size_t i)
{
	const struct loop *l = &t->loops[i];

	if (l->parent < -1 || (l->parent >= 0 && (size_t)l->parent >= i))
		return "its parent is not a loop with a smaller number";
	if (l->depth != (l->parent < 0 ? 1 : t->loops[l->parent].depth + 1))
		return "its depth is not one more than its parent's";
	return NULL;
}

/* The sites in a loop, at any depth. */
struct extent {
	size_t first, last, count;
};

static void extent_add(struct extent *to, const struct extent *from)
{
	if (!from->count)
		return;
	if (!to->count || from->first < to->first)
		to->first = from->first;
	if (!to->count || from->last > to->last)
		to->last = from->last;
	to->count += from->count;
}

/* Extents grow from the sites to their loops and from each loop to its parent, a smaller number. */
static int check_contiguous(const struct kernel_table *t, struct err *err)
{
	struct extent *extents = array_alloc(t->loop_count, sizeof(*extents), "loops", err);
	int ret = 0;

	if (!extents)
		return ERR_NOMEM;
	for (size_t i = 0; i < t->site_count; i++) {
		struct extent one = { i, i, 1 };

		if (t->sites[i].loop >= 0)
			extent_add(&extents[t->sites[i].loop], &one);
	}
	for (size_t i = t->loop_count; i-- > 0 && !ret;) {
		const struct extent *e = &extents[i];

		if (e->count && e->last - e->first + 1 != e->count)
			ret = err_set(err, ERR_FORMAT,
			              "kernel %s: loop %zu: its %zu sites lie between %zu and %zu, "
			              "expected them without a gap",
			              t->name, i, e->count, e->first, e->last);
		else if (t->loops[i].parent >= 0)
			extent_add(&extents[t->loops[i].parent], e);
	}
	free(extents);
	return ret;
}

static int check_counts(const struct kernel_table *t, struct err *err)
{
	const struct {
		const char *what;
		size_t count, limit;
	} rows[] = {
		{ "sites", t->site_count, KERNEL_SITES_MAX },
		{ "loops", t->loop_count, KERNEL_LOOPS_MAX },
		{ "arguments", t->argument_count, TABLE_ARGUMENTS_MAX },
		{ "unrecorded constructs", t->unrecorded_count, KERNEL_UNRECORDED_MAX },
		{ "companions", t->companion_count, KERNEL_SITES_MAX },
		{ "differences", t->difference_count, KERNEL_DIFFERENCES_MAX },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].count > rows[i].limit)
			return err_set(err, ERR_FORMAT, "kernel %s: %zu %s, expected at most %zu",
			               t->name, rows[i].count, rows[i].what, rows[i].limit);
	return 0;
}

/* Check how the table says the kernel's code was made. */
static int check_code(const struct kernel_table *t, struct err *err)
{
	static const char *const modes[] = { "", "affine", "raw", "count", "none" };
	size_t mode = 0, count = sizeof(modes) / sizeof(modes[0]);

	while (mode < count && strcmp(t->records ? t->records : "", modes[mode]) != 0)
		mode++;
	if (mode == count)
		return err_set(err, ERR_FORMAT,
		               "kernel %s: its records are '%.60s', expected one of affine, raw, "
		               "count and none",
		               t->name, t->records);
	if (t->lanes != 0 && t->lanes != 1 && t->lanes != KERNEL_LANES)
		return err_set(err, ERR_FORMAT,
		               "kernel %s: a layout of %" PRIu32 " lanes, expected 0, 1 or %u",
		               t->name, t->lanes, KERNEL_LANES);
	return 0;
}

int kernel_table_check(const struct kernel_table *t, struct err *err)
{
	const char *fault;
	int ret;

	if (!t->name || !t->name[0])
		return err_set(err, ERR_FORMAT, "a kernel table has no name");
	ret = check_counts(t, err);
	if (!ret)
		ret = check_code(t, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < t->loop_count; i++) {
		fault = loop_fault(t, i);
		if (fault)
			return err_set(err, ERR_FORMAT, "kernel %s: loop %zu: %s", t->name, i,
			               fault);
	}
	for (size_t i = 0; i < t->site_count; i++) {
		fault = site_fault(t, &t->sites[i]);
		if (fault)
			return err_set(err, ERR_FORMAT, "kernel %s: site %zu: %s", t->name, i,
			               fault);
	}
	ret = check_words(t, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < t->argument_count; i++)
		if (!t->arguments[i].name || !t->arguments[i].type ||
		    t->arguments[i].space > KERNEL_SPACE_MAX)
			return err_set(err, ERR_FORMAT,
			               "kernel %s: argument %zu: expected a name, a type and an "
			               "address space in 0..4",
			               t->name, i);
	for (size_t i = 0; i < t->unrecorded_count; i++)
		if (!t->unrecorded[i].what)
			return err_set(err, ERR_FORMAT,
			               "kernel %s: unrecorded construct %zu has no name", t->name,
			               i);
	return check_contiguous(t, err);
}
