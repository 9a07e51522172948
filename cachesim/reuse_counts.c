/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_counts.h"

#include "array.h"
#include "err.h"
#include "reuse_order.h"

#include <stdlib.h>
#include <string.h>

/* 97.5% quantile of Student's distribution with REUSE_GROUPS - 1 degrees of freedom. */
#define STUDENT_T 2.365

/* Fewer sampled reads show nothing. */
enum { READS_FEW = 16 };

void reuse_counts_release(struct reuse_counts *c)
{
	free(c->exact);
	free(c->far);
	*c = (struct reuse_counts){ .limit = c->limit };
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
	if (distance < REUSE_BEYOND) {
		if (distance >= c->count && widen(c, (size_t)distance + 1))
			return ERR_NOMEM;
		c->exact[distance]++;
		return 0;
	}
	c->cold += distance == REUSE_NEVER;
	c->taken += distance == REUSE_TAKEN;
	c->unknown += distance == REUSE_BEYOND;
	return 0;
}

void reuse_bins_add(struct reuse_bins *b, uint32_t distance)
{
	if (distance < REUSE_BEYOND)
		b->bins[reuse_bin(distance)]++;
	b->cold += distance == REUSE_NEVER;
	b->taken += distance == REUSE_TAKEN;
	b->beyond += distance == REUSE_BEYOND;
}

/* The bin of a distance, with 2^bits of them for each power of two, and the first of a bin. */
static uint32_t far_bin(uint32_t distance, uint32_t bits)
{
	uint32_t power = distance ? 31 - (uint32_t)__builtin_clz(distance) : 0;
	uint32_t rest = distance - (UINT32_C(1) << power);

	return power << bits | (power >= bits ? rest >> (power - bits) : rest << (bits - power));
}

static double far_first(uint32_t bin, uint32_t bits)
{
	uint32_t steps = UINT32_C(1) << bits;

	return (double)(UINT64_C(1) << bin / steps) * (1 + (double)(bin % steps) / steps);
}

int reuse_counts_sample(struct reuse_counts *c, uint32_t distance, uint32_t group, uint64_t weight)
{
	struct reuse_far_group *g;

	if (!c->far)
		c->far = array_alloc(1, sizeof(*c->far), "reuse distances", NULL);
	if (!c->far)
		return ERR_NOMEM;
	g = &c->far->groups[group % REUSE_GROUPS];
	if (weight > c->far->weight)
		c->far->weight = weight;
	c->far->reads++;
	c->far->all += weight;
	g->all += weight;
	if (distance >= REUSE_BEYOND) {
		*(distance == REUSE_TAKEN ? &c->far->taken : &c->far->cold) += weight;
		*(distance == REUSE_TAKEN ? &g->taken : &g->cold) += weight;
		return 0;
	}
	if (distance < c->limit)
		distance = (uint32_t)c->limit; /* the true distance is no less */
	c->far->bins[far_bin(distance, REUSE_STEP_BITS)] += weight;
	g->bins[far_bin(distance, REUSE_GROUP_STEP_BITS)] += weight;
	return 0;
}

/* Add all numbers except the greatest weight. */
static void add_far(struct reuse_far *sum, const struct reuse_far *more)
{
	uint64_t weight = more->weight > sum->weight ? more->weight : sum->weight;
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)more;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += from[i];
	sum->weight = weight;
}

int reuse_counts_sum(struct reuse_counts *sum, const struct reuse_counts *more, struct err *err)
{
	if (more->far && !sum->far)
		sum->far = array_alloc(1, sizeof(*sum->far), "reuse distances", NULL);
	if ((more->far && !sum->far) || (more->count > sum->count && widen(sum, more->count)))
		return err_set(err, ERR_NOMEM, "out of memory for %zu reuse distances",
		               more->count);
	sum->cold += more->cold;
	sum->taken += more->taken;
	sum->unknown += more->unknown;
	sum->limit = more->limit;
	for (size_t i = 0; i < more->count; i++)
		sum->exact[i] += more->exact[i];
	if (more->far)
		add_far(sum->far, more->far);
	return 0;
}

