/*
 * request_teller - tells the caller's function of each request, and statistics of what they want
 * (private to this room).
 */
#ifndef REQUEST_TELLER_H
#define REQUEST_TELLER_H

#include "l1_observer.h"
#include "warpline_replay_rows.h"

#include <stdatomic.h>
#include <stdbool.h>

struct err;
struct l1_stats;
struct request_teller;

struct teller_sm {
	struct request_teller *teller;
	const struct l1_observer *statistics; /* NULL: none */
	struct l1_observer observer;
	uint32_t sm;
};

struct request_teller {
	warpline_request_function function; /* NULL: none */
	void *context;
	struct l1_stats *stats; /* borrowed; NULL: none */
	struct teller_sm *sms;
	uint32_t sm_count;
	atomic_bool is_stopped; /* the function said so */
};

/* *t stays where it is. Returns 0 or ERR_NOMEM; release it in every case. */
int request_teller_init(struct request_teller *t, uint32_t sm_count, struct l1_stats *stats,
                        struct err *err);
void request_teller_release(struct request_teller *t);

/* Of replay_options: observer and is_stopped, with the teller as the context. */
const struct l1_observer *request_teller_observer(void *teller, uint32_t sm);
bool request_teller_is_stopped(void *teller);

#endif
