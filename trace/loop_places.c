/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_places.h"

#include "kernel_table.h"

void loop_places_fill(const struct kernel_table *t, uint32_t *positions)
{
	for (size_t l = 0; l < t->loop_count; l++)
		positions[l] = 0;
	for (size_t i = t->site_count; i-- > 0;)
		if (t->sites[i].loop >= 0)
			positions[t->sites[i].loop] = 2 * (uint32_t)i + 1;
	for (size_t l = t->loop_count; l-- > 0;) {
		int32_t parent = t->loops[l].parent;

		if (parent >= 0 && positions[l] &&
		    (!positions[parent] || positions[l] < positions[parent]))
			positions[parent] = positions[l];
	}
}
