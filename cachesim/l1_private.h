/*
 * l1_private - the internals of an L1, for l1*.c only.
 *
 * An L1 is plain if it has no limit of MSHRs or bandwidth, allocates at the miss, has no
 * write-back, has an L2, if any, that is neither inclusive nor exclusive, and has no observer
 * together with an L2. Then the only data of a line besides its tag are the arrival cycles of its
 * sectors, and its stay. l1_sectors.c serves requests of a plain L1. l1_lru.c or l1_plain.c serve
 * them if there is nothing below, no observer, and no sectors, and if writes do not allocate lines.
 * l1_visit.c serves an L1 that is not plain, with the fields from `slots` on.
 */
#ifndef L1_PRIVATE_H
#define L1_PRIVATE_H

#include "cache_array.h"
#include "l1.h"
#include "l1_asks.h"
#include "l1_stays.h"
#include "miss_classes.h"
#include "set_index.h"

#include <stdint.h>

/*
 * l1_link - the arrival of answers at an L1 with bandwidth = on (private to this room; SEMANTICS
 * 5).
 *
 * The bytes of answers arrive one after another, l1_fill_bytes in a cycle. The bytes are: for fills
 * and bypassing reads, those that they fetch; for atomics, the sectors of min(32, line) bytes that
 * they touch. An answer that would arrive in cycle c without this limit arrives from c on, after
 * the bytes of earlier answers, and completes in the cycle in which its last byte arrives. So an
 * answer that waits for no other and takes at most one cycle completes as it would without the
 * limit.
 *
 * Answers are ordered by these cycles c, then by the order in which they were requested or
 * answered. An invalidation removes its line in its cycle, but not before earlier answers have
 * arrived. Messages to the levels below are not limited. With latency = off there is no limit,
 * because nothing can be late.
 */

struct l1_link {
	uint32_t cycle_bytes; /* bytes that arrive in a cycle; 0: no limit */
	uint64_t end;         /* end of the last answer, in bytes: cycle_bytes for each cycle */
};

/* Returns the cycle in which an answer of `bytes` (>= 1) bytes, which would arrive in `cycle`
 * without a limit, is complete. */
static inline uint64_t l1_link_receive(struct l1_link *link, uint64_t cycle, uint32_t bytes)
{
	uint64_t first = cycle * link->cycle_bytes;

	if (!link->cycle_bytes)
		return cycle;
	link->end = (first > link->end ? first : link->end) + bytes;
	return (link->end - 1) / link->cycle_bytes;
}

/* Returns the cycle in which an invalidation of `cycle` removes its line. */
static inline uint64_t l1_link_leave(const struct l1_link *link, uint64_t cycle)
{
	uint64_t last = link->end ? (link->end - 1) / link->cycle_bytes : 0;

	return cycle > last ? cycle : last;
}

/* A way of a plain L1 with LRU and few ways. */
struct l1_way {
	uint64_t key;          /* line + 1; 0: empty */
	uint64_t ready_cycles; /* when its fill arrives, or arrived */
};

/* The state of the line in a slot. Sectors are masks. */
struct l1_slot {
	uint64_t valid; /* sectors that have arrived */
	uint64_t dirty; /* sectors written and not sent below yet; they are valid or on their way */
	uint64_t promoted;       /* of `valid`: fetched by promotion, and not requested since */
	struct l1_origin origin; /* the access that brought the line in */
	struct l1_origin writer; /* the access that made a sector dirty last */
	uint32_t stay;
};

/* The port, where requests wait for a reservation. */
struct l1_port {
	struct fifo held;      /* of struct l1_held, in order */
	struct fifo held_used; /* their bytes, l1->used_bytes each */
	uint64_t free;         /* the next request is taken in this cycle or later */
	uint64_t known_until;  /* all arrivals before this cycle are in l1->coming */
};

