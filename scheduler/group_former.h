/*
 * group_former - reads work-groups and makes their streams, for one thread (private to this room).
 *
 * Only one thread at a time may read, because a source lends its events until the next call. All
 * formers may form streams at the same time.
 */
#ifndef GROUP_FORMER_H
#define GROUP_FORMER_H

#include "group_stream.h"
#include "stream_maker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * stream_pool - the group_streams of a launch, for reuse (private to this room).
 *
 * A stream is allocated only if none is idle, so there are never more than were in use at once. No
 * locking: the caller locks.
 */

struct err;
struct group_stream;

struct stream_pool {
	struct group_stream **all;  /* `made` of them */
	struct group_stream **idle; /* `idle_count` of them, the one used last at the end */
	size_t limit, made, idle_count;
	uint32_t mask_words;
};

/* Prepare a pool for at most `limit` streams in use; mask_words as in group_stream_init(). Returns
 * 0 or ERR_NOMEM; release in any case. */
int stream_pool_init(struct stream_pool *p, size_t limit, uint32_t mask_words, struct err *err);

/* Free all streams, idle or not. Accepts a zeroed struct. */
void stream_pool_release(struct stream_pool *p);

/* Take a stream, borrowed until it is given back. Returns NULL with ERR_NOMEM. */
struct group_stream *stream_pool_take(struct stream_pool *p, struct err *err);
void stream_pool_give(struct stream_pool *p, struct group_stream *s);

/*
 * group_tickets - groups on their way to SMs. Either a group's SM is known first, or its stream is
 * formed first (private to this room).
 *
 * No locking: the caller locks.
 */

struct sm_worker;

struct group_ticket {
	uint64_t group;
	struct sm_worker *worker; /* NULL: not dispatched yet */
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
	struct ticket_list unformed; /* dispatched, not being formed */
	struct ticket_list ahead;    /* being formed or formed, not dispatched */
	bool is_filling;             /* `ahead` has not been full since it was half full */
};

/* Prepare for `count` (>= 1) tickets in use. Returns 0 or ERR_NOMEM; release in any case. */
int group_tickets_init(struct group_tickets *t, size_t count, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void group_tickets_release(struct group_tickets *t);

/* Take an unused ticket for a group; there must be one. group_tickets_give() gives it back. */
struct group_ticket *group_tickets_take(struct group_tickets *t, uint64_t group);
void group_tickets_give(struct group_tickets *t, struct group_ticket *ticket);

/* Returns whether to form one more group ahead, of at most `max`: from half full to full, so that
 * no thread is woken for a single group. */
bool group_tickets_should_form(struct group_tickets *t, uint32_t max);

/* Append a ticket to a list; remove and return its first ticket, or NULL. */
void ticket_list_add(struct ticket_list *l, struct group_ticket *t);
struct group_ticket *ticket_list_take(struct ticket_list *l);

struct schedule_input;
struct schedule_result;

struct group_former {
	const struct schedule_input *input; /* borrowed */
	struct stream_maker maker;
	struct side_counts *sides;        /* per site */
	struct side_sample sample;        /* of the groups formed */
	struct access_patterns *patterns; /* NULL: not requested */
	struct group_items items;         /* of the group read last */
	struct array first, copy;         /* uint64_t, struct event: of the copied groups */
	struct array copied;              /* struct copied_group */
};

/* A group whose events the former has copied. */
struct copied_group {
	uint32_t item_count;
	size_t first, event;      /* where they begin in `first` and `copy` */
	struct item_store *store; /* or, for a long group, the events, owned */
};

/* `input` and what it points to are borrowed until the release; keeps_lanes as in the
 * stream_maker. Returns 0 or ERR_NOMEM; release in any case. */
int group_former_init(struct group_former *f, const struct gpu *gpu,
                      const struct schedule_input *input, bool keeps_lanes, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void group_former_release(struct group_former *f);

/*
 * Read a group; its events are borrowed until the next read of any former. Returns 0; ERR_FORMAT if
 * the group does not have the work-items of the shape; ERR_LIMIT; ERR_NOMEM; or what
 * input->groups.read() returns.
 */
int group_former_read(struct group_former *f, uint64_t group, struct err *err);

/* Fill a stream from the group that was read last. Returns as group_stream_form() does. */
int group_former_form(struct group_former *f, uint64_t group, struct group_stream *stream,
                      struct err *err);

/* Read a group and copy its events, as number 0, 1, ... since the last group_former_forget().
 * Returns as group_former_read() does. */
int group_former_copy(struct group_former *f, uint64_t group, struct err *err);
void group_former_forget(struct group_former *f);

/* Fill a stream from the group that was copied as number `i`, once. Returns as group_stream_form()
 * does. */
int group_former_form_copy(struct group_former *f, size_t i, uint64_t group,
                           struct group_stream *stream, struct err *err);

/* Returns the number of copied events. */
static inline size_t group_former_copied(const struct group_former *f)
{
	return f->copy.count;
}

/* Add the counts of the groups formed to *out: local and constant memory, unmapped lanes, and
 * access patterns if requested. */
void group_former_count(const struct group_former *f, struct schedule_result *out);

#endif
