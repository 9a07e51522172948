/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_damage.h"

#include "cmocka_all.h"

#include "err.h"
#include "launch_reader.h"
#include "packed_run.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/* Whether a launch has from 2 groups on, a loop, and some events in each group. */
static bool is_good(const struct test_launch *l)
{
	if (l->group_count < 2 || !l->table.loop_count)
		return false;
	for (uint64_t g = 0; g < l->group_count; g++)
		if (l->groups[g].view.first[l->groups[g].view.item_count] < 4)
			return false;
	return true;
}

/* Seeds are tried until the launch is good and its file is small. */
void make_fixture(struct fixture *f, uint64_t seed)
{
	f->random.state = seed;
	for (;;) {
		test_launch_make(&f->random, &f->launch, 3, false);
		f->file = test_launch_bytes(&f->launch, &f->length);
		if (is_good(&f->launch) && f->length < 1500)
			return;
		free(f->file);
		test_launch_free(&f->launch);
	}
}

void free_fixture(struct fixture *f)
{
	free(f->file);
	test_launch_free(&f->launch);
}

uint64_t get64(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, 8);
	return value;
}

uint32_t get32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, 4);
	return value;
}

void put64(unsigned char *at, uint64_t value)
{
	memcpy(at, &value, 8);
}

void put32(unsigned char *at, uint32_t value)
{
	memcpy(at, &value, 4);
}

bool is_damage(int ret)
{
	return ret == ERR_FORMAT || ret == ERR_VERSION;
}

void sign_header(unsigned char *file)
{
	put64(file + 112, XXH64(file, 112, 0));
}

void sign_trailer(unsigned char *file, size_t length)
{
	uint64_t seed = get32(file + 8) < 4 ? 0 : get64(file + 112);

	put64(file + length - 16, XXH64(file + length - TRAILER, 104, seed));
}

void sign_chunk(unsigned char *chunk, size_t length)
{
	put64(chunk + CHUNK_HEADER - 8, XXH64(chunk + CHUNK_HEADER, length - CHUNK_HEADER,
	                                      XXH64(chunk, CHUNK_HEADER - 8, 0)));
}

/* The varint at *at, which goes on. */
static uint64_t take_varint(const unsigned char **at, const unsigned char *end)
{
	uint64_t value = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		value |= (uint64_t)(**at & 0x7f) << shift;
		if (!(*(*at)++ & 0x80))
			break;
	}
	return value;
}

enum { INDEX_RAW_MAX = 1 << 16, INDEX_MAGIC = 8, SUM = 8 };

/* Write an index with the sums of the chunks in the file, or without; returns its length, or 0. */
static size_t make_index(const unsigned char *file, size_t length, const unsigned char *raw,
                         size_t raw_bytes, uint32_t was, unsigned char *to)
{
	const unsigned char *at = raw, *end = raw + raw_bytes;
	uint32_t chunks = get32(file + length - TRAILER + 36);
	uint64_t offset = HEADER, index = get64(file + length - TRAILER);
	size_t used, sums = 0;
	unsigned char *sum;

	if (chunks > raw_bytes / 2)
		return 0;
	sum = malloc((size_t)chunks * SUM + 1);
	for (uint32_t i = 0; i < chunks; i++) {
		if (offset > index || index - offset < CHUNK_HEADER)
			break;
		memcpy(sum + sums, file + offset + CHUNK_HEADER - SUM, SUM);
		sums += SUM;
		offset += take_varint(&at, end);
		take_varint(&at, end);
	}
	used = (size_t)(at - raw);
	memcpy(to, raw, used);
	if (get32(file + 8) >= 4) {
		memcpy(to + used, sum, sums);
		used += sums;
	}
	if (was >= 4)
		at += (size_t)(end - at) < sums ? (size_t)(end - at) : sums;
	memcpy(to + used, at, (size_t)(end - at));
	used += (size_t)(end - at);
	free(sum);
	return used;
}

void sign_index(unsigned char *file, size_t *length, size_t capacity, uint32_t was)
{
	static unsigned char raw[INDEX_RAW_MAX], made[INDEX_RAW_MAX * 9];
	unsigned char trailer[TRAILER], *index;
	uint64_t at, bytes;
	size_t count, packed;

	memcpy(trailer, file + *length - TRAILER, TRAILER);
	at = get64(trailer);
	bytes = get64(trailer + 8);
	if (at < HEADER || at > *length - TRAILER || bytes > *length - TRAILER - at ||
	    bytes < INDEX_MAGIC)
		return;
	index = file + at;
	count = ZSTD_decompress(raw, sizeof(raw), index + INDEX_MAGIC, bytes - INDEX_MAGIC);
	if (ZSTD_isError(count))
		return;
	count = make_index(file, *length, raw, count, was, made);
	if (!count || at + INDEX_MAGIC + ZSTD_compressBound(count) + TRAILER > capacity)
		return;
	packed = INDEX_MAGIC + ZSTD_compress(index + INDEX_MAGIC,
	                                     capacity - at - INDEX_MAGIC - TRAILER, made, count, 1);
	*length = at + packed + TRAILER;
	put64(trailer + 8, packed);
	put64(trailer + 16, count);
	put64(trailer + 24, XXH64(index, packed, 0));
	put64(trailer + 96, *length);
	memcpy(file + *length - TRAILER, trailer, TRAILER);
}

static bool is_of_table(const struct kernel_table *t, uint32_t point)
{
	uint32_t kind = point & EVENT_KIND_MASK;
	bool is_loop = kind == EVENT_LOOP || kind == EVENT_EPOCH;

	return (point & EVENT_KIND_MASK) <= EVENT_PART &&
	       (point & EVENT_ID_MASK) < (is_loop ? t->loop_count : t->site_count);
}

/* How many events come out of a group, or a little less. */
static uint64_t accesses(const struct group_events *g)
{
	double sum = (double)g->first[g->item_count];

	for (uint64_t i = 0; i < g->first[g->item_count]; i++) {
		struct packed_run run;

		if (packed_run_get(&run, &g->events[i], g->first[g->item_count] - i))
			sum += (double)packed_run_accesses(&run);
	}
	return sum < 1e18 ? (uint64_t)sum : UINT64_MAX;
}

/* Expand a group, if it is not too large: random runs make sense or are refused. */
static uint64_t expand(const struct kernel_table *t, uint64_t g, const struct group_events *packed)
{
	struct group_events got;
	int ret = accesses(packed) < 1 << 20 ? whole_group_expand(t, packed, g, &got, NULL)
	                                     : ERR_FORMAT;

	assert_true(!ret || ret == ERR_FORMAT);
	return ret || !got.first[got.item_count] ? 0 : got.events[0].value;
}

int read_anything(const struct fixture *f, const unsigned char *bytes, size_t length,
                  struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *r = NULL;
	struct group_events got;
	uint64_t sum = 0;
	int ret;

	assert_int_equal(trace_source_memory(&source, "memory", bytes, length, NULL), 0);
	ret = launch_reader_open(&r, source, &f->launch.table, err);
	for (uint64_t g = 0; !ret && g < f->launch.group_count; g++) {
		ret = whole_group_stored(r, g, &got, err);
		for (uint64_t i = 0; !ret && i < got.first[got.item_count]; i++) {
			assert_true(is_of_table(&f->launch.table, got.events[i].point));
			sum += got.events[i].value; /* so that all of it is read */
		}
		if (!ret)
			sum += expand(&f->launch.table, g, &got);
	}
	launch_reader_close(r);
	trace_source_close(source);
	(void)sum;
	return ret;
}
