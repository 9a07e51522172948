/*
 * l1_play - feeds an L1 one request at a time and says in one letter what it did (for tests).
 *
 *   h hit  p pending hit  C cold  X coherence  K capacity  F conflict
 *   w write  W write hit  a atomic
 */
#ifndef L1_PLAY_H
#define L1_PLAY_H

#include "cmocka_all.h"

#include "gpu.h"
#include "l1.h"

#include <string.h>

struct l1_step {
	char kind; /* r, w, a */
	uint64_t line;
	uint64_t now_cycles;
};

struct l1_played {
	char letter;
	uint64_t ready_cycles;
};

/* xorshift64*: the same numbers everywhere. The state is never 0. */
static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1du >> 11) % limit;
}

static inline struct l1 *l1_of(const struct gpu *gpu)
{
	struct l1 *l1 = NULL;

	assert_int_equal(l1_create(&l1, gpu, NULL, NULL), 0);
	return l1;
}

/* The letter of the one outcome counter that went up; fails when more than one did. */
static inline char l1_letter(const struct counters *before, const struct counters *after)
{
	const struct {
		uint64_t count;
		char letter;
	} rows[] = {
		{ after->read_hits - before->read_hits, 'h' },
		{ after->pending_hits - before->pending_hits, 'p' },
		{ after->cold - before->cold, 'C' },
		{ after->coherence - before->coherence, 'X' },
		{ after->capacity - before->capacity, 'K' },
		{ after->conflict - before->conflict, 'F' },
		{ after->write_hits - before->write_hits, 'W' },
		{ after->writes - before->writes - (after->write_hits - before->write_hits), 'w' },
		{ after->atomics - before->atomics, 'a' },
	};
	uint64_t sum = 0;
	char letter = '?';

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sum += rows[i].count;
		if (rows[i].count)
			letter = rows[i].letter;
	}
	assert_int_equal(sum, 1);
	return letter;
}

static inline struct l1_played l1_play(struct l1 *l1, const struct gpu *gpu, struct l1_step step,
                                       struct counters *counters)
{
	static const uint64_t used[64] = { 0xff };
	const struct counters before = *counters;
	struct request r = {
		.line = step.line * gpu->l1_line_bytes,
		.used = used,
		.bytes_used = 8,
		.lanes = 2,
		.kind = step.kind == 'r'   ? SITE_READ
		        : step.kind == 'w' ? SITE_WRITE
		                           : SITE_ATOMIC,
		.buffer = -1,
	};
	struct l1_played outcome;

	outcome.ready_cycles = l1_request(l1, &r, step.now_cycles, counters);
	outcome.letter = l1_letter(&before, counters);
	return outcome;
}

#endif
