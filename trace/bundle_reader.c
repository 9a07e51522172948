/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle_reader.h"

#include "array.h"
#include "bundle_writer.h"
#include "err.h"
#include "file.h"
#include "kernel_table.h"
#include "launch_pack.h"
#include "launch_reader.h"
#include "manifest_json.h"
#include "recorded.h"
#include "recording.h"
#include "str.h"
#include "trace_source.h"
#include "varint.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static int damaged(const struct trace_source *source, uint64_t offset, const char *what,
                   struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s: offset %" PRIu64 ": bundle: %s",
	               trace_source_name(source), offset, what);
}

/* Check that a head is that of the bundle of the line, and fill in what the line lacks. */
static const char *head_fault(struct recorded_bundle *b, const struct bundle_head *h,
                              const struct bundle_terms *terms)
{
	uint64_t bytes = (uint64_t)BUNDLE_HEAD_BYTES + h->packed_bytes + h->chunk_bytes;

	if (!b->is_named && !b->bytes) {
		b->bytes = bytes;
		b->sum = h->checksum;
	}
	if (h->checksum != b->sum || h->kernel != b->kernel || h->launches != b->launches ||
	    bytes != b->bytes)
		return "it is not the one that the manifest names";
	if (h->table_checksum != launch_table_checksum(terms->table))
		return "it is of a kernel whose sites and loops are others";
	return h->raw_bytes > LAUNCH_BUNDLE_FACTS_MAX ? "its facts have more than 2^24 bytes"
	                                              : NULL;
}

static int read_head(struct recorded_bundle *b, struct trace_source *source,
                     const struct bundle_terms *terms, struct bundle_head *head,
                     unsigned char bytes[BUNDLE_HEAD_BYTES], struct err *err)
{
	int ret = trace_source_read(source, b->offset, bytes, BUNDLE_HEAD_BYTES, err);
	const char *fault;

	if (!ret)
		ret = bundle_head_get(head, bytes, trace_source_name(source), b->offset, err);
	if (ret)
		return ret;
	fault = head_fault(b, head, terms);
	if (!fault && b->bytes > trace_source_length(source) - b->offset)
		fault = "it goes past the end of the file";
	return fault ? damaged(source, b->offset, fault, err) : 0;
}

/* Read and unpack the facts of an intact head, followed by zeros, on the heap. */
static int unpack_facts(const struct recorded_bundle *b, struct trace_source *source,
                        const struct bundle_head *head, const unsigned char *head_bytes,
                        unsigned char **out, struct err *err)
{
	unsigned char *packed = malloc((size_t)head->packed_bytes + 1);
	unsigned char *raw = calloc((size_t)head->raw_bytes + VARINT_BYTES_MAX, 1);
	ZSTD_DCtx *context = ZSTD_createDCtx();
	const char *fault = NULL;
	int ret = 0;

	if (!packed || !raw || !context)
		ret = err_set(err, ERR_NOMEM, "out of memory for the facts of launches");
	if (!ret)
		ret = trace_source_read(source, b->offset + BUNDLE_HEAD_BYTES, packed,
		                        head->packed_bytes, err);
	if (!ret && !bundle_head_is_intact(head_bytes, packed, head->packed_bytes))
		fault = "its checksum is wrong";
	else if (!ret)
		fault = launch_unpack(context, raw, head->raw_bytes, packed, head->packed_bytes);
	if (fault)
		ret = damaged(source, b->offset, fault, err);
	ZSTD_freeDCtx(context);
	free(packed);
	*out = ret ? NULL : raw;
	if (ret)
		free(raw);
	return ret;
}

/* Divide the bundle's bytes among its launches, whose own bytes are not recorded. */
static void share_bytes(const struct recorded_bundle *b, struct recorded_launch *launches)
{
	for (uint64_t i = 0; i < b->launches; i++)
		launches[i].totals.file_bytes =
			b->bytes * (i + 1) / b->launches - b->bytes * i / b->launches;
}

/*
 * Read the head and the facts of a bundle at b->offset into launches[b->launches], zeroed, and
 * *shared (see bundle_facts_read()). *head is set. If b->bytes is 0, it and what follows from the
 * head are filled in. Returns 0, ERR_FORMAT, ERR_VERSION, ERR_IO, ERR_NOMEM.
 */
