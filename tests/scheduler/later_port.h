/*
 * later_port - a memory port that answers at once or later with the same times, and that may close
 * for a while; it keeps account of what it is asked, and when.
 *
 * A request takes play->latency(), of which it knows later what is not below the horizon; after an
 * access the port is closed for closed(), likewise. Answers come in any order, and some a round or
 * more after they could.
 */
#ifndef LATER_PORT_H
#define LATER_PORT_H

#include "launch_play.h"

#include <stdatomic.h>

enum { LATER_PORT_SMS = 6, LATER_PORT_LOG = 1 << 14, LATER_PORT_ROUNDS = 16 };

enum later_port_way {
	LATER_PORT_AT_ONCE,        /* no rounds */
	LATER_PORT_ROUNDS_AT_ONCE, /* rounds, in which all is answered at once */
	LATER_PORT_LATER,
};

/* A request that waits for its answer. */
struct later_request {
	uint64_t cycle, there; /* when it was made; when its data is there */
	uint32_t waiter;
	bool is_known; /* to be fetched */
};

struct later_sm {
	struct logged log[LATER_PORT_LOG];
	uint32_t count, count_asked; /* requests; and when port_free() was asked first */
	struct later_request waiting[LATER_PORT_LOG];
	uint32_t waiting_count;
	uint64_t free, free_asked; /* the port: from when on; the cycle of the request before it */
	bool is_free_known;
	uint32_t wrong; /* calls that were not allowed */
};

struct later_port {
	struct memory_port port;
	struct launch_play *play;
	enum later_port_way way;
	uint64_t (*closed)(const struct logged *last); /* NULL: never */
	bool is_prompt;                                /* no answer is held back */
	struct later_sm sms[LATER_PORT_SMS];
	uint64_t until[LATER_PORT_ROUNDS]; /* of the first settle()s, */
	uint64_t last_until;               /* of the last one */
	uint64_t rounds;                   /* settle()s */
	atomic_bool is_settling;
	uint32_t wrong; /* settles that were not allowed */
};

/* A port for a launch; horizon_cycles is of no use AT_ONCE. */
void later_port_init(struct later_port *p, struct launch_play *play, enum later_port_way way,
                     uint64_t horizon_cycles);

/* Play the launch through it; fails when anything was not allowed. */
void later_port_play(struct later_port *p);

#endif
