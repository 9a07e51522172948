/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels, written for plainness: group by group, item by item, in one dimension of items. */
#include "mock_cuda_private.h"
#include "mock_probe.h"

#include <string.h>

uint32_t mock_lanes = 32;

static unsigned launches, shadow_launches;

void mock_cuda_set_lanes(uint32_t lanes)
{
	mock_lanes = lanes;
}

unsigned mock_cuda_launches(void)
{
	return launches;
}

unsigned mock_cuda_shadow_launches(void)
{
	return shadow_launches;
}

unsigned mock_cuda_count(uint64_t i)
{
	return (unsigned)(i * 2654435761u >> 3) % 23;
}

static int *pointer_of(uint64_t value)
{
	return mock_cuda_at(value);
}

/* A word of a site: its address, and the iterations begun since the last. */
static void emit(struct mock_probe *p, uint32_t site, const void *address, uint64_t run)
{
	if (p)
		mock_probe_write(p, (uint64_t)(site + 1) << PROBE_CODE_SHIFT |
		                            run << PROBE_RUN_SHIFT | (uint64_t)(uintptr_t)address);
}

static void update_item(const struct mock_launch *l, uint64_t i, struct mock_probe *p)
{
	int *a = pointer_of(l->values[0]);

	for (unsigned k = 0; i < l->values[1] && k < mock_cuda_count(i); k++) {
		a[i] = (int)((unsigned)a[i] * 3 + (unsigned)i);
		emit(p, 0, &a[i], 1);
		emit(p, 1, &a[i], 0);
	}
}

static void gather_item(const struct mock_launch *l, uint64_t i, struct mock_probe *p)
{
	int *a = pointer_of(l->values[0]), *b = pointer_of(l->values[1]);

	emit(p, 0, &b[i % 8], 0);
	emit(p, 1, &a[i], 0);
	a[i] += b[i % 8];
	emit(p, 2, &a[i], 0);
}

static void count_item(const struct mock_launch *l, uint64_t i, struct mock_probe *p)
{
	unsigned *total = &l->function->module->total;

	if (i >= l->values[0])
		return;
	++*total;
	emit(p, 0, total, 0);
}

/* The number of a launch's group in the whole grid: that of a shadow is in the header. */
static uint64_t number_of(const struct mock_launch *l, const struct probe_header *h, uint64_t at)
{
	uint64_t x = at % l->groups[0], y = at / l->groups[0] % l->groups[1];
	uint64_t z = at / l->groups[0] / l->groups[1];

	if (!h)
		return at;
	return h->group_first[0] + x +
	       h->group_count[0] *
	               (h->group_first[1] + y + h->group_count[1] * (h->group_first[2] + z));
}

static void run_items(const struct mock_launch *l,
                      void (*run)(const struct mock_launch *, uint64_t, struct mock_probe *))
{
	const uint32_t items = l->items[0] * l->items[1] * l->items[2];
	const uint64_t groups = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
	struct probe_header *h = NULL;
	struct mock_probe probe;

	launches++;
	if (l->function->module->is_shadow) {
		h = mock_cuda_at(l->values[l->function->kernel->value_count]);
		shadow_launches++;
	}
	for (uint64_t at = 0; at < groups * items; at++) {
		struct mock_item item = { number_of(l, h, at / items), (uint32_t)(at % items),
			                  items, items };

		if (h)
			mock_probe_begin(&probe, h, mock_lanes, &item);
		run(l, item.group * items + item.item, h ? &probe : NULL);
	}
}

/* What the first work-item tells: the pointers among the values. */
static void tell(const struct mock_launch *l, unsigned pointers)
{
	unsigned char *h = mock_cuda_at(l->values[l->function->kernel->value_count]);

	if (l->function->module->is_shadow)
		memcpy(h + PROBE_ARGUMENTS_OFFSET, l->values, pointers * sizeof(l->values[0]));
}

static void run_update(const struct mock_launch *l)
{
	run_items(l, update_item);
	tell(l, 1);
}

static void run_gather(const struct mock_launch *l)
{
	run_items(l, gather_item);
	tell(l, 2);
}

static void run_count(const struct mock_launch *l)
{
	run_items(l, count_item);
}

const struct mock_kernel mock_kernels[] = {
	{ "update", 2, { 8, 4, 8 }, run_update },
	{ "gather", 2, { 8, 8, 8 }, run_gather },
	{ "count", 1, { 4, 8 }, run_count },
};
const unsigned mock_kernel_count = sizeof(mock_kernels) / sizeof(mock_kernels[0]);
