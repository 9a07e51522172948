/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_format.h"

#include "err.h"
#include "kernel_table.h"
#include "packed_run.h"
#include "site_guide.h"
#include "varint.h"

#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

#define HEADER_MAGIC      "WLLAUNCH"
#define CHUNK_MAGIC       "WLCH"
#define TRAILER_MAGIC     "WLTRAIL\n"
#define BUNDLE_MAGIC      "WLBUNDL\n"
#define BUNDLE_VERSION    1u
#define ENDIAN_MARK       UINT32_C(0x01020304)
#define CHUNK_CHECKSUM_AT (LAUNCH_CHUNK_HEADER_BYTES - 8)
#define FLAG_WHOLE        UINT32_C(1)
#define FLAG_PARTIAL      UINT32_C(2)
#define CHUNK_GOES_ON     (UINT32_C(1) << 31) /* in the number of groups */

static const char *const column_names[] = {
#define COLUMN(NAME, name) name,
#include "launch_columns.def"
#undef COLUMN
};

static void put_magic(unsigned char *at, const char *magic, size_t length)
{
	memcpy(at, magic, length); /* without its NUL */
}

void launch_index_magic_put(unsigned char *at)
{
	put_magic(at, LAUNCH_INDEX_MAGIC, LAUNCH_INDEX_MAGIC_BYTES);
}

static void put32(unsigned char *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static void put64(unsigned char *at, uint64_t value)
{
	put32(at, (uint32_t)value);
	put32(at + 4, (uint32_t)(value >> 32));
}

static uint32_t get32(const unsigned char *at)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++)
		value |= (uint32_t)at[i] << 8 * i;
	return value;
}

static uint64_t get64(const unsigned char *at)
{
	return get32(at) | (uint64_t)get32(at + 4) << 32;
}

void launch_sum_put(unsigned char *at, uint64_t sum)
{
	put64(at, sum);
}

uint64_t launch_sum_get(const unsigned char *at)
{
	return get64(at);
}

static int damaged(const char *name, uint64_t offset, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s: offset %" PRIu64 ": %s", name, offset, what);
}

uint64_t launch_table_checksum(const struct kernel_table *t)
{
	unsigned char row[12];
	uint64_t sum = 0;

	for (size_t i = 0; i < t->site_count; i++) {
		put32(row, (uint32_t)t->sites[i].kind);
		put32(row + 4, t->sites[i].bytes);
		put32(row + 8, (uint32_t)t->sites[i].loop);
		sum = XXH64(row, 12, sum);
	}
	for (size_t i = 0; i < t->loop_count; i++) {
		put32(row, (uint32_t)t->loops[i].parent);
		sum = XXH64(row, 4, sum);
	}
	return sum;
}

void launch_header_put(unsigned char bytes[LAUNCH_HEADER_BYTES], struct launch_header *h)
{
	put_magic(bytes, HEADER_MAGIC, 8);
	put32(bytes + 8, LAUNCH_VERSION);
	put32(bytes + 12, ENDIAN_MARK);
	put32(bytes + 16, h->shape.dimensions);
	put32(bytes + 20, h->site_count);
	put32(bytes + 24, h->loop_count);
	put32(bytes + 28, 0);
	put64(bytes + 32, h->table_checksum);
	for (size_t d = 0; d < 3; d++) {
		put64(bytes + 40 + 8 * d, h->shape.global[d]);
		put64(bytes + 64 + 8 * d, h->shape.local[d]);
		put64(bytes + 88 + 8 * d, h->shape.offset[d]);
	}
	h->checksum = XXH64(bytes, 112, 0);
	put64(bytes + 112, h->checksum);
}

