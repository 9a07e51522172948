/*
 * outbox - what the L1 of one SM sends to what lies below it, and what comes back.
 *
 * Messages lie in the order in which they were sent; their cycles never decrease. No locks: the
 * thread that runs the SM sends, and what lies below takes while that one stands.
 *
 * Which bytes of a line a message is about is told in sectors of outbox_sector_bytes(): 32 bytes, a
 * 64th of a line longer than 2048, all of a line shorter than 32. They are the same whatever
 * sectors L1 and L2 have; where L1's are smaller it names those that they lie in.
 */
#ifndef OUTBOX_H
#define OUTBOX_H

#include "fifo.h"

#include <stdint.h>

/*
 * below_answer - what comes to an L1 from what lies below it (private to this room).
 */

enum below_answer_kind {
	ANSWER_DATA,       /* a message's data is in L1 from this cycle on */
	ANSWER_INVALIDATE, /* the line is no longer below; from this cycle on it is not in L1 */
};

struct below_answer {
	uint64_t cycle;
	uint64_t token_or_line; /* DATA: the token; INVALIDATE: address of the line's first byte */
	enum below_answer_kind kind;
};

struct err;

enum message_kind {
	MESSAGE_READ,      /* bring these sectors; the answer has this token */
	MESSAGE_READ_PAST, /* the same for a warp: no L1 keeps them */
	MESSAGE_WRITE,     /* written through, no answer */
	MESSAGE_ATOMIC,    /* done below; the answer, which has this token, is what was there */
	MESSAGE_VICTIM, /* clean sectors of a line that was replaced; only when asked for. After the
	                   MESSAGE_READ for which it was replaced in this cycle */
	MESSAGE_WRITE_BACK, /* dirty sectors of a line that leaves: likewise after the MESSAGE_READ;
	                       before its MESSAGE_VICTIM */
};

/* The token of a message that wants no answer: all but reads of both kinds and atomics, and with
 * latency = off these as well. */
#define OUTBOX_NO_TOKEN UINT64_MAX

struct message {
	uint64_t cycle;   /* in which it was sent */
	uint64_t line;    /* address of the line's first byte */
	uint64_t sectors; /* with a byte that is asked for or written: bit i is sector i */
	uint64_t whole;   /* WRITE, WRITE_BACK: those of them all of whose bytes are written */
	uint64_t token;
	uint32_t bytes; /* that move */
	uint32_t site;  /* whose access it is; of a line that leaves: that brought it in, or wrote
	                   it last */
	int32_t buffer; /* of the same access; -1: not known */
	enum message_kind kind;
};

enum { OUTBOX_AHEAD = 6 };

struct outbox {
	struct fifo messages; /* of struct message */
	struct fifo cycles;   /* theirs: what puts them in order reads nothing else */
	struct fifo parts;   /* bytes written by messages that outbox_has_parts(), in their order */
	uint32_t part_words; /* of 64 bytes, of each of `parts`; 0: nobody wants them */
};

/* Make an empty one. No allocation. */
void outbox_init(struct outbox *o);

/* What is below wants to know which bytes are written of lines of this size. */
void outbox_want_parts(struct outbox *o, uint32_t line_bytes);

/* Free what it owns. Accepts a zeroed struct. */
void outbox_release(struct outbox *o);

/* Send a copy of *m. Out of memory: it is lost, which
 * outbox_status() tells. */
static inline void outbox_send(struct outbox *o, const struct message *m)
{
	uint64_t *cycle = fifo_add(&o->cycles);
	struct message *sent = cycle ? fifo_add(&o->messages) : NULL;

	if (!sent)
		return;
	*cycle = m->cycle;
	*sent = *m;
	__builtin_prefetch(sent + OUTBOX_AHEAD, 1); /* where those go that are sent next */
}

/* Whether a message writes some sectors in part. */
static inline bool outbox_has_parts(const struct message *m)
{
	return m->kind == MESSAGE_WRITE && m->sectors != m->whole;
}

/* After sending one: which bytes of its line are written, a bit each, line_bytes / 64 words, at
 * least one. Ignored when nobody wants them. */
static inline void outbox_send_part(struct outbox *o, const uint64_t *bytes)
{
	uint64_t *part = o->part_words ? fifo_add(&o->parts) : NULL;

	for (uint32_t i = 0; part && i < o->part_words; i++)
		part[i] = bytes[i];
}

/* Those of the first message that has parts; NULL when memory ran out. */
static inline const uint64_t *outbox_part(const struct outbox *o)
{
	return fifo_peek(&o->parts);
}

static inline void outbox_drop_part(struct outbox *o)
{
	if (fifo_count(&o->parts))
		fifo_drop(&o->parts);
}

/* The message sent first of those that have not been dropped, the next ones behind it; NULL when
 * there is none. Valid until the next message is sent. */
static inline const struct message *outbox_peek(const struct outbox *o)
{
	return fifo_peek(&o->messages);
}

/* The cycle of it, those of the next ones behind it. */
static inline const uint64_t *outbox_cycles(const struct outbox *o)
{
	return fifo_peek(&o->cycles);
}

static inline size_t outbox_count(const struct outbox *o)
{
	return fifo_count(&o->messages);
}

/* Drop the first one, or the first `count`; there are as many. */
static inline void outbox_drop(struct outbox *o)
{
	fifo_drop(&o->messages);
	fifo_drop(&o->cycles);
}

static inline void outbox_drop_many(struct outbox *o, size_t count)
{
	fifo_drop_many(&o->messages, count);
	fifo_drop_many(&o->cycles, count);
}

/* 0, or ERR_NOMEM when a message was lost: what follows from it is not to be used. */
int outbox_status(const struct outbox *o, struct err *err);

/* What a bit of message.sectors stands for. `line_bytes` is a power of two. */
static inline uint32_t outbox_sector_bytes(uint32_t line_bytes)
{
	if (line_bytes > 64 * 32)
		return line_bytes / 64;
	return line_bytes < 32 ? line_bytes : 32;
}

#endif
