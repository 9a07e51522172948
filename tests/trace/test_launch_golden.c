/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "kernel_table.h"
#include "launch_reader.h"
#include "launch_writer.h"
#include "trace_scratch.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/*
 * One work-item in one group; site 0 reads in loop 0, site 1 writes after it. By FORMAT.md, the
 * chunk's columns are, derived by hand:
 *
 *   groups      group 0, expected 0: zigzag(0) = 00
 *   counts      5 events after 0: zigzag(5) = 10 = 0a
 *   points      id << 3 | kind: 00 00 00 00 for site 0, 08 for site 1
 *   iterations  0, 1, 2, 3 as predicted (the site comes again: next iteration), then 0: all 00
 *   values      0x1000 from nothing: zigzag = 0x2000, two bytes
 *               0x1004, predicted 0x1000 (no stride yet): zigzag(4) = 8, one byte 08
 *               0x1008, predicted 0x1004: 08 again; 4 in 1 step was seen twice, so stride = 4
 *               0x100c as predicted: no byte
 *               site 1, 0x1fff - nothing before: zigzag(0x1fff) = 0x3ffe, two bytes
 *   widths      codes of 2 1 1 0 2 bytes: 02 01 01 00 02
 *   values1     08 08
 *   values2     the low bytes of 0x2000 and 0x3ffe, then the high ones: 00 fe 20 3f
 */
static char k[] = "k";
static struct site sites[] = {
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = 0, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 8, .space = 1, .loop = -1, .argument = -1 }
};
static struct loop loops[] = { { .parent = -1, .depth = 1 } };
static const struct kernel_table table = {
	.name = k, .sites = sites, .site_count = 2, .loops = loops, .loop_count = 1
};
static const struct launch_shape shape = {
	1, { 1, 1, 1 }, { 1, 1, 1 }, { 0x0102030405060708, 0, 0 }
};
static const uint64_t first[] = { 0, 5 };
static const struct event events[] = {
	{ 0x1000, 0, 0 }, { 0x1004, 0, 1 }, { 0x1008, 0, 2 }, { 0x100c, 0, 3 }, { 0x1fff, 1, 0 },
};
static const struct group_events group = { 1, first, events };

static const struct {
	size_t length;
	unsigned char bytes[8];
} columns[] = {
	{ 1, { 0 } },
	{ 1, { 0x0a } },
	{ 5, { 0, 0, 0, 0, 8 } },
	{ 5, { 0 } },
	{ 5, { 2, 1, 1, 0, 2 } },
	{ 2, { 0x08, 0x08 } },
	{ 4, { 0x00, 0xfe, 0x20, 0x3f } },
	{ 0, { 0 } },
	{ 0, { 0 } },
};

#define U32(x) (x) & 0xff, (x) >> 8 & 0xff, (x) >> 16 & 0xff, (x) >> 24 & 0xff
#define U64(x) U32((x) & 0xffffffff), U32((uint64_t)(x) >> 32)

static const unsigned char header[112] = {
	'W',    'L',    'L',    'A',    'U', 'N', 'C', 'H', /* 0: magic */
	U32(4),                                             /* 8: version */
	4,      3,      2,      1,                          /* 12: endianness mark */
	U32(1), U32(2), U32(1), U32(0),                     /* 16: dimensions, sites, loops, 0 */
	0,      0,      0,      0,      0,   0,   0,   0, /* 32: checksum of the table, filled in */
	U64(1), U64(1), U64(1),                           /* 40: global */
	U64(1), U64(1), U64(1),                           /* 64: local */
	8,      7,      6,      5,      4,   3,   2,   1,   U64(0), U64(0), /* 88: offset */
};

static const unsigned char chunk_header[56] = {
	'W',    'L',    'C',    'H',    U32(1), U32(1), U32(0), /* 0: magic, groups, items, 0 */
	U64(5), U64(4), U64(1), U64(0), U64(0), /* 16: events, reads, writes, atomics, barriers */
};

static uint64_t at64(const unsigned char *bytes)
{
	uint64_t value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | bytes[i];
	return value;
}

static uint32_t at32(const unsigned char *bytes)
{
	return (uint32_t)at64(bytes);
}

