/*
 * loop_places - where each loop of a kernel stands in the code of the loop around it; private to
 * trace/.
 *
 * Positions order what happens in one iteration: site s has 2s + 2, a loop 2f + 1, where f is its
 * lowest site at any depth. FORMAT.md, section "Predictions".
 */
#ifndef LOOP_PLACES_H
#define LOOP_PLACES_H

#include <stdint.h>

struct kernel_table;

/* Set positions[l] for each loop l; 0 for a loop without sites. */
void loop_places_fill(const struct kernel_table *t, uint32_t *positions);

static inline uint32_t loop_places_of_site(uint32_t site)
{
	return 2 * site + 2;
}

#endif
