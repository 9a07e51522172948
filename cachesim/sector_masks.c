/* SPDX-License-Identifier: Apache-2.0 */
#include "sector_masks.h"

/* `count` ones; 64 at most. */
static uint64_t ones(uint32_t count)
{
	return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

/* Join groups of `width` bits of `words` (at most `count` groups) to one bit each. */
static struct sector_masks join(const uint64_t *words, uint32_t count, uint32_t width)
{
	struct sector_masks m = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		bool is_touched = false, is_whole = true;

		for (uint32_t bit = i * width; bit < (i + 1) * width; bit += 64) {
			uint64_t all = ones(width), used = words[bit / 64] >> bit % 64 & all;

			is_touched |= used != 0;
			is_whole &= used == all;
		}
		m.touched |= (uint64_t)is_touched << i;
		m.whole |= (uint64_t)is_whole << i;
	}
	return m;
}

struct sector_masks sector_masks_of(const struct request *r, uint32_t line_bytes,
                                    uint32_t sector_bytes)
{
	return join(r->used, line_bytes / sector_bytes, sector_bytes);
}

struct sector_masks sector_masks_convert(uint64_t sectors, uint32_t line_bytes, uint32_t from_bytes,
                                         uint32_t to_bytes)
{
	uint32_t width = to_bytes / from_bytes, count = line_bytes / from_bytes;
	struct sector_masks m = { 0 };

	if (width >= 1)
		return join(&sectors, count / width, width);
	width = from_bytes / to_bytes;
	for (uint32_t i = 0; i < count; i++)
		m.touched |= (sectors >> i & 1) * ones(width) << i * width;
	m.whole = m.touched;
	return m;
}