static unsigned char *write_events(const struct group_events *g, size_t *length)
{
	struct launch_writer *w = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	unsigned char *bytes;
	const char *path;

	scratch_make(&dir);
	path = scratch_path(&dir, "golden.wll");
	assert_int_equal(launch_writer_open(&w, path, &shape, &table, &err), 0);
	assert_int_equal(launch_writer_add(w, 0, g, &err), 0);
	assert_int_equal(launch_writer_close(w, true, NULL, &err), 0);
	bytes = scratch_read(path, length);
	scratch_remove(&dir);
	return bytes;
}

static unsigned char *write_golden(size_t *length)
{
	return write_events(&group, length);
}

/* Each row of the table, hashed with the hash so far as the seed. */
static uint64_t table_checksum(void)
{
	static const unsigned char rows[][12] = {
		{ U32(0), U32(4), U32(0) },
		{ U32(1), U32(8), 0xff, 0xff, 0xff, 0xff },
		{ 0xff, 0xff, 0xff, 0xff },
	};

	return XXH64(rows[2], 4, XXH64(rows[1], 12, XXH64(rows[0], 12, 0)));
}

static void the_header_is_as_specified(void **state)
{
	size_t length;
	unsigned char *bytes = write_golden(&length);

	(void)state;
	assert_true(length > 120);
	assert_true(at64(bytes + 32) == table_checksum());
	assert_true(at64(bytes + 112) == XXH64(bytes, 112, 0));
	memset(bytes + 32, 0, 8);
	assert_memory_equal(bytes, header, sizeof(header));
	free(bytes);
}

static void the_columns_are_as_derived_by_hand(void **state)
{
	size_t length, packed = 0;
	unsigned char *bytes = write_golden(&length), *chunk = bytes + 120, raw[16];

	(void)state;
	assert_memory_equal(chunk, chunk_header, sizeof(chunk_header));
	for (size_t c = 0; c < 9; c++) {
		uint32_t raw_bytes = at32(chunk + 56 + 8 * c);
		uint32_t packed_bytes = at32(chunk + 60 + 8 * c);

		assert_int_equal(raw_bytes, columns[c].length);
		assert_int_equal(ZSTD_decompress(raw, 16, chunk + 136 + packed, packed_bytes),
		                 columns[c].length);
		assert_memory_equal(raw, columns[c].bytes, columns[c].length);
		packed += packed_bytes;
	}
	assert_true(at64(chunk + 128) == XXH64(chunk + 136, packed, XXH64(chunk, 128, 0)));
	assert_memory_equal(chunk + 136 + packed, "WLINDEX\n", 8);
	free(bytes);
}

/* Column `wanted` of the only chunk, unpacked. */
static size_t unpack_column(const unsigned char *chunk, size_t wanted, unsigned char raw[64])
{
	size_t packed = 136, got;

	for (size_t c = 0; c < wanted; c++)
		packed += at32(chunk + 60 + 8 * c);
	got = ZSTD_decompress(raw, 64, chunk + packed, at32(chunk + 60 + 8 * wanted));
	assert_false(ZSTD_isError(got));
	return got;
}

/* The four reads as one run; the example of FORMAT.md says why. */
static void a_run_is_as_derived_by_hand(void **state)
{
	static const struct event packed[] = { { 0x1000, EVENT_RUN, 4 },
		                               { 0, EVENT_PART, 0 },
		                               { 4, EVENT_PART, 0 },
		                               { 0x1fff, 1, 0 } };
	static const uint64_t ends[] = { 0, 4 };
	static const struct group_events g = { 1, ends, packed };
	static const struct {
		size_t length;
		unsigned char bytes[8];
	} expected[] = {
		{ 1, { 0 } },
		{ 1, { 8 } },
		{ 2, { 4, 8 } },
		{ 2, { 8, 0 } },
		{ 4, { 0, 1, 2, 2 } },
		{ 1, { 8 } },
		{ 4, { 0, 0xfe, 0x20, 0x3f } },
		{ 0, { 0 } },
		{ 0, { 0 } },
	};
	size_t length;
	unsigned char *bytes = write_events(&g, &length), raw[64];

	(void)state;
	assert_int_equal(at64(bytes + 120 + 16), 4); /* events */
	assert_int_equal(at64(bytes + 120 + 24), 4); /* reads */
	for (size_t c = 0; c < 9; c++) {
		assert_int_equal(unpack_column(bytes + 120, c, raw), expected[c].length);
		assert_memory_equal(raw, expected[c].bytes, expected[c].length);
	}
	free(bytes);
}

