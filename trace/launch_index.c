/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_index.h"

#include "err.h"
#include "launch_format.h"
#include "launch_pack.h"
#include "varint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

void launch_index_init(struct launch_index *x)
{
	array_init(&x->chunks, sizeof(struct index_chunk), UINT32_MAX, "chunks of a launch");
	array_init(&x->entries, sizeof(struct index_entry), LAUNCH_GROUPS_MAX,
	           "groups of a launch");
}

void launch_index_release(struct launch_index *x)
{
	array_release(&x->chunks);
	array_release(&x->entries);
}

const struct index_chunk *launch_index_chunk(const struct launch_index *x, uint32_t i)
{
	return &((const struct index_chunk *)x->chunks.data)[i];
}

uint64_t launch_index_end(const struct launch_index *x)
{
	const struct index_chunk *last;

	if (!x->chunks.count)
		return LAUNCH_HEADER_BYTES;
	last = launch_index_chunk(x, (uint32_t)(x->chunks.count - 1));
	return last->offset + last->bytes;
}

int launch_index_add(struct launch_index *x, uint64_t bytes, const uint32_t *groups, uint32_t count,
                     struct err *err)
{
	uint32_t number = (uint32_t)x->chunks.count;
	uint64_t offset = launch_index_end(x);
	struct index_chunk *chunk = array_push(&x->chunks, 1, err);
	struct index_entry *entries = array_push(&x->entries, count, err);

	if (!chunk || !entries)
		return err ? err->code : ERR_NOMEM;
	*chunk = (struct index_chunk){ .offset = offset, .bytes = bytes, .groups = count };
	for (uint32_t i = 0; i < count; i++)
		entries[i] = (struct index_entry){ groups[i], number, i };
	return 0;
}

/* Number and groups of each chunk, then the groups as differences to the one after the last. */
static unsigned char *put_index(const struct launch_index *x, unsigned char *at)
{
	const struct index_entry *entries = x->entries.data;
	uint64_t expected = 0;

	for (uint32_t i = 0; i < x->chunks.count; i++) {
		at = varint_put(at, launch_index_chunk(x, i)->bytes);
		at = varint_put(at, launch_index_chunk(x, i)->groups);
	}
	for (size_t i = 0; i < x->entries.count; i++) {
		at = varint_put(at, zigzag64(entries[i].group - expected));
		expected = (uint64_t)entries[i].group + 1;
	}
	return at;
}

int launch_index_pack(const struct launch_index *x, unsigned char **bytes, struct launch_trailer *t,
                      struct err *err)
{
	size_t numbers = 2 * x->chunks.count + x->entries.count, raw_bytes, packed = 0;
	unsigned char *raw = array_alloc(numbers, VARINT_BYTES_MAX, "index", err), *all = NULL;
	ZSTD_CCtx *context = ZSTD_createCCtx();
	int ret = ERR_NOMEM;

	if (!raw || !context)
		goto out;
	raw_bytes = (size_t)(put_index(x, raw) - raw);
	all = array_alloc(LAUNCH_INDEX_MAGIC_BYTES + launch_pack_bound(raw_bytes), 1, "index", err);
	if (!all)
		goto out;
	launch_index_magic_put(all);
	ret = launch_pack(context, all + LAUNCH_INDEX_MAGIC_BYTES, raw, raw_bytes, &packed, err);
	if (ret)
		goto out;
	t->index_raw_bytes = raw_bytes;
	t->index_bytes = LAUNCH_INDEX_MAGIC_BYTES + packed;
	t->index_checksum = XXH64(all, t->index_bytes, 0);
	t->chunks = (uint32_t)x->chunks.count;
	*bytes = all;
	all = NULL;
out:
	ZSTD_freeCCtx(context);
	free(all);
	free(raw);
	return ret == ERR_NOMEM ? err_set(err, ERR_NOMEM, "out of memory for an index") : ret;
}

/* Reading numbers one by one; `at` is NULL once they ran out. */
static uint64_t next_number(const unsigned char **at, const unsigned char *end)
{
	uint64_t number = 0;

	*at = *at && *at < end ? varint_get(*at, &number) : NULL;
	return number;
}

static const char *get_chunks(struct launch_index *x, const unsigned char **at,
                              const unsigned char *end, const struct launch_trailer *t)
{
	struct index_chunk *chunks = x->chunks.data;
	uint64_t offset = LAUNCH_HEADER_BYTES, groups = 0;

	for (uint32_t i = 0; i < t->chunks; i++) {
		uint64_t bytes = next_number(at, end), count = next_number(at, end);

		if (!*at || bytes < LAUNCH_CHUNK_HEADER_BYTES || bytes > t->index_offset - offset)
			return "a chunk is not inside the file";
		if (count < 1 || count > LAUNCH_CHUNK_GROUPS_MAX ||
		    count > t->totals.groups - groups)
			return "a chunk has an impossible number of groups";
		chunks[i] = (struct index_chunk){ offset, bytes, (uint32_t)count };
		offset += bytes;
		groups += count;
	}
	if (offset != t->index_offset || groups != t->totals.groups)
		return "its chunks are not all that is in the file";
	return NULL;
}

