/* SPDX-License-Identifier: Apache-2.0 */
#include "word_decoder_private.h"

#include "array.h"
#include "err.h"
#include "event.h"

#include <inttypes.h>

int word_companions_find(struct word_decoder *d)
{
	const struct kernel_table *t = d->table;
	uint32_t first = 0;

	d->companions = array_alloc(t->companion_count, sizeof(*d->companions), "sites", d->err);
	if (!d->companions)
		return ERR_NOMEM;
	for (size_t i = 0; i < t->companion_count; i++) {
		d->plain[t->companions[i].after].count++;
		d->plain[t->companions[i].leader].is_leader = true;
	}
	for (size_t s = 0; s < t->site_count; s++) {
		d->plain[s].first = first;
		first += d->plain[s].count;
		d->plain[s].count = 0;
	}
	for (size_t i = 0; i < t->companion_count; i++) {
		struct plain_site *with = &d->plain[t->companions[i].after];

		d->companions[with->first + with->count++].told = &t->companions[i];
	}
	return 0;
}

void word_companions_measure(struct word_decoder *d, const uint64_t *differences)
{
	for (size_t i = 0; i < d->table->companion_count; i++) {
		struct word_companion *w = &d->companions[i];

		w->distance = (uint64_t)w->told->offset;
		if (w->told->difference >= 0 && differences)
			w->distance += differences[w->told->difference];
	}
}

/* Room for so many events, whatever is in it. */
static struct event *push(struct word_decoder *d, uint32_t count)
{
	struct array *out = d->out;

	if (out->capacity - out->count < count || out->count + count > out->limit_count)
		return array_push(out, count, d->err);
	out->count += count;
	return (struct event *)out->data + (out->count - count);
}

int word_companions_put(struct word_decoder *d, uint32_t site, uint32_t iteration)
{
	const struct plain_site *with = &d->plain[site];
	uint32_t put = 0;
	struct event *e;

	if (!with->count)
		return 0;
	e = push(d, with->count);
	if (!e)
		return d->err ? d->err->code : ERR_NOMEM;
	for (uint32_t i = 0; i < with->count; i++) {
		const struct word_companion *c = &d->companions[with->first + i];
		const struct last_address *last = &d->last[c->told->leader];

		if (d->is_outside_sample && d->plain[c->told->site].is_sampled)
			continue;
		if (last->item != d->item) {
			d->out->count -= with->count - put;
			return err_set(d->err, ERR_FORMAT,
			               "word %zu: site %" PRIu32 " without site %" PRIu32, d->at,
			               c->told->site, c->told->leader);
		}
		e[put++] = (struct event){ .value = last->address + c->distance,
			                   .point = EVENT_SITE | c->told->site,
			                   .iteration = iteration };
	}
	d->out->count -= with->count - put;
	return 0;
}
