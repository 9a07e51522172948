/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "launch_reader.h"
#include "trace_damage.h"
#include "trace_scratch.h"
#include "trace_source.h"
#include "varint.h"
#include "whole_group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A kernel with some sites, all reads of 4 bytes in no loop, of which each work-item passes each
 * once; and its launch file. */
enum { SITES = 4, ITEMS = 1024, GROUP = 64, EVENTS = SITES * ITEMS };

static char k[] = "k";
static struct site sites[SITES] = {
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
	{ .kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1 },
};
static const struct kernel_table table = { .name = k, .sites = sites, .site_count = SITES };
static const struct launch_shape shape = { 1, { ITEMS, 1, 1 }, { GROUP, 1, 1 }, { 0 } };

static unsigned char *write_events(const struct event *events, size_t *length)
{
	struct launch_writer *w = NULL;
	struct scratch_dir dir;
	uint64_t first[GROUP + 1];
	unsigned char *bytes;

	for (uint64_t i = 0; i <= GROUP; i++)
		first[i] = i * SITES;
	scratch_make(&dir);
	assert_int_equal(launch_writer_open(&w, scratch_path(&dir, "x"), &shape, &table, NULL), 0);
	for (uint64_t g = 0; g < ITEMS / GROUP; g++) {
		const struct group_events group = { GROUP, first, events + g * GROUP * SITES };

		assert_int_equal(launch_writer_add(w, g, &group, NULL), 0);
	}
	assert_int_equal(launch_writer_close(w, true, NULL, NULL), 0);
	bytes = scratch_read(scratch_path(&dir, "x"), length);
	scratch_remove(&dir);
	return bytes;
}

static void check_read(const struct event *events, const unsigned char *bytes, size_t length)
{
	struct trace_source *source = NULL;
	struct launch_reader *r = NULL;
	struct group_events got;

	assert_int_equal(trace_source_memory(&source, "memory", bytes, length, NULL), 0);
	assert_int_equal(launch_reader_open(&r, source, &table, NULL), 0);
	for (uint64_t g = 0; g < ITEMS / GROUP; g++) {
		assert_int_equal(whole_group_plain(r, &table, g, &got, NULL), 0);
		assert_memory_equal(got.events, events + g * GROUP * SITES,
		                    sizeof(*events) * GROUP * SITES);
	}
	launch_reader_close(r);
	trace_source_close(source);
}

/* What the file says of each site: FORMAT.md, section "Guides", read once more. */
struct guide {
	uint64_t anchor;
	uint64_t mate;
	int shift;
	bool is_there, has_mate;
};

static void read_guides(const unsigned char *chunk, struct guide guides[SITES])
{
	const unsigned char *at = chunk + CHUNK_HEADER, *end = at + get32(chunk + 12);
	uint64_t site = 0, skipped = 0, mate = 0, rest = 0;

	memset(guides, 0, SITES * sizeof(*guides));
	for (; at < end; site++) {
		at = varint_get(varint_get(varint_get(at, &skipped), &mate), &rest);
		site += skipped;
		assert_true(site < SITES);
		guides[site] = (struct guide){ rest, mate - 1, 0, true, mate > 0 };
		guides[site].shift = rest % 2 ? -(int)(rest / 2) - 1 : (int)(rest / 2);
	}
	assert_ptr_equal(at, end);
}

/* The differences of all values in the file's only chunk, in their order. */
static void read_differences(const unsigned char *chunk, uint64_t differences[EVENTS])
{
	static unsigned char columns[COLUMNS][8 * EVENTS];
	const unsigned char *packed = chunk + CHUNK_HEADER + get32(chunk + 12);
	size_t counts[5], used[5] = { 0 };

	for (size_t c = 0; c < COLUMNS; c++) {
		size_t got = ZSTD_decompress(columns[c], sizeof(columns[c]), packed,
		                             get32(chunk + 60 + 8 * c));

		assert_int_equal(got, get32(chunk + 56 + 8 * c));
		packed += get32(chunk + 60 + 8 * c);
		if (c >= 5)
			counts[c - 4] = got >> (c - 5);
	}
	for (size_t i = 0; i < EVENTS; i++) {
		size_t width = columns[4][i], bytes = width ? (size_t)1 << (width - 1) : 0;
		uint64_t code = 0;

		for (size_t b = 0; b < bytes; b++)
			code |= (uint64_t)columns[4 + width][b * counts[width] + used[width]]
			        << 8 * b;
		used[width]++;
		differences[i] = code >> 1 ^ (code & 1 ? UINT64_MAX : 0);
	}
}

