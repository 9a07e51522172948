/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_array.h"

#include "cmocka_all.h"

#include <stdlib.h>

void naive_array_init(struct naive_array *n, uint32_t sets, uint32_t ways,
                      const struct gpu_spec *policy)
{
	*n = (struct naive_array){ .sets = sets, .ways = ways, .leaves = 1, .policy = *policy };
	while (n->leaves < ways)
		n->leaves *= 2;
	n->lines = calloc((size_t)sets * ways, sizeof(*n->lines));
	n->points_up = calloc((size_t)sets * n->leaves, sizeof(*n->points_up));
	n->random = policy->number;
	assert_non_null(n->lines);
	assert_non_null(n->points_up);
}

void naive_array_release(struct naive_array *n)
{
	free(n->lines);
	free(n->points_up);
}

static uint64_t draw(struct naive_array *n)
{
	uint64_t z;

	n->random += 0x9e3779b97f4a7c15;
	z = n->random;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

int64_t naive_array_find(const struct naive_array *n, uint32_t set, uint64_t key)
{
	for (int64_t slot = (int64_t)set * n->ways; slot < (int64_t)(set + 1) * n->ways; slot++)
		if (n->lines[slot].is_used && n->lines[slot].key == key)
			return slot;
	return -1;
}

/* plru: from the root down, every node that the way lies under points to the other half. */
static void point_away(struct naive_array *n, int64_t slot)
{
	uint32_t way = (uint32_t)(slot % n->ways), from = 0, node = 1;
	bool *points_up = n->points_up + slot / n->ways * n->leaves;

	for (uint32_t size = n->leaves; size > 1; size /= 2) {
		bool is_upper = way >= from + size / 2;

		points_up[node] = !is_upper;
		from += is_upper ? size / 2 : 0;
		node = node * 2 + is_upper;
	}
}

void naive_array_use(struct naive_array *n, int64_t slot)
{
	n->lines[slot].last = ++n->now;
	n->lines[slot].uses++;
	n->lines[slot].prediction = 0;
	point_away(n, slot);
}

void naive_array_put(struct naive_array *n, int64_t slot, uint64_t key)
{
	n->now++;
	n->lines[slot] = (struct naive_line){ .key = key,
		                              .came = n->now,
		                              .last = n->now,
		                              .uses = 1,
		                              .prediction = 2,
		                              .is_used = true };
	point_away(n, slot);
}

void naive_array_take(struct naive_array *n, int64_t slot)
{
	n->lines[slot] = (struct naive_line){ 0 };
}

static bool can_leave(const struct naive_array *n, int64_t slot)
{
	return n->lines[slot].is_used && !n->lines[slot].is_locked;
}

static bool is_better(const struct naive_array *n, const struct naive_line *a,
                      const struct naive_line *b)
{
	switch ((enum gpu_policy)n->policy.kind) {
	case GPU_POLICY_LRU:
		return a->last < b->last;
	case GPU_POLICY_FIFO:
		return a->came < b->came;
	case GPU_POLICY_MRU:
		return a->last > b->last;
	case GPU_POLICY_LFU:
		return a->uses < b->uses || (a->uses == b->uses && a->last < b->last);
	case GPU_POLICY_PLRU:
	case GPU_POLICY_RANDOM:
	case GPU_POLICY_SRRIP:
	case GPU_POLICY_WAYS:
		break;
	}
	fail();
	return false;
}

static int64_t best(const struct naive_array *n, int64_t first)
{
	int64_t found = -1;

	for (int64_t slot = first; slot < first + n->ways; slot++)
		if (can_leave(n, slot) &&
		    (found < 0 || is_better(n, &n->lines[slot], &n->lines[found])))
			found = slot;
	return found;
}

static int64_t predicted(struct naive_array *n, int64_t first)
{
	for (;;) {
		for (int64_t slot = first; slot < first + n->ways; slot++)
			if (can_leave(n, slot) && n->lines[slot].prediction == 3)
				return slot;
		for (int64_t slot = first; slot < first + n->ways; slot++)
			if (n->lines[slot].prediction < 3)
				n->lines[slot].prediction++;
	}
}

static int64_t drawn(struct naive_array *n, int64_t first)
{
	uint64_t count = 0, place;

	for (int64_t slot = first; slot < first + n->ways; slot++)
		count += can_leave(n, slot);
	place = (draw(n) >> 32) * count / (UINT64_C(1) << 32);
	for (int64_t slot = first;; slot++)
		if (can_leave(n, slot) && !place--)
			return slot;
}

static int64_t weighted(struct naive_array *n, int64_t first)
{
	uint64_t sum = 0, number;
	int64_t lowest = -1;

	for (int64_t slot = first + n->ways - 1; slot >= first; slot--)
		if (can_leave(n, slot)) {
			sum += n->policy.list[slot - first];
			lowest = slot;
		}
	if (!sum)
		return lowest;
	number = draw(n) % sum;
	for (int64_t slot = first;; slot++) {
		uint64_t weight = can_leave(n, slot) ? n->policy.list[slot - first] : 0;

		if (number < weight)
			return slot;
		number -= weight;
	}
}

static bool has_leaving(const struct naive_array *n, int64_t first, uint32_t from, uint32_t size)
{
	for (uint32_t way = from; way < from + size && way < n->ways; way++)
		if (can_leave(n, first + way))
			return true;
	return false;
}

static int64_t pointed_at(const struct naive_array *n, int64_t first)
{
	const bool *points_up = n->points_up + first / n->ways * n->leaves;
	uint32_t node = 1, from = 0;

	for (uint32_t size = n->leaves / 2; size; size /= 2) {
		bool is_upper = points_up[node];

		if (is_upper && !has_leaving(n, first, from + size, size))
			is_upper = false;
		else if (!is_upper && !has_leaving(n, first, from, size))
			is_upper = true;
		from += is_upper ? size : 0;
		node = node * 2 + is_upper;
	}
	return first + from;
}

int64_t naive_array_victim(struct naive_array *n, uint32_t set)
{
	int64_t first = (int64_t)set * n->ways;

	for (int64_t slot = first; slot < first + n->ways; slot++)
		if (!n->lines[slot].is_used && !n->lines[slot].is_locked)
			return slot;
	if (!has_leaving(n, first, 0, n->ways))
		return -1;
	switch ((enum gpu_policy)n->policy.kind) {
	case GPU_POLICY_PLRU:
		return pointed_at(n, first);
	case GPU_POLICY_RANDOM:
		return drawn(n, first);
	case GPU_POLICY_SRRIP:
		return predicted(n, first);
	case GPU_POLICY_WAYS:
		return weighted(n, first);
	case GPU_POLICY_LRU:
	case GPU_POLICY_FIFO:
	case GPU_POLICY_MRU:
	case GPU_POLICY_LFU:
		break;
	}
	return best(n, first);
}
