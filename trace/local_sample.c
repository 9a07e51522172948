/* SPDX-License-Identifier: Apache-2.0 */
#include "local_sample.h"

struct local_sample local_sample_of(uint32_t wanted, uint64_t groups, bool is_chosen)
{
	bool is_whole = is_chosen || wanted == 0 || wanted >= groups;

	return (struct local_sample){ groups, is_whole ? 0 : wanted };
}

bool local_sample_is_whole(const struct local_sample *s)
{
	return s->pieces == 0;
}

/* The finisher of SplitMix64 (Steele, Lea and Flood 2014), of the number that it has first. */
static uint64_t mix(uint64_t n)
{
	n += UINT64_C(0x9e3779b97f4a7c15);
	n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
	return n ^ n >> 31;
}

/* Group of piece p that is in the sample. */
static uint64_t chosen(const struct local_sample *s, uint64_t p)
{
	uint64_t first = p * s->groups / s->pieces, end = (p + 1) * s->groups / s->pieces;

	return first + mix(p) % (end - first);
}

static uint64_t piece_of(const struct local_sample *s, uint64_t g)
{
	return ((g + 1) * s->pieces - 1) / s->groups;
}

bool local_sample_has(const struct local_sample *s, uint64_t g)
{
	return !s->pieces || chosen(s, piece_of(s, g)) == g;
}

uint64_t local_sample_next(const struct local_sample *s, uint64_t from, uint64_t end)
{
	uint64_t g = from;

	if (s->pieces) {
		uint64_t p = piece_of(s, from);

		g = chosen(s, p);
		if (g < from) /* after the last piece it lies after the launch */
			g = chosen(s, p + 1);
	}
	return g < end ? g : end;
}

uint64_t local_sample_count(const struct local_sample *s)
{
	return s->pieces ? s->pieces : s->groups;
}