/* floor(change * 2^shift), by repeated doubling and halving. */
static uint64_t scaled(uint64_t change, int shift)
{
	for (; shift > 0; shift--)
		change += change;
	for (; shift < 0; shift++)
		change = change >> 1 | (change & UINT64_C(1) << 63);
	return change;
}

/*
 * Predictions by their definition, for sites with guides; others are left alone. The mate's
 * address in this work-item is sought among its events; the pair is what it was when the guess was
 * last wrong.
 */
static void check_differences(const struct event *events, const struct guide guides[SITES],
                              const uint64_t differences[EVENTS])
{
	uint64_t own[SITES] = { 0 }, other[SITES] = { 0 };

	for (size_t i = 0; i < EVENTS; i++) {
		const struct guide *g = &guides[events[i].point];
		size_t item = i - i % SITES, m = i;
		uint64_t guess = g->anchor;

		if (!g->is_there)
			continue;
		if (g->has_mate) {
			while (m > item && events[m - 1].point != g->mate)
				m--;
			if (m == item)
				continue;
			guess = own[events[i].point] +
			        scaled(events[m - 1].value - other[events[i].point], g->shift);
			if (guess != events[i].value) {
				own[events[i].point] = events[i].value;
				other[events[i].point] = events[m - 1].value;
			}
		}
		if (events[i].value - guess != differences[i])
			fail_msg("event %zu: %" PRIx64 " is not %" PRIx64 " + %" PRIx64, i,
			         events[i].value, guess, differences[i]);
	}
}

/* How the address of a site comes about. */
struct rule {
	uint64_t base;
	uint64_t range;   /* of a random one, in elements of 4 bytes; 0: the work-item's element */
	unsigned follows; /* another site, whose distance from its base is taken... */
	int shift;        /* ...times 2^shift */
	unsigned odd;     /* one time in so many it is elsewhere; 0: never */
};

static void make_events(struct random *r, const struct rule rules[SITES], struct event *events)
{
	for (size_t item = 0; item < ITEMS; item++) {
		struct event *e = events + item * SITES;

		for (uint32_t s = 0; s < SITES; s++) {
			const struct rule *rule = &rules[s];
			uint64_t distance = 4 * (rule->range ? random_below(r, rule->range) : item);

			if (rule->follows != s)
				distance =
					scaled(e[rule->follows].value - rules[rule->follows].base,
				               rule->shift);
			if (rule->odd && random_below(r, rule->odd) == 0)
				distance += 4 * random_below(r, 1000);
			e[s] = (struct event){ rule->base + distance, s, 0 };
		}
	}
}

static void check_rules(struct random *r, const struct rule rules[SITES], struct guide *guides,
                        size_t *length)
{
	static struct event events[EVENTS];
	static uint64_t differences[EVENTS];
	unsigned char *bytes;

	make_events(r, rules, events);
	bytes = write_events(events, length);
	check_read(events, bytes, *length);
	read_guides(bytes + HEADER, guides);
	read_differences(bytes + HEADER, differences);
	check_differences(events, guides, differences);
	free(bytes);
}

/*
 * Site 0 reads the next element of a list, site 1 anywhere in 2^20 elements, site 2 the same
 * element of another array, site 3 of one with elements of 16 bytes. What is random takes 20 bits
 * a work-item, 2560 bytes in all; header, trailer and tables of codes take less than half of that,
 * and nothing else takes any. (Each address for itself would take three times 2560.)
 */
