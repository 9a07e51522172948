/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_counts.h"

#include "err.h"
#include "reuse_order.h"

#include <stdlib.h>
#include <string.h>

void reuse_counts_release(struct reuse_counts *c)
{
	free(c->exact);
	*c = (struct reuse_counts){ 0 };
}

/* Make distances below `count` known. */
static int widen(struct reuse_counts *c, size_t count)
{
	size_t capacity = c->capacity ? c->capacity : 64;
	uint64_t *exact;

	while (capacity < count)
		capacity *= 2;
	if (capacity > c->capacity) {
		exact = realloc(c->exact, capacity * sizeof(*exact));
		if (!exact)
			return ERR_NOMEM;
		memset(exact + c->capacity, 0, (capacity - c->capacity) * sizeof(*exact));
		c->exact = exact;
		c->capacity = capacity;
	}
	c->count = count;
	return 0;
}

int reuse_counts_add(struct reuse_counts *c, uint32_t distance)
{
	if (distance >= REUSE_TAKEN) {
		c->cold += distance == REUSE_NEVER;
		c->taken += distance == REUSE_TAKEN;
		return 0;
	}
	if (distance >= c->count && widen(c, (size_t)distance + 1))
		return ERR_NOMEM;
	c->exact[distance]++;
	return 0;
}

void reuse_bins_add(struct reuse_bins *b, uint32_t distance)
{
	b->cold += distance == REUSE_NEVER;
	b->taken += distance == REUSE_TAKEN;
	if (distance < REUSE_TAKEN)
		b->bins[reuse_bin(distance)]++;
}

int reuse_counts_sum(struct reuse_counts *sum, const struct reuse_counts *more, struct err *err)
{
	if (more->count > sum->count && widen(sum, more->count))
		return err_set(err, ERR_NOMEM, "out of memory for %zu reuse distances",
		               more->count);
	sum->cold += more->cold;
	sum->taken += more->taken;
	for (size_t i = 0; i < more->count; i++)
		sum->exact[i] += more->exact[i];
	return 0;
}

void reuse_bins_sum(struct reuse_bins *sum, const struct reuse_bins *more)
{
	sum->cold += more->cold;
	sum->taken += more->taken;
	for (size_t i = 0; i < REUSE_BINS; i++)
		sum->bins[i] += more->bins[i];
}

void reuse_counts_bins(const struct reuse_counts *c, struct reuse_bins *out)
{
	*out = (struct reuse_bins){ .cold = c->cold, .taken = c->taken };
	for (size_t i = 0; i < c->count; i++)
		out->bins[reuse_bin((uint32_t)i)] += c->exact[i];
}

uint64_t reuse_counts_reads(const struct reuse_counts *c)
{
	return reuse_counts_misses(c, 0);
}

uint64_t reuse_counts_misses(const struct reuse_counts *c, uint64_t ways)
{
	uint64_t misses = c->cold + c->taken;

	for (size_t i = ways < c->count ? (size_t)ways : c->count; i < c->count; i++)
		misses += c->exact[i];
	return misses;
}

uint64_t reuse_counts_enough(const struct reuse_counts *c)
{
	return c->count ? c->count : 1;
}
