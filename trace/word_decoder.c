/* SPDX-License-Identifier: Apache-2.0 */
#include "word_decoder.h"

#include "array.h"
#include "err.h"
#include "event.h"
#include "probe_abi.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PAYLOAD_MASK ((1ull << PROBE_RUN_SHIFT) - 1)
#define NO_ITERATION UINT64_MAX

/* The point of a word, independent of its encoding. */
struct point {
	uint32_t id; /* site, or site_count + loop */
	uint64_t address, run;
};

/* Companions (kernel_table.h). */

/* Find the companions of the table. Returns 0 or ERR_NOMEM. */
static int find_companions(struct word_decoder *d)
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

/* Set the companions' distances from the reported differences, which are zeros if NULL. */
static void measure_companions(struct word_decoder *d, const uint64_t *differences)
{
	for (size_t i = 0; i < d->table->companion_count; i++) {
		struct word_companion *w = &d->companions[i];

		w->distance = (uint64_t)w->told->offset;
		if (w->told->difference >= 0 && differences)
			w->distance += differences[w->told->difference];
	}
}

/* Make room for `count` events, uninitialised. */
static struct event *push(struct word_decoder *d, uint32_t count)
{
	struct array *out = d->out;

	if (out->capacity - out->count < count || out->count + count > out->limit_count)
		return array_push(out, count, d->err);
	out->count += count;
	return (struct event *)out->data + (out->count - count);
}

/* Append the events of the companions of a site whose event was appended. Returns 0, ERR_FORMAT,
 * ERR_NOMEM or ERR_LIMIT. */
static int put_companions(struct word_decoder *d, uint32_t site, uint32_t iteration)
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

/* Fill d->plain. */
static void find_plain(struct word_decoder *d)
{
	for (size_t i = 0; i < d->table->site_count; i++) {
		const struct site *site = &d->table->sites[i];

		d->plain[i].loop = site->loop < 0 ? NULL : &d->loops[site->loop];
		d->plain[i].is_sampled =
			site->space == SPACE_LOCAL && site_kind_has_address(site->kind);
		d->plain[i].is_plain = site->bytes || !site_kind_has_address(site->kind);
	}
}

int word_decoder_create(struct word_decoder **out, const struct kernel_table *t, struct err *err)
{
	struct word_decoder *d = array_alloc(1, sizeof(*d), "decoder", err);

	*out = d;
	if (!d)
		return ERR_NOMEM;
	d->table = t;
	d->loops = array_alloc(t->loop_count, sizeof(*d->loops), "loops", err);
	d->path = array_alloc(t->loop_count, sizeof(*d->path), "loops", err);
	d->plain = array_alloc(t->site_count, sizeof(*d->plain), "sites", err);
	d->last = array_alloc(t->site_count, sizeof(*d->last), "sites", err);
	d->err = err;
	if (!d->loops || !d->path || !d->plain || !d->last || find_companions(d)) {
		word_decoder_free(d);
		*out = NULL;
		return ERR_NOMEM;
	}
	find_plain(d);
	measure_companions(d, NULL);
	word_decoder_begin(d);
	return 0;
}

void word_decoder_free(struct word_decoder *d)
{
	if (!d)
		return;
	free(d->loops);
	free(d->path);
	free(d->plain);
	free(d->companions);
	free(d->last);
	free(d);
}

void word_decoder_count_into(struct word_decoder *d, uint64_t *sums)
{
	d->sums = sums;
}

void word_decoder_differences(struct word_decoder *d, const uint64_t *differences)
{
	measure_companions(d, differences);
}

bool word_decoder_sample(struct word_decoder *d, bool is_in_sample)
{
	bool is_new = d->is_outside_sample == is_in_sample;

	d->is_outside_sample = !is_in_sample;
	return is_new;
}

void word_decoder_begin(struct word_decoder *d)
{
	d->item++;
	for (size_t l = 0; l < d->table->loop_count; l++)
		d->loops[l] = (struct loop_state){ .iteration = NO_ITERATION };
}

size_t word_decoder_state_bytes(const struct kernel_table *t)
{
	return t->loop_count * sizeof(struct loop_state) +
	       t->site_count * sizeof(struct last_address);
}

void word_decoder_save(const struct word_decoder *d, unsigned char *state)
{
	const struct kernel_table *t = d->table;
	size_t loop_bytes = t->loop_count * sizeof(*d->loops);

	memcpy(state, d->loops, loop_bytes);
	for (size_t s = 0; s < t->site_count; s++) {
		struct last_address last = d->last[s];

		last.item = last.item == d->item; /* whether it is of this work-item */
		memcpy(state + loop_bytes + s * sizeof(last), &last, sizeof(last));
	}
}

