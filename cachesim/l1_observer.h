/*
 * l1_observer - reports every request that an L1 serves and every line that leaves it, for
 * statistics by line, buffer, set, group, time, and for advice on what to bypass.
 *
 * Calls come from the thread that runs the SM, in the order of its time. An L1 without an observer
 * spends nothing on it.
 */
#ifndef L1_OBSERVER_H
#define L1_OBSERVER_H

#include <stdint.h>

struct request;

/* The outcome of a request (l1.h, miss_classes.h). */
enum l1_event {
	L1_HIT,     /* of a read */
	L1_PENDING, /* a read of data on its way */
	L1_COLD,    /* misses of reads, by class */
	L1_COHERENCE,
	L1_CAPACITY,
	L1_CONFLICT,
	L1_SECTOR,    /* the line is in L1 or on its way, but not all requested sectors */
	L1_WRITE_HIT, /* a write that finds its line, in L1 or on its way */
	L1_WRITE,     /* any other */
	L1_ATOMIC,
	L1_BYPASS, /* a read that bypassed L1, without a lookup */
};

/* The sectors that a read or a write requested; both 0 for other requests. */
struct l1_sector_counts {
	uint32_t hit, missed;
	uint32_t promoted;     /* of a read: fetched in addition */
	uint32_t promoted_hit; /* of a read: fetched so earlier, and requested for the first time */
};

struct l1_outcome {
	enum l1_event event;
	uint32_t set;
	uint64_t cycle;        /* in which L1 took the request */
	uint64_t stall_cycles; /* waiting time at the port for its own reservation; 0 without a
	                          reservation fail */
	uint64_t sectors; /* fetched into L1, lowest first; only bit 0 if there are no sectors */
	struct l1_sector_counts counts;
	uint32_t bytes_touched; /* of the sectors that hold the requested bytes; L1_BYPASS: 0 */
	uint32_t bytes_fetched; /* in `sectors`; for L1_BYPASS: fetched past L1 */
};

/* Why a line left. */
enum l1_leave {
	L1_LEAVE_REPLACED,
	L1_LEAVE_WRITTEN, /* a write evicted it */
	L1_LEAVE_ATOMIC,
	L1_LEAVE_INVALIDATED, /* invalidated by the level below */
	L1_LEAVE_END,         /* the launch ended */
};

/* The stay of a line in L1, including its way there. `first` is the request that brought it. */
struct l1_residency {
	uint64_t line;  /* address of its first byte */
	uint64_t group; /* of the first request, */
	uint32_t warp;  /* of that group, */
	uint32_t site;
	int32_t buffer; /* -1: unknown */
	uint32_t set;
	uint32_t bytes_moved;      /* brought in, by all its requests */
	uint32_t first_bytes_used; /* that the first request requested */
	uint32_t bytes_used;       /* of these, distinct bytes that any reads requested */
	uint64_t uses;             /* further reads: hits, pending hits, sector misses */
	uint64_t writes;           /* of its bytes meanwhile, including a first one */
	uint64_t in_cycles;        /* when the first request was taken */
	uint64_t out_cycles;       /* when the line left */
	enum l1_leave reason;
};

/* Both functions must be set. Their arguments are valid until they return. */
struct l1_observer {
	void *context;
	void (*served)(void *context, const struct request *r, const struct l1_outcome *o);
	void (*left)(void *context, const struct l1_residency *x);
};

#endif
