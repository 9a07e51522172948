/* SPDX-License-Identifier: Apache-2.0 */
#include "dram.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

int dram_init(struct dram *d, uint32_t channel_count, uint32_t interleave_bytes, struct err *err)
{
	*d = (struct dram){ .channel_count = channel_count,
		            .interleave_shift = (uint32_t)__builtin_ctz(interleave_bytes) };
	d->channels = array_alloc(channel_count, sizeof(*d->channels), "DRAM channels", err);
	return d->channels ? 0 : ERR_NOMEM;
}

void dram_release(struct dram *d)
{
	free(d->channels);
	*d = (struct dram){ 0 };
}

static struct dram_counters *channel_of(struct dram *d, uint64_t address)
{
	return &d->channels[(address >> d->interleave_shift) % d->channel_count];
}

void dram_read(struct dram *d, uint64_t address, uint64_t bytes)
{
	struct dram_counters *c = channel_of(d, address);

	c->reads++;
	c->bytes_read += bytes;
	c->sectors_read += (bytes + 31) / 32;
}

void dram_write(struct dram *d, uint64_t address, uint64_t bytes)
{
	struct dram_counters *c = channel_of(d, address);

	c->writes++;
	c->bytes_written += bytes;
	c->sectors_written += (bytes + 31) / 32;
}