void word_decoder_load(struct word_decoder *d, const unsigned char *state)
{
	const struct kernel_table *t = d->table;
	size_t loop_bytes = t->loop_count * sizeof(*d->loops);

	d->item++;
	memcpy(d->loops, state, loop_bytes);
	for (size_t s = 0; s < t->site_count; s++) {
		struct last_address *last = &d->last[s];

		memcpy(last, state + loop_bytes + s * sizeof(*last), sizeof(*last));
		last->item *= d->item;
	}
}

size_t word_decoder_used(const struct word_decoder *d)
{
	return d->at;
}

/* Append an event. Returns 0, ERR_NOMEM, ERR_LIMIT. */
static int put_event(struct word_decoder *d, uint64_t value, uint32_t point, uint32_t iteration)
{
	struct array *out = d->out;
	struct event *e;

	if (out->count < out->capacity && out->count < out->limit_count)
		e = (struct event *)out->data + out->count++;
	else
		e = array_push(out, 1, d->err);
	if (!e)
		return d->err ? d->err->code : ERR_NOMEM;
	*e = (struct event){ .value = value, .point = point, .iteration = iteration };
	return 0;
}

/* Append EVENT_LOOP for the loop and the loops around it that were entered and have no event yet.
 */
static int put_entries(struct word_decoder *d, int32_t loop)
{
	uint32_t depth = 0;
	int ret = 0;

	if (loop < 0 || !d->loops[loop].is_pending)
		return 0;
	for (int32_t l = loop; l >= 0 && d->loops[l].is_pending; l = d->table->loops[l].parent)
		d->path[depth++] = (uint32_t)l;
	while (!ret && depth) {
		uint32_t l = d->path[--depth];

		ret = put_event(d, d->loops[l].parent, EVENT_LOOP | l, 0);
		d->loops[l].is_pending = false;
	}
	return ret;
}

/* Add a run to the iteration of a loop; without a loop, `run` must be 0. */
static int advance_loop(struct word_decoder *d, int32_t loop, uint64_t run)
{
	struct loop_state *l;
	uint64_t next;

	if (loop < 0)
		return run ? err_set(d->err, ERR_FORMAT,
		                     "word %zu: an iteration of no loop is told", d->at)
		           : 0;
	l = &d->loops[loop];
	next = l->iteration + run + l->untold; /* from -1: the run counts one more */
	if (run + l->untold < run || next == NO_ITERATION ||
	    (l->iteration != NO_ITERATION && next < l->iteration))
		return err_set(d->err, ERR_FORMAT,
		               "word %zu: loop %" PRId32 " cannot come to this iteration", d->at,
		               loop);
	l->iteration = next;
	l->untold = 0;
	return 0;
}

/* Append EVENT_EPOCH if the high half of a loop's iteration changed. */
static int put_epoch(struct word_decoder *d, uint32_t loop)
{
	struct loop_state *l = &d->loops[loop];
	uint32_t high = (uint32_t)(l->iteration >> 32);

	if (high == l->high)
		return 0;
	l->high = high;
	return put_event(d, (uint64_t)high << 32, EVENT_EPOCH | loop, 0);
}

/* Read the next word of a record into *out. */
static int next_word(struct word_decoder *d, uint64_t *out)
{
	if (d->at == d->count)
		return err_set(d->err, ERR_FORMAT, "the record that %zu words end is cut",
		               d->count);
	*out = d->words[d->at++ * d->step];
	return 0;
}

/* Read the next words of a record into out[]. Returns 0, or ERR_FORMAT if there are fewer. */
static int next_words(struct word_decoder *d, uint64_t *out, size_t count)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++)
		ret = next_word(d, &out[i]);
	return ret;
}

/* Runs and grids. */

#define EVENT_MOST UINT32_MAX /* the largest `iteration` of an event */

/* Check the site of a run or grid, which must be in at least `depth` loops. */
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
		ret = put_entries(d, d->table->sites[site].loop);
	while (!ret && count) {
		uint32_t n = count < EVENT_MOST ? (uint32_t)count : EVENT_MOST;

		ret = put_event(d, address, EVENT_RUN | site, n);
		if (!ret)
			ret = put_event(d, first, EVENT_PART | site, 0);
		if (!ret)
			ret = put_event(d, stride, EVENT_PART | site, 0);
		address += n * stride;
		first += n;
		count -= n;
	}
	return ret;
}

/* Read what follows the first word of WORD_RUN, whose payload is given. Counts that an event cannot
 * hold become several events. Returns 0, ERR_FORMAT or ERR_NOMEM. */