static int bundle_view_facts(struct recorded_bundle *b, struct trace_source *source,
                             const struct bundle_terms *terms, struct bundle_head *head,
                             struct recorded_launch *launches, struct bundle_shared *shared,
                             struct err *err)
{
	unsigned char head_bytes[BUNDLE_HEAD_BYTES], *raw;
	struct err why = { 0 };
	int ret = read_head(b, source, terms, head, head_bytes, err);

	*shared = (struct bundle_shared){ .arguments = NULL };
	if (!ret)
		ret = unpack_facts(b, source, head, head_bytes, &raw, err);
	if (ret)
		return ret;
	ret = bundle_facts_read(launches, shared, terms, raw, head->raw_bytes, &why);
	free(raw);
	if (ret == ERR_FORMAT)
		return damaged(source, b->offset, why.msg, err);
	share_bytes(b, launches);
	return ret ? err_set(err, (enum err_code)ret, "%s", why.msg) : 0;
}

/* List the shapes of the launches with groups, for the chunk. */
static int list_shapes(struct bundle_view *v, const struct recorded_launch *launches, size_t count,
                       struct err *err)
{
	size_t used = 0;

	v->shapes = array_alloc(count, sizeof(*v->shapes), "shapes", err);
	v->own_shapes = array_alloc(count, sizeof(*v->own_shapes), "shapes", err);
	if (!v->shapes || !v->own_shapes)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct recorded_launch *l = &launches[i];

		if (l->fate != LAUNCH_TRACED || !l->totals.groups)
			continue;
		v->own_shapes[used] = l->shape;
		v->shapes[used] = (struct chunk_shape){ &v->own_shapes[used],
			                                l->place + (uint32_t)l->totals.groups };
		used++;
	}
	v->shape_count = used;
	return 0;
}

static int read_chunk(struct bundle_view *v, const struct recorded_bundle *b,
                      struct trace_source *source, const struct bundle_head *head,
                      const struct kernel_table *table, struct err *err)
{
	uint64_t offset = b->offset + BUNDLE_HEAD_BYTES + head->packed_bytes;
	uint32_t groups = v->shape_count ? v->shapes[v->shape_count - 1].end : 0;
	uint64_t bytes;
	int ret;

	v->header = (struct launch_header){ .version = LAUNCH_VERSION,
		                            .site_count = (uint32_t)table->site_count,
		                            .loop_count = (uint32_t)table->loop_count };
	if (!groups || !head->chunk_bytes)
		return groups || head->chunk_bytes
		               ? damaged(source, b->offset, "its groups are not there", err)
		               : 0;
	ret = chunk_view_init(&v->chunk, &v->header, table, err);
	if (ret)
		return ret;
	chunk_view_set_shapes(&v->chunk, v->shapes, groups);
	ret = chunk_view_load(&v->chunk, source, offset, offset + head->chunk_bytes, &bytes, err);
	if (ret)
		return ret;
	if (bytes != head->chunk_bytes || v->chunk.header.checksum != head->chunk_checksum)
		return damaged(source, b->offset, "its chunk is another", err);
	if (v->chunk.header.totals.events > LAUNCH_BUNDLE_EVENTS_MAX ||
	    v->chunk.header.items > LAUNCH_BUNDLE_ITEMS_MAX)
		return damaged(source, b->offset, "its chunk is too large", err);
	return chunk_view_decode_all(&v->chunk, err);
}

static void bundle_view_free(struct bundle_view *v)
{
	if (!v)
		return;
	chunk_view_release(&v->chunk);
	bundle_shared_release(&v->shared);
	free(v->shapes);
	free(v->own_shapes);
	free(v->name);
	free(v);
}

/* Read and decode a bundle. Errors as above. Free with bundle_view_free(). */
static int bundle_view_open(struct bundle_view **out, struct recorded_bundle *b,
                            struct trace_source *source, const struct bundle_terms *terms,
                            struct err *err)
{
	struct bundle_view *v = array_alloc(1, sizeof(*v), "bundle", err);
	struct recorded_launch *launches =
		array_alloc(terms->launches, sizeof(*launches), "launches of a bundle", err);
	struct bundle_head head;
	int ret = v && launches ? 0 : ERR_NOMEM;

