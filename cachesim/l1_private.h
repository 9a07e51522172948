/*
 * l1_private - the inside of an L1, for l1*.c only.
 *
 * Plain: no limit of MSHRs or bandwidth, allocation at the miss, no write-back, and an L2, if any,
 * that is neither inclusive nor exclusive, and no observer together with an L2. Then the only data
 * of a line besides its tag are when its sectors arrive, and its stay. l1_sectors.c serves such
 * requests; l1_lru.c or l1_plain.c serve them if there is nothing below, no observer, and lines
 * without sectors that writes do not allocate. l1_visit.c serves an L1 that is not plain, with the
 * fields from `slots` on.
 */
#ifndef L1_PRIVATE_H
#define L1_PRIVATE_H

#include "cache_array.h"
#include "l1.h"
#include "l1_asks.h"
#include "l1_fills.h"
#include "l1_link.h"
#include "l1_stays.h"
#include "l1_waiters.h"
#include "miss_classes.h"
#include "set_index.h"

/* A way of a plain L1 with LRU of few ways. */
struct l1_way {
	uint64_t key;          /* line + 1; 0: empty */
	uint64_t ready_cycles; /* when its fill arrives, or arrived */
};

/* The state of the line in a slot. Sectors are masks. */
struct l1_slot {
	uint64_t valid;    /* sectors that are there */
	uint64_t dirty;    /* sectors written and not sent below; they are there or on their way */
	uint64_t promoted; /* of `valid`: fetched by promotion, and not requested since */
	struct l1_origin origin; /* which brought the line in */
	struct l1_origin writer; /* which made a sector dirty last */
	uint32_t stay;
};

/* Where requests wait for a reservation. */
struct l1_port {
	struct fifo held;      /* of struct l1_held, in order */
	struct fifo held_used; /* their bytes, l1->used_bytes each */
	uint64_t free;         /* the next one is taken in this cycle, or later */
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
	uint64_t *
		ready_cycles; /* other plain ones without sectors; by slot: when its fill arrives */
	uint64_t *sector_words; /* plain, with sectors: slot_words of each slot (l1_sectors.c) */
	uint32_t slot_words;
	uint32_t promoted_sectors; /* of l1_promotion_bytes; 0: no promotion */
	struct l1_asks asks;       /* plain, with `below` */
	bool is_plain;
	bool has_classes;

	struct l1_slot *slots;
	struct outbox *below;
	const struct l1_observer *observer;
	uint32_t sector_bytes; /* without sectors: the line's */
	uint32_t used_bytes;   /* of request.used */
	uint32_t max_entries;  /* 0: no limit */
	uint32_t max_merged;   /* 0: no limit */
	uint64_t request_cycles;
	uint64_t horizon_cycles;
	uint64_t now; /* the latest cycle in which anything happened */
	bool is_at_fill;
	bool is_immediate;   /* latency = off */
	struct l1_link link; /* by which answers arrive */
	bool is_locking;     /* lines on their way are not replaced */
	bool is_telling_victims;
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

/* l1_plain.c: l1_request() of a plain L1 that l1_lru.c does not serve. */
uint64_t l1_plain_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                          struct counters *counters);

/* l1_sectors.c: the same for one with sectors, through_allocate, or an observer, which gets all
 * lines at the end. */
uint64_t l1_sectors_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                            struct counters *counters);
void l1_sectors_end(struct l1 *l1);

/* l1_port.c: requests wait here for their turn. */
void l1_port_init(struct l1 *l1);
void l1_port_release(struct l1 *l1);

/* As l1_request(), or with is_past as l1_read_past() (l1_bypass.h). */
uint64_t l1_port_request(struct l1 *l1, const struct request *r, bool is_past, uint64_t now_cycles,
                         struct counters *counters);

#endif
