/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "launch_reader.h"
#include "trace_damage.h"
#include "trace_launch.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/* What a hostile writer claims: `bytes` wide, at `offset` of the header, chunk or trailer. */
enum part { IN_HEADER, IN_CHUNK, IN_TRAILER };

static int read_with_claim(const struct fixture *f, enum part part, size_t offset, size_t bytes,
                           uint64_t value, struct err *err)
{
	size_t length = f->length, capacity = length + 512;
	unsigned char *copy = malloc(capacity);
	size_t index = get64(f->file + f->length - TRAILER);
	int ret;

	memcpy(copy, f->file, f->length);
	if (part != IN_TRAILER)
		memcpy(copy + offset + (part == IN_CHUNK ? HEADER : 0), &value, bytes);
	sign_header(copy);
	sign_chunk(copy + HEADER, index - HEADER);
	sign_index(copy, &length, capacity, 4);
	if (part == IN_TRAILER)
		memcpy(copy + length - TRAILER + offset, &value, bytes);
	sign_trailer(copy, length);
	ret = read_anything(f, copy, length, err);
	free(copy);
	return ret;
}

static const struct {
	size_t offset, bytes;
	uint64_t value;
	enum part part;
	int ret;
	const char *says;
} claims[] = {
	{ 0, 1, 'w', IN_HEADER, ERR_FORMAT, "offset 0: expected \"WLLAUNCH\"" },
	{ 8, 4, 1, IN_HEADER, ERR_VERSION, "launch file version 1, expected 2 to 4" },
	{ 8, 4, 2, IN_HEADER, 0, "" }, /* as it was, where there are no guides */
	{ 8, 4, 3, IN_HEADER, 0, "" },
	{ 8, 4, 5, IN_HEADER, ERR_VERSION, "launch file version 5, expected 2 to 4" },
	{ 12, 4, 0x04030201, IN_HEADER, ERR_FORMAT, "offset 12: expected the endianness" },
	{ 16, 4, 4, IN_HEADER, ERR_FORMAT, "offset 16: launch shape: 4 dimensions" },
	{ 20, 4, 77, IN_HEADER, ERR_FORMAT, "offset 20: expected a launch of kernel" },
	{ 24, 4, 77, IN_HEADER, ERR_FORMAT, "offset 20: expected a launch of kernel" },
	{ 28, 4, 1, IN_HEADER, ERR_FORMAT, "offset 28: expected 0" },
	{ 32, 8, 0, IN_HEADER, ERR_FORMAT, "offset 20: expected a launch of kernel" },
	{ 40, 8, 0, IN_HEADER, ERR_FORMAT, "a size is 0" },
	{ 40, 8, 1ull << 62, IN_HEADER, ERR_FORMAT, "offset 16: " },
	{ 64, 8, 1ull << 40, IN_HEADER, ERR_FORMAT, "more than 1048576 work-items" },
	{ 0, 1, 'w', IN_CHUNK, ERR_FORMAT, "offset 120: expected a chunk" },
	{ 4, 4, 0, IN_CHUNK, ERR_FORMAT, "offset 124: expected 1..4096 groups" },
	{ 4, 4, 4097, IN_CHUNK, ERR_FORMAT, "offset 124: expected 1..4096 groups" },
	{ 4, 4, 1, IN_CHUNK, ERR_FORMAT, "offset 120: chunk: " },
	{ 8, 4, 1, IN_CHUNK, ERR_FORMAT, "offset 128: expected groups..2^20 work-items" },
	{ 8, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "offset 128: expected groups..2^20" },
	{ 8, 4, 1 << 20, IN_CHUNK, ERR_FORMAT, "chunk: column counts claims" },
	{ 12, 4, 1, IN_CHUNK, ERR_FORMAT, "memory: offset" }, /* bytes of guides */
	{ 12, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "offset 132: more bytes of guides than" },
	{ 16, 8, UINT64_MAX, IN_CHUNK, ERR_FORMAT, "offset 136: expected at most 2^20" },
	{ 16, 8, (1 << 20) + 1, IN_CHUNK, ERR_FORMAT, "offset 136: expected at most 2^20" },
	{ 16, 8, 1 << 20, IN_CHUNK, ERR_FORMAT, "chunk: column points claims" },
	{ 16, 8, 0, IN_CHUNK, ERR_FORMAT, "chunk: column points claims" },
	{ 56, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: column groups claims" },
	{ 64, 4, 0, IN_CHUNK, ERR_FORMAT, "chunk: column counts claims 0 bytes" },
	{ 72, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: column points claims" },
	{ 76, 4, 0, IN_CHUNK, ERR_FORMAT, "chunk: column points claims" },
	{ 76, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: expected" },
	{ 80, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: column iterations claims" },
	{ 88, 4, 1, IN_CHUNK, ERR_FORMAT, "chunk: column widths claims 1 bytes" },
	{ 96, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: column values1 claims" },
	{ 104, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: column values2 claims" },
	{ 112, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: column values4 claims" },
	{ 120, 4, UINT32_MAX, IN_CHUNK, ERR_FORMAT, "chunk: column values8 claims" },
	{ 0, 8, 0, IN_TRAILER, ERR_FORMAT, "the index is not between the chunks and" },
	{ 0, 8, UINT64_MAX, IN_TRAILER, ERR_FORMAT, "the index is not between" },
	{ 8, 8, UINT64_MAX - 200, IN_TRAILER, ERR_FORMAT, "the index is not between" },
	{ 8, 8, 7, IN_TRAILER, ERR_FORMAT, "the index is not between" },
	{ 16, 8, UINT64_MAX, IN_TRAILER, ERR_FORMAT, "the size of the index" },
	{ 16, 8, 0, IN_TRAILER, ERR_FORMAT, "the size of the index" },
	{ 24, 8, 0, IN_TRAILER, ERR_FORMAT, "index: its checksum is wrong" },
	{ 32, 4, 4, IN_TRAILER, ERR_FORMAT, "unknown flags in the trailer" },
	{ 36, 4, UINT32_MAX, IN_TRAILER, ERR_FORMAT, "more chunks than the file has" },
	{ 36, 4, 0, IN_TRAILER, ERR_FORMAT, "the number of groups does not go with" },
	{ 36, 4, 2, IN_TRAILER, ERR_FORMAT, "memory: offset" },
	{ 88, 8, 0, IN_TRAILER, ERR_FORMAT, "the number of groups does not go with" },
	{ 88, 8, 1ull << 62, IN_TRAILER, ERR_FORMAT, "the number of groups does not" },
	{ 88, 8, 1, IN_TRAILER, ERR_FORMAT, "memory: offset" },
	{ 96, 8, 1, IN_TRAILER, ERR_FORMAT, "the trailer names another length" },
	{ 40, 8, 99, IN_TRAILER, 0, "" }, /* totals are the writer's word */
};

static void hostile_claims_are_refused_by_name(void **state)
{
	struct fixture f;

	(void)state;
	make_fixture(&f, 9);
	assert_int_equal(read_with_claim(&f, IN_HEADER, 0, 1, 'W', NULL), 0);
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		struct err err = { 0 };
		int ret = read_with_claim(&f, claims[i].part, claims[i].offset, claims[i].bytes,
		                          claims[i].value, &err);

		if (ret != claims[i].ret || !strstr(err.msg, claims[i].says))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
	}
	free_fixture(&f);
}

static void random_claims_are_refused_or_harmless(void **state)
{
	struct fixture f;

	(void)state;
	make_fixture(&f, 10);
	for (int round = 0; round < 20000; round++) {
		static const size_t lengths[] = { 112, 128, 104 };
		uint64_t seed = f.random.state;
		enum part part = (enum part)random_below(&f.random, 3);
		size_t bytes = (size_t)1 << random_below(&f.random, 4);
		size_t offset = random_below(&f.random, lengths[part] / bytes) * bytes;
		uint64_t value = random_next(&f.random) >> random_below(&f.random, 64);
		struct err err = { 0 };
		int ret = read_with_claim(&f, part, offset, bytes, value, &err);

		if (ret && !is_damage(ret))
			fail_msg("seed %" PRIu64 ": %s", seed, err.msg);
	}
	free_fixture(&f);
}

/* A file without trailer whose only chunk has these columns, rightly packed and signed. */
static size_t put_columns(const struct fixture *f, unsigned char *out,
                          unsigned char *const columns[COLUMNS], const size_t sizes[COLUMNS])
{
	unsigned char *chunk = out + HEADER, *packed = chunk + CHUNK_HEADER;

	memcpy(out, f->file, HEADER + CHUNK_HEADER);
	for (size_t c = 0; c < COLUMNS; c++) {
		size_t got = ZSTD_compress(packed, 4096, columns[c], sizes[c], 1);

		put32(chunk + 56 + 8 * c, (uint32_t)sizes[c]);
		put32(chunk + 60 + 8 * c, (uint32_t)got);
		packed += got;
	}
	sign_chunk(chunk, (size_t)(packed - chunk));
	return (size_t)(packed - out);
}

/*
 * The writer was hostile and thorough: random columns under right checksums. Nothing but the
 * decoder is in the way.
 */
static void hostile_columns_are_decoded_or_refused(void **state)
{
	struct fixture f;
	unsigned char columns[COLUMNS][4096], out[8192];
	size_t sizes[COLUMNS], results[2] = { 0 };
	const unsigned char *packed;

	(void)state;
	make_fixture(&f, 12);
	for (int round = 0; round < 20000; round++) {
		uint64_t seed = f.random.state;
		unsigned char *pointers[COLUMNS];
		int ret;

		packed = f.file + HEADER + CHUNK_HEADER;
		for (size_t c = 0; c < COLUMNS; c++) {
			size_t bytes = get32(f.file + HEADER + 60 + 8 * c), count;

			sizes[c] = ZSTD_decompress(columns[c], 4096, packed, bytes);
			assert_false(ZSTD_isError(sizes[c]));
			packed += bytes;
			pointers[c] = columns[c];
			count = random_below(&f.random, 3) ? 0 : random_below(&f.random, 4);
			for (size_t i = 0; i < count && sizes[c]; i++)
				columns[c][random_below(&f.random, sizes[c])] =
					(unsigned char)random_next(&f.random);
			if (random_below(&f.random, 8) == 0)
				sizes[c] = random_below(&f.random, sizes[c] + 2);
		}
		ret = read_anything(&f, out, put_columns(&f, out, pointers, sizes), NULL);
		if (ret && !is_damage(ret))
			fail_msg("seed %" PRIu64 ": %d", seed, ret);
		results[ret != 0]++;
	}
	assert_true(results[0] > 100 && results[1] > 100); /* both happen */
	free_fixture(&f);
}

/* One column of a chunk with one group. */
struct hostile_column {
	size_t column, length;
	unsigned char bytes[12];
	const char *says; /* NULL: it is good */
};

/* The group has one work-item with two events at site 0. */
static const struct hostile_column hostile_columns[] = {
	{ 0, 1, { 0 }, NULL },
	{ 0, 1, { 2 }, "column groups: a group that the launch does not have" },
	{ 0, 1, { 1 }, "column groups: a group that the launch does not have" },
	{ 0, 2, { 0, 0 }, "column groups: bytes are left over" },
	{ 0, 2, { 0x80, 0x80 }, "column groups: bytes are left over" },
	{ 1, 1, { 6 }, "column counts: more events than the chunk has" },
	{ 1, 1, { 1 }, "column counts: more events than the chunk has" },
	{ 1, 1, { 2 }, "fewer events than it claims" },
	{ 1, 2, { 4, 0 }, "bytes are left over in a column" },
	{ 1, 2, { 0x84, 0 }, NULL }, /* longer than need be */
	{ 1,
	  10,
	  { 0x84, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2 },
	  "column counts: expected a number for each work-item" },
	{ 2, 2, { 8, 0 }, "column points: a site or loop that the kernel does not have" },
	{ 2, 2, { 6, 0 }, "column points: a site or loop that the kernel does not have" },
	{ 2, 2, { 7, 0 }, "column points: a site or loop that the kernel does not have" },
	{ 2, 2, { 4, 0 }, "a run or grid goes on beyond its work-item" },
	{ 2, 2, { 5, 0 }, "a run or grid goes on beyond its work-item" },
	{ 2, 2, { 1, 0 }, "column points: a site or loop that the kernel does not have" },
	{ 2, 6, { 0, 0x80, 0x80, 0x80, 0x80, 0x10 }, "expected a number for each event" },
	{ 2, 3, { 0, 0, 0 }, "bytes are left over in a column" },
	{ 2, 2, { 0, 0x80 }, "bytes are left over in a column" },
	{ 3, 6, { 0, 0xff, 0xff, 0xff, 0xff, 0x0f }, NULL },
	{ 3, 6, { 0, 0xff, 0xff, 0xff, 0xff, 0x1f }, "expected a number for each event" },
	{ 4, 2, { 0, 5 }, "expected a number for each event" },
	{ 4, 2, { 0, 2 }, "expected a number for each event" },
	{ 4, 2, { 0, 0 }, "values are left over in a column" },
	{ 5, 0, { 0 }, "expected a number for each event" },
	{ 5, 2, { 0, 0 }, "values are left over in a column" },
	{ 6, 1, { 0 }, "a column of values does not hold whole values" },
	{ 6, 2, { 0 }, "values are left over in a column" },
	{ 7, 6, { 0 }, "a column of values does not hold whole values" },
	{ 8, 12, { 0 }, "a column of values does not hold whole values" },
};

/* Three work-items with two events at site 0 each, all at addresses of their own. */
static const struct hostile_column hostile_alike[] = {
	{ 1, 3, { 4, 0, 0 }, NULL },
	{ 3, 6, { 0, 0, 2, 0, 0, 0 }, NULL }, /* they are not alike */
	{ 4, 6, { 1, 1, 1, 5, 1, 1 }, "expected a number for each event" },
	{ 4, 6, { 1, 1, 1, 255, 1, 1 }, "expected a number for each event" },
	{ 4, 6, { 1, 1, 1, 2, 1, 1 }, "expected a number for each event" },
	{ 4, 5, { 1, 1, 1, 1, 1 }, "expected a number for each event" },
	{ 4, 3, { 1, 1, 1 }, "expected a number for each event" },
	{ 4, 7, { 1, 1, 1, 1, 1, 1, 1 }, "column widths claims 7 bytes" },
	{ 4, 6, { 1, 1, 1, 1, 0, 0 }, "values are left over in a column" },
	{ 5, 5, { 9, 8, 7, 6, 5 }, "expected a number for each event" },
	{ 5, 2, { 9, 8 }, "expected a number for each event" },
	{ 5, 7, { 9, 8, 7, 6, 5, 4, 3 }, "column values1 claims 7 bytes" },
};

/* What a chunk has where a row does not say something else. */
struct good_columns {
	uint32_t items;
	size_t sizes[COLUMNS];
	unsigned char bytes[COLUMNS][12];
};

static void check_hostile(const struct fixture *f, const struct good_columns *good,
                          const struct hostile_column *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned char columns[COLUMNS][12] = { 0 }, *pointers[COLUMNS], out[2048];
		size_t sizes[COLUMNS];
		struct err err = { 0 };
		int ret;

		for (size_t c = 0; c < COLUMNS; c++) {
			bool is_row = c == rows[i].column;

			memcpy(columns[c], is_row ? rows[i].bytes : good->bytes[c], 12);
			sizes[c] = is_row ? rows[i].length : good->sizes[c];
			pointers[c] = columns[c];
		}
		ret = read_anything(f, out, put_columns(f, out, pointers, sizes), &err);
		if (ret != (rows[i].says ? ERR_FORMAT : 0) ||
		    (rows[i].says && !strstr(err.msg, rows[i].says)))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
	}
}

static void check_group(const struct good_columns *good, const struct hostile_column *rows,
                        size_t count)
{
	static struct site site = { .kind = SITE_READ, .loop = -1, .argument = -1 };
	static char k[] = "k";
	static const uint64_t first[] = { 0, 2, 4, 6 };
	static const struct event events[] = { { 0, 0, 0 },  { 3, 0, 0 },  { 50, 0, 0 },
		                               { 21, 0, 0 }, { 99, 0, 0 }, { 7, 0, 0 } };
	struct fixture f = {
		.launch = { .table = { .name = k, .sites = &site, .site_count = 1 },
		            .shape = { 1, { good->items, 1, 1 }, { good->items, 1, 1 }, { 0 } },
		            .group_count = 1,
		            .written = 1 }
	};
	struct owned_group group = { .view = { good->items, first, events } };
	uint64_t order = 0;

	f.launch.groups = &group;
	f.launch.order = &order;
	f.file = test_launch_bytes(&f.launch, &f.length);
	check_hostile(&f, good, rows, count);
	free(f.file);
}

static void a_hostile_column_is_refused_by_name(void **state)
{
	static const struct good_columns one = {
		1,
		{ 1, 1, 2, 2, 2, 1, 0, 0, 0 },
		{ { 0 }, { 4 }, { 0, 0 }, { 0, 0 }, { 0, 1 }, { 6 }, { 0 }, { 0 }, { 0 } }
	};
	static const struct good_columns alike = {
		3,
		{ 1, 3, 6, 6, 6, 6, 0, 0, 0 },
		{ { 0 }, { 4 }, { 0 }, { 0 }, { 1, 1, 1, 1, 1, 1 }, { 9, 8, 7, 6, 5, 4 } }
	};

	(void)state;
	check_group(&one, hostile_columns, sizeof(hostile_columns) / sizeof(hostile_columns[0]));
	check_group(&alike, hostile_alike, sizeof(hostile_alike) / sizeof(hostile_alike[0]));
}

/* An index that was made anew: `count` chunk pairs (bytes, groups), then `groups` differences. */
static int read_with_index(const struct fixture *f, const unsigned char *raw, size_t raw_bytes,
                           struct err *err)
{
	size_t at = get64(f->file + f->length - TRAILER), packed, length;
	unsigned char *copy = malloc(f->length + 4096), *trailer;
	static const unsigned char magic[] = { 'W', 'L', 'I', 'N', 'D', 'E', 'X', '\n' };
	int ret;

	memcpy(copy, f->file, at);
	memcpy(copy + at, magic, sizeof(magic));
	packed = 8 + ZSTD_compress(copy + at + 8, 2048, raw, raw_bytes, 1);
	put32(copy + 8, 3); /* whose index has no sums */
	sign_header(copy);
	length = at + packed + TRAILER;
	trailer = copy + at + packed;
	memcpy(trailer, f->file + f->length - TRAILER, TRAILER);
	put64(trailer + 8, packed);
	put64(trailer + 16, raw_bytes);
	put64(trailer + 24, XXH64(copy + at, packed, 0));
	put64(trailer + 96, length);
	sign_trailer(copy, length);
	ret = test_launch_read(&f->launch, copy, length, err);
	free(copy);
	return ret;
}

/* The fixture for these has two groups, 0 and 1, in one chunk of two varint bytes' size. */
static void a_hostile_index_is_refused_by_name(void **state)
{
	struct fixture f;
	unsigned char low, high;
	uint64_t bytes;

	(void)state;
	for (uint64_t seed = 20;; seed++) {
		make_fixture(&f, seed);
		if (f.launch.group_count == 2 && f.launch.order[0] == 0)
			break;
		free_fixture(&f);
	}
	bytes = get64(f.file + f.length - TRAILER) - HEADER;
	assert_in_range(bytes, 128, 16383);
	low = (unsigned char)(bytes | 0x80);
	high = (unsigned char)(bytes >> 7);
	{
		const struct {
			unsigned char raw[16];
			size_t raw_bytes;
			const char *says; /* NULL: it is good */
		} rows[] = {
			{ { low, high, 2, 0, 0 }, 5, NULL },
			{ { low, high, 2, 0, 1 }, 5, "group 0 is there twice" },
			{ { low, high, 2, 2, 3 }, 5, "expected group 0 at place 1" },
			{ { low, high, 2, 0, 2 }, 5, "group 2 is outside the launch's 2 groups" },
			{ { low, high, 2, 1, 0 }, 5, "index: expected a group number below 2^32" },
			{ { low, high, 1, 0, 0 }, 5, "index: its chunks are not all that is" },
			{ { low, high, 3, 0, 0 }, 5, "index: a chunk has an impossible number" },
			{ { low, high, 0, 0, 0 }, 5, "index: a chunk has an impossible number" },
			{ { 0x87, 1, 2, 0, 0 }, 5, "index: a chunk is not inside the file" },
			{ { 0x88, 1, 2, 0, 0 }, 5, "index: its chunks are not all that is" },
			{ { 255, 255, 127, 2, 0, 0 }, 6, "index: a chunk is not inside the file" },
			{ { low, high, 2, 0, 0, 0 }, 6, "index: bytes are left over" },
			{ { low, high, 2, 0x80, 0x80 }, 5, "index: expected a group number" },
			{ { low, high, 2, 0x80, 0 }, 5, "index: expected a group number" },
		};

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct err err = { 0 };
			int ret = read_with_index(&f, rows[i].raw, rows[i].raw_bytes, &err);

			if (ret != (rows[i].says ? ERR_FORMAT : 0) ||
			    (rows[i].says && !strstr(err.msg, rows[i].says)))
				fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
		}
	}
	free_fixture(&f);
}

/* A chunk that is whole, but not the one that was written there: of another file of the same
 * launch. */
static void a_chunk_of_another_file_is_refused(void **state)
{
	struct fixture f;
	unsigned char *copy;
	struct err err = { 0 };
	size_t index;

	(void)state;
	make_fixture(&f, 13);
	index = get64(f.file + f.length - TRAILER);
	copy = malloc(f.length);
	memcpy(copy, f.file, f.length);
	put64(copy + HEADER + 24,
	      get64(copy + HEADER + 24) + 1); /* reads, which no reader checks */
	sign_chunk(copy + HEADER, index - HEADER);
	assert_int_equal(read_anything(&f, copy, f.length, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "its checksum is not the one that the index has"));
	free(copy);
	free_fixture(&f);
}

/* The trailer's sum is one of the header too. */
static void a_header_of_another_file_is_refused(void **state)
{
	struct fixture f;
	unsigned char *copy;
	struct err err = { 0 };

	(void)state;
	make_fixture(&f, 14);
	copy = malloc(f.length);
	memcpy(copy, f.file, f.length);
	put64(copy + 88,
	      get64(copy + 88) + 1); /* the global offset, which only the manifest knows */
	sign_header(copy);
	assert_int_equal(read_anything(&f, copy, f.length, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "the trailer's checksum is wrong"));
	free(copy);
	free_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chunk_of_another_file_is_refused),
		cmocka_unit_test(a_header_of_another_file_is_refused),
		cmocka_unit_test(hostile_claims_are_refused_by_name),
		cmocka_unit_test(random_claims_are_refused_or_harmless),
		cmocka_unit_test(hostile_columns_are_decoded_or_refused),
		cmocka_unit_test(a_hostile_column_is_refused_by_name),
		cmocka_unit_test(a_hostile_index_is_refused_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
