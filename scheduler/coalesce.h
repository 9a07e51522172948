/*
 * coalesce - the lanes of one warp access become uses of lines (SEMANTICS 2).
 *
 * `fermi`: the active lanes' bytes, split into distinct lines in the order of
 * the first lane that touches each. Accesses wider than 4 bytes are served in
 * parts, as many lanes at a time as fill 128 bytes by their place in the warp
 * (8 bytes: half-warps of 32; 16 bytes: quarter-warps; wider than 64: one lane);
 * where widths differ from lane to lane, the widest decides. Parts do not share
 * uses. `sectored`: for now the whole warp at once for widths up to 128 bytes,
 * and one lane at a time beyond; the mask of bytes tells the sectors.
 */
#ifndef COALESCE_H
#define COALESCE_H

#include "address_map_private.h"
#include "array.h"

struct err;
struct gpu;
struct warp_step;

/* What the lanes of one part do to one line. */
struct line_use {
	uint64_t line;  /* replay address of its first byte */
	uint32_t lanes; /* with a byte in it */
	int32_t buffer; /* of the first of them, or -1 */
};

struct coalescer {
	const struct address_map *map; /* borrowed; NULL: replay addresses are the recorded ones */
	bool counts_unmapped;
	bool is_sectored;
	uint32_t line_bytes;
	uint32_t mask_words;        /* of a use: 64-bit words, one bit a byte of the line */
	struct address_range range; /* the last one looked up */
	uint64_t unmapped_lanes;    /* since coalescer_init() */
	struct array uses;          /* struct line_use: of the last step */
	struct array masks;         /* mask_words for each */
};

/* Prepare *c for a checked GPU and a map (may be NULL). No allocation. */
void coalescer_init(struct coalescer *c, const struct gpu *gpu, const struct address_map *map);

/* Free what it owns. Accepts a zeroed struct. */
void coalescer_release(struct coalescer *c);

/*
 * Fill uses and masks with those of one access; both are valid until the next call. Returns 0,
 * ERR_FORMAT when a lane's bytes leave the 64-bit space, ERR_NOMEM.
 */
int coalesce(struct coalescer *c, const struct warp_step *step, struct err *err);

#endif
