/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_lines.h"

#include "err.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/* Add the places of one load, from the innermost outwards. */
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

/* Returns the index of the first item of this line or a later one. */
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

/* Parse one component of a mangled name: "2mm..." gives "mm". Returns what follows it, or NULL if
 * there is none. */
static const char *component(const char *at, const char **name, size_t *length)
{
	*length = 0;
	if (!isdigit((unsigned char)*at))
		return NULL;
	while (isdigit((unsigned char)*at) && *length < 1u << 16)
		*length = *length * 10 + (size_t)(*at++ - '0');
	*name = at;
	return *length && strnlen(at, *length) == *length ? at + *length : NULL;
}

/* If `kernel` begins with this name, at its end or followed by "::", returns the rest; else NULL.
 */
static const char *consume(const char *kernel, const char *name, size_t length)
{
	if (!kernel || strncmp(kernel, name, length) != 0)
		return NULL;
	kernel += length;
	if (!*kernel)
		return kernel;
	return strncmp(kernel, "::", 2) == 0 ? kernel + 2 : NULL;
}

/*
 * Returns the length of the last component of a mangled name, in *last; *path moves past each
 * component, and is NULL if one differs. Only N begins several components: what follows the name in
 * _Z2mm3foo is the type of an argument.
 */
static size_t walk_names(const char *at, const char **path, const char **last)
{
	bool is_nested = *at == 'N';
	const char *name, *next;
	size_t length, last_length = 0;

	at += is_nested;
	do {
		at += strspn(at, "rVKL");
		next = component(at, &name, &length);
		if (!next)
			break;
		*path = consume(*path, name, length);
		*last = name;
		last_length = length;
		at = next;
	} while (is_nested);
	return last_length;
}

bool ptx_name_is(const char *function, const char *kernel)
{
	const char *last = NULL, *path = kernel;
	size_t length;

	if (!strcmp(function, kernel))
		return true;
	if (strncmp(function, "_Z", 2) != 0)
		return false;
	length = walk_names(function + 2, &path, &last);
	if (!last)
		return false;
	return (path && !*path) || (strlen(kernel) == length && !memcmp(kernel, last, length));
}

/* Take the last part of the first *length bytes of a path; *length becomes the length before it.
 * "." is skipped. */
static bool take_part(const char *path, size_t *length, const char **part, size_t *part_length)
{
	for (;;) {
		size_t end = *length, begin;

		while (end && path[end - 1] == '/')
			end--;
		begin = end;
		while (begin && path[begin - 1] != '/')
			begin--;
		*length = begin;
		*part = path + begin;
		*part_length = end - begin;
		if (begin == end)
			return false;
		if (end - begin > 1 || path[begin] != '.')
			return true;
	}
}

bool ptx_file_is(const char *path, const char *other)
{
	size_t a = strlen(path), b = strlen(other), x_length, y_length;
	const char *x, *y;
	bool is_any = false;

	for (;; is_any = true) {
		bool has_x = take_part(path, &a, &x, &x_length);
		bool has_y = take_part(other, &b, &y, &y_length);

		if (!has_x || !has_y)
			return is_any && (has_x == has_y || *(has_x ? other : path) != '/');
		if (x_length != y_length || memcmp(x, y, x_length) != 0)
			return false;
	}
}

/* The origin of a register: nothing yet, one parameter (its number + 1), or several. It only
 * changes in this order. */
enum { NOTHING = 0, SEVERAL = -1 };

enum { ROUNDS_MAX = 64 };

/* Returns the origin that parameter `number` gives to a register. */
static int32_t of_parameter(const struct ptx_module *m, const struct ptx_module_function *f,
                            const bool *is_pointer, uint32_t number)
{
	bool has_pointers = false;

	if (is_pointer)
		return is_pointer[number] ? (int32_t)number + 1 : NOTHING;
	for (size_t i = 0; i < f->parameter_count; i++)
		has_pointers = has_pointers || ptx_module_is_pointer(m, f, i);
	return (has_pointers ? ptx_module_is_pointer(m, f, number)
	                     : ptx_module_is_wide(m, f, number))
	               ? (int32_t)number + 1
	               : NOTHING;
}

static int32_t join(int32_t a, int32_t b)
{
	if (a == NOTHING || a == b)
		return b;
	return b == NOTHING ? a : SEVERAL;
}

/* Process all flows once. Returns whether anything changed. */
static bool flow(const struct ptx_module *m, const struct ptx_module_function *f,
                 const int32_t *given, int32_t *of)
{
	const struct ptx_flow *flows = m->flows.data;
	bool has_changed = false;

	for (size_t i = f->first_flow; i < f->first_flow + f->flow_count; i++) {
		uint32_t from = flows[i].from, to = flows[i].to;
		int32_t now =
			join(of[to], from & PTX_FROM_PARAMETER ? given[from & ~PTX_FROM_PARAMETER]
		                                               : of[from]);

		has_changed = has_changed || now != of[to];
		of[to] = now;
	}
	return has_changed;
}

int32_t *ptx_origin_of_loads(const struct ptx_module *m, const struct ptx_module_function *f,
                             const bool *is_pointer, struct err *err)
{
	int32_t *given = array_alloc(f->parameter_count, sizeof(*given), "parameters", err);
	int32_t *of = array_alloc(f->register_count, sizeof(*of), "registers", err);
	int32_t *origins = array_alloc(f->load_count, sizeof(*origins), "loads", err);
	bool is_moving = given && of && origins;

	for (uint32_t i = 0; is_moving && i < f->parameter_count; i++)
		given[i] = of_parameter(m, f, is_pointer, i);
	for (int round = 0; is_moving && round < ROUNDS_MAX; round++)
		is_moving = flow(m, f, given, of);
	for (size_t i = 0; given && of && origins && i < f->load_count; i++) {
		uint32_t address = ptx_module_load(m, f->first_load + i)->address;
		int32_t from = address == PTX_NONE || is_moving ? NOTHING : of[address];

		origins[i] = from > 0 ? from - 1 : PTX_ORIGIN_UNKNOWN;
	}
	if (!given || !of) {
		free(origins);
		origins = NULL;
	}
	free(given);
	free(of);
	return origins;
}