	if (!ret) {
		v->name = str_copy(trace_source_name(source), err);
		ret = v->name ? bundle_view_facts(b, source, terms, &head, launches, &v->shared,
		                                  err)
		              : ERR_NOMEM;
	}
	if (!ret)
		ret = list_shapes(v, launches, terms->launches, err);
	if (!ret)
		ret = read_chunk(v, b, source, &head, terms->table, err);
	free(launches);
	if (ret)
		bundle_view_free(v);
	else
		*out = v;
	return ret;
}

#define VIEWS 8 /* bundles that stay decoded */

/* Decoded bundles, most recently used first. */
struct bundle_cache {
	pthread_mutex_t lock;
	struct {
		struct bundle_view *view;
		uint32_t bundle;
	} entries[VIEWS];
};

/* The state while a recording is opened. */
struct loader {
	struct recording *r;
	struct array launches; /* of all */
	struct array bundles;  /* of all, those in the open file included */
	struct trace_source *source;
	char *file; /* of `source` */
};

static struct bundle_terms terms_of(const struct recording *r, const struct recorded_bundle *b)
{
	return (struct bundle_terms){ .table = &r->kernels[b->kernel].table,
		                      .buffers = r->buffer_count,
		                      .launches = (size_t)b->launches };
}

/* Open the bundle's file as l->source. */
static int open_source(struct loader *l, const struct recorded_bundle *b, struct err *err)
{
	int ret;

	if (l->source && !strcmp(l->file, b->file))
		return 0;
	trace_source_close(l->source);
	l->source = NULL;
	free(l->file);
	l->file = str_copy(b->file, err);
	ret = l->file ? trace_source_open_below(&l->source, l->r->dir, b->file, err) : ERR_NOMEM;
	return ret;
}

/* Fill in what all launches of a bundle get from it, and check their numbers. */
static const char *finish(const struct recorded_bundle *b, uint32_t number,
                          struct recorded_launch *launches)
{
	uint64_t accesses = 0;

	for (uint64_t i = 0; i < b->launches; i++) {
		launches[i].kernel = b->kernel;
		launches[i].bundle = number + 1;
		launches[i].file = b->file;
		launches[i].groups_selected = b->groups_selected;
		if (launches[i].number < b->first || launches[i].number > b->last)
			return "a launch has another number than the manifest allows";
		if (__builtin_add_overflow(accesses, launches[i].totals.accesses, &accesses))
			accesses = UINT64_MAX;
	}
	return accesses == b->accesses || !b->is_named
	               ? NULL
	               : "its launches have another number of accesses than the manifest says";
}

/* Read bundle `number` and add its launches. Damage is kept with the bundle. */
static int load(struct loader *l, uint32_t number, struct err *err)
{
	struct recorded_bundle *b = &((struct recorded_bundle *)l->bundles.data)[number];
	struct bundle_terms terms = terms_of(l->r, b);
	struct recorded_launch *launches = array_push(&l->launches, terms.launches, err);
	struct bundle_shared shared = { 0 };
	struct err why = { 0 };
	struct bundle_head head;
	const char *fault;
	int ret;

	if (!launches)
		return err->code;
	ret = open_source(l, b, &why);
	if (!ret)
		ret = bundle_view_facts(b, l->source, &terms, &head, launches, &shared, &why);
	b->arguments = shared.arguments;
	b->counts = shared.counts;
	b->groups_selected = shared.groups_selected;
	fault = ret ? NULL : finish(b, number, launches);
	if (fault)
		ret = err_set(&why, ERR_FORMAT, "%s: offset %" PRIu64 ": bundle: %s", b->file,
		              b->offset, fault);
	if (!ret)
		return 0;
	l->launches.count -= terms.launches;
	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	b->fault = str_copy(why.msg, err);
	l->r->bad_bundles++;
	return b->fault ? 0 : ERR_NOMEM;
}

static int by_number(const void *a, const void *b)
{
	uint64_t left = ((const struct recorded_launch *)a)->number;
	uint64_t right = ((const struct recorded_launch *)b)->number;

	return (left > right) - (left < right);
}

static bool are_sorted(const struct recorded_launch *l, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (l[i].number < l[i - 1].number)
			return false;
	return true;
}

static void sort(struct recorded_launch *launches, size_t count)
{
	if (count && !are_sorted(launches, count))
		qsort(launches, count, sizeof(*launches), by_number);
}

