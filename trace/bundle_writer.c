/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle_writer.h"

#include "array.h"
#include "bundle_facts.h"
#include "chunk_builder.h"
#include "err.h"
#include "file.h"
#include "launch_format.h"
#include "launch_pack.h"
#include "launch_writer.h"
#include "own_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* Any of these is enough for a bundle. A launch of its own is compressed at once. */
#define MANY_LAUNCHES ((size_t)1024)
#define MANY_EVENTS   (UINT64_C(1) << 16) /* of all kernels */
#define MANY_ITEMS    (UINT64_C(1) << 17) /* of all kernels */
#define MANY_FACTS    ((size_t)1 << 20)   /* bytes */
#define LARGE_EVENTS  2048
#define MANY_WAITING  64 /* more waiting launches are not written alone */
#define MOST_KERNELS  64 /* kernels whose launches are gathered at a time */

/* A chunk and the facts of its launches. */
struct bundle_part {
	struct chunk_builder chunk;
	struct bundle_facts facts;
	size_t launches;
	uint64_t first, last; /* numbers */
	uint64_t accesses;
};

/* The gathered launches of a kernel, and where a single launch is encoded. */
struct open_bundle {
	struct kernel_table table; /* what the encoding depends on */
	uint32_t kernel;
	char *selected;    /* groups_selected of all, or NULL */
	uint64_t checksum; /* of the table */
	struct bundle_part all, alone;
};

/* A gathered launch that is not in a file yet. */
struct waiting {
	struct open_bundle *bundle;
	struct recorded_launch facts;
	struct launch_writer *events;
};

struct bundle_writer {
	char *dir;
	struct own_file file, open_file;
	uint64_t file_bytes, open_bytes;
	struct open_bundle *bundles[MOST_KERNELS];
	size_t count;
	uint64_t events, items; /* gathered */
	struct waiting waiting[MANY_WAITING];
	size_t waiting_count;
	bool is_crowded; /* too many wait to be written alone: they are written together */
	struct ZSTD_CCtx_s *context;
	bundle_sink sink;
	void *sink_context;
};

static void part_init(struct bundle_part *p, const struct kernel_table *t, bool is_stored)
{
	chunk_builder_init(&p->chunk, t);
	p->chunk.is_stored = is_stored;
	bundle_facts_init(&p->facts);
	p->launches = 0;
	p->accesses = 0;
}

static void part_release(struct bundle_part *p)
{
	chunk_builder_release(&p->chunk);
	bundle_facts_release(&p->facts);
}

static void part_clear(struct bundle_part *p)
{
	chunk_builder_clear(&p->chunk);
	bundle_facts_clear(&p->facts);
	p->launches = 0;
	p->accesses = 0;
}

static const struct held_groups *held_of(const struct launch_writer *events,
                                         const uint32_t **numbers)
{
	return events ? launch_writer_held(events, numbers) : NULL;
}

static size_t events_of(const struct launch_writer *events)
{
	const uint32_t *numbers;
	const struct held_groups *held = held_of(events, &numbers);

	return held ? held->events.count : 0;
}

static bool part_has_room(const struct bundle_part *p, const struct launch_writer *events)
{
	const struct launch_chunk_header *h = &p->chunk.header;
	const uint32_t *numbers;
	const struct held_groups *held = held_of(events, &numbers);

	return p->launches < MANY_LAUNCHES &&
	       (!held || (h->groups + held->groups.count <= LAUNCH_CHUNK_GROUPS_MAX &&
	                  h->items + held->firsts.count <= LAUNCH_BUNDLE_ITEMS_MAX &&
	                  h->totals.events + held->events.count <= LAUNCH_BUNDLE_EVENTS_MAX));
}

static int part_add(struct bundle_part *p, const struct recorded_launch *facts,
                    const struct launch_writer *events, struct err *err)
{
	const struct launch_totals none = { 0 };
	const uint32_t *numbers;
	const struct held_groups *held = held_of(events, &numbers);
	const struct group_events *groups = held ? held_groups_all(held) : NULL;
	uint64_t number = facts->number;
	int ret =
		bundle_facts_add(&p->facts, facts, events && launch_writer_is_partial(events), err);

	for (size_t i = 0; held && i < held->groups.count && !ret; i++)
		ret = chunk_builder_add(&p->chunk, numbers[i], &groups[i],
		                        i ? &none : &facts->totals, err);
	p->first = !p->launches || number < p->first ? number : p->first;
	p->last = !p->launches || number > p->last ? number : p->last;
	p->launches++;
	if (__builtin_add_overflow(p->accesses, facts->totals.accesses, &p->accesses))
		p->accesses = UINT64_MAX;
	return ret;
}

