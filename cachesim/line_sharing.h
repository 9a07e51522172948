/*
 * line_sharing - which work-groups read the same lines, whether they read the same bytes of them,
 * and how often a group repeats reads, or atomic updates, of the same bytes.
 *
 * A line is `apart` if several groups read it, but no byte of it is read by two of them: groups
 * reuse the line, but not its data. It is fetched again by each SM, and after each eviction, for a
 * part of it. A line is fetched by each SM that reads it.
 *
 * Within a group, the ratio of the bytes that its lanes request to the distinct ones is how often
 * it reads each byte. It is the product of two ratios: lane_bytes over request_bytes (lanes of one
 * request read the same byte), and request_bytes over group_bytes (several warps do, or one does
 * again). A group that read every byte once, into a tile, would move group_sectors. A line and all
 * of the group's requests for it belong to the site that read it first. So ratios of sums over all
 * sites of an argument are those of the argument; a single site's ratios mean nothing if the
 * argument has several.
 *
 * Atomics are counted in the same way, but separately, and within groups only: what a group updates
 * of a line, and how often, belongs to the site that updated it first.
 *
 * It gets the requests to L1 (replay_options.request). If there are many lines, they are a sample:
 * lines whose hash is below a threshold, which is halved when an SM has more than
 * LINE_SHARING_PLACES of line and group (Waldspurger and others 2015); counts are of the sample.
 * Bytes are tracked in 64 parts of a line; a part is read if a byte of it is.
 *
 * It can track writes as well, for launch_reuse.h: what each group does with the lines of the
 * sample, which then includes written lines. Nothing else above changes.
 *
 * Memory: at most 500 KB for each SM.
 */
#ifndef LINE_SHARING_H
#define LINE_SHARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct gpu;
struct kernel_table;
struct line_sharing;
struct request;

enum { LINE_SHARING_PLACES = 2048 };

/* Lines of a site: those that it read first in the lowest group. */
struct line_share {
	uint64_t lines;
	uint64_t apart;        /* of these, read by several groups, but no byte by two */
	uint64_t apart_groups; /* groups that read these, summed over lines */
	uint64_t sectors;    /* sectors of the lines of which a byte is read; lines if there are no
	                        sectors */
	uint64_t sm_sectors; /* the same, summed over the SMs that read lines that are not apart,
	                        and counted once */

	/* Summed over groups, of those lines of the sample that this site was the first of the
	 * group to read, or to update: */
	uint64_t group_lines;
	uint64_t group_sectors; /* of which the group reads a byte; lines if there are no sectors */
	uint64_t group_bytes;   /* distinct bytes that it reads, in parts */
	uint64_t requests;      /* of the group, by any site */
	uint64_t request_bytes; /* distinct bytes of each request */
	uint64_t lane_bytes; /* of each lane of each request, its whole access; request_bytes if the
	                        size of accesses is known only at run time */
};

/* The accesses of a group to a line of the sample. A part is a 64th of the line; one bit each. */
struct line_place {
	uint64_t line, group;
	uint64_t parts;         /* that it reads */
	uint64_t parts_fetched; /* of these, those that it had not written itself before */
	uint64_t parts_written; /* atomics read and write */
	uint64_t requests, request_bytes, lane_bytes; /* that read */
	uint64_t site_requests;                       /* of these, those of `site` */
	uint32_t site;                                /* of the first read, if any */
	uint32_t write_site;                          /* of the first write, if any */
	uint32_t sm;
	bool is_taken;
};

/* All places of a launch, of the lines whose hash is at most `threshold`, by line, then group. */
struct line_places {
	struct line_place *items; /* free() */
	size_t count;
	uint64_t threshold;
};

/* For one launch of a kernel, with the lines and sectors of the GPU's L1; the table is borrowed.
 * Free with line_sharing_free(). Returns 0 or ERR_NOMEM. */
int line_sharing_create(struct line_sharing **out, const struct gpu *gpu,
                        const struct kernel_table *table, struct err *err);

/* Track writes, too. Call it before the first request. */
void line_sharing_watch_writes(struct line_sharing *s);

/* Free. NULL is allowed. */
void line_sharing_free(struct line_sharing *s);

/* Add a request of SM `number`. From several threads, but for one SM from one at a time. */
void line_sharing_request(struct line_sharing *s, uint32_t number, const struct request *r);

/* Add the results to the rows of the kernel's sites, after the launch. Returns 0 or ERR_NOMEM. */
int line_sharing_end(struct line_sharing *s, struct line_share *sites, size_t site_count,
                     struct err *err);

/* After that: the places, including write-only ones if writes were tracked; the caller frees
 * items. Returns 0 or ERR_NOMEM. */
int line_sharing_places(const struct line_sharing *s, struct line_places *out, struct err *err);

/* The hash of a line; lines with low hashes are in the sample. */
uint64_t line_sharing_hash(uint64_t line);

void line_share_add(struct line_share *sum, const struct line_share *more);

#endif
