/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch_order.h"

#include "err.h"
#include "number.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	bool takes_seed;
} orders[] = {
#define DISPATCH_ORDER(name, takes_seed, text) { #name, takes_seed },
#include "dispatch_orders.def"
#undef DISPATCH_ORDER
};

int dispatch_order_parse(struct dispatch_order *o, const char *text, struct err *err)
{
	size_t length = strcspn(text, ":");
	uint64_t seed = 1;

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (strlen(orders[i].name) != length || memcmp(orders[i].name, text, length) != 0)
			continue;
		if (text[length] && !orders[i].takes_seed)
			return err_set(err, ERR_USAGE, "'%s': %s takes no seed", text,
			               orders[i].name);
		if (text[length] &&
		    number_parse(text + length + 1, text, 0, UINT64_MAX, &seed, err))
			return ERR_USAGE;
		*o = (struct dispatch_order){ (enum dispatch_order_kind)i,
			                      orders[i].takes_seed ? seed : 0 };
		return 0;
	}
	return err_set(err, ERR_USAGE, "unknown dispatch '%s'; there are:%s", text,
#define DISPATCH_ORDER(name, takes_seed, text) " " #name
#include "dispatch_orders.def"
#undef DISPATCH_ORDER
	);
}

const char *dispatch_order_text(char text[DISPATCH_ORDER_BYTES], const struct dispatch_order *o)
{
	if (orders[o->kind].takes_seed)
		snprintf(text, DISPATCH_ORDER_BYTES, "%s:%" PRIu64, orders[o->kind].name, o->seed);
	else
		snprintf(text, DISPATCH_ORDER_BYTES, "%s", orders[o->kind].name);
	return text;
}

/* Output `number` of splitmix64: its state grows by a constant, so that any can be had at once. */
static uint64_t random_number(uint64_t seed, uint64_t number)
{
	uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* floor(random * count / 2^64), in halves of 32 bits. */
static uint32_t scale(uint64_t random, uint32_t count)
{
	uint64_t low = (random & UINT32_MAX) * count;

	return (uint32_t)(((random >> 32) * count + (low >> 32)) >> 32);
}

/* The candidate with most slots free: all SMs have as many, so it holds the fewest groups. */
static uint32_t emptiest(const struct dispatch_candidate *candidates, uint32_t count)
{
	uint32_t found = 0;

	for (uint32_t i = 1; i < count; i++)
		if (candidates[i].free > candidates[found].free)
			found = i;
	return found;
}

uint32_t dispatch_order_choose(const struct dispatch_order *o,
                               const struct dispatch_candidate *candidates, uint32_t count,
                               uint64_t group, bool is_first)
{
	switch (o->kind) {
	case DISPATCH_roundrobin:
		return is_first ? emptiest(candidates, count) : 0;
	case DISPATCH_random:
		return scale(random_number(o->seed, group), count);
	case DISPATCH_breadth:
		return emptiest(candidates, count);
	}
	return 0;
}
