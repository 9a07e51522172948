/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_target.h"

#include <stddef.h>

/* Ascending. */
static const unsigned known[] = { 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90 };

unsigned cuda_target_known(unsigned arch)
{
	unsigned best = known[0];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && known[i] <= arch; i++)
		best = known[i];
	return best;
}
