/* SPDX-License-Identifier: Apache-2.0 */
#include "byte_planes.h"

#include <string.h>

#define TILE 64 /* numbers that are split while they are near */

void byte_planes_split(unsigned char *to, const unsigned char *from, size_t count, size_t width)
{
	size_t at = 0;

	for (; count - at >= TILE && width == 4; at += TILE)
		for (size_t k = 0; k < 4; k++)
			for (size_t i = 0; i < TILE; i++)
				to[k * count + at + i] = from[4 * (at + i) + k];
	for (; at < count; at++)
		for (size_t k = 0; k < width; k++)
			to[k * count + at] = from[width * at + k];
}