static void what_follows_another_access_takes_no_room(void **state)
{
	static const struct rule rules[SITES] = {
		{ 0x1000000, 0, 0, 0, 0 },
		{ 0x2000000, 1 << 20, 1, 0, 0 },
		{ 0x40000000, 0, 1, 0, 0 },
		{ 0x70000000, 0, 2, 2, 0 },
	};
	struct random r = { 1 };
	struct guide guides[SITES];
	size_t length;

	(void)state;
	check_rules(&r, rules, guides, &length);
	assert_in_range(length, 2560, 2560 + 1280);
	assert_false(guides[0].is_there);
	assert_true(guides[1].is_there && !guides[1].has_mate);
	assert_true(guides[2].has_mate && guides[2].mate == 1 && guides[2].shift == 0);
	assert_true(guides[3].has_mate && guides[3].mate <= 2 && guides[3].shift == 2);
}

static void a_file_of_version_2_has_no_guides(void **state)
{
	static struct event events[EVENTS];
	static const struct rule rules[SITES] = {
		{ 0x1000000, 1 << 20, 0, 0, 0 },
		{ 0x2000000, 1 << 20, 1, 0, 0 },
		{ 0x40000000, 1 << 20, 2, 0, 0 },
		{ 0x70000000, 0, 2, 2, 0 },
	};
	struct random r = { 4 };
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct err err = { 0 };
	unsigned char *bytes;
	size_t length;

	(void)state;
	make_events(&r, rules, events);
	bytes = write_events(events, &length);
	assert_true(get32(bytes + HEADER + 12) > 0);
	put32(bytes + 8, 2);
	sign_header(bytes);
	length = get64(bytes + length - TRAILER); /* its chunks alone */
	assert_int_equal(trace_source_memory(&source, "memory", bytes, length, NULL), 0);
	assert_int_equal(launch_reader_open(&reader, source, &table, &err), ERR_FORMAT);
	assert_non_null(
		strstr(err.msg, "offset 132: more bytes of guides than the sites can have"));
	trace_source_close(source);
	free(bytes);
}

/* Strides tell all: a guide could tell no more. */
static void a_site_whose_strides_tell_has_no_guide(void **state)
{
	static const struct rule rules[SITES] = {
		{ 0x1000000, 0, 0, 0, 0 },
		{ 0x2000000, 0, 0, 0, 0 },
		{ 0x40000000, 0, 1, 4, 0 },
		{ 0x70000000, 0, 2, -1, 0 },
	};
	struct random r = { 1 };
	struct guide guides[SITES];
	size_t length;

	(void)state;
	check_rules(&r, rules, guides, &length);
	for (size_t s = 0; s < SITES; s++)
		assert_false(guides[s].is_there);
}

static void random_rules_come_back_as_predicted(void **state)
{
	struct random r = { 3 };
	size_t anchors = 0, mates = 0;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct rule rules[SITES];
		struct guide guides[SITES];
		size_t length;

		print_message("round %d, seed %" PRIu64 "\n", round, r.state);
		for (unsigned s = 0; s < SITES; s++)
			rules[s] = (struct rule){ random_next(&r) >> random_below(&r, 64),
				                  random_below(&r, 2) << random_below(&r, 50),
				                  (unsigned)random_below(&r, s + 1),
				                  (int)random_below(&r, 9) - 4,
				                  (unsigned)random_below(&r, 3) * 8 };
		check_rules(&r, rules, guides, &length);
		for (size_t s = 0; s < SITES; s++) {
			anchors += guides[s].is_there && !guides[s].has_mate;
			mates += guides[s].has_mate;
		}
	}
	assert_true(anchors > 50 && mates > 50); /* both happen */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_follows_another_access_takes_no_room),
		cmocka_unit_test(a_file_of_version_2_has_no_guides),
		cmocka_unit_test(a_site_whose_strides_tell_has_no_guide),
		cmocka_unit_test(random_rules_come_back_as_predicted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
