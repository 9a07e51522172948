/*
 * l1_reads - reads that come to an L1 many at a time (private to this room).
 *
 * What l1_request() would do with them one after another (request.h), sooner. For plain LRU caches
 * of few ways (l1_private.h), without sectors and with nothing below.
 */
#ifndef L1_READS_H
#define L1_READS_H

#include <stdbool.h>

struct counters;
struct l1;
struct read_run;
struct request;

/* Whether an L1 takes them. */
bool l1_has_reads(const struct l1 *l1);

/* If so: read run's lines, all else of them as in *r, and add them to *counters. */
void l1_reads(struct l1 *l1, const struct request *r, struct read_run *run,
              struct counters *counters);

#endif