struct l1 {
	struct l1_way *lru_ways; /* plain, LRU, few ways: sets * way_count, and no tags */
	uint32_t way_count;
	uint32_t line_shift; /* log2(line_bytes) */
	uint32_t line_bytes;
	enum gpu_l1_write write;
	uint64_t hit_cycles;
	uint64_t miss_cycles;
	struct miss_classes classes;
	struct set_index index;
	struct cache_array tags;
	uint64_t *ready_cycles; /* other plain L1s without sectors: by slot, arrival of the fill */
	uint64_t *sector_words; /* plain, with sectors: slot_words for each slot (l1_sectors.c) */
	uint32_t slot_words;
	uint32_t promoted_sectors; /* of l1_promotion_bytes; 0: no promotion */
	struct l1_asks asks;       /* plain, with `below` */
	bool is_plain;
	bool has_classes;

	struct l1_slot *slots;
	struct outbox *below;
	const struct l1_observer *observer;
	uint32_t sector_bytes; /* without sectors: line_bytes */
	uint32_t used_bytes;   /* size of request.used */
	uint32_t max_entries;  /* 0: no limit */
	uint32_t max_merged;   /* 0: no limit */
	uint64_t request_cycles;
	uint64_t horizon_cycles;
	uint64_t now; /* the latest cycle in which anything happened */
	bool is_at_fill;
	bool is_immediate;   /* latency = off */
	struct l1_link link; /* through which answers arrive */
	bool is_locking;     /* lines on their way are not replaced */
	bool reports_victims;
	struct l1_fills fills;
	struct l1_waiters waiters;
	struct l1_stays stays;
	struct fifo coming; /* of struct below_answer, ascending: fills and invalidations */
	struct l1_port port;
};

/* The sectors beyond the touched ones that a read fetches when it misses one: in the last line
 * of an access, up to the next multiple of l1_promotion_bytes. */
static inline uint64_t l1_promoted(const struct l1 *l1, const struct request *r, uint64_t touched)
{
	uint32_t last, end;

	if (!l1->promoted_sectors || !r->is_last)
		return 0;
	last = 63 - (uint32_t)__builtin_clzll(touched);
	end = last | (l1->promoted_sectors - 1);
	return (UINT64_C(2) << end) - (UINT64_C(2) << last);
}

/* l1_plain.c: l1_request() for a plain L1 that l1_lru.c does not serve. */
uint64_t l1_plain_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                          struct counters *counters);

/* l1_sectors.c: l1_request() for a plain L1 with sectors, through_allocate, an outbox or an
 * observer. l1_sectors_end() reports all remaining lines to the observer. */
uint64_t l1_sectors_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                            struct counters *counters);
void l1_sectors_end(struct l1 *l1);

/* As l1_request(), or with is_past as l1_read_past() (l1_visit.h). */
uint64_t l1_port_request(struct l1 *l1, const struct request *r, bool is_past, uint64_t now_cycles,
                         struct counters *counters);

/*
 * l1_classify - counting why a read missed (for l1*.c only).
 */

/* Count a miss by its class. There is no branch, because the class is unpredictable and arrives
 * late from memory. */
static inline void l1_count_class(enum miss_class class, struct counters *c)
{
	static const uint8_t offsets[] = {
		[MISS_COLD] = offsetof(struct counters, cold),
		[MISS_COHERENCE] = offsetof(struct counters, coherence),
		[MISS_CAPACITY] = offsetof(struct counters, capacity),
		[MISS_CONFLICT] = offsetof(struct counters, conflict),
	};

	++*(uint64_t *)(void *)((char *)c + offsets[class]);
}

/* Count and return why a read missed its line, which is brought in now. Without has_classes the
 * result is meaningless and nothing is counted. */
static inline enum miss_class l1_classify(struct l1 *l1, uint64_t line, struct counters *c,
                                          bool has_classes)
{
	enum miss_class class = MISS_COLD;

	if (has_classes) {
		class = miss_classes_miss(&l1->classes, line);
		l1_count_class(class, c);
	}
	return class;
}

#endif