int launch_header_get(struct launch_header *h, const unsigned char bytes[LAUNCH_HEADER_BYTES],
                      const char *name, struct err *err)
{
	struct err inner = { 0 };

	if (memcmp(bytes, HEADER_MAGIC, 8) != 0)
		return damaged(name, 0, "expected \"" HEADER_MAGIC "\": not a launch file", err);
	if (get32(bytes + 12) != ENDIAN_MARK)
		return damaged(name, 12, "expected the endianness mark 04 03 02 01", err);
	h->version = get32(bytes + 8);
	if (h->version < LAUNCH_VERSION_OLDEST || h->version > LAUNCH_VERSION)
		return err_set(err, ERR_VERSION,
		               "%s: launch file version %" PRIu32 ", expected %u to %u", name,
		               h->version, LAUNCH_VERSION_OLDEST, LAUNCH_VERSION);
	h->checksum = get64(bytes + 112);
	if (h->checksum != XXH64(bytes, 112, 0))
		return damaged(name, 112, "the header's checksum is wrong", err);
	h->shape.dimensions = get32(bytes + 16);
	h->site_count = get32(bytes + 20);
	h->loop_count = get32(bytes + 24);
	h->table_checksum = get64(bytes + 32);
	for (size_t d = 0; d < 3; d++) {
		h->shape.global[d] = get64(bytes + 40 + 8 * d);
		h->shape.local[d] = get64(bytes + 64 + 8 * d);
		h->shape.offset[d] = get64(bytes + 88 + 8 * d);
	}
	if (get32(bytes + 28) != 0)
		return damaged(name, 28, "expected 0", err);
	if (launch_shape_check(&h->shape, &inner))
		return damaged(name, 16, inner.msg, err);
	if (launch_shape_group_count(&h->shape) > LAUNCH_GROUPS_MAX)
		return damaged(name, 16, "more than 2^32 groups", err);
	return 0;
}

static uint64_t chunk_checksum(const unsigned char *bytes, const void *packed, size_t length)
{
	return XXH64(packed, length, XXH64(bytes, CHUNK_CHECKSUM_AT, 0));
}

void launch_chunk_header_put(unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES],
                             struct launch_chunk_header *h, const void *packed, size_t length)
{
	put_magic(bytes, CHUNK_MAGIC, 4);
	put32(bytes + 4, h->groups | (h->goes_on ? CHUNK_GOES_ON : 0));
	put32(bytes + 8, h->items);
	put32(bytes + 12, h->guide_bytes);
	put64(bytes + 16, h->totals.events);
	put64(bytes + 24, h->totals.reads);
	put64(bytes + 32, h->totals.writes);
	put64(bytes + 40, h->totals.atomics);
	put64(bytes + 48, h->totals.barriers);
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		put32(bytes + 56 + 8 * c, h->raw_bytes[c]);
		put32(bytes + 60 + 8 * c, h->packed_bytes[c]);
	}
	h->checksum = chunk_checksum(bytes, packed, length);
	put64(bytes + CHUNK_CHECKSUM_AT, h->checksum);
}

bool launch_chunk_is_intact(const unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES],
                            const void *packed, size_t length)
{
	return get64(bytes + CHUNK_CHECKSUM_AT) == chunk_checksum(bytes, packed, length);
}

uint64_t launch_chunk_packed_bytes(const struct launch_chunk_header *h)
{
	uint64_t sum = h->guide_bytes;

	for (size_t c = 0; c < COLUMN_COUNT; c++)
		sum += h->packed_bytes[c];
	return sum;
}

/* The least and most bytes of a column, given the chunk's header. */
struct range {
	uint64_t min, max;
};

static int check_columns(const struct launch_chunk_header *h, const char *name, uint64_t offset,
                         struct err *err)
{
	uint64_t events = h->totals.events;
	uint64_t least = (events + PACKED_RUN_EVENTS_MAX - 1) / PACKED_RUN_EVENTS_MAX;
	const struct range rows[COLUMN_COUNT] = {
		[COLUMN_GROUPS] = { h->groups, (uint64_t)h->groups * VARINT_BYTES_MAX },
		[COLUMN_COUNTS] = { h->items, (uint64_t)h->items * VARINT_BYTES_MAX },
		[COLUMN_POINTS] = { least, events * VARINT_BYTES_MAX32 },
		[COLUMN_ITERATIONS] = { least, events * VARINT_BYTES_MAX32 },
		[COLUMN_WIDTHS] = { least, events },
		[COLUMN_VALUES1] = { 0, events },
		[COLUMN_VALUES2] = { 0, events * 2 },
		[COLUMN_VALUES4] = { 0, events * 4 },
		[COLUMN_VALUES8] = { 0, events * 8 },
	};

