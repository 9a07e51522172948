/* SPDX-License-Identifier: Apache-2.0 */
#include "access.h"

#include "array.h"
#include "err.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Per loop of the table: the work-item's position, from its events so far. */
struct loop_progress {
	uint64_t outer; /* iteration of the loop around it, when it was entered */
	uint64_t epoch; /* its own iteration with the low 32 bits clear */
};

struct access_decoder {
	const struct kernel_table *table;
	struct loop_progress *progress; /* table->loop_count */
	struct access_loop *path;       /* room for the deepest nest */
	uint64_t next_bytes;            /* size of the next access, from EVENT_SIZE; 0: none */
};

int access_decoder_create(struct access_decoder **out, const struct kernel_table *table,
                          struct err *err)
{
	struct access_decoder *d = array_alloc(1, sizeof(*d), "access decoder", err);

	if (!d)
		return ERR_NOMEM;
	d->table = table;
	d->progress = array_alloc(table->loop_count, sizeof(*d->progress), "loops", err);
	d->path = array_alloc(table->loop_count, sizeof(*d->path), "loops", err);
	if (!d->progress || !d->path) {
		access_decoder_free(d);
		return ERR_NOMEM;
	}
	*out = d;
	return 0;
}

void access_decoder_free(struct access_decoder *d)
{
	if (!d)
		return;
	free(d->progress);
	free(d->path);
	free(d);
}

void access_decoder_begin(struct access_decoder *d)
{
	memset(d->progress, 0, d->table->loop_count * sizeof(*d->progress));
	d->next_bytes = 0;
}

/* Write the loops around a site into d->path, outermost first. Returns their number. */
static size_t fill_path(struct access_decoder *d, int32_t loop, uint32_t iteration)
{
	size_t depth = loop < 0 ? 0 : d->table->loops[loop].depth;
	uint64_t current;

	if (loop < 0)
		return 0;
	current = d->progress[loop].epoch | iteration;
	for (size_t level = depth; level-- > 0;) {
		d->path[level] = (struct access_loop){ (uint32_t)loop, current };
		current = d->progress[loop].outer;
		loop = d->table->loops[loop].parent;
	}
	return depth;
}

static void take_site(struct access_decoder *d, const struct event *e, uint32_t id,
                      struct access *out)
{
	const struct site *site = &d->table->sites[id];

	*out = (struct access){ .site = id, .facts = site };
	if (site_kind_has_address(site->kind)) {
		out->address = e->value;
		out->bytes = d->next_bytes ? d->next_bytes : site->bytes;
		d->next_bytes = 0;
	}
	out->loop_count = fill_path(d, site->loop, e->iteration);
	out->loops = d->path;
}

int access_decoder_take(struct access_decoder *d, const struct event *e, struct access *out,
                        struct err *err)
{
	uint32_t kind = e->point & EVENT_KIND_MASK, id = e->point & EVENT_ID_MASK;
	bool is_loop = kind == EVENT_LOOP || kind == EVENT_EPOCH;
	size_t count = is_loop ? d->table->loop_count : d->table->site_count;

	if (kind > EVENT_SIZE)
		return err_set(err, ERR_FORMAT,
		               "kernel %s: a packed event, expected an expanded stream",
		               d->table->name);
	if (id >= count)
		return err_set(err, ERR_FORMAT, "kernel %s: an event names %s %u of %zu",
		               d->table->name, is_loop ? "loop" : "site", id, count);
	if (kind == EVENT_LOOP)
		d->progress[id] = (struct loop_progress){ .outer = e->value };
	else if (kind == EVENT_EPOCH)
		d->progress[id].epoch = e->value & ~(uint64_t)UINT32_MAX;
	else if (kind == EVENT_SIZE)
		d->next_bytes = e->value;
	else
		take_site(d, e, id, out);
	return kind == EVENT_SITE;
}

const char *access_loops_text(const struct access *a, struct str *room, struct err *err)
{
	if (!a->loop_count)
		return NULL;
	room->length = 0;
	for (size_t i = 0; i < a->loop_count; i++)
		if (str_printf(room, err, "%s%u:%" PRIu64, i ? " " : "", a->loops[i].loop,
		               a->loops[i].iteration))
			return NULL;
	return room->text;
}