/* Whether a launch of the open file is already in a bundle: among `count` sorted launches. */
static bool is_known(const struct recorded_launch *launches, size_t count, uint64_t number)
{
	const struct recorded_launch key = { .number = number };

	return count && bsearch(&key, launches, count, sizeof(*launches), by_number);
}

/* Read the head of the next launch in the open file, as a separate bundle. False if there is no
 * more, or if it was being written. */
static bool next_open(struct loader *l, uint64_t offset, struct recorded_bundle *b)
{
	unsigned char bytes[BUNDLE_HEAD_BYTES];
	uint64_t length = trace_source_length(l->source);
	struct bundle_head head;

	if (length - offset < BUNDLE_HEAD_BYTES ||
	    trace_source_read(l->source, offset, bytes, sizeof(bytes), NULL) ||
	    bundle_head_get(&head, bytes, "", offset, NULL))
		return false;
	*b = (struct recorded_bundle){ .offset = offset,
		                       .kernel = head.kernel,
		                       .launches = head.launches,
		                       .last = UINT32_MAX };
	return head.kernel < l->r->kernel_count && head.launches == 1 &&
	       (uint64_t)BUNDLE_HEAD_BYTES + head.packed_bytes + head.chunk_bytes <=
	               length - offset;
}

/* Add one launch of the open file, unless it is known. The first `sorted` launches are those of
 * bundles. *end becomes where the next one begins. */
static int add_open(struct loader *l, const struct recorded_bundle *found, size_t sorted,
                    uint64_t *end, struct err *err)
{
	uint32_t number = (uint32_t)l->bundles.count;
	struct recorded_bundle *b = array_push(&l->bundles, 1, err);
	const struct recorded_launch *launches;
	int ret;

	if (!b)
		return err->code;
	*b = *found;
	b->file = str_copy(BUNDLE_OPEN_FILE, err);
	ret = b->file ? load(l, number, err) : ERR_NOMEM;
	b = &((struct recorded_bundle *)l->bundles.data)[number];
	*end = b->fault ? UINT64_MAX : b->offset + b->bytes;
	b->last = 0;
	launches = l->launches.data;
	if (!ret && !b->fault && is_known(launches, sorted, launches[l->launches.count - 1].number))
		l->launches.count--;
	return ret;
}

/* Add the launches that were written alone when the program was killed. */
static int load_open(struct loader *l, struct err *err)
{
	struct recorded_bundle found = { .file = (char[]){ BUNDLE_OPEN_FILE } };
	size_t sorted = l->launches.count;
	uint64_t offset = 0;
	int ret = 0;

	if (open_source(l, &found, NULL))
		return 0; /* there is none */
	while (!ret && offset != UINT64_MAX && next_open(l, offset, &found))
		ret = add_open(l, &found, sorted, &offset, err);
	return ret;
}

static int check_twice(const struct recording *r, const struct recorded_launch *launches,
                       size_t count, struct err *err)
{
	for (size_t i = 1; i < count; i++)
		if (launches[i].number == launches[i - 1].number)
			return err_set(err, ERR_FORMAT,
			               "%s/manifest.jsonl: launch %" PRIu64 " is there twice",
			               r->dir, launches[i].number);
	return 0;
}

static int load_all(struct loader *l, size_t bundles, struct err *err)
{
	int ret = 0;

	for (uint32_t i = 0; i < bundles && !ret; i++)
		ret = load(l, i, err);
	sort(l->launches.data, l->launches.count);
	if (!ret && !l->r->has_end)
		ret = load_open(l, err);
	sort(l->launches.data, l->launches.count);
	return ret ? ret : check_twice(l->r, l->launches.data, l->launches.count, err);
}

/* Give the items of a list, `count` of them, to an array. */
static void adopt(struct array *a, void *items, size_t count)
{
	a->data = items;
	a->count = a->capacity = items ? count : 0;
}

int bundle_reader_sort(struct recording *r, struct err *err)
{
	sort(r->launches, r->launch_count);
	return check_twice(r, r->launches, r->launch_count, err);
}