static void bundle_free(struct open_bundle *b)
{
	part_release(&b->all);
	part_release(&b->alone);
	kernel_table_release(&b->table);
	free(b->selected);
	free(b);
}

static int bundle_create(struct open_bundle **out, const struct bundle_launch *l, struct err *err)
{
	struct open_bundle *b = array_alloc(1, sizeof(*b), "bundle", err);
	const char *selected = l->facts->groups_selected;

	if (!b)
		return ERR_NOMEM;
	b->kernel = l->facts->kernel;
	b->checksum = launch_table_checksum(l->table);
	b->selected = selected ? str_copy(selected, err) : NULL;
	part_init(&b->all, &b->table, false);
	part_init(&b->alone, &b->table, true);
	if ((selected && !b->selected) || kernel_table_copy_codes(&b->table, l->table, err)) {
		bundle_free(b);
		return ERR_NOMEM;
	}
	*out = b;
	return 0;
}

int bundle_writer_create(struct bundle_writer **out, const char *dir, bundle_sink sink,
                         void *context, struct err *err)
{
	struct bundle_writer *w = array_alloc(1, sizeof(*w), "writer of bundles", err);

	if (!w)
		return ERR_NOMEM;
	w->file.fd = w->open_file.fd = -1;
	w->sink = sink;
	w->sink_context = context;
	w->dir = str_copy(dir, err);
	w->context = ZSTD_createCCtx();
	if (!w->dir || !w->context) {
		bundle_writer_free(w);
		return err_set(err, ERR_NOMEM, "out of memory for a writer of bundles");
	}
	*out = w;
	return 0;
}

/* Forget the waiting launches, which are in a file now, or lost. */
static void forget_waiting(struct bundle_writer *w)
{
	for (size_t i = 0; i < w->waiting_count; i++) {
		launch_writer_discard(w->waiting[i].events);
		free(w->waiting[i].facts.arguments);
		free(w->waiting[i].facts.counts);
	}
	w->waiting_count = 0;
	w->is_crowded = false;
}

static void forget_bundles(struct bundle_writer *w)
{
	while (w->count)
		bundle_free(w->bundles[--w->count]);
}

void bundle_writer_free(struct bundle_writer *w)
{
	if (!w)
		return;
	forget_waiting(w);
	forget_bundles(w);
	(void)own_file_close(&w->file, NULL);
	(void)own_file_close(&w->open_file, NULL);
	ZSTD_freeCCtx(w->context);
	free(w->dir);
	free(w);
}

uint64_t bundle_writer_bytes(const struct bundle_writer *w)
{
	return w->file_bytes + w->open_bytes;
}

/* Pack the facts after room for a head, in bytes that the caller frees; NULL with ERR_NOMEM. Room
 * for chunk_bytes follows. */
static unsigned char *pack_facts(struct bundle_writer *w, const struct bundle_part *p,
                                 struct bundle_head *head, struct err *err)
{
	size_t length = p->facts.bytes.length, packed = 0;
	unsigned char *bytes =
		malloc(BUNDLE_HEAD_BYTES + launch_pack_bound(length) + head->chunk_bytes);

	if (!bytes) {
		err_set(err, ERR_NOMEM, "out of memory for a bundle of launches");
		return NULL;
	}
	if (p->chunk.is_stored) {
		packed = launch_store(bytes + BUNDLE_HEAD_BYTES, p->facts.bytes.text, length);
	} else if (launch_pack(w->context, bytes + BUNDLE_HEAD_BYTES, p->facts.bytes.text, length,
	                       &packed, err)) {
		free(bytes);
		return NULL;
	}
	head->raw_bytes = (uint32_t)length;
	head->packed_bytes = (uint32_t)packed;
	return bytes;
}

/* Encode a part as it is in the file; the caller frees *bytes. */
static int pack(struct bundle_writer *w, const struct open_bundle *b, struct bundle_part *p,
                struct bundle_head *head, unsigned char **bytes, struct err *err)
{
	unsigned char *chunk = NULL;
	size_t chunk_bytes = 0;

