/*
 * access_pattern - how the lanes of a site's accesses lie in memory: strides between neighbours,
 * requests against the fewest that could carry the same bytes, and lanes that are idle.
 *
 * The fewest requests of lanes that are served together (coalesce.h) and touch D distinct bytes are
 * ceil(D / line): as many as the bytes would need side by side from the start of a line on. What is
 * above that has one of two causes: the bytes lie side by side but begin within a line
 * (`misaligned_requests`), or they do not (the rest). Sectors are counted likewise: what moves is
 * sectors, and two halves of lines are no more of these than a whole one. Those beyond the least
 * have one of two causes likewise: the lanes' bytes are at least 4 of 7 from the first to the last
 * (`close_sectors`: they begin within a sector, or have gaps, as indices do that were sorted), or
 * not. Where not all of them lie so, each row is looked at alone: lanes whose lines are neighbours,
 * one after another.
 *
 * Strides are the differences between the addresses of lanes i and i + 1 of a warp that are both
 * active. A stride is counted in the groups in which it is that of at least half of the site's
 * pairs, with its pairs there, which are at most a ninth of all pairs too few (Misra and Gries
 * 1982, with 8 rows). Of different ones the ACCESS_STRIDES of the smallest amount are kept.
 *
 * Does not look at accesses whose size is known only at run time but for their lanes, nor at what
 * goes beside L1. Sums are the same in whatever order groups come.
 */
#ifndef ACCESS_PATTERN_H
#define ACCESS_PATTERN_H

#include <stdint.h>

enum { ACCESS_STRIDES = 32 };

struct access_stride {
	int64_t bytes;
	uint64_t pairs; /* of neighbours */
};

/*
 * What a register could have held: accesses of single work-items to what the same work-item has
 * itself accessed shortly before. access_patterns.h has the definition; it looks at a sample.
 */
struct item_reuse {
	uint64_t accesses;    /* reads and writes that were looked at */
	uint64_t rereads;     /* reads of what this work-item has read or written before */
	uint64_t overwritten; /* writes that its next write replaces, read by none but itself */
};

/* Of a site. A zeroed one is that of no access. */
struct access_pattern {
	uint64_t instructions;        /* warp accesses */
	uint64_t lanes;               /* active in them */
	uint64_t lanes_possible;      /* that their warps have */
	uint64_t idle_lanes;          /* of these; 0 where warp_step_is_dense() */
	uint64_t requests;            /* of accesses whose size is known */
	uint64_t requests_least;      /* that could carry the same bytes */
	uint64_t misaligned_requests; /* of requests - requests_least */
	uint64_t sectors;             /* that these requests ask for; lines where there are none */
	uint64_t sectors_least;       /* that could carry the same bytes */
	uint64_t close_sectors;       /* of sectors - sectors_least: of lanes that lie close */
	uint64_t steps;  /* accesses of which the one before, by the same warp, is known */
	uint64_t slides; /* of these, less than a line beside that one, but not at its place */
	uint64_t pairs;  /* of neighbours that are both active */
	struct item_reuse items;
	struct access_stride strides[ACCESS_STRIDES]; /* the most frequent first; pairs 0: none */
};

/* Add *more to *sum. */
void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more);

/* Add so many pairs of a stride. */
void access_pattern_add_stride(struct access_pattern *sum, int64_t bytes, uint64_t pairs);

#endif
