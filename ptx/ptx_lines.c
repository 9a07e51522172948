/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_lines.h"

#include "err.h"
#include "ptx_names.h"

#include <stdlib.h>

enum { DEPTH_MAX = 16, ITEMS_MAX = 1 << 27 };

static int by_line(const void *a, const void *b)
{
	const struct ptx_line_load *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->load != y->load)
		return x->load < y->load ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* Add the places of one load, from its own outwards. */
static int add(struct array *all, const struct ptx_module *m, uint32_t place, uint32_t load,
               struct err *err)
{
	for (uint32_t depth = 0; place != PTX_NONE && depth < DEPTH_MAX; depth++) {
		const struct ptx_place *at = ptx_module_place(m, place);
		struct ptx_line_load *item = array_push(all, 1, err);

		if (!item)
			return err->code;
		*item = (struct ptx_line_load){ at->line, at->file, at->column, depth, load };
		place = at->caller;
	}
	return 0;
}

int ptx_lines_init(struct ptx_lines *l, const struct ptx_module *m,
                   const struct ptx_module_function *f, struct err *err)
{
	struct array all;
	int ret = 0;

	*l = (struct ptx_lines){ .count = 0 };
	array_init(&all, sizeof(struct ptx_line_load), ITEMS_MAX, "places of loads");
	for (size_t i = 0; !ret && i < f->load_count; i++)
		ret = add(&all, m, ptx_module_load(m, f->first_load + i)->place, (uint32_t)i, err);
	if (!ret && all.count) {
		l->count = all.count;
		l->items = array_take(&all);
		qsort(l->items, l->count, sizeof(*l->items), by_line);
	}
	array_release(&all);
	return ret;
}

void ptx_lines_release(struct ptx_lines *l)
{
	free(l->items);
	*l = (struct ptx_lines){ .count = 0 };
}

/* The first item of a line, or of a later one. */
static size_t first_of(const struct ptx_lines *l, uint32_t line)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->items[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t ptx_lines_find(const struct ptx_lines *l, const struct ptx_module *m,
                      const struct ptx_module_function *f, const char *file, uint32_t line,
                      struct ptx_line_load *out)
{
	const struct ptx_place *own = ptx_module_place(m, f->place);
	uint32_t nearest = UINT32_MAX;
	size_t found = 0, kept = 0;

	for (size_t i = first_of(l, line); i < l->count && l->items[i].line == line; i++) {
		const struct ptx_line_load *at = &l->items[i];
		bool is_here = file ? ptx_file_is(ptx_module_file(m, at->file), file)
		                    : own && at->file == own->file;

		if (!is_here)
			continue;
		out[found++] = *at;
		nearest = at->depth < nearest ? at->depth : nearest;
	}
	for (size_t i = 0; i < found; i++)
		if (out[i].depth == nearest)
			out[kept++] = out[i];
	return kept;
}
