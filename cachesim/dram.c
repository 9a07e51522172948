/* SPDX-License-Identifier: Apache-2.0 */
#include "dram.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

int dram_init(struct dram *d, uint32_t channel_count, uint32_t interleave_bytes, struct err *err)
{
	*d = (struct dram){ .channel_count = channel_count, .interleave_bytes = interleave_bytes };
	d->channels = array_alloc(channel_count, sizeof(*d->channels), "DRAM channels", err);
	return d->channels ? 0 : ERR_NOMEM;
}

void dram_release(struct dram *d)
{
	free(d->channels);
	*d = (struct dram){ 0 };
}

/* The channel of the first byte; *bytes is cut to what lies there in one piece. */
static struct dram_counters *piece(struct dram *d, uint64_t address, uint64_t *bytes)
{
	uint64_t left = d->interleave_bytes - address % d->interleave_bytes;

	if (*bytes > left)
		*bytes = left;
	return &d->channels[address / d->interleave_bytes % d->channel_count];
}

void dram_read(struct dram *d, uint64_t address, uint64_t bytes)
{
	while (bytes) {
		uint64_t here = bytes;
		struct dram_counters *c = piece(d, address, &here);

		c->reads++;
		c->bytes_read += here;
		address += here;
		bytes -= here;
	}
}

void dram_write(struct dram *d, uint64_t address, uint64_t bytes)
{
	while (bytes) {
		uint64_t here = bytes;
		struct dram_counters *c = piece(d, address, &here);

		c->writes++;
		c->bytes_written += here;
		address += here;
		bytes -= here;
	}
}
