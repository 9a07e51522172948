/*
 * access_patterns - how the lanes of a site's accesses lie in memory: strides between neighbours,
 * requests against the fewest that could carry the same bytes, and lanes that are idle.
 *
 * It is told of each warp access, lane by lane (replay_options.access), and coalesces it as the
 * scheduler does (coalesce.h), part by part: `requests` are those that L1 is asked. The fewest
 * requests of a part of D distinct bytes are ceil(D / line): as many as the bytes would need side
 * by side from the start of a line on. What is above that has one of two causes: the bytes lie side
 * by side but begin within a line (`misaligned_requests`), or they do not (the rest).
 *
 * Strides are the differences between the addresses of lanes i and i + 1 of a warp that are both
 * active. The ACCESS_STRIDES most frequent are kept by the method of Misra and Gries (1982), merged
 * over SMs by that of Agarwal (2012): a count is at most pairs / (ACCESS_STRIDES + 1) too low, and
 * exact where there are no more strides than that.
 *
 * Does not look at accesses whose size is known only at run time but for their lanes, nor at what
 * goes beside L1. Memory: 0.3 KB for each site and SM.
 */
#ifndef ACCESS_PATTERNS_H
#define ACCESS_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_patterns;
struct address_map;
struct err;
struct gpu;
struct kernel_table;
struct launch_shape;
struct recording;
struct warp_access;

enum { ACCESS_STRIDES = 8 };

struct access_stride {
	int64_t bytes;
	uint64_t pairs; /* of neighbours; at least so many */
};

/* Of a site. A zeroed one is that of no access. */
struct access_pattern {
	uint64_t instructions;        /* warp accesses */
	uint64_t lanes;               /* active in them */
	uint64_t lanes_possible;      /* that their warps have */
	uint64_t requests;            /* of accesses whose size is known: that L1 is asked */
	uint64_t requests_least;      /* that could carry the same bytes */
	uint64_t misaligned_requests; /* of requests - requests_least */
	uint64_t pairs;               /* of neighbours that are both active */
	struct access_stride strides[ACCESS_STRIDES]; /* the most frequent first; pairs 0: none */
};

/* For one launch, whose map is made from the recording. `lanes` is that of the launch's warps: the
 * GPU's, of large warps theirs, 1 where work-items take turns. Everything is borrowed until
 * access_patterns_free(). Returns 0, ERR_NOMEM or what address_map_create() does. */
int access_patterns_create(struct access_patterns **out, const struct recording *r, size_t launch,
                           const struct gpu *gpu, uint32_t lanes, struct err *err);

/* Free. NULL is allowed. */
void access_patterns_free(struct access_patterns *p);

/* Give it to replay_options.access, with the patterns as its context. */
void access_patterns_access(void *patterns, uint32_t sm, const struct warp_access *a,
                            uint64_t now_cycles);

/* The launch is over: add up what the SMs have. Returns 0, ERR_NOMEM, or ERR_FORMAT as coalesce().
 */
int access_patterns_end(struct access_patterns *p, struct err *err);

/* Of each site of the kernel's table, after access_patterns_end(). Borrowed. */
const struct access_pattern *access_patterns_sites(const struct access_patterns *p);

/* Add *more to *sum, which may be of another launch. */
void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more);

#endif