static int take_run(struct word_decoder *d, uint64_t payload)
{
	uint64_t fields[4] = { 0 };
	int ret = next_words(d, fields, 2);

	fields[2] = payload >> PROBE_COUNT_SHIFT;
	return ret ? ret : put_run(d, payload & PROBE_COUNT_MAX, fields);
}

/* Read what follows the first word of WORD_RUN_LONG, whose id is given; take_grid(): of WORD_GRID.
 */
static int take_long_run(struct word_decoder *d, uint64_t id)
{
	uint64_t fields[4];
	int ret = next_words(d, fields, 4);

	if (!ret)
		ret = check_site(d, id, 1);
	return ret ? ret : put_run(d, (uint32_t)id, fields);
}

struct grid {
	uint64_t address, stride, count, row_stride, rows, first_row; /* in word order */
};

static int put_rows(struct word_decoder *d, uint32_t site, const struct grid *g, uint32_t rows)
{
	int ret = put_event(d, g->address, EVENT_GRID | site, (uint32_t)g->count);

	if (!ret)
		ret = put_event(d, g->first_row, EVENT_PART | site, rows);
	if (!ret)
		ret = put_event(d, g->stride, EVENT_PART | site, 0);
	if (!ret)
		ret = put_event(d, g->row_stride, EVENT_PART | site, 0);
	return ret ? ret : put_event(d, 0, EVENT_PART | site, 0);
}

static int take_grid(struct word_decoder *d, uint64_t id)
{
	uint64_t f[6];
	int ret = next_words(d, f, 6);
	struct grid g;

	if (!ret)
		ret = check_site(d, id, 2);
	if (ret)
		return ret;
	g = (struct grid){ f[0], f[1], f[2], f[3], f[4], f[5] };
	if (!g.count || g.count > EVENT_MOST || !g.rows ||
	    g.first_row + (g.rows - 1) < g.first_row || g.first_row + g.rows == 0)
		return err_set(d->err, ERR_FORMAT, "word %zu: a grid of no such size", d->at);
	ret = put_entries(d, d->table->loops[d->table->sites[id].loop].parent);
	while (!ret && g.rows) {
		uint32_t n = g.rows < EVENT_MOST ? (uint32_t)g.rows : EVENT_MOST;

		ret = put_rows(d, (uint32_t)id, &g, n);
		g.address += n * g.row_stride;
		g.first_row += n;
		g.rows -= n;
	}
	return ret;
}

static int take_entry(struct word_decoder *d, uint32_t loop, uint64_t run)
{
	int32_t parent = d->table->loops[loop].parent;
	int ret;

	if (parent < 0)
		return err_set(d->err, ERR_FORMAT,
		               "word %zu: loop %" PRIu32 " lies in no other and is entered", d->at,
		               loop);
	ret = advance_loop(d, parent, run);
	if (!ret)
		d->loops[loop] = (struct loop_state){ .iteration = NO_ITERATION,
			                              .parent = d->loops[parent].iteration,
			                              .is_pending = true };
	return ret;
}

static int take_site(struct word_decoder *d, const struct point *p)
{
	const struct site *site = &d->table->sites[p->id];
	uint32_t iteration = 0;
	uint64_t bytes = 0;
	bool is_sized = site->bytes == 0 && site_kind_has_address(site->kind);
	int ret = is_sized ? next_word(d, &bytes) : 0;

	if (!ret)
		ret = advance_loop(d, site->loop, p->run);
	if (!ret)
		ret = put_entries(d, site->loop);
	if (!ret && site->loop >= 0) {
		ret = put_epoch(d, (uint32_t)site->loop);
		iteration = (uint32_t)d->loops[site->loop].iteration;
	}
	if (!ret && is_sized)
		ret = put_event(d, bytes, EVENT_SIZE | p->id, iteration);
	if (!ret)
		ret = put_event(d, p->address, EVENT_SITE | p->id, iteration);
	d->last[p->id] = (struct last_address){ p->address, d->item };
	return ret ? ret : put_companions(d, p->id, iteration);
}

static int take_point(struct word_decoder *d, const struct point *p)
{
	size_t sites = d->table->site_count;

	if (p->id < sites)
		return take_site(d, p);
	if (p->id - sites < d->table->loop_count)
		return take_entry(d, (uint32_t)(p->id - sites), p->run);
	return err_set(d->err, ERR_FORMAT, "word %zu: point %" PRIu32 "; the kernel has %zu", d->at,
	               p->id, sites + d->table->loop_count);
}

