/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_items.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

static uint64_t linear_id(const struct launch_shape *s, uint64_t group, uint32_t item)
{
	uint64_t id[3];

	launch_shape_global_id(s, group, item, id);
	for (int d = 0; d < 3; d++)
		id[d] -= s->offset[d];
	return id[0] + s->global[0] * (id[1] + s->global[1] * id[2]);
}

static bool is_full_group(const struct launch_shape *s, uint64_t group)
{
	uint32_t size[3];

	launch_shape_group_size(s, group, size);
	return size[0] == s->local[0] && size[1] == s->local[1] && size[2] == s->local[2];
}

int plot_items_init(struct plot_items *p, const struct launch_shape *shape, struct err *err)
{
	const uint64_t *local = shape->local;
	size_t count = (size_t)(local[0] * local[1] * local[2]);

	*p = (struct plot_items){ .shape = shape };
	p->inside = array_alloc(count, sizeof(*p->inside), "work-items of a group", err);
	if (!p->inside)
		return ERR_NOMEM;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t x = i % local[0], y = i / local[0] % local[1], z = i / local[0] / local[1];

		p->inside[i] = x + shape->global[0] * (y + shape->global[1] * z);
	}
	plot_items_group(p, 0);
	return 0;
}

void plot_items_release(struct plot_items *p)
{
	free(p->inside);
	*p = (struct plot_items){ 0 };
}

uint64_t plot_items_count(const struct plot_items *p)
{
	return p->shape->global[0] * p->shape->global[1] * p->shape->global[2];
}

void plot_items_group(struct plot_items *p, uint64_t group)
{
	p->group = group;
	p->is_full = is_full_group(p->shape, group);
	p->first = linear_id(p->shape, group, 0);
}

uint64_t plot_items_id(const struct plot_items *p, uint32_t item)
{
	return p->is_full ? p->first + p->inside[item] : linear_id(p->shape, p->group, item);
}
