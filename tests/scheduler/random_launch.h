/*
 * random_launch - launches of random kernels for tests that compare ways of playing them.
 *
 * A kernel has sites and no loops: each work-item comes to some of them, with an address that
 * depends on the group, its number and the site. Barriers are for all.
 */
#ifndef RANDOM_LAUNCH_H
#define RANDOM_LAUNCH_H

#include "launch_play.h"
#include "random.h"

enum { RANDOM_LAUNCH_SITES = 16, RANDOM_LAUNCH_ITEMS = 32, RANDOM_LAUNCH_SLOTS = 4 };

/* Begin *p anew under an order: at most `groups` groups on one SM. One launch at a time. */
void random_launch_make(struct launch_play *p, struct random *r, const char *order,
                        uint32_t groups);

/* 0: the work-item does not come to the site; else the address it accesses, or 1. */
uint64_t random_launch_address(uint64_t group, uint32_t item, uint32_t site);

/* p->latency(), 0 .. 255: the same for the same request. */
uint64_t random_launch_latency(const struct logged *r);

/* How long a port closes after an access whose last request that is: for 0 .. 100 cycles, mostly
 * not at all. */
uint64_t random_launch_closed(const struct logged *r);

#endif
