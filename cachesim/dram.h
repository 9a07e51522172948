/*
 * dram - the memory below L2: channels that count the bytes they move (private to this room).
 *
 * The address space is interleaved over the channels in pieces of interleave_bytes: byte a is in
 * channel floor(a / interleave_bytes) modulo channel_count. No times, rows, banks or data: the
 * caller knows how long a read takes (dram_cycles).
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

/* channel_count is at least 1, interleave_bytes a power of two. Returns 0 or ERR_NOMEM; release it
 * in every case. */
int dram_init(struct dram *d, uint32_t channel_count, uint32_t interleave_bytes, struct err *err);

/* Accepts a zeroed struct. */
void dram_release(struct dram *d);

/* Count bytes [address, address + bytes), which lie in one piece, as read or written at once. */
void dram_read(struct dram *d, uint64_t address, uint64_t bytes);
void dram_write(struct dram *d, uint64_t address, uint64_t bytes);

#endif