/* One work-item reads at site 0, whose loop is in an iteration that goes its own way. */
struct walk {
	size_t count;
	struct {
		uint32_t iteration;
		uint32_t value;
		unsigned char code; /* zigzag of value - prediction, below 256 */
	} steps[8];
};

static void check_walk(const struct walk *w)
{
	unsigned char widths[64], values[64], *bytes;
	struct event walked[8];
	uint64_t ends[2] = { 0, w->count };
	const struct group_events g = { 1, ends, walked };
	size_t length, used = 0;

	for (size_t i = 0; i < w->count; i++)
		walked[i] = (struct event){ w->steps[i].value, 0, w->steps[i].iteration };
	bytes = write_events(&g, &length);
	assert_int_equal(unpack_column(bytes + 120, 4, widths), w->count);
	unpack_column(bytes + 120, 5, values);
	for (size_t i = 0; i < w->count; i++) {
		unsigned char code = widths[i] ? values[used] : 0;

		if (widths[i] > 1 || code != w->steps[i].code)
			fail_msg("step %zu: width %u, value %u", i, widths[i], code);
		used += widths[i];
	}
	free(bytes);
}

/*
 * The predictions of FORMAT.md, section "Streams", worked out by hand. The first value of a
 * work-item is kept as where it would be at iteration 0.
 */
