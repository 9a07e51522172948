/*
 * l1_reads - batches of reads of an L1 (private to this room).
 *
 * The same result as l1_request() for one after another (request.h), but faster. For plain LRU
 * caches of few ways (l1_private.h), without sectors and with nothing below.
 */
#ifndef L1_READS_H
#define L1_READS_H

#include <stdbool.h>

struct counters;
struct l1;
struct read_run;
struct request;

/* Whether an L1 can take them. */
bool l1_has_reads(const struct l1 *l1);

/* If so: read the run's lines, everything else as in *r, and add them to *counters. */
void l1_reads(struct l1 *l1, const struct request *r, struct read_run *run,
              struct counters *counters);

#endif