	for (size_t c = 0; c < COLUMN_COUNT; c++)
		if (h->raw_bytes[c] < rows[c].min || h->raw_bytes[c] > rows[c].max ||
		    h->raw_bytes[c] > (uint64_t)h->packed_bytes[c] * LAUNCH_ZSTD_RATIO_MAX)
			return err_set(err, ERR_FORMAT,
			               "%s: offset %" PRIu64 ": chunk: column %s claims %" PRIu32
			               " bytes from %" PRIu32 ", expected %" PRIu64 "..%" PRIu64,
			               name, offset, column_names[c], h->raw_bytes[c],
			               h->packed_bytes[c], rows[c].min, rows[c].max);
	return 0;
}

/* The most bytes of guides; a version without them had 0 in their place. */
static uint64_t guide_bytes_max(const struct launch_header *file)
{
	return file->version < LAUNCH_VERSION_GUIDES
	               ? 0
	               : (uint64_t)file->site_count * SITE_GUIDE_BYTES_MAX;
}

int launch_chunk_header_get(struct launch_chunk_header *h, const struct launch_header *file,
                            const unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES], const char *name,
                            uint64_t offset, struct err *err)
{
	uint64_t events = get64(bytes + 16);

	if (memcmp(bytes, CHUNK_MAGIC, 4) != 0)
		return damaged(name, offset, "expected a chunk, \"" CHUNK_MAGIC "\"", err);
	*h = (struct launch_chunk_header){ .groups = get32(bytes + 4) & ~CHUNK_GOES_ON,
		                           .items = get32(bytes + 8),
		                           .guide_bytes = get32(bytes + 12) };
	h->totals.events = events;
	h->totals.reads = get64(bytes + 24);
	h->totals.writes = get64(bytes + 32);
	h->totals.atomics = get64(bytes + 40);
	h->totals.barriers = get64(bytes + 48);
	h->totals.accesses = h->totals.reads + h->totals.writes + h->totals.atomics;
	h->totals.groups = h->groups;
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		h->raw_bytes[c] = get32(bytes + 56 + 8 * c);
		h->packed_bytes[c] = get32(bytes + 60 + 8 * c);
	}
	h->checksum = get64(bytes + CHUNK_CHECKSUM_AT);
	h->goes_on = get32(bytes + 4) & CHUNK_GOES_ON;
	if (h->groups < 1 || h->groups > LAUNCH_CHUNK_GROUPS_MAX)
		return damaged(name, offset + 4, "expected 1..4096 groups in a chunk", err);
	if (h->goes_on && (h->groups > 1 || file->version < LAUNCH_VERSION_PARTS))
		return damaged(name, offset + 4, "only a group alone in its chunk can go on", err);
	if (h->items < h->groups || h->items > LAUNCH_CHUNK_ITEMS_MAX)
		return damaged(name, offset + 8, "expected groups..2^20 work-items in a chunk",
		               err);
	if (h->guide_bytes > guide_bytes_max(file))
		return damaged(name, offset + 12, "more bytes of guides than the sites can have",
		               err);
	if (events > LAUNCH_CHUNK_EVENTS_MAX &&
	    (h->groups > 1 || file->version >= LAUNCH_VERSION_PARTS))
		return damaged(name, offset + 16, "expected at most 2^20 events in a chunk", err);
	if (events > LAUNCH_OLD_EVENTS_MAX)
		return err_set(err, ERR_LIMIT,
		               "%s: offset %" PRIu64 ": a group with %" PRIu64
		               " events in one piece, as files before version 4 have it: at most "
		               "%" PRIu64 " are read",
		               name, offset, events, LAUNCH_OLD_EVENTS_MAX);
	return check_columns(h, name, offset, err);
}

