/*
 * sm_crew_private - what a crew has: sm_crew_setup.c makes it, sm_crew.c works with it.
 */
#ifndef SM_CREW_PRIVATE_H
#define SM_CREW_PRIVATE_H

#include "dispatcher.h"
#include "err.h"
#include "group_former.h"
#include "group_tickets.h"
#include "sm_crew.h"
#include "sm_rounds.h"
#include "sm_worker.h"
#include "spill_file.h"
#include "stream_pool.h"

#include <pthread.h>

struct member {
	struct sm_crew *crew;
	struct group_former former;
	pthread_t thread;
};

struct sm_crew {
	const struct gpu *gpu;
	const struct schedule_input *input;
	uint64_t group_count;
	uint32_t sm_count, played; /* SMs that get groups, and of them */
	uint32_t jobs;
	uint32_t ahead_max;      /* groups formed before an SM has got them */
	struct member *members;  /* jobs */
	struct spill_file spill; /* for the streams of long groups */

	/* From here on under the lock, but for a worker that runs and a ticket that is formed. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t waiting;        /* members that wait for that */
	_Atomic uint64_t change; /* counts what they may wait for; read without the lock */
	struct dispatcher dispatcher;
	struct sm_worker *workers; /* sm_count */
	struct stream_pool streams;
	struct group_tickets tickets;
	struct sm_rounds rounds;
	uint64_t next_ahead; /* the group after all that have a ticket */
	uint64_t resident;   /* groups that an SM has got and that have not ended */
	uint32_t busy;       /* members at work */
	uint32_t turn;       /* in rounds: where the search for an SM begins */
	bool is_reading;     /* one of them uses the source */
	size_t group_events; /* of a group, about: of those read last, with several threads */
	uint64_t lanes, instructions;
	int rc; /* of the lowest group that failed */
	uint64_t failed_group;
	struct err err;
};

/* The first group >= `group` that is to be played, or UINT64_MAX; `context` is the crew. */
uint64_t sm_crew_next_group(void *context, uint64_t group);

#endif