static int take_advance(struct word_decoder *d, uint64_t loop)
{
	uint64_t count = 0, sum;
	int ret = next_word(d, &count);

	if (ret)
		return ret;
	if (loop >= d->table->loop_count)
		return err_set(d->err, ERR_FORMAT, "word %zu: loop %" PRIu64 "; the kernel has %zu",
		               d->at, loop, d->table->loop_count);
	sum = d->loops[loop].untold + count;
	if (sum < count)
		return err_set(d->err, ERR_FORMAT,
		               "word %zu: loop %" PRIu64 " cannot come to this iteration", d->at,
		               loop);
	d->loops[loop].untold = sum;
	return 0;
}

static int take_wide(struct word_decoder *d, uint64_t id)
{
	uint64_t rest[2];
	int ret = next_words(d, rest, 2);
	struct point p = { .id = id < UINT32_MAX ? (uint32_t)id : UINT32_MAX };

	if (ret)
		return ret;
	p.address = rest[0];
	p.run = rest[1];
	return take_point(d, &p);
}

static int take_count(struct word_decoder *d, uint64_t id)
{
	uint64_t count = 0;
	int ret = next_word(d, &count);

	if (ret)
		return ret;
	if (!d->sums || id >= d->table->cell_count)
		return err_set(d->err, ERR_FORMAT, "word %zu: a count of cell %" PRIu64, d->at, id);
	d->sums[id] += count;
	return 0;
}

static int take_kind(struct word_decoder *d, uint64_t word)
{
	uint64_t payload = word & PAYLOAD_MASK;

	switch ((enum probe_word)(word >> PROBE_RUN_SHIFT)) {
	case WORD_ADVANCE:
		return take_advance(d, payload);
	case WORD_WIDE:
		return take_wide(d, payload);
	case WORD_RUN:
		return take_run(d, payload);
	case WORD_RUN_LONG:
		return take_long_run(d, payload);
	case WORD_GRID:
		return take_grid(d, payload);
	case WORD_COUNT:
		return take_count(d, payload);
	case WORD_END:
		break;
	}
	return err_set(d->err, ERR_FORMAT, "word %zu: %016" PRIx64 " is of no kind", d->at, word);
}

static int take(struct word_decoder *d, uint64_t word)
{
	uint64_t code = word >> PROBE_CODE_SHIFT;
	struct point p = { .id = (uint32_t)code - 1,
		           .address = word & PAYLOAD_MASK,
		           .run = word >> PROBE_RUN_SHIFT & PROBE_MAX_RUN };

	return code ? take_point(d, &p) : take_kind(d, word);
}

/*
 * Get the iteration of a usual word. False for any other: an unknown site, a size after it, an
 * entry or an epoch before it, a damaged word.
 */
static inline bool is_usual(const struct word_decoder *d, uint64_t word, uint32_t *iteration)
{
	uint64_t id = (word >> PROBE_CODE_SHIFT) - 1, next;
	uint64_t run = word >> PROBE_RUN_SHIFT & PROBE_MAX_RUN;
	struct loop_state *l;

	if (id >= d->table->site_count || !d->plain[id].is_plain)
		return false;
	*iteration = 0;
	l = d->plain[id].loop;
	if (!l)
		return !run;
	next = l->iteration + run;
	if (next >> 32 != l->high || next == NO_ITERATION || l->untold || l->is_pending)
		return false;
	l->iteration = next;
	*iteration = (uint32_t)next;
	return true;
}

/* Decode words as long as they are usual, as nearly all are, and their events fit. */
static int take_usual(struct word_decoder *d)
{
	struct array *out = d->out;
	uint32_t iteration;
	int ret = 0;

	while (!ret && d->at < d->count && out->count < out->capacity &&
	       out->count < out->limit_count) {
		uint64_t word = d->words[d->at * d->step];
		uint32_t id = (uint32_t)(word >> PROBE_CODE_SHIFT) - 1;

		if (!is_usual(d, word, &iteration))
			return 0;
		d->at++;
		((struct event *)out->data)[out->count++] =
			(struct event){ .value = word & PAYLOAD_MASK,
			                .point = EVENT_SITE | id,
			                .iteration = iteration };
		if (d->plain[id].is_leader)
			d->last[id] = (struct last_address){ word & PAYLOAD_MASK, d->item };
		if (d->plain[id].count)
			ret = put_companions(d, id, iteration);
	}
	return ret;
}

int word_decoder_add(struct word_decoder *d, const struct word_span *span, struct array *out,
                     struct err *err)
{
	int ret = 0;

	d->words = span->words;
	d->at = 0;
	d->count = span->count;
	d->step = span->step;
	d->out = out;
	d->err = err;
	while (!ret && d->at < d->count) {
		uint64_t word;

		ret = take_usual(d);
		if (ret)
			break;
		word = d->at < d->count ? d->words[d->at++ * d->step] : 0;
		if (word)
			ret = take(d, word);
		else if (!span->has_gaps)
			break;
	}
	return ret;
}
