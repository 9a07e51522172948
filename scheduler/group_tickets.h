/*
 * group_tickets - groups on their way to their SMs: which SM they go to is known first, or their
 * streams are there first (private to this room).
 *
 * No threads: the caller locks.
 */
#ifndef GROUP_TICKETS_H
#define GROUP_TICKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct group_stream;
struct sm_worker;

struct group_ticket {
	uint64_t group;
	struct sm_worker *worker; /* NULL: no SM has got it yet */
	uint32_t slot;            /* of that SM */
	bool is_formed;
	struct group_stream *stream;
	struct group_ticket *next; /* of its list */
};

/* First in, first out. */
struct ticket_list {
	struct group_ticket *first, *last;
	uint32_t count;
};

struct group_tickets {
	struct group_ticket *all;
	struct group_ticket *unused;
	struct ticket_list unformed; /* an SM has got them, nobody forms them */
	struct ticket_list ahead;    /* being formed or formed, for no SM yet */
	bool is_filling;             /* `ahead` has not been full since it was half full */
};

/* For `count` (>= 1) tickets in use. Returns 0 or ERR_NOMEM; release in any case. */
int group_tickets_init(struct group_tickets *t, size_t count, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void group_tickets_release(struct group_tickets *t);

/* A ticket, of which one is unused, for a group; and back. */
struct group_ticket *group_tickets_take(struct group_tickets *t, uint64_t group);
void group_tickets_give(struct group_tickets *t, struct group_ticket *ticket);

/* Whether one more is wanted ahead, of `max` at most: from half full to full, so that no thread is
 * woken for one. */
bool group_tickets_want(struct group_tickets *t, uint32_t max);

/* At the end of a list; from its beginning, or NULL. */
void ticket_list_add(struct ticket_list *l, struct group_ticket *t);
struct group_ticket *ticket_list_take(struct ticket_list *l);

#endif
