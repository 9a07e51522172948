/*
 * group_former - reads a work-group and makes its stream: what one thread needs for that (private
 * to this room).
 *
 * Reading is for one thread at a time, since a source lends its events until the next call;
 * forming is for as many as there are formers.
 */
#ifndef GROUP_FORMER_H
#define GROUP_FORMER_H

#include "group_stream.h"
#include "stream_maker.h"

struct schedule_input;
struct schedule_result;

struct group_former {
	const struct schedule_input *input; /* borrowed */
	struct stream_maker maker;
	struct side_counts *sides;        /* per site */
	struct side_sample sample;        /* of the groups that were formed */
	struct access_patterns *patterns; /* NULL: not asked for */
	struct group_items items;         /* of the group that was read last */
	struct array first, copy;         /* uint64_t, struct event: of those that were copied */
	struct array copied;              /* struct copied_group */
};

/* A group whose events are the former's own. */
struct copied_group {
	uint32_t item_count;
	size_t first, event;      /* where they begin in its arrays, */
	struct item_store *store; /* or, of a long group, the events, owned */
};

/* `input` and what it points to are borrowed until the release; keeps_lanes as in the
 * stream_maker. Returns 0 or ERR_NOMEM; release in any case. */
int group_former_init(struct group_former *f, const struct gpu *gpu,
                      const struct schedule_input *input, bool keeps_lanes, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void group_former_release(struct group_former *f);

/*
 * Read a group; its events are lent until somebody else reads. Returns 0; ERR_FORMAT when it has
 * other work-items than the shape says; ERR_LIMIT; ERR_NOMEM; what input->groups.read() returns.
 */
int group_former_read(struct group_former *f, uint64_t group, struct err *err);

/* Fill a stream from the group that was read. Returns what group_stream_form() does. */
int group_former_form(struct group_former *f, uint64_t group, struct group_stream *stream,
                      struct err *err);

/* Read a group as well, and copy its events: it is number 0, 1, ... of those to form since
 * group_former_forget(). Returns likewise. */
int group_former_copy(struct group_former *f, uint64_t group, struct err *err);
void group_former_forget(struct group_former *f);

/* Fill a stream from the group that was copied as number `i`. */
int group_former_form_copy(struct group_former *f, size_t i, uint64_t group,
                           struct group_stream *stream, struct err *err);

/* The events that are copied. */
static inline size_t group_former_copied(const struct group_former *f)
{
	return f->copy.count;
}

/* Add what is known of the groups when they are formed: what went beside L1, unmapped lanes. */
void group_former_count(const struct group_former *f, struct schedule_result *out);

#endif