int bundle_reader_load(struct recording *r, struct err *err)
{
	struct loader l = { .r = r };
	size_t bundles = r->bundle_count;
	int ret;

	if (!bundles && (r->has_end || r->version < MANIFEST_VERSION_BUNDLES))
		return bundle_reader_sort(r, err);
	array_init(&l.launches, sizeof(struct recorded_launch), MANIFEST_ITEMS_MAX, "launches");
	array_init(&l.bundles, sizeof(struct recorded_bundle), MANIFEST_ITEMS_MAX, "bundles");
	adopt(&l.launches, r->launches, r->launch_count);
	adopt(&l.bundles, r->bundles, r->bundle_count);
	r->cache = array_alloc(1, sizeof(*r->cache), "decoded bundles", err);
	if (r->cache)
		pthread_mutex_init(&r->cache->lock, NULL);
	ret = r->cache ? load_all(&l, bundles, err) : ERR_NOMEM;
	r->launch_count = l.launches.count;
	r->launches = array_take(&l.launches);
	r->bundle_count = l.bundles.count;
	r->bundles = array_take(&l.bundles);
	trace_source_close(l.source);
	free(l.file);
	return ret;
}

static void put_view(struct bundle_view *v)
{
	if (v && !--v->users)
		bundle_view_free(v);
}

void bundle_reader_release(struct recording *r)
{
	for (size_t i = 0; r->cache && i < VIEWS; i++)
		put_view(r->cache->entries[i].view);
	if (r->cache)
		pthread_mutex_destroy(&r->cache->lock);
	free(r->cache);
	for (size_t i = 0; i < r->bundle_count; i++) {
		struct recorded_bundle *b = &r->bundles[i];

		free(b->file);
		free(b->groups_selected);
		free(b->arguments);
		free(b->counts);
		free(b->fault);
	}
	free(r->bundles);
}

/* Returns the decoded bundle if it is cached, and moves it to the front. The lock must be held. */
static struct bundle_view *recall(struct bundle_cache *c, uint32_t bundle)
{
	for (size_t i = 0; i < VIEWS && c->entries[i].view; i++) {
		struct bundle_view *view = c->entries[i].view;

		if (c->entries[i].bundle != bundle)
			continue;
		memmove(&c->entries[1], &c->entries[0], i * sizeof(c->entries[0]));
		c->entries[0].view = view;
		c->entries[0].bundle = bundle;
		view->users++;
		return view;
	}
	return NULL;
}

/* Add a decoded bundle to the cache. The lock must be held. */
static void keep(struct bundle_cache *c, uint32_t bundle, struct bundle_view *view)
{
	put_view(c->entries[VIEWS - 1].view);
	memmove(&c->entries[1], &c->entries[0], (VIEWS - 1) * sizeof(c->entries[0]));
	c->entries[0].view = view;
	c->entries[0].bundle = bundle;
	view->users = 2; /* the cache and the caller */
}

static int decode(const struct recording *r, uint32_t bundle, struct bundle_view **view,
                  struct err *err)
{
	struct recorded_bundle b = r->bundles[bundle];
	struct bundle_terms terms = terms_of(r, &b);
	struct trace_source *source;
	int ret = trace_source_open_below(&source, r->dir, b.file, err);

	if (ret)
		return ret;
	ret = bundle_view_open(view, &b, source, &terms, err);
	trace_source_close(source);
	return ret;
}

/* Take a reference to a decoded bundle. */
static int take_view(const struct recording *r, uint32_t bundle, struct bundle_view **view,
                     struct err *err)
{
	int ret = 0;

	pthread_mutex_lock(&r->cache->lock);
	*view = recall(r->cache, bundle);
	if (!*view) {
		ret = decode(r, bundle, view, err);
		if (!ret)
			keep(r->cache, bundle, *view);
	}
	pthread_mutex_unlock(&r->cache->lock);
	return ret;
}

static void give_view(void *cache, struct bundle_view *view)
{
	struct bundle_cache *c = cache;

	pthread_mutex_lock(&c->lock);
	put_view(view);
	pthread_mutex_unlock(&c->lock);
}

int bundle_reader_open(const struct recording *r, const struct recorded_launch *l,
                       struct launch_reader **out, struct err *err)
{
	struct launch_bundle place = { .facts = l, .give = give_view, .context = r->cache };
	int ret = take_view(r, l->bundle - 1, &place.view, err);

	if (ret)
		return ret;
	ret = launch_reader_open_bundle(out, &place, &r->kernels[l->kernel].table, err);
	if (ret)
		give_view(r->cache, place.view);
	return ret;
}