/* The checksum over all sums of the file: those of its chunks are in the index, whose sum is here.
 */
static uint64_t trailer_checksum(const unsigned char *bytes, const struct launch_header *file)
{
	return XXH64(bytes, 104, file->version < LAUNCH_VERSION_PARTS ? 0 : file->checksum);
}

void launch_trailer_put(unsigned char bytes[LAUNCH_TRAILER_BYTES], struct launch_trailer *t,
                        const struct launch_header *file)
{
	unsigned char *at = bytes + 40;

	put64(bytes, t->index_offset);
	put64(bytes + 8, t->index_bytes);
	put64(bytes + 16, t->index_raw_bytes);
	put64(bytes + 24, t->index_checksum);
	put32(bytes + 32, (t->is_whole ? FLAG_WHOLE : 0) | (t->is_partial ? FLAG_PARTIAL : 0));
	put32(bytes + 36, t->chunks);
#define TOTAL(name) put64(at, t->totals.name), at += 8;
#include "launch_totals.def"
#undef TOTAL
	t->totals.file_sum = trailer_checksum(bytes, file);
	put64(bytes + 104, t->totals.file_sum);
	put_magic(bytes + 112, TRAILER_MAGIC, 8);
}

static void trailer_fields(struct launch_trailer *t, const unsigned char *bytes)
{
	const unsigned char *at = bytes + 40;

	*t = (struct launch_trailer){
		.index_offset = get64(bytes),
		.index_bytes = get64(bytes + 8),
		.index_raw_bytes = get64(bytes + 16),
		.index_checksum = get64(bytes + 24),
		.is_whole = (get32(bytes + 32) & FLAG_WHOLE) != 0,
		.is_partial = (get32(bytes + 32) & FLAG_PARTIAL) != 0,
		.chunks = get32(bytes + 36),
	};
#define TOTAL(name) t->totals.name = get64(at), at += 8;
#include "launch_totals.def"
#undef TOTAL
}

/* Whether the claims of a trailer are possible in a file of `length` bytes, before any of them
 * is used for an allocation. */
static const char *trailer_fault(const struct launch_trailer *t, const struct launch_header *file,
                                 uint64_t length)
{
	uint64_t chunks_bytes = t->index_offset - LAUNCH_HEADER_BYTES;
	bool has_parts = file->version >= LAUNCH_VERSION_PARTS;
	uint64_t chunks = t->chunks, groups = t->totals.groups;
	uint64_t sums = has_parts ? LAUNCH_SUM_BYTES * chunks : 0;
	/* For each chunk two numbers, and one for each group in it. */
	uint64_t least = 2 * chunks + (groups > chunks ? groups : chunks);
	uint64_t most = VARINT_BYTES_MAX * (2 * chunks + groups + (has_parts ? chunks : 0));

	if (t->totals.file_bytes != length)
		return "the trailer names another length of the file";
	if (t->index_offset < LAUNCH_HEADER_BYTES || t->index_bytes < LAUNCH_INDEX_MAGIC_BYTES ||
	    t->index_offset > length || t->index_bytes > length - t->index_offset ||
	    length - t->index_offset - t->index_bytes != LAUNCH_TRAILER_BYTES)
		return "the index is not between the chunks and the trailer";
	if (chunks > chunks_bytes / LAUNCH_CHUNK_HEADER_BYTES)
		return "more chunks than the file has room for";
	if (groups < (has_parts ? chunks != 0 : chunks) ||
	    groups > chunks * LAUNCH_CHUNK_GROUPS_MAX)
		return "the number of groups does not go with the number of chunks";
	if (t->index_raw_bytes < least + sums || t->index_raw_bytes > most + sums ||
	    t->index_raw_bytes > t->index_bytes * LAUNCH_ZSTD_RATIO_MAX)
		return "the size of the index does not go with what it holds";
	return NULL;
}

