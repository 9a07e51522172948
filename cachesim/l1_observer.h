/*
 * l1_observer - what an L1 tells of every request it serves and of every line that leaves it, for
 * statistics by line, buffer, set, group, time, and for advice on what to bypass.
 *
 * Calls come from the thread that runs the SM, in the order of its time. An L1 without an observer
 * keeps and asks nothing of it.
 */
#ifndef L1_OBSERVER_H
#define L1_OBSERVER_H

#include <stdint.h>

struct request;

/* What became of a request (l1.h, miss_classes.h). */
enum l1_event {
	L1_HIT,     /* of a read */
	L1_PENDING, /* a read of what is on its way */
	L1_COLD,    /* misses of reads, by class */
	L1_COHERENCE,
	L1_CAPACITY,
	L1_CONFLICT,
	L1_SECTOR,    /* the line is there, or on its way, but not all that is asked for */
	L1_WRITE_HIT, /* a write that finds its line, there or on its way */
	L1_WRITE,     /* any other */
	L1_ATOMIC,
	L1_BYPASS, /* a read that went past L1, without a look into it */
};

/* Of the sectors that a read or a write asked for; both 0 of other requests. */
struct l1_sector_counts {
	uint32_t hit, missed;
	uint32_t promoted;     /* of a read: fetched beside these */
	uint32_t promoted_hit; /* of a read: that had been fetched so, and are asked for the first
	                          time */
};

struct l1_outcome {
	enum l1_event event;
	uint32_t set;
	uint64_t cycle;        /* in which L1 took it */
	uint64_t stall_cycles; /* that it waited at the port, of its own: 0 for no reservation fail
	                        */
	uint64_t sectors;      /* fetched into L1, lowest first; bit 0 alone where there are no
	                          sectors */
	struct l1_sector_counts counts;
	uint32_t bytes_touched; /* of the sectors that hold what is asked for; L1_BYPASS: 0 */
	uint32_t bytes_fetched; /* in these; of L1_BYPASS, which fetches none: past L1 */
};

/* Why a line left. */
enum l1_leave {
	L1_LEAVE_REPLACED,
	L1_LEAVE_WRITTEN, /* a write evicted it */
	L1_LEAVE_ATOMIC,
	L1_LEAVE_INVALIDATED, /* it left what lies below */
	L1_LEAVE_END,         /* the launch ended */
};

/* The stay of a line in L1, its way there included. `first` is the request that brought it. */
struct l1_residency {
	uint64_t line;  /* address of its first byte */
	uint64_t group; /* of the first request, */
	uint32_t warp;  /* of that group, */
	uint32_t site;
	int32_t buffer; /* -1: not known */
	uint32_t set;
	uint32_t bytes_moved;      /* brought in, by all its requests */
	uint32_t first_bytes_used; /* that the first request asked for */
	uint32_t bytes_used;       /* of these, distinct bytes that reads asked for, the first
	                              included */
	uint64_t uses;             /* further reads, hits and pending hits, sector misses too */
	uint64_t writes;           /* of its bytes meanwhile, a first one included */
	uint64_t in_cycles;        /* when the first request was taken */
	uint64_t out_cycles;       /* when the line left */
	enum l1_leave reason;
};

/* Both functions are there. What they are given is valid until they return. */
struct l1_observer {
	void *context;
	void (*served)(void *context, const struct request *r, const struct l1_outcome *o);
	void (*left)(void *context, const struct l1_residency *x);
};

#endif
