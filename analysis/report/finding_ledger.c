/* SPDX-License-Identifier: Apache-2.0 */
#include "finding_ledger.h"

#include "err.h"
#include "finding_spot.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The remaining stocks of each spot. */
struct ledger {
	const struct finding_spot *spots;
	double (*left)[FINDING_STOCKS];
};

void finding_claim_release(struct finding_claim *c)
{
	free(c->said);
	free(c->f.sentence);
	array_release(&c->wishes);
	*c = (struct finding_claim){ 0 };
}

void finding_save(struct finding_claim *c, const struct finding_spot *p, enum finding_stock stock,
                  double turns)
{
	struct finding_wish *w;

	if (!(turns > 0) || !(p->stock[stock] > 0))
		return;
	if (!c->wishes.item_bytes)
		array_init(&c->wishes, sizeof(*w), SIZE_MAX, "findings");
	w = array_push(&c->wishes, 1, NULL);
	c->is_failed = c->is_failed || !w;
	if (w)
		*w = (struct finding_wish){ p, stock,
			                    turns < p->stock[stock] ? turns / p->stock[stock] : 1 };
}

static double *left_of(const struct ledger *l, const struct finding_wish *w)
{
	return &l->left[w->spot - l->spots][w->stock];
}

/* Returns what the claim would save of the remaining stocks. */
static double cost_of(const struct ledger *l, const struct finding_claim *c)
{
	const struct finding_wish *wishes = c->wishes.data;
	double cost = 0;

	for (size_t i = 0; i < c->wishes.count; i++)
		cost += wishes[i].share * *left_of(l, &wishes[i]);
	return cost;
}

/* Subtract what the claim saves from the remaining stocks. */
static void settle(const struct ledger *l, struct finding_claim *c, const double *whole)
{
	const struct finding_wish *wishes = c->wishes.data;

	for (size_t i = 0; i < c->wishes.count; i++)
		*left_of(l, &wishes[i]) *= 1 - wishes[i].share;
	c->is_settled = true;
	c->f.cost_turns = (uint64_t)c->cost;
	c->f.cost_share = c->cost / whole[c->f.whole];
}

static double enough_of(const struct finding_claim *c, const double *whole, double least)
{
	return whole[c->f.whole] > 0 ? least * whole[c->f.whole] : HUGE_VAL;
}

/* Returns the claim that saves most, if it saves enough. Stocks only decrease: a claim is evaluated
 * again only if it could be that one. */
static struct finding_claim *find_most(const struct ledger *l, struct array *claims,
                                       const double *whole, double least)
{
	struct finding_claim *all = claims->data, *most = NULL;

	for (size_t i = 0; i < claims->count; i++) {
		struct finding_claim *c = &all[i];

		if (c->is_settled || c->cost < enough_of(c, whole, least) ||
		    (most && c->cost <= most->cost))
			continue;
		c->cost = cost_of(l, c);
		if (c->cost >= enough_of(c, whole, least) && (!most || c->cost > most->cost))
			most = c;
	}
	return most;
}

int finding_ledger_settle(struct array *claims, const struct finding_spot *spots, size_t spot_count,
                          const double whole[FINDING_WHOLES], double least, struct err *err)
{
	struct ledger l = { spots, array_alloc(spot_count, sizeof(*l.left), "findings", err) };
	struct finding_claim *all = claims->data, *c;

	if (!l.left)
		return ERR_NOMEM;
	for (size_t i = 0; i < spot_count; i++)
		for (size_t stock = 0; stock < FINDING_STOCKS; stock++)
			l.left[i][stock] = spots[i].stock[stock];
	for (size_t i = 0; i < claims->count; i++)
		all[i].cost = cost_of(&l, &all[i]);
	while ((c = find_most(&l, claims, whole, least)))
		settle(&l, c, whole);
	free(l.left);
	return 0;
}
