/*
 * outbox - the messages of one SM's L1 to the levels below it.
 *
 * Messages are in the order in which they were sent; their cycles never decrease. No locks: the
 * thread that runs the SM sends, and the levels below receive while that thread is stopped.
 *
 * A message names the bytes of a line in sectors of outbox_sector_bytes(): 32 bytes, a 64th of a
 * line longer than 2048, or all of a line shorter than 32. They do not depend on the sectors of L1
 * and L2; if L1's are smaller, it names the sectors that contain them.
 */
#ifndef OUTBOX_H
#define OUTBOX_H

#include "fifo.h"

#include <stdint.h>

/*
 * below_answer - an answer or invalidation that an L1 gets from the level below it (private to this
 * room).
 */

enum below_answer_kind {
	ANSWER_DATA,       /* a message's data is in L1 from this cycle on */
	ANSWER_INVALIDATE, /* the line left the level below; from this cycle on it is not in L1 */
};

struct below_answer {
	uint64_t cycle;
	uint64_t token_or_line; /* DATA: the token; INVALIDATE: address of the line's first byte */
	enum below_answer_kind kind;
};

struct err;

enum message_kind {
	MESSAGE_READ,      /* bring these sectors; the answer has this token */
	MESSAGE_READ_PAST, /* as MESSAGE_READ, but bypassing L1, which does not keep them */
	MESSAGE_WRITE,     /* written through, no answer */
	MESSAGE_ATOMIC,    /* executed below; the answer, which has this token, is the old value */
	MESSAGE_VICTIM, /* clean sectors of a replaced line; only if wanted. After the MESSAGE_READ
	                   that replaced it in this cycle */
	MESSAGE_WRITE_BACK, /* dirty sectors of an evicted line: after the MESSAGE_READ, too; before
	                       its MESSAGE_VICTIM */
};

/* The token of a message that needs no answer: all except reads of both kinds and atomics, and
 * with latency = off these as well. */
#define OUTBOX_NO_TOKEN UINT64_MAX

struct message {
	uint64_t cycle;   /* in which it was sent */
	uint64_t line;    /* address of the line's first byte */
	uint64_t sectors; /* sectors with a requested or written byte: bit i is sector i */
	uint64_t whole;   /* WRITE, WRITE_BACK: sectors that are written completely */
	uint64_t token;
	uint32_t bytes; /* bytes that move */
	uint32_t site;  /* the access it belongs to; for an evicted line the one that brought it in,
	                   or wrote it last */
	int32_t buffer; /* of the same access; -1: unknown */
	enum message_kind kind;
};

enum { OUTBOX_AHEAD = 6 };

struct outbox {
	struct fifo messages; /* of struct message */
	struct fifo cycles;   /* their cycles: ordering reads nothing else */
	struct fifo parts;   /* bytes written by messages that outbox_has_parts(), in their order */
	uint32_t part_words; /* of 64 bytes, of each of `parts`; 0: not wanted */
};

/* Make *o empty. No allocation. */
void outbox_init(struct outbox *o);

/* Record which bytes are written, for lines of this size. */
void outbox_record_parts(struct outbox *o, uint32_t line_bytes);

/* Free what it owns. Accepts a zeroed struct. */
void outbox_release(struct outbox *o);

/* Send a copy of *m. If out of memory, the message is lost and outbox_status() fails. */
static inline void outbox_send(struct outbox *o, const struct message *m)
{
	uint64_t *cycle = fifo_add(&o->cycles);
	struct message *sent = cycle ? fifo_add(&o->messages) : NULL;

	if (!sent)
		return;
	*cycle = m->cycle;
	*sent = *m;
	__builtin_prefetch(sent + OUTBOX_AHEAD, 1); /* where the next messages go */
}

/* Whether a message writes some sectors in part. */
static inline bool outbox_has_parts(const struct message *m)
{
	return m->kind == MESSAGE_WRITE && m->sectors != m->whole;
}

/* After sending such a message: the written bytes of its line, a bit each, line_bytes / 64 words,
 * at least one. Ignored unless outbox_record_parts() was called. */
static inline void outbox_send_part(struct outbox *o, const uint64_t *bytes)
{
	uint64_t *part = o->part_words ? fifo_add(&o->parts) : NULL;

	for (uint32_t i = 0; part && i < o->part_words; i++)
		part[i] = bytes[i];
}

/* The parts of the first message that has any; NULL if memory ran out. */
static inline const uint64_t *outbox_part(const struct outbox *o)
{
	return fifo_peek(&o->parts);
}

static inline void outbox_drop_part(struct outbox *o)
{
	if (fifo_count(&o->parts))
		fifo_drop(&o->parts);
}

/* The first message that has not been dropped, followed by the next ones; NULL if there is none.
 * Valid until the next message is sent. */
static inline const struct message *outbox_peek(const struct outbox *o)
{
	return fifo_peek(&o->messages);
}

/* Its cycle, followed by those of the next messages. */
static inline const uint64_t *outbox_cycles(const struct outbox *o)
{
	return fifo_peek(&o->cycles);
}

static inline size_t outbox_count(const struct outbox *o)
{
	return fifo_count(&o->messages);
}

/* Drop the first `count` messages; there must be that many. */
static inline void outbox_drop_many(struct outbox *o, size_t count)
{
	fifo_drop_many(&o->messages, count);
	fifo_drop_many(&o->cycles, count);
}

/* 0, or ERR_NOMEM if a message was lost: then the results are invalid. */
int outbox_status(const struct outbox *o, struct err *err);

/* The bytes that a bit of message.sectors stands for. `line_bytes` is a power of two. */
static inline uint32_t outbox_sector_bytes(uint32_t line_bytes)
{
	if (line_bytes > 64 * 32)
		return line_bytes / 64;
	return line_bytes < 32 ? line_bytes : 32;
}

#endif
