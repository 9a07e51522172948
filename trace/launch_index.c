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
	array_init(&x->runs, sizeof(struct index_run), LAUNCH_GROUPS_MAX, "groups of a launch");
	x->groups = x->entries = 0;
	x->has_parts = true;
}

void launch_index_release(struct launch_index *x)
{
	array_release(&x->chunks);
	array_release(&x->runs);
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

static uint64_t end_of(const struct index_run *run)
{
	return (uint64_t)run->group + run->count;
}

/* Whether `next`, the first group of a chunk, is a part of the single group in the previous chunk.
 */
static bool is_part(const struct launch_index *x, const struct index_run *run,
                    const struct index_run *next)
{
	return x->has_parts && run->group == next->group && run->count == 1 && !run->place &&
	       !next->place && run->chunk + run->parts == next->chunk &&
	       launch_index_chunk(x, next->chunk)->groups == 1 &&
	       launch_index_chunk(x, next->chunk - 1)->groups == 1;
}

/* Add the next group in the order of the file. */
static int add_group(struct launch_index *x, const struct index_run *next, struct err *err)
{
	struct index_run *run = x->runs.data;

	run = run && x->runs.count ? run + x->runs.count - 1 : NULL;
	x->entries++;
	if (run && is_part(x, run, next)) {
		run->parts++;
		return 0;
	}
	x->groups++;
	if (run && run->chunk == next->chunk && end_of(run) == next->group) {
		run->count++; /* at most LAUNCH_CHUNK_GROUPS_MAX */
		return 0;
	}
	run = array_push(&x->runs, 1, err);
	if (!run)
		return ERR_NOMEM;
	*run = *next;
	return 0;
}

int launch_index_add(struct launch_index *x, uint64_t bytes, uint64_t checksum,
                     const uint32_t *groups, uint32_t count, struct err *err)
{
	uint32_t number = (uint32_t)x->chunks.count;
	uint64_t offset = launch_index_end(x);
	struct index_chunk *chunk = array_push(&x->chunks, 1, err);

	if (!chunk)
		return err ? err->code : ERR_NOMEM;
	*chunk = (struct index_chunk){ offset, bytes, checksum, count };
	for (uint32_t i = 0; i < count; i++) {
		const struct index_run next = { groups[i], number, (uint16_t)i, 1, 1 };

		if (add_group(x, &next, err))
			return err ? err->code : ERR_NOMEM;
	}
	return 0;
}

void launch_index_drop(struct launch_index *x)
{
	const struct index_run *last = x->runs.data;

	if (!x->runs.count)
		return;
	last += x->runs.count - 1;
	x->groups -= last->count;
	x->entries -= last->count * (uint64_t)last->parts;
	x->runs.count--;
}

/* Write size and groups of each chunk, all sums, then the groups as differences from the one after
 * the last. */
static unsigned char *put_index(const struct launch_index *x, unsigned char *at)
{
	const struct index_run *runs = x->runs.data;
	uint64_t expected = 0;

	for (uint32_t i = 0; i < x->chunks.count; i++) {
		at = varint_put(at, launch_index_chunk(x, i)->bytes);
		at = varint_put(at, launch_index_chunk(x, i)->groups);
	}
	for (uint32_t i = 0; i < x->chunks.count; i++) {
		launch_sum_put(at, launch_index_chunk(x, i)->checksum);
		at += LAUNCH_SUM_BYTES;
	}
	for (size_t i = 0; i < x->runs.count; i++) {
		at = varint_put(at, zigzag64(runs[i].group - expected));
		memset(at, 0, runs[i].count - 1u);
		at += runs[i].count - 1u;
		expected = (uint64_t)runs[i].group + runs[i].count;
		for (uint32_t part = 1; part < runs[i].parts; part++)
			at = varint_put(at, zigzag64(runs[i].group - expected));
	}
	return at;
}

/* The most bytes that put_index() writes. */
static size_t index_bound(const struct launch_index *x)
{
	return (2 * x->chunks.count + x->runs.count) * VARINT_BYTES_MAX +
	       x->chunks.count * LAUNCH_SUM_BYTES + x->entries;
}

int launch_index_pack(const struct launch_index *x, unsigned char **bytes, struct launch_trailer *t,
                      struct err *err)
{
	size_t raw_bytes, packed = 0;
	unsigned char *raw = array_alloc(index_bound(x), 1, "index", err), *all = NULL;
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

/* Reads numbers one by one; *at is NULL once they ran out. */
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
	uint64_t most = x->has_parts ? t->index_raw_bytes : t->totals.groups;

	for (uint32_t i = 0; i < t->chunks; i++) {
		uint64_t bytes = next_number(at, end), count = next_number(at, end);

		if (!*at || bytes < LAUNCH_CHUNK_HEADER_BYTES || bytes > t->index_offset - offset)
			return "a chunk is not inside the file";
		if (count < 1 || count > LAUNCH_CHUNK_GROUPS_MAX || count > most - groups)
			return "a chunk has an impossible number of groups";
		chunks[i] = (struct index_chunk){ offset, bytes, 0, (uint32_t)count };
		offset += bytes;
		groups += count;
	}
	if (offset != t->index_offset || (!x->has_parts && groups != t->totals.groups))
		return "its chunks are not all that is in the file";
	if (x->has_parts && (uint64_t)(end - *at) / LAUNCH_SUM_BYTES < t->chunks)
		return "expected a checksum for each chunk";
	for (uint32_t i = 0; x->has_parts && i < t->chunks; i++, *at += LAUNCH_SUM_BYTES)
		chunks[i].checksum = launch_sum_get(*at);
	return NULL;
}

/* Read the groups. Returns 0 or ERR_NOMEM; *fault becomes the fault, or is unchanged. */
static int get_groups(struct launch_index *x, const unsigned char *at, const unsigned char *end,
                      const char **fault, struct err *err)
{
	uint64_t group = UINT64_MAX;
	int ret = 0;

	for (uint32_t i = 0; i < x->chunks.count; i++) {
		uint32_t count = launch_index_chunk(x, i)->groups;

		for (uint32_t place = 0; place < count && !ret; place++) {
			group += 1 + unzigzag64(next_number(&at, end));
			if (!at || group >= LAUNCH_GROUPS_MAX) {
				*fault = "expected a group number below 2^32";
				return 0;
			}
			ret = add_group(
				x, &(struct index_run){ (uint32_t)group, i, (uint16_t)place, 1, 1 },
				err);
		}
	}
	if (!ret && at != end)
		*fault = "bytes are left over";
	return ret;
}

static int get_index(struct launch_index *x, const unsigned char *raw,
                     const struct launch_trailer *t, const char **fault, struct err *err)
{
	const unsigned char *at = raw, *end = raw + t->index_raw_bytes;

	int ret;

	*fault = get_chunks(x, &at, end, t);
	ret = *fault ? 0 : get_groups(x, at, end, fault, err);
	if (!ret && !*fault && x->groups != t->totals.groups)
		*fault = "its groups are not as many as the trailer says";
	return ret;
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
	if (!array_push(&x->chunks, t->chunks, err) || get_index(x, raw, t, &fault, err))
		ret = err_set(err, ERR_NOMEM, "%s: out of memory for the index", name);
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
	uint32_t left = ((const struct index_run *)a)->group;
	uint32_t right = ((const struct index_run *)b)->group;

	return (left > right) - (left < right);
}

int launch_index_sort(struct launch_index *x, uint64_t group_count, const char *name,
                      struct err *err)
{
	struct index_run *runs = x->runs.data;
	size_t count = x->runs.count, sorted = 1;

	while (sorted < count && runs[sorted - 1].group < runs[sorted].group)
		sorted++;
	if (sorted < count)
		qsort(runs, count, sizeof(*runs), by_group);
	for (size_t i = 1; i < count; i++)
		if (end_of(&runs[i - 1]) > runs[i].group)
			return err_set(err, ERR_FORMAT, "%s: group %" PRIu32 " is there twice",
			               name, runs[i].group);
	if (count && end_of(&runs[count - 1]) > group_count)
		return err_set(err, ERR_FORMAT,
		               "%s: group %" PRIu64 " is outside the launch's %" PRIu64 " groups",
		               name, end_of(&runs[count - 1]) - 1, group_count);
	return 0;
}

/* Returns the index of the first run that ends after a group; past the end if there is none. */
static size_t find_run(const struct launch_index *x, uint64_t group)
{
	const struct index_run *runs = x->runs.data;
	size_t low = 0, high = x->runs.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end_of(&runs[middle]) <= group)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool launch_index_find(const struct launch_index *x, uint64_t group, struct index_place *out)
{
	const struct index_run *run = x->runs.data;
	size_t at = find_run(x, group);

	if (at == x->runs.count || run[at].group > group)
		return false;
	run += at;
	*out = (struct index_place){ run->chunk, run->place + (uint32_t)(group - run->group),
		                     run->parts };
	return true;
}

uint64_t launch_index_next(const struct launch_index *x, uint64_t group)
{
	const struct index_run *runs = x->runs.data;
	size_t at = find_run(x, group);

	if (at == x->runs.count)
		return UINT64_MAX;
	return runs[at].group > group ? runs[at].group : group;
}
