/* SPDX-License-Identifier: Apache-2.0 */
#include "site_guide.h"

size_t site_guides_put(unsigned char *to, const struct site_guide *guides, size_t count)
{
	unsigned char *at = to;
	uint32_t next = 0;

	for (size_t i = 0; i < count; i++) {
		const struct site_guide *g = &guides[i];

		at = varint_put(at, g->site - next);
		at = varint_put(at, g->has_mate ? (uint64_t)g->mate + 1 : 0);
		at = varint_put(at, g->has_mate ? zigzag32((uint32_t)g->shift) : g->anchor);
		next = g->site + 1;
	}
	return (size_t)(at - to);
}

/* Read a number that begins before `end`; NULL if there is none. */
static const unsigned char *number(const unsigned char *at, const unsigned char *end, uint64_t *out)
{
	return at && at < end ? varint_get(at, out) : NULL;
}

const unsigned char *site_guide_get(struct site_guide *guide, const unsigned char *at,
                                    const unsigned char *end, uint64_t next, uint64_t site_count,
                                    const char **fault)
{
	uint64_t skipped, mate, rest;

	at = number(at, end, &skipped);
	at = number(at, end, &mate);
	at = number(at, end, &rest);
	*fault = "guides: expected three numbers for each guide";
	if (!at || at > end)
		return NULL;
	*fault = "guides: a site that the kernel does not have";
	if (next >= site_count || skipped >= site_count - next || mate > site_count)
		return NULL;
	*guide = (struct site_guide){ .site = (uint32_t)(next + skipped), .has_mate = mate != 0 };
	if (!mate) {
		guide->anchor = rest;
		return at;
	}
	guide->mate = (uint32_t)(mate - 1);
	*fault = "guides: a site is its own mate";
	if (guide->mate == guide->site)
		return NULL;
	*fault = "guides: expected a shift of at most 16";
	if (rest > UINT64_C(2) * SITE_GUIDE_SHIFT_MAX)
		return NULL;
	guide->shift = (int32_t)unzigzag32((uint32_t)rest);
	return at;
}
