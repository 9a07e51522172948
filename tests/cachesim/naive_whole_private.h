/*
 * naive_whole_private - the two halves of naive_whole: lines that come and go, and requests.
 */
#ifndef NAIVE_WHOLE_PRIVATE_H
#define NAIVE_WHOLE_PRIVATE_H

#include "naive_whole.h"

static inline bool naive_is_limited(const struct naive_whole *n)
{
	return n->gpu->l1_mshr_entries || n->gpu->l1_mshr_merge;
}

static inline bool naive_is_at_fill(const struct naive_whole *n)
{
	return n->gpu->l1_allocation == GPU_L1_ALLOCATION_AT_FILL;
}

/* How many of the sectors are set. */
uint32_t naive_count(const struct naive_whole *n, const bool *sectors);

/* A new stay. */
size_t naive_begin_stay(struct naive_whole *n, const struct l1_residency *origin);

bool naive_is_on_way(const struct naive_fetch *f, uint64_t line);

/* The oldest wanted fetch of this line; NULL: none. */
struct naive_fetch *naive_oldest(struct naive_whole *n, uint64_t line);

/* MSHR entries that are taken. */
uint32_t naive_entries(const struct naive_whole *n);

/* A way for a line; -1 when there is none. */
int64_t naive_place(struct naive_whole *n, uint64_t line, uint32_t set, struct counters *c,
                    uint64_t now);

/* The line leaves, there or on its way. */
void naive_take_out(struct naive_whole *n, uint64_t line, uint32_t set, uint64_t now,
                    enum l1_leave reason);

/* A message of `now` is answered with so many bytes; its number. */
size_t naive_ask(struct naive_whole *n, uint64_t now, uint32_t bytes);

/* A message goes below; one that fetches a line before what else its request sends: what is
 * replaced for it leaves behind it. */
void naive_send(struct naive_whole *n, enum message_kind kind, uint64_t line, uint32_t bytes,
                uint64_t now);

/* What is dirty of the sectors touched is written back, and stays. */
void naive_clean(struct naive_whole *n, uint64_t line, int64_t slot, const bool *touched,
                 uint64_t now);

/* The sectors of 32 bytes, or the line if it is less, with a byte that is asked for. */
uint32_t naive_past_bytes(const struct naive_whole *n, const struct request *r);

/* Let the next thing come, if it does up to `until`. */
bool naive_comes(struct naive_whole *n, uint64_t until);

#endif