void reuse_bins_sum(struct reuse_bins *sum, const struct reuse_bins *more)
{
	sum->cold += more->cold;
	sum->taken += more->taken;
	sum->beyond += more->beyond;
	for (size_t i = 0; i < REUSE_BINS; i++)
		sum->bins[i] += more->bins[i];
}

/* The state of a division into whole reads. */
struct division {
	double all, given; /* weights */
	uint64_t count, done;
};

/* Returns the part of a weight; all parts add up to the count. */
static uint64_t part_of(struct division *d, uint64_t weight)
{
	uint64_t before = d->done;

	d->given += (double)weight;
	d->done = (uint64_t)((double)d->count * (d->given / d->all) + 0.5);
	return d->done - before;
}

void reuse_bins_divide(struct reuse_bins *add, const struct reuse_bins *weights, uint64_t count)
{
	struct division d = { .count = count };

	d.all = (double)weights->cold + (double)weights->taken;
	for (size_t i = 0; i < REUSE_BINS; i++)
		d.all += (double)weights->bins[i];
	if (d.all <= 0)
		return;
	add->beyond -= count;
	add->cold += part_of(&d, weights->cold);
	add->taken += part_of(&d, weights->taken);
	for (size_t i = 0; i < REUSE_BINS; i++)
		add->bins[i] += part_of(&d, weights->bins[i]);
}

/* The sample in bins. */
static struct reuse_bins weights_of(const struct reuse_far *far)
{
	struct reuse_bins w = { .cold = far->cold, .taken = far->taken };

	for (uint32_t i = 0; i < REUSE_FAR_BINS; i++)
		w.bins[reuse_bin((uint32_t)far_first(i, REUSE_STEP_BITS))] += far->bins[i];
	return w;
}

static uint64_t share_of(const struct reuse_counts *c, uint64_t weight)
{
	if (!c->far || !c->far->all)
		return 0;
	return (uint64_t)((double)c->unknown * ((double)weight / (double)c->far->all) + 0.5);
}

uint64_t reuse_counts_cold(const struct reuse_counts *c)
{
	return c->cold + share_of(c, c->far ? c->far->cold : 0);
}

uint64_t reuse_counts_taken(const struct reuse_counts *c)
{
	return c->taken + share_of(c, c->far ? c->far->taken : 0);
}

void reuse_counts_bins(const struct reuse_counts *c, const struct reuse_counts *full,
                       struct reuse_bins *out)
{
	uint64_t cold = reuse_counts_cold(full) - full->cold;
	uint64_t taken = reuse_counts_taken(full) - full->taken;

	*out = (struct reuse_bins){ .cold = c->cold, .taken = c->taken, .beyond = c->unknown };
	for (size_t i = 0; i < c->count; i++)
		out->bins[reuse_bin((uint32_t)i)] += c->exact[i];
	if (c->far) {
		const struct reuse_bins weights = weights_of(c->far);

		reuse_bins_divide(out, &weights, c->unknown);
	} else if (c->unknown >= cold + taken) {
		out->cold += cold;
		out->taken += taken;
		out->beyond -= cold + taken;
	}
}

uint64_t reuse_counts_reads(const struct reuse_counts *c)
{
	return reuse_counts_misses(c, 0);
}

bool reuse_counts_is_estimate(const struct reuse_counts *c, uint64_t ways)
{
	return c->unknown && ways > c->limit;
}

/* The weight of distances of `ways` or more; a bin counts in proportion. */
static double weight_from(const uint64_t *bins, uint32_t bits, uint64_t ways)
{
	double sum = 0;

	for (uint32_t i = 0; i < 32u << bits; i++) {
		double first = far_first(i, bits), end = far_first(i + 1, bits);
		double from = first > (double)ways ? first : (double)ways;

		if (bins[i] && from < end)
			sum += (double)bins[i] * (end - from) / (end - first);
	}
	return sum;
}

