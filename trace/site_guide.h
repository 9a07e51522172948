/*
 * site_guide - what tells the addresses of a site of a chunk better than its own strides; private
 * to trace/.
 *
 * A guide is an anchor, an address that all others are near to without any order, or a mate,
 * another site whose last address in the same work-item, by a constant or in proportion, is this
 * one's too: `a[i]` and then `b[i]`. FORMAT.md, sections "Guides" and "Predictions", is the
 * specification. Which site has one is the writer's choice (guide_choice.h) and stands in the
 * chunk.
 */
#ifndef SITE_GUIDE_H
#define SITE_GUIDE_H

#include "varint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SITE_GUIDE_SHIFT_MAX 16
#define SITE_GUIDE_BYTES_MAX (2 * VARINT_BYTES_MAX32 + VARINT_BYTES_MAX)

struct site_guide {
	uint32_t site;
	bool has_mate;
	uint64_t anchor; /* without a mate */
	uint32_t mate;   /* another site */
	int32_t shift;   /* -SITE_GUIDE_SHIFT_MAX..SITE_GUIDE_SHIFT_MAX */
	/* the code of the width that the site's values get at least: the writer's, not in files */
	unsigned least_width;
};

/* Write guides, in ascending order of their sites, as they stand in a chunk, to `to`, which has
 * count * SITE_GUIDE_BYTES_MAX bytes. Returns the bytes used. */
size_t site_guides_put(unsigned char *to, const struct site_guide *guides, size_t count);

/*
 * Read the guide at `at`, of a kernel with `site_count` sites; `next` is the site after the last
 * guide's, at first 0. At least VARINT_BYTES_MAX readable bytes follow `end`. Returns what follows
 * it, or NULL with a sentence in *fault.
 */
const unsigned char *site_guide_get(struct site_guide *guide, const unsigned char *at,
                                    const unsigned char *end, uint64_t next, uint64_t site_count,
                                    const char **fault);

#endif
