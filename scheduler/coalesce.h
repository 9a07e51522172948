/*
 * coalesce - combines the bytes that the lanes of one warp access into uses of lines (SEMANTICS 2).
 *
 * The active lanes' bytes are split into distinct lines, in the order of the first lane that
 * touches each. A warp is served in parts, by the positions of lanes in the warp; parts do not
 * share uses. If widths differ from lane to lane, the widest decides.
 *
 *   fermi    accesses of up to 4 bytes: the whole warp. Wider: as many lanes as fill 128 bytes
 *            (8 bytes: half-warps of 32; 16 bytes: quarter-warps; wider than 64: one lane).
 *            CUDA C programming guide, "compute capability 2.x".
 *   maxwell  up to 4 bytes: 8 lanes. Wider: as many lanes as fill a sector of 32 bytes (8 bytes:
 *            4 lanes, 16 bytes: 2; wider than 16: one). NVIDIA's answers on the L1 of Maxwell and
 *            Pascal in its developer forum (t/pascal-l1-cache/49571).
 *   volta    up to 128 bytes: the whole warp; wider: one lane. The same answers.
 *
 * A use is always of one line; its mask (struct pattern) gives the 32-byte sectors that move when
 * L1 is bypassed. With L1 off, these are the segments that Fermi requests.
 */
#ifndef COALESCE_H
#define COALESCE_H

#include "address_map.h"
#include "array.h"
#include "warp_former.h"

struct err;
struct gpu;

/* The use of one line by the lanes of one part. */
struct line_use {
	uint64_t line;  /* replay address of its first byte */
	uint32_t lanes; /* with a byte in it */
	int32_t buffer; /* of the first of them, or -1 */
	uint32_t piece; /* pattern_piece() of its bytes if they are contiguous, or 0 */
};

/* A hash table of the lines of a part with many lines: numbers of its uses, from 1; 0: empty. */
enum { LINE_PLACES = 256 };

/* Which lanes are served together. */
struct coalescing_rule {
	uint32_t narrow_bytes; /* for accesses of up to this many bytes */
	uint32_t narrow_lanes; /* this many lanes are served together */
	uint32_t part_bytes;   /* wider accesses: as many lanes as fill this, at least one */
};

struct coalescer {
	const struct address_map *map; /* borrowed; NULL: replay addresses are the recorded ones */
	bool counts_unmapped;
	struct coalescing_rule rule;
	uint32_t line_bytes;
	uint32_t mask_words;                /* of a use: 64-bit words, one bit a byte of the line */
	struct address_range range;         /* the last one looked up */
	uint64_t unmapped_lanes;            /* since coalescer_init() */
	struct array uses;                  /* struct line_use: of the last step */
	struct array masks;                 /* mask_words for each; see coalescer_mask() */
	uint32_t part_ends[WARP_LANES_MAX]; /* of each part_count parts: one past its last use */
	uint32_t part_count;
	bool has_places; /* the lines of the current part are in `places` */
	uint8_t places[LINE_PLACES];
};

/* Prepare *c for a checked GPU and a map (may be NULL). No allocation. */
void coalescer_init(struct coalescer *c, const struct gpu *gpu, const struct address_map *map);

/* Free what it owns. Accepts a zeroed struct. */
void coalescer_release(struct coalescer *c);

/* Returns how many lanes of a warp are served together if each accesses `bytes` bytes. */
uint32_t coalescer_part_lanes(const struct coalescer *c, uint32_t bytes);

/*
 * Find the uses of one access; they and their masks are valid until the next call. Returns 0;
 * ERR_FORMAT if a lane's bytes are outside the 64-bit space; ERR_NOMEM.
 */
int coalesce(struct coalescer *c, const struct warp_step *step, struct err *err);

/* The mask of a use. For a piece it is made on request, because the piece is often enough. */
const uint64_t *coalescer_mask(struct coalescer *c, size_t use);

/*
 * Returns whether lanes at address[0..lanes - 1], if all move by `way` bytes in steps of one
 * direction, stay in the ranges of the map in which they begin, with all their bytes in the 64-bit
 * space. If so, their requests move by the same distance.
 */
bool coalescer_is_steady(struct coalescer *c, const uint64_t *address, uint32_t lanes, int64_t way,
                         uint32_t bytes);

#endif