uint64_t reuse_counts_misses(const struct reuse_counts *c, uint64_t ways)
{
	uint64_t misses = c->cold + c->taken;
	double share;

	for (size_t i = ways < c->count ? (size_t)ways : c->count; i < c->count; i++)
		misses += c->exact[i];
	if (!reuse_counts_is_estimate(c, ways))
		return misses + c->unknown;
	if (!c->far)
		return UINT64_MAX;
	share = ((double)c->far->cold + (double)c->far->taken +
	         weight_from(c->far->bins, REUSE_STEP_BITS, ways)) /
	        (double)c->far->all;
	return misses + (uint64_t)((double)c->unknown * share + 0.5);
}

/* Square root by Heron's method, from above: this library is linked without libm. */
static double root(double x)
{
	double r = x > 1 ? x : 1, next = r;

	do {
		r = next;
		next = (r + x / r) / 2;
	} while (next < r);
	return r;
}

/* A subset of the sampled reads: distances from..end - 1, and others. */
struct portion {
	uint64_t from, end;
	bool has_cold, has_taken;
};

static double portion_of(const struct reuse_far_group *g, const struct portion *p)
{
	double sum = weight_from(g->bins, REUSE_GROUP_STEP_BITS, p->from) -
	             weight_from(g->bins, REUSE_GROUP_STEP_BITS, p->end);

	sum += p->has_cold ? (double)g->cold : 0;
	return sum + (p->has_taken ? (double)g->taken : 0);
}

/* The error of a portion of the unknown reads. */
static double error_of(const struct reuse_counts *c, const struct portion *portion)
{
	double part[REUSE_GROUPS], all[REUSE_GROUPS], parts = 0, total = 0, squares = 0;

	if (!c->far || c->far->reads < READS_FEW)
		return (double)c->unknown;
	for (size_t g = 0; g < REUSE_GROUPS; g++) {
		part[g] = portion_of(&c->far->groups[g], portion);
		all[g] = (double)c->far->groups[g].all;
		parts += part[g];
		total += all[g];
	}
	for (size_t g = 0; g < REUSE_GROUPS; g++) {
		double off = (parts - part[g]) / (total - all[g]) - parts / total;

		if (all[g] >= total)
			return (double)c->unknown; /* a single group gives no estimate */
		squares += off * off;
	}
	return (double)c->unknown * STUDENT_T * root(squares * (REUSE_GROUPS - 1) / REUSE_GROUPS);
}

double reuse_counts_error(const struct reuse_counts *c, uint64_t ways)
{
	const struct portion misses = { ways, UINT64_MAX, true, true };

	return reuse_counts_is_estimate(c, ways) ? error_of(c, &misses) : 0;
}

double reuse_counts_ways_error(const struct reuse_counts *c, uint64_t ways)
{
	if (!reuse_counts_is_estimate(c, ways) || !c->far)
		return 0;
	return 2 * root((double)ways * (double)(c->far->weight - 1));
}

double reuse_counts_cold_error(const struct reuse_counts *c)
{
	const struct portion cold = { 0, 0, true, false };

	return c->unknown ? error_of(c, &cold) : 0;
}

double reuse_counts_taken_error(const struct reuse_counts *c)
{
	const struct portion taken = { 0, 0, false, true };

	return c->unknown ? error_of(c, &taken) : 0;
}

double reuse_counts_bin_error(const struct reuse_counts *c, uint32_t bin)
{
	const struct portion portion = { reuse_bin_first(bin),
		                         bin + 1 < REUSE_BINS ? reuse_bin_first(bin + 1)
		                                              : UINT64_MAX,
		                         false, false };

	return portion.end > c->limit && c->unknown ? error_of(c, &portion) : 0;
}

uint64_t reuse_counts_enough(const struct reuse_counts *c)
{
	uint32_t last = REUSE_FAR_BINS;

	while (c->far && last && !c->far->bins[last - 1])
		last--;
	if (c->far && last)
		return (uint64_t)far_first(last, REUSE_STEP_BITS);
	if (c->unknown && !c->far)
		return c->limit;
	return c->count ? c->count : 1;
}
