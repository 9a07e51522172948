/*
 * dram - the memory behind L2: channels that count what they move (private to this room).
 *
 * The address space is dealt out to the channels in pieces of interleave_bytes, in turn: byte a is
 * of channel floor(a / interleave_bytes) modulo channel_count. No times, no rows, no banks, no
 * data: how long a read takes is the caller's (dram_cycles).
 */
#ifndef DRAM_H
#define DRAM_H

#include "counters.h"

#include <stddef.h>

struct err;

struct dram {
	struct dram_counters *channels; /* channel_count of them */
	uint32_t channel_count;
	uint32_t interleave_shift; /* log2(interleave_bytes) */
};

/* Both at least 1, the second a power of two. Returns 0 or ERR_NOMEM; release it in every case. */
int dram_init(struct dram *d, uint32_t channel_count, uint32_t interleave_bytes, struct err *err);

/* Accepts a zeroed struct. */
void dram_release(struct dram *d);

/* Count bytes [address, address + bytes), which lie in one piece, as read or written at once. */
void dram_read(struct dram *d, uint64_t address, uint64_t bytes);
void dram_write(struct dram *d, uint64_t address, uint64_t bytes);

#endif