static void strides_are_believed_when_seen_twice(void **state)
{
	static const struct walk walks[] = {
		/* 16 then 8: nothing is believed; 8 again: the stride is 8 from the next step on */
		{ 5,
		  { { 0, 100, 200 },
		    { 1, 116, 32 },
		    { 2, 124, 16 },
		    { 3, 132, 16 },
		    { 4, 140, 0 } } },
		/* the same change in another number of steps is not the same */
		{ 4, { { 0, 100, 200 }, { 1, 108, 16 }, { 3, 116, 16 }, { 4, 116, 0 } } },
		/* -16 in 3 steps, twice: the stride is -16 / 3 = -5, toward 0 */
		{ 4, { { 0, 100, 200 }, { 3, 84, 31 }, { 6, 68, 31 }, { 7, 63, 0 } } },
		/* backwards by 3 steps, twice: not believed, the stride stays 0 */
		{ 5,
		  { { 0, 100, 200 }, { 6, 100, 0 }, { 3, 84, 31 }, { 0, 68, 31 }, { 1, 68, 0 } } },
		/* a stride of 4 over iterations that are left out, and back to the start */
		{ 6,
		  { { 0, 100, 200 },
		    { 1, 104, 8 },
		    { 2, 108, 8 },
		    { 5, 120, 0 },
		    { 0, 100, 0 },
		    { 9, 137, 2 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++)
		check_walk(&walks[i]);
}

/*
 * Two work-items. The first learns stride 4 in the loop and ends; its first address, 100 at
 * iteration 0, is all that the item stream knows. The second begins at iteration 5 with 120:
 * that is 100 at iteration 0, as predicted, and goes on from there by the stride.
 */
static void a_work_item_begins_where_the_last_one_did(void **state)
{
	static const struct launch_shape two = { 1, { 2, 1, 1 }, { 2, 1, 1 }, { 0 } };
	static const struct event walked[] = {
		{ 100, 0, 0 }, { 104, 0, 1 }, { 108, 0, 2 }, { 120, 0, 5 }, { 124, 0, 6 }
	};
	static const uint64_t ends[] = { 0, 3, 5 };
	static const struct group_events g = { 2, ends, walked };
	static const unsigned char expected[] = { 1, 1, 1, 0, 0 };
	struct launch_writer *w = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	unsigned char widths[64], *bytes;
	size_t length;

	(void)state;
	scratch_make(&dir);
	assert_int_equal(launch_writer_open(&w, scratch_path(&dir, "x"), &two, &table, &err), 0);
	assert_int_equal(launch_writer_add(w, 0, &g, &err), 0);
	assert_int_equal(launch_writer_close(w, true, NULL, &err), 0);
	bytes = scratch_read(scratch_path(&dir, "x"), &length);
	assert_int_equal(unpack_column(bytes + 120, 4, widths), 5);
	assert_memory_equal(widths, expected, 5);
	free(bytes);
	scratch_remove(&dir);
}

/* The index holds: the chunk's bytes and groups, its sum, then group 0 as expected: zigzag(0). The
 * trailer's sum is that of the whole file, with the header's as its seed. */
static void the_index_and_the_trailer_are_as_specified(void **state)
{
	size_t length;
	unsigned char *bytes = write_golden(&length), *trailer = bytes + length - 120, raw[16];
	uint64_t index = at64(trailer), index_bytes = at64(trailer + 8), chunk_bytes = index - 120;
	const uint64_t totals[] = { 5, 5, 4, 1, 0, 0, 1, length };

	(void)state;
	assert_memory_equal(trailer + 112, "WLTRAIL\n", 8);
	assert_true(at64(trailer + 104) == XXH64(trailer, 104, at64(bytes + 112)));
	assert_int_equal(index + index_bytes + 120, length);
	assert_true(at64(trailer + 24) == XXH64(bytes + index, index_bytes, 0));
	assert_int_equal(at32(trailer + 32), 1); /* whole */
	assert_int_equal(at32(trailer + 36), 1); /* chunks */
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(at64(trailer + 40 + 8 * i), totals[i]);

	assert_in_range(chunk_bytes, 128, 16383); /* two bytes as a varint */
	assert_int_equal(at64(trailer + 16), 12);
	assert_int_equal(ZSTD_decompress(raw, 16, bytes + index + 8, index_bytes - 8), 12);
	assert_int_equal(raw[0], (chunk_bytes & 0x7f) | 0x80);
	assert_int_equal(raw[1], chunk_bytes >> 7);
	assert_int_equal(raw[2], 1);
	assert_true(at64(raw + 3) == at64(bytes + 120 + 128));
	assert_int_equal(raw[11], 0);
	free(bytes);
}

/* A file put together here, with columns that zstd merely wraps, reads as the events above. */
static void a_file_made_by_hand_is_read(void **state)
{
	unsigned char file[2048], *at = file, *chunk = file + 120, *packed = chunk + 136;
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct group_events got;
	struct err err = { 0 };
	uint64_t sum;

	(void)state;
	memset(file, 0, sizeof(file));
	memcpy(at, header, sizeof(header));
	sum = table_checksum();
	memcpy(at + 32, &sum, 8);
	sum = XXH64(at, 112, 0);
	memcpy(at + 112, &sum, 8);
	memcpy(chunk, chunk_header, sizeof(chunk_header));
	for (size_t c = 0; c < 9; c++) {
		uint32_t sizes[2] = { (uint32_t)columns[c].length, 0 };

		sizes[1] = (uint32_t)ZSTD_compress(packed, 256, columns[c].bytes, columns[c].length,
		                                   19);
		memcpy(chunk + 56 + 8 * c, sizes, 8);
		packed += sizes[1];
	}
	sum = XXH64(chunk + 136, (size_t)(packed - chunk) - 136, XXH64(chunk, 128, 0));
	memcpy(chunk + 128, &sum, 8);
	assert_int_equal(trace_source_memory(&source, "hand", file, (size_t)(packed - file), &err),
	                 0);
	assert_int_equal(launch_reader_open(&reader, source, &table, &err), 0);
	assert_false(launch_reader_is_whole(reader)); /* there is no trailer */
	assert_int_equal(launch_reader_totals(reader)->accesses, 5);
	assert_int_equal(whole_group_plain(reader, &table, 0, &got, &err), 0);
	assert_int_equal(got.first[1], 5);
	assert_memory_equal(got.events, events, sizeof(events));
	launch_reader_close(reader);
	trace_source_close(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_is_as_specified),
		cmocka_unit_test(the_columns_are_as_derived_by_hand),
		cmocka_unit_test(a_run_is_as_derived_by_hand),
		cmocka_unit_test(strides_are_believed_when_seen_twice),
		cmocka_unit_test(a_work_item_begins_where_the_last_one_did),
		cmocka_unit_test(the_index_and_the_trailer_are_as_specified),
		cmocka_unit_test(a_file_made_by_hand_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