	*head = (struct bundle_head){ .kernel = b->kernel,
		                      .launches = (uint32_t)p->launches,
		                      .table_checksum = b->checksum };
	if (p->chunk.header.groups && chunk_builder_pack(&p->chunk, &chunk, &chunk_bytes, err))
		return ERR_NOMEM;
	head->chunk_bytes = (uint32_t)chunk_bytes;
	head->chunk_checksum = chunk ? launch_chunk_checksum(chunk) : 0;
	*bytes = pack_facts(w, p, head, err);
	if (*bytes) {
		bundle_head_put(*bytes, head, *bytes + BUNDLE_HEAD_BYTES);
		if (chunk)
			memcpy(*bytes + BUNDLE_HEAD_BYTES + head->packed_bytes, chunk, chunk_bytes);
	}
	free(chunk);
	return *bytes ? 0 : ERR_NOMEM;
}

/* Append to one of the files, which is created if needed. */
static int append(struct bundle_writer *w, struct own_file *file, const char *name,
                  const unsigned char *bytes, size_t length, struct err *err)
{
	struct err inner = { 0 };
	char *path = file_path(w->dir, name, err);
	int ret = 0;

	if (!path)
		return ERR_NOMEM;
	if (!file->path)
		ret = own_file_create(file, path, &inner);
	if (!ret)
		ret = own_file_write(file, bytes, length, &inner);
	if (ret)
		err_set(err, (enum err_code)ret, "%s: %s", path, inner.msg);
	free(path);
	return ret;
}

/* Write the gathered launches of a kernel. */
static int seal(struct bundle_writer *w, struct open_bundle *b, struct err *err)
{
	struct bundle_part *p = &b->all;
	struct bundle_written written = { .kernel = b->kernel,
		                          .launches = p->launches,
		                          .offset = w->file_bytes,
		                          .first = p->first,
		                          .last = p->last,
		                          .accesses = p->accesses };
	unsigned char *bytes = NULL;
	struct bundle_head head;
	int ret;

	if (!p->launches)
		return 0;
	ret = pack(w, b, p, &head, &bytes, err);
	written.bytes = (uint64_t)BUNDLE_HEAD_BYTES + head.packed_bytes + head.chunk_bytes;
	written.checksum = head.checksum;
	if (!ret)
		ret = append(w, &w->file, BUNDLE_FILE, bytes, (size_t)written.bytes, err);
	free(bytes);
	if (!ret)
		ret = w->sink(w->sink_context, &written, err);
	w->file_bytes += written.bytes;
	part_clear(p);
	return ret;
}

/* Write all gathered launches, so that the open file is no longer needed. */
static int seal_all(struct bundle_writer *w, struct err *err)
{
	struct err inner = { 0 };
	int ret = 0;

	for (size_t i = 0; i < w->count && !ret; i++)
		ret = seal(w, w->bundles[i], err);
	if (!ret && w->open_bytes && own_file_cut(&w->open_file, 0, &inner))
		ret = err_set(err, ERR_IO, "%s/%s: %s", w->dir, BUNDLE_OPEN_FILE, inner.msg);
	w->open_bytes = 0;
	w->events = w->items = 0;
	forget_waiting(w);
	return ret;
}

static bool takes(const struct open_bundle *b, const struct recorded_launch *l)
{
	return b->kernel == l->kernel && !b->selected == !l->groups_selected &&
	       (!b->selected || !strcmp(b->selected, l->groups_selected));
}

/* Find the bundle for a launch, creating it if needed. */
static int find(struct bundle_writer *w, const struct bundle_launch *l, struct open_bundle **out,
                struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < w->count; i++) {
		*out = w->bundles[i];
		if (takes(*out, l->facts))
			return 0;
	}
	if (w->count == MOST_KERNELS)
		ret = seal_all(w, err);
	if (w->count == MOST_KERNELS && !ret)
		forget_bundles(w);
	if (!ret)
		ret = bundle_create(out, l, err);
	if (!ret)
		w->bundles[w->count++] = *out;
	return ret;
}

