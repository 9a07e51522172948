/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle_view.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "launch_pack.h"
#include "recorded.h"
#include "str.h"
#include "trace_source.h"
#include "varint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static int damaged(const struct trace_source *source, uint64_t offset, const char *what,
                   struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s: offset %" PRIu64 ": bundle: %s",
	               trace_source_name(source), offset, what);
}

/* Whether a head is that of the bundle of the line; what is not known of it is filled in. */
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

/* The facts of an intact head, unpacked, with zeros behind them, on the heap. */
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

/* Where the launches' bytes are is not said of each: the bundle's are shared out. */
static void share_bytes(const struct recorded_bundle *b, struct recorded_launch *launches)
{
	for (uint64_t i = 0; i < b->launches; i++)
		launches[i].totals.file_bytes =
			b->bytes * (i + 1) / b->launches - b->bytes * i / b->launches;
}

int bundle_view_facts(struct recorded_bundle *b, struct trace_source *source,
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

/* The shapes of the launches that have groups, for the chunk. */
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

int bundle_view_open(struct bundle_view **out, struct recorded_bundle *b,
                     struct trace_source *source, const struct bundle_terms *terms, struct err *err)
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

void bundle_view_free(struct bundle_view *v)
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
