/*
 * naive_whole - an L1 by the definitions of l1.h, word for word: an oracle.
 *
 * It knows in advance when everything is answered: message number k after latency(k), and what
 * leaves the level below does so in cycles that it is given. So it serves each request at once,
 * wherever in time that is; only when the data comes is found out when all is over, since with
 * bandwidth what is asked for later may be before it. Everything that was ever fetched stays in one
 * list, which is searched from end to end; sectors are looked at one by one.
 */
#ifndef NAIVE_WHOLE_H
#define NAIVE_WHOLE_H

#include "gpu.h"
#include "l1_observer.h"
#include "naive_array.h"
#include "outbox.h"
#include "request.h"

#include <stddef.h>

struct counters;

enum { NAIVE_SLOTS = 64, NAIVE_STEPS = 400, NAIVE_BYTES = 256 };

/* One stay of a line. */
struct naive_stay {
	struct l1_residency x;
	bool is_used[NAIVE_BYTES], has_come[NAIVE_BYTES]; /* by byte of the line */
};

struct naive_way {
	bool valid[NAIVE_BYTES], dirty[NAIVE_BYTES]; /* by sector */
	bool promoted[NAIVE_BYTES];                  /* that nobody has asked for */
	struct counters *writer;
	size_t stay; /* 0: none */
};

/* What comes for a message: it is answered in a cycle, and comes in another. */
struct naive_answer {
	uint64_t cycle, comes; /* UINT64_MAX: not known yet */
	uint32_t bytes;
};

struct naive_fetch {
	uint64_t line, asked;
	size_t answer;
	bool asked_for[NAIVE_BYTES]; /* sectors */
	bool sectors[NAIVE_BYTES], dirty[NAIVE_BYTES], promoted[NAIVE_BYTES];
	struct counters *counters, *writer;
	uint32_t bytes, requests;
	size_t stay;
	struct l1_residency origin;
	bool is_wanted, is_over;
};

struct naive_invalidation {
	uint64_t line, cycle;
	uint64_t comes; /* 0: not known yet */
	bool is_over;
};

/* A reference of a line, or that it was taken out. */
struct naive_event {
	uint64_t line;
	bool is_taking;
};

struct naive_whole {
	const struct gpu *gpu;
	uint64_t (*latency)(const void *context, size_t number);
	const void *context;
	struct naive_invalidation *invalidations; /* by cycle */
	size_t invalidation_count;

	struct naive_array tags;
	struct naive_way ways[NAIVE_SLOTS];
	struct naive_fetch fetches[NAIVE_STEPS];
	size_t fetch_count;
	struct naive_answer answers[NAIVE_STEPS];
	size_t answer_count;
	uint64_t soonest[NAIVE_STEPS];        /* data of each request, */
	bool waits[NAIVE_STEPS][NAIVE_STEPS]; /* and the answers that it waits for */
	uint64_t link_cycle;                  /* in which bytes came last, and how many */
	uint32_t link_used;
	struct message sent[8 * NAIVE_STEPS]; /* no sectors, no site */
	size_t sent_count;
	size_t sent_before; /* the request that is served now */
	struct naive_event events[4 * NAIVE_STEPS];
	size_t event_count;
	struct naive_stay stays[4 * NAIVE_STEPS];
	size_t stay_count;
	struct l1_outcome outcomes[NAIVE_STEPS];
	size_t outcome_count;
	struct l1_residency left[4 * NAIVE_STEPS];
	size_t left_count;
	uint64_t port_free, now;
	uint32_t sector_bytes, sectors;
	uint32_t most_entries; /* ever in use at once */
};

/* `gpu` and `invalidations` are borrowed. Release it with naive_whole_release(). */
void naive_whole_init(struct naive_whole *n, const struct gpu *gpu);
void naive_whole_release(struct naive_whole *n);

/* As l1_request(). */
void naive_whole_request(struct naive_whole *n, const struct request *r, uint64_t now,
                         struct counters *c);

/* As l1_read_past(). */
void naive_whole_past(struct naive_whole *n, const struct request *r, uint64_t now,
                      struct counters *c);

/* As l1_end(). */
void naive_whole_end(struct naive_whole *n, uint64_t now);

/* After that: when the data of request number `number` was there. */
uint64_t naive_whole_data(const struct naive_whole *n, size_t number);

#endif