static const char *get_entries(struct launch_index *x, const unsigned char **at,
                               const unsigned char *end)
{
	struct index_entry *entry = x->entries.data;
	uint64_t group = UINT64_MAX;

	for (uint32_t i = 0; i < x->chunks.count; i++) {
		uint32_t count = launch_index_chunk(x, i)->groups;

		for (uint32_t place = 0; place < count; place++) {
			group += 1 + unzigzag64(next_number(at, end));
			if (!*at || group >= LAUNCH_GROUPS_MAX)
				return "expected a group number below 2^32";
			*entry++ = (struct index_entry){ (uint32_t)group, i, place };
		}
	}
	return *at == end ? NULL : "bytes are left over";
}

static const char *get_index(struct launch_index *x, const unsigned char *raw,
                             const struct launch_trailer *t)
{
	const unsigned char *at = raw, *end = raw + t->index_raw_bytes;
	const char *fault = get_chunks(x, &at, end, t);

	return fault ? fault : get_entries(x, &at, end);
}

int launch_index_unpack(struct launch_index *x, const unsigned char *bytes,
                        const struct launch_trailer *t, const char *name, struct err *err)
{
	size_t raw_bytes = t->index_raw_bytes;
	unsigned char *raw = NULL;
	ZSTD_DCtx *context = NULL;
	const char *fault = NULL;
	int ret = 0;

	if (memcmp(bytes, LAUNCH_INDEX_MAGIC, LAUNCH_INDEX_MAGIC_BYTES) != 0)
		fault = "expected \"WLINDEX\"";
	else if (XXH64(bytes, t->index_bytes, 0) != t->index_checksum)
		fault = "its checksum is wrong";
	if (fault)
		goto out;
	raw = array_alloc(raw_bytes + VARINT_BYTES_MAX, 1, "index", err);
	context = ZSTD_createDCtx();
	if (!raw || !context) {
		ret = err_set(err, ERR_NOMEM, "%s: out of memory for the index", name);
		goto out;
	}
	fault = launch_unpack(context, raw, raw_bytes, bytes + LAUNCH_INDEX_MAGIC_BYTES,
	                      t->index_bytes - LAUNCH_INDEX_MAGIC_BYTES);
	if (fault)
		goto out;
	if (!array_push(&x->chunks, t->chunks, err) ||
	    !array_push(&x->entries, t->totals.groups, err))
		ret = err_set(err, ERR_NOMEM, "%s: out of memory for the index", name);
	else
		fault = get_index(x, raw, t);
out:
	ZSTD_freeDCtx(context);
	free(raw);
	if (fault)
		ret = err_set(err, ERR_FORMAT, "%s: offset %" PRIu64 ": index: %s", name,
		              t->index_offset, fault);
	return ret;
}

static int by_group(const void *a, const void *b)
{
	uint32_t left = ((const struct index_entry *)a)->group;
	uint32_t right = ((const struct index_entry *)b)->group;

	return (left > right) - (left < right);
}

int launch_index_sort(struct launch_index *x, uint64_t group_count, const char *name,
                      struct err *err)
{
	struct index_entry *entries = x->entries.data;
	size_t count = x->entries.count, sorted = 1;

	while (sorted < count && entries[sorted - 1].group < entries[sorted].group)
		sorted++;
	if (sorted < count)
		qsort(entries, count, sizeof(*entries), by_group);
	for (size_t i = 1; i < count; i++)
		if (entries[i - 1].group == entries[i].group)
			return err_set(err, ERR_FORMAT, "%s: group %" PRIu32 " is there twice",
			               name, entries[i].group);
	if (count && entries[count - 1].group >= group_count)
		return err_set(err, ERR_FORMAT,
		               "%s: group %" PRIu32 " is outside the launch's %" PRIu64 " groups",
		               name, entries[count - 1].group, group_count);
	return 0;
}

/* Place of the first entry with a group >= `group`; past the end when there is none. */
static size_t lower_bound(const struct launch_index *x, uint64_t group)
{
	const struct index_entry *entries = x->entries.data;
	size_t low = 0, high = x->entries.count;

	if (group < high && entries[group].group == group)
		return group; /* none is missing before it: the usual case */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (entries[middle].group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct index_entry *launch_index_find(const struct launch_index *x, uint64_t group)
{
	const struct index_entry *entries = x->entries.data;
	size_t at = lower_bound(x, group);

	return at < x->entries.count && entries[at].group == group ? &entries[at] : NULL;
}

uint64_t launch_index_next(const struct launch_index *x, uint64_t group)
{
	const struct index_entry *entries = x->entries.data;
	size_t at = lower_bound(x, group);

	return at < x->entries.count ? entries[at].group : UINT64_MAX;
}
