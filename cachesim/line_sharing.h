/*
 * line_sharing - which work-groups read the same lines, and whether they read the same bytes of
 * them.
 *
 * A line that several groups read of which no byte is read by two of them is `apart`: its reuse
 * across groups is that of a line and not of data, and it is fetched again for each SM, and each
 * time that it has left, to give a part of it. A line is fetched by each SM that reads it.
 *
 * It is told of the requests that L1 is asked (replay_options.request). Lines are a sample when
 * there are many: those whose hash lies below a threshold, which is halved when an SM has more
 * than LINE_SHARING_PLACES of line and group (Waldspurger and others 2015); counts are of the
 * sample. Bytes are looked at in 64 parts of a line, a part being read when a byte of it is.
 *
 * Memory: at most 200 KB for each SM.
 */
#ifndef LINE_SHARING_H
#define LINE_SHARING_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct line_sharing;
struct request;

enum { LINE_SHARING_PLACES = 2048 };

/* Lines of a site: those of which its read was the first of the lowest group. */
struct line_share {
	uint64_t lines;
	uint64_t apart;        /* of these, read by several groups, no byte by two */
	uint64_t apart_groups; /* that read these, summed over lines */
	uint64_t shared;       /* read by several groups, some byte by two of them */
	uint64_t shared_sms;   /* that read these, summed over lines */
	uint64_t sectors;      /* of the lines, of which a byte is read; lines without sectors */
	uint64_t sm_sectors;   /* the same, of what each SM reads, summed over SMs */
};

/* For one launch, with lines and sectors of L1 (sector_bytes 0: there are none). Free with
 * line_sharing_free(). Returns 0 or ERR_NOMEM. */
int line_sharing_create(struct line_sharing **out, uint32_t sm_count, uint32_t line_bytes,
                        uint32_t sector_bytes, struct err *err);

/* Free. NULL is allowed. */
void line_sharing_free(struct line_sharing *s);

/* A request of SM `number`, from several threads, but for one SM from one at a time. */
void line_sharing_request(struct line_sharing *s, uint32_t number, const struct request *r);

/* The launch is over: add what was found to the rows of its kernel's sites. Returns 0 or ERR_NOMEM.
 */
int line_sharing_end(struct line_sharing *s, struct line_share *sites, size_t site_count,
                     struct err *err);

void line_share_add(struct line_share *sum, const struct line_share *more);

#endif
