/*
 * line_sharing - which work-groups read the same lines, whether they read the same bytes of them,
 * and how often a group reads, or updates by atomics, the bytes that it has before.
 *
 * A line that several groups read of which no byte is read by two of them is `apart`: its reuse
 * across groups is that of a line and not of data, and it is fetched again for each SM, and each
 * time that it has left, to give a part of it. A line is fetched by each SM that reads it.
 *
 * Within a group the bytes that its lanes ask for stand beside the distinct ones: their ratio is
 * how often it reads each byte. It is the product of two: lane_bytes over request_bytes, because
 * lanes of one request want the same byte, and request_bytes over group_bytes, because several
 * warps do, or one does again. A group that read every byte once, into a tile, would move
 * group_sectors. A line and all that the group asks of it belong to the site that read it first, so
 * ratios of sums over all sites of an argument are those of the argument; of a single site of
 * several they are not.
 *
 * Atomics are counted likewise, but apart, and within groups only: what a group updates of a line,
 * and how often, belongs to the site that updated it first.
 *
 * It is told of the requests that L1 is asked (replay_options.request). Lines are a sample when
 * there are many: those whose hash lies below a threshold, which is halved when an SM has more
 * than LINE_SHARING_PLACES of line and group (Waldspurger and others 2015); counts are of the
 * sample. Bytes are looked at in 64 parts of a line, a part being read when a byte of it is.
 *
 * It can look at writes as well, for launch_reuse.h: what each group does with the lines of the
 * sample, which these then belong to. Nothing of the above changes but the sample.
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

/* Lines of a site: those of which its read was the first of the lowest group. */
struct line_share {
	uint64_t lines;
	uint64_t apart;        /* of these, read by several groups, no byte by two */
	uint64_t apart_groups; /* that read these, summed over lines */
	uint64_t sectors;      /* of the lines, of which a byte is read; lines without sectors */
	uint64_t sm_sectors; /* the same, of what each SM reads of lines that are not apart, and of
	                        those once */

	/* Summed over groups, of those lines of the sample that this site was the first of the
	 * group to read, or to update: */
	uint64_t group_lines;
	uint64_t group_sectors; /* of which the group reads a byte; lines without sectors */
	uint64_t group_bytes;   /* distinct bytes that it reads, in parts */
	uint64_t requests;      /* of the group, by any site */
	uint64_t request_bytes; /* distinct bytes of each request */
	uint64_t lane_bytes;    /* of each lane of each request, its whole access; where the size of
	                           accesses is known only at run time, request_bytes */
};

/* What a group does with a line of the sample. Parts are a 64th of it, a bit each. */
struct line_place {
	uint64_t line, group;
	uint64_t parts;         /* that it reads */
	uint64_t parts_fetched; /* of these, those that it had not written itself before */
	uint64_t parts_written; /* atomics read and write */
	uint64_t requests, request_bytes, lane_bytes; /* that read */
	uint64_t site_requests;                       /* of these, those of `site` */
	uint32_t site;                                /* of the first read, if there is one */
	uint32_t write_site;                          /* likewise */
	uint32_t sm;
	bool is_taken;
};

/* All places of a launch, of the lines whose hash is at most `threshold`, by line, then group. */
struct line_places {
	struct line_place *items; /* free() */
	size_t count;
	uint64_t threshold;
};

/* For one launch of a kernel, with lines and sectors of the GPU's L1; the table is borrowed. Free
 * with line_sharing_free(). Returns 0 or ERR_NOMEM. */
int line_sharing_create(struct line_sharing **out, const struct gpu *gpu,
                        const struct kernel_table *table, struct err *err);

/* Look at writes, too. Before the first request. */
void line_sharing_watch_writes(struct line_sharing *s);

/* Free. NULL is allowed. */
void line_sharing_free(struct line_sharing *s);

/* A request of SM `number`, from several threads, but for one SM from one at a time. */
void line_sharing_request(struct line_sharing *s, uint32_t number, const struct request *r);

/* The launch is over: add what was found to the rows of its kernel's sites. Returns 0 or ERR_NOMEM.
 */
int line_sharing_end(struct line_sharing *s, struct line_share *sites, size_t site_count,
                     struct err *err);

/* After that: the places, with those that only write if they were looked at; free items. Returns 0
 * or ERR_NOMEM. */
int line_sharing_places(const struct line_sharing *s, struct line_places *out, struct err *err);

/* That of a line, of which the lower ones are in the sample. */
uint64_t line_sharing_hash(uint64_t line);

void line_share_add(struct line_share *sum, const struct line_share *more);

#endif