/* Encode a single launch as it is in the open file; the caller frees *bytes. */
static int pack_alone(struct bundle_writer *w, const struct waiting *x, unsigned char **bytes,
                      size_t *length, struct err *err)
{
	struct bundle_part *alone = &x->bundle->alone;
	struct bundle_head head;
	int ret = part_add(alone, &x->facts, x->events, err);

	if (!ret)
		ret = pack(w, x->bundle, alone, &head, bytes, err);
	part_clear(alone);
	if (!ret)
		*length = (size_t)BUNDLE_HEAD_BYTES + head.packed_bytes + head.chunk_bytes;
	return ret;
}

static int write_alone(struct bundle_writer *w, const unsigned char *bytes, size_t length,
                       struct err *err)
{
	w->open_bytes += length;
	return append(w, &w->open_file, BUNDLE_OPEN_FILE, bytes, length, err);
}

/* Write the waiting launches, one after another. */
static int write_waiting(struct bundle_writer *w, struct err *err)
{
	struct str all;
	int ret = 0;

	str_init(&all, SIZE_MAX - 1);
	for (size_t i = 0; i < w->waiting_count && !ret; i++) {
		unsigned char *bytes = NULL;
		size_t length = 0;

		ret = pack_alone(w, &w->waiting[i], &bytes, &length, err);
		if (!ret)
			ret = str_append(&all, bytes, length, err);
		free(bytes);
	}
	if (!ret)
		ret = write_alone(w, (unsigned char *)all.text, all.length, err);
	str_release(&all);
	forget_waiting(w);
	return ret;
}

int bundle_writer_flush(struct bundle_writer *w, struct err *err)
{
	if (w->is_crowded)
		return seal_all(w, err);
	return w->waiting_count ? write_waiting(w, err) : 0;
}

/* If the launch fits into the open file, write it there. Returns whether it did. */
static int write_if_room(struct bundle_writer *w, const struct waiting *x, uint64_t room_bytes,
                         bool *has_room, struct err *err)
{
	unsigned char *bytes = NULL;
	size_t length = 0;
	int ret = pack_alone(w, x, &bytes, &length, err);

	*has_room = length <= room_bytes;
	if (!ret && *has_room)
		ret = write_alone(w, bytes, length, err);
	free(bytes);
	return ret;
}

/* Add a launch to those of its kernel that wait for a bundle. */
static int gather(struct bundle_writer *w, const struct waiting *x, struct err *err)
{
	const uint32_t *numbers;
	const struct held_groups *held = held_of(x->events, &numbers);

	w->events += held ? held->events.count : 0;
	w->items += held ? held->firsts.count : 0;
	return part_add(&x->bundle->all, &x->facts, x->events, err);
}

/* Whether to write the gathered launches, after this one. */
static bool is_enough(const struct bundle_writer *w, const struct waiting *x)
{
	const struct bundle_part *all = &x->bundle->all;

	return all->launches >= MANY_LAUNCHES || all->facts.bytes.length >= MANY_FACTS ||
	       w->events >= MANY_EVENTS || w->items >= MANY_ITEMS ||
	       events_of(x->events) >= LARGE_EVENTS;
}

/* Keep a launch that may have to be written alone. */
static void keep_waiting(struct bundle_writer *w, const struct waiting *x, struct bundle_launch *l)
{
	if (w->waiting_count == MANY_WAITING) {
		forget_waiting(w);
		w->is_crowded = true;
	}
	if (w->is_crowded)
		return;
	w->waiting[w->waiting_count++] = *x;
	l->events = NULL;
	l->facts->arguments = NULL;
	l->facts->counts = NULL;
}

int bundle_writer_add(struct bundle_writer *w, struct bundle_launch *l, bool *has_room,
                      struct err *err)
{
	struct waiting x = { .facts = *l->facts, .events = l->events };
	bool is_limited = l->room_bytes != UINT64_MAX;
	int ret = find(w, l, &x.bundle, err);

	*has_room = true;
	if (!ret && !part_has_room(&x.bundle->all, x.events))
		ret = seal_all(w, err);
	if (!ret && is_limited)
		ret = write_if_room(w, &x, l->room_bytes, has_room, err);
	if (ret || !*has_room)
		return ret;
	ret = gather(w, &x, err);
	if (!ret && is_enough(w, &x))
		return seal_all(w, err);
	if (!ret && !is_limited)
		keep_waiting(w, &x, l);
	return ret;
}

int bundle_writer_finish(struct bundle_writer *w, struct err *err)
{
	int ret = seal_all(w, err);

	if (!ret && w->open_file.path)
		(void)unlink(w->open_file.path);
	return ret;
}
