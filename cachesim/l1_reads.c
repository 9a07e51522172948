/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of a plain L1 with LRU of few ways, many in one call. First all tags, without a branch that
 * depends on what is there: which reads hit cannot be foreseen. Then the classes of those that
 * missed, which tags do not depend on. Made once for each number of ways; `ways` is a constant.
 */
#include "l1_reads.h"

#include "l1_private.h"
#include "request.h"

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

enum { PIECE = 256, WAYS_MAX = 8 };

/* What became of a piece's reads. */
struct piece {
	uint64_t numbers[PIECE]; /* of the lines that */
	bool has_missed[PIECE];
	uint64_t misses, pending, evictions;
};

/* Read a line in a set of ways, most recently read first; its ready cycle. `wanted` is what its way
 * is to be if it misses. Without times the ready cycles stay where they are: they are all over. */
INLINE uint64_t read_way(struct l1_way *set, uint32_t ways, struct l1_way wanted, bool has_times,
                         bool *has_missed)
{
	uint64_t ready = wanted.ready_cycles;
	uint64_t is_before = UINT64_MAX; /* of the way that moves to the front: all bits or none */
	struct l1_way old[WAYS_MAX];

	for (uint32_t i = 0; i < ways; i++)
		old[i] = set[i];
	for (uint32_t i = 0; i < ways; i++) {
		uint64_t is_it = 0 - (uint64_t)(old[i].key == wanted.key);
		uint32_t to = i + 1 < ways ? i + 1 : 0;

		is_before &= ~is_it;
		set[to].key = (old[i].key & is_before) | (old[to].key & ~is_before);
		if (!has_times)
			continue;
		ready = (old[i].ready_cycles & is_it) | (ready & ~is_it);
		set[to].ready_cycles =
			(old[i].ready_cycles & is_before) | (old[to].ready_cycles & ~is_before);
	}
	set[0].key = wanted.key;
	if (has_times)
		set[0].ready_cycles = ready;
	*has_missed = is_before;
	return ready;
}

INLINE void read_tags(struct l1 *l1, struct read_run *run, struct piece *p, uint32_t ways,
                      bool is_immediate)
{
	uint64_t now = run->now, port_free = run->port_free;

	for (size_t i = 0; i < run->count; i++) {
		uint64_t line = run->lines[i] >> l1->line_shift, last, ready, data;
		struct l1_way *set = l1->lru_ways + (size_t)set_index_find(&l1->index, line) * ways;

		now = now < port_free ? port_free : now;
		port_free = now + run->request_cycles;
		last = set[ways - 1].key;
		ready = read_way(set, ways, (struct l1_way){ line + 1, now + l1->miss_cycles },
		                 !is_immediate, &p->has_missed[i]);
		p->numbers[i] = line;
		p->misses += p->has_missed[i];
		p->evictions += p->has_missed[i] & (last != 0);
		data = now + 1;
		if (!is_immediate) { /* else nothing waits for what was found */
			p->pending += !p->has_missed[i] & (ready > now);
			data = now + l1->hit_cycles > data ? now + l1->hit_cycles : data;
			data = ready > data ? ready : data;
		}
		now = data;
	}
	run->now = now;
	run->port_free = port_free;
}

INLINE void read_piece_of(struct l1 *l1, struct read_run *run, struct piece *p, uint32_t ways)
{
	if (l1->is_immediate)
		read_tags(l1, run, p, ways, true);
	else
		read_tags(l1, run, p, ways, false);
}

static void read_piece(struct l1 *l1, struct read_run *run, struct piece *p)
{
	p->misses = p->pending = p->evictions = 0;
	switch (l1->way_count) {
	case 1:
		read_piece_of(l1, run, p, 1);
		break;
	case 2:
		read_piece_of(l1, run, p, 2);
		break;
	case 4:
		read_piece_of(l1, run, p, 4);
		break;
	case 6:
		read_piece_of(l1, run, p, 6);
		break;
	case 8:
		read_piece_of(l1, run, p, 8);
		break;
	default:
		assert(false);
	}
}

bool l1_has_reads(const struct l1 *l1)
{
	return l1->lru_ways && l1->way_count <= WAYS_MAX &&
	       (l1->way_count == 1 || l1->way_count % 2 == 0);
}

static void count_piece(const struct l1 *l1, const struct request *r, uint64_t count,
                        const struct piece *p, struct counters *c)
{
	c->lanes += r->lanes * count;
	c->bytes_asked += r->bytes_used * count;
	c->reads += count;
	c->read_hits += count - p->misses - p->pending;
	c->pending_hits += p->pending;
	c->read_misses += p->misses;
	c->bytes_from_l2 += p->misses * l1->line_bytes;
	c->evictions += p->evictions;
}

static void classify(struct l1 *l1, const struct piece *p, size_t count, struct counters *c)
{
	uint64_t classes[MISS_CLASSES] = { 0 };

	miss_classes_reads(&l1->classes, p->numbers, p->has_missed, count, classes);
	c->cold += classes[MISS_COLD];
	c->coherence += classes[MISS_COHERENCE];
	c->capacity += classes[MISS_CAPACITY];
	c->conflict += classes[MISS_CONFLICT];
}

void l1_reads(struct l1 *l1, const struct request *r, struct read_run *run,
              struct counters *counters)
{
	struct read_run part = *run; /* what is left, a piece at a time */
	size_t left = run->count;
	struct piece p;

	for (; left; left -= part.count, part.lines += part.count) {
		part.count = left < PIECE ? left : PIECE;
		read_piece(l1, &part, &p);
		count_piece(l1, r, part.count, &p, counters);
		if (l1->has_classes)
			classify(l1, &p, part.count, counters);
	}
	run->now = part.now;
	run->port_free = part.port_free;
}