int launch_trailer_get(struct launch_trailer *t, const unsigned char bytes[LAUNCH_TRAILER_BYTES],
                       const struct launch_header *file, const char *name, uint64_t length,
                       bool *is_there, struct err *err)
{
	const char *fault;

	*is_there = memcmp(bytes + 112, TRAILER_MAGIC, 8) == 0;
	if (!*is_there)
		return 0;
	trailer_fields(t, bytes);
	if (get64(bytes + 104) != trailer_checksum(bytes, file))
		fault = "the trailer's checksum is wrong";
	else if (get32(bytes + 32) & ~(FLAG_WHOLE | FLAG_PARTIAL))
		fault = "unknown flags in the trailer";
	else
		fault = trailer_fault(t, file, length);
	t->totals.file_sum = file->version < LAUNCH_VERSION_PARTS ? 0 : get64(bytes + 104);
	return fault ? damaged(name, length - LAUNCH_TRAILER_BYTES, fault, err) : 0;
}

uint64_t launch_chunk_checksum(const unsigned char bytes[LAUNCH_CHUNK_HEADER_BYTES])
{
	return get64(bytes + CHUNK_CHECKSUM_AT);
}

static uint64_t bundle_checksum(const unsigned char *bytes, const void *facts, size_t length)
{
	return XXH64(facts, length, XXH64(bytes, BUNDLE_HEAD_BYTES - 8, 0));
}

void bundle_head_put(unsigned char bytes[BUNDLE_HEAD_BYTES], struct bundle_head *h,
                     const void *facts)
{
	put_magic(bytes, BUNDLE_MAGIC, 8);
	put32(bytes + 8, BUNDLE_VERSION);
	put32(bytes + 12, h->kernel);
	put32(bytes + 16, h->launches);
	put32(bytes + 20, h->raw_bytes);
	put32(bytes + 24, h->packed_bytes);
	put32(bytes + 28, h->chunk_bytes);
	put64(bytes + 32, h->table_checksum);
	put64(bytes + 40, h->chunk_checksum);
	h->checksum = bundle_checksum(bytes, facts, h->packed_bytes);
	put64(bytes + 48, h->checksum);
}

int bundle_head_get(struct bundle_head *h, const unsigned char bytes[BUNDLE_HEAD_BYTES],
                    const char *name, uint64_t offset, struct err *err)
{
	if (memcmp(bytes, BUNDLE_MAGIC, 8) != 0)
		return damaged(name, offset, "expected \"WLBUNDL\": not a bundle of launches", err);
	if (get32(bytes + 8) != BUNDLE_VERSION)
		return err_set(err, ERR_VERSION, "%s: bundle version %" PRIu32 ", expected %u",
		               name, get32(bytes + 8), BUNDLE_VERSION);
	*h = (struct bundle_head){ .kernel = get32(bytes + 12),
		                   .launches = get32(bytes + 16),
		                   .raw_bytes = get32(bytes + 20),
		                   .packed_bytes = get32(bytes + 24),
		                   .chunk_bytes = get32(bytes + 28),
		                   .table_checksum = get64(bytes + 32),
		                   .chunk_checksum = get64(bytes + 40),
		                   .checksum = get64(bytes + 48) };
	if (h->launches < 1 || h->launches > LAUNCH_BUNDLE_MAX)
		return damaged(name, offset + 16, "expected 1..4096 launches in a bundle", err);
	if (h->raw_bytes > (uint64_t)h->packed_bytes * LAUNCH_ZSTD_RATIO_MAX)
		return damaged(name, offset + 20, "the facts are larger than can be", err);
	if (h->chunk_bytes && h->chunk_bytes < LAUNCH_CHUNK_HEADER_BYTES)
		return damaged(name, offset + 28, "the chunk is smaller than its header", err);
	return 0;
}

bool bundle_head_is_intact(const unsigned char bytes[BUNDLE_HEAD_BYTES], const void *facts,
                           size_t length)
{
	return get64(bytes + 48) == bundle_checksum(bytes, facts, length);
}
