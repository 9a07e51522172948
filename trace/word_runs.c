/* SPDX-License-Identifier: Apache-2.0 */
#include "word_decoder_private.h"

#include "err.h"
#include "event.h"
#include "probe_abi.h"

#include <inttypes.h>

#define EVENT_MOST UINT32_MAX /* what an event's `iteration` can count */

/* The site that a run or grid is of: it lies in `depth` loops at least. */
static int check_site(struct word_decoder *d, uint64_t id, uint32_t depth)
{
	const struct site *site = id < d->table->site_count ? &d->table->sites[id] : NULL;

	if (site && site->bytes && site_kind_has_address(site->kind) && site->loop >= 0 &&
	    d->table->loops[site->loop].depth >= depth)
		return 0;
	return err_set(d->err, ERR_FORMAT, "word %zu: site %" PRIu64 " cannot have such a record",
	               d->at, id);
}

static int put_run(struct word_decoder *d, uint32_t site, const uint64_t fields[4])
{
	uint64_t address = fields[0], stride = fields[1], count = fields[2], first = fields[3];
	int ret = check_site(d, site, 1);

	if (!ret && (!count || first + (count - 1) < first || first + count == 0))
		ret = err_set(d->err, ERR_FORMAT, "word %zu: a run over no iterations", d->at);
	if (!ret)
		ret = word_decoder_put_entries(d, d->table->sites[site].loop);
	while (!ret && count) {
		uint32_t n = count < EVENT_MOST ? (uint32_t)count : EVENT_MOST;

		ret = word_decoder_put(d, address, EVENT_RUN | site, n);
		if (!ret)
			ret = word_decoder_put(d, first, EVENT_PART | site, 0);
		if (!ret)
			ret = word_decoder_put(d, stride, EVENT_PART | site, 0);
		address += n * stride;
		first += n;
		count -= n;
	}
	return ret;
}

int word_decoder_run(struct word_decoder *d, uint64_t payload)
{
	uint64_t fields[4] = { 0 };
	int ret = word_decoder_next(d, fields, 2);

	fields[2] = payload >> PROBE_COUNT_SHIFT;
	return ret ? ret : put_run(d, payload & PROBE_COUNT_MAX, fields);
}

int word_decoder_long_run(struct word_decoder *d, uint64_t id)
{
	uint64_t fields[4];
	int ret = word_decoder_next(d, fields, 4);

	if (!ret)
		ret = check_site(d, id, 1);
	return ret ? ret : put_run(d, (uint32_t)id, fields);
}

struct grid {
	uint64_t address, stride, count, row_stride, rows, first_row; /* as the words are */
};

static int put_rows(struct word_decoder *d, uint32_t site, const struct grid *g, uint32_t rows)
{
	int ret = word_decoder_put(d, g->address, EVENT_GRID | site, (uint32_t)g->count);

	if (!ret)
		ret = word_decoder_put(d, g->first_row, EVENT_PART | site, rows);
	if (!ret)
		ret = word_decoder_put(d, g->stride, EVENT_PART | site, 0);
	if (!ret)
		ret = word_decoder_put(d, g->row_stride, EVENT_PART | site, 0);
	return ret ? ret : word_decoder_put(d, 0, EVENT_PART | site, 0);
}

int word_decoder_grid(struct word_decoder *d, uint64_t id)
{
	uint64_t f[6];
	int ret = word_decoder_next(d, f, 6);
	struct grid g;

	if (!ret)
		ret = check_site(d, id, 2);
	if (ret)
		return ret;
	g = (struct grid){ f[0], f[1], f[2], f[3], f[4], f[5] };
	if (!g.count || g.count > EVENT_MOST || !g.rows ||
	    g.first_row + (g.rows - 1) < g.first_row || g.first_row + g.rows == 0)
		return err_set(d->err, ERR_FORMAT, "word %zu: a grid of no such size", d->at);
	ret = word_decoder_put_entries(d, d->table->loops[d->table->sites[id].loop].parent);
	while (!ret && g.rows) {
		uint32_t n = g.rows < EVENT_MOST ? (uint32_t)g.rows : EVENT_MOST;

		ret = put_rows(d, (uint32_t)id, &g, n);
		g.address += n * g.row_stride;
		g.first_row += n;
		g.rows -= n;
	}
	return ret;
}
