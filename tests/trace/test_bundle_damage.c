/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that share files: a kill or damage loses no more than it hits. */
#include "cmocka_all.h"

#include "bundle_facts.h"
#include "bundle_scene.h"
#include "bundle_writer.h"
#include "err.h"
#include "launch_format.h"
#include "launch_reader.h"
#include "trace_damage.h"
#include "trace_source.h"
#include "varint.h"

#include <stdlib.h>
#include <string.h>

/* As after kill -9: what was flushed is there, whenever it happens. */
static void a_kill_loses_nothing_that_was_flushed(void **state)
{
	(void)state;
	for (size_t n = 1; n < 300; n += 1 + n / 2) {
		struct bundle_scene s;

		bundle_scene_make(&s, n);
		for (size_t i = 0; i < n; i += 40) {
			bundle_scene_add(&s, n - i < 40 ? n - i : 40);
			bundle_scene_flush(&s);
			bundle_scene_check(&s, false);
		}
		bundle_scene_free(&s);
	}
}

/* How many launches of an open file are whole in its first `length` bytes. */
static size_t whole_ones(const unsigned char *bytes, size_t length)
{
	struct bundle_head h;
	size_t at = 0, count = 0;

	while (length - at >= BUNDLE_HEAD_BYTES) {
		size_t next;

		assert_int_equal(bundle_head_get(&h, bytes + at, "", at, NULL), 0);
		next = at + BUNDLE_HEAD_BYTES + h.packed_bytes + h.chunk_bytes;
		if (next > length)
			break;
		at = next;
		count++;
	}
	return count;
}

static void an_open_file_that_is_cut_keeps_what_is_whole(void **state)
{
	unsigned char *bytes;
	size_t length;
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 5);
	bundle_scene_add(&s, 12);
	bundle_scene_flush(&s);
	bytes = bundle_scene_get(&s, BUNDLE_OPEN_FILE, &length);
	assert_int_equal(whole_ones(bytes, length), s.count);
	for (size_t cut = 0; cut <= length; cut += 1 + cut % 7 + length / 300) {
		struct err err = { 0 };
		struct recording *r;

		bundle_scene_put(&s, BUNDLE_OPEN_FILE, bytes, cut);
		r = bundle_scene_open(s.dir);
		assert_int_equal(r->launch_count, whole_ones(bytes, cut));
		for (size_t i = 0; i < r->launch_count; i++)
			assert_int_equal(bundle_scene_read(&s, r, i, &err), 0);
		assert_false(recording_is_complete(r, NULL));
		recording_close(r);
	}
	free(bytes);
	bundle_scene_free(&s);
}

/* Launches are first put into the file of bundles, then named, then taken from the open file. */
static void a_kill_while_bundles_are_written_loses_nothing(void **state)
{
	static const char *const names[] = { BUNDLE_FILE, "manifest.jsonl", BUNDLE_OPEN_FILE };
	unsigned char *bytes[2][3] = { { NULL } };
	size_t lengths[2][3] = { { 0 } };
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 9);
	bundle_scene_add(&s, 50);
	bundle_scene_flush(&s);
	for (int i = 1; i < 3; i++)
		bytes[0][i] = bundle_scene_get(&s, names[i], &lengths[0][i]);
	bundle_scene_end(&s);
	for (int i = 0; i < 2; i++)
		bytes[1][i] = bundle_scene_get(&s, names[i], &lengths[1][i]);
	bundle_scene_put(&s, BUNDLE_OPEN_FILE, bytes[0][2], lengths[0][2]);
	for (size_t cut = 0; cut <= lengths[1][0]; cut += 1 + cut / 3) {
		bundle_scene_put(&s, BUNDLE_FILE, bytes[1][0], cut);
		bundle_scene_put(&s, "manifest.jsonl", bytes[0][1], lengths[0][1]);
		bundle_scene_check(&s, false);
	}
	bundle_scene_put(&s, BUNDLE_FILE, bytes[1][0], lengths[1][0]);
	for (size_t cut = lengths[0][1]; cut < lengths[1][1]; cut += 1 + lengths[1][1] / 50) {
		bundle_scene_put(&s, "manifest.jsonl", bytes[1][1], cut);
		bundle_scene_check(&s, false);
	}
	for (int i = 0; i < 3; i++) {
		free(bytes[0][i]);
		free(bytes[1][i]);
	}
	bundle_scene_free(&s);
}

/* A recording with a damaged file of bundles: a launch is as it was made, or it is told that it
 * cannot be read. Returns how many can. */
static size_t read_damaged(const struct bundle_scene *s, size_t bundles)
{
	struct recording *r = bundle_scene_open(s->dir);
	uint32_t refused = 0; /* the bundle of those that are refused */
	size_t readable = 0;

	assert_true(r->bad_bundles <= bundles);
	for (size_t i = 0; i < r->launch_count; i++) {
		struct err err = { 0 };
		int ret = bundle_scene_read(s, r, i, &err);

		readable += !ret;
		if (!ret)
			continue;
		assert_int_equal(ret, ERR_FORMAT);
		assert_non_null(strstr(err.msg, BUNDLE_FILE));
		assert_true(!refused || refused == r->launches[i].bundle);
		refused = r->launches[i].bundle;
	}
	if (r->bad_bundles)
		assert_false(recording_is_complete(r, NULL));
	assert_true(r->bad_bundles || refused || readable == s->count);
	recording_close(r);
	return readable;
}

static void damage_loses_the_launches_of_its_bundle(void **state)
{
	uint64_t begins[16], launches[16];
	size_t length, bundles = 0;
	unsigned char *bytes;
	struct recording *r;
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 14);
	bundle_scene_add(&s, 25);
	bundle_scene_end(&s);
	bytes = bundle_scene_get(&s, BUNDLE_FILE, &length);
	r = bundle_scene_open(s.dir);
	bundles = r->bundle_count;
	assert_in_range(bundles, 3, 16);
	for (size_t b = 0; b < bundles; b++) {
		begins[b] = r->bundles[b].offset;
		launches[b] = r->bundles[b].launches;
	}
	recording_close(r);
	for (size_t at = 0; at < length; at += 1 + at % 5 + length / 300) {
		size_t hit = 0;

		while (hit + 1 < bundles && begins[hit + 1] <= at)
			hit++;
		bytes[at] ^= (unsigned char)(1 << at % 8);
		bundle_scene_put(&s, BUNDLE_FILE, bytes, length);
		/* Counted launches need facts alone. */
		assert_in_range(read_damaged(&s, 1), s.count - launches[hit], s.count - 1);
		bytes[at] ^= (unsigned char)(1 << at % 8);
	}
	for (size_t cut = 0; cut < length; cut += 1 + cut % 11 + length / 100) {
		bundle_scene_put(&s, BUNDLE_FILE, bytes, cut);
		assert_true(read_damaged(&s, bundles) < s.count);
	}
	bundle_scene_put(&s, BUNDLE_FILE, bytes, length);
	bundle_scene_check(&s, true);
	free(bytes);
	bundle_scene_free(&s);
}

/* Numbers that a writer may claim: no crash, and no launch that is not one. */
static void facts_that_make_no_sense_are_refused(void **state)
{
	struct bundle_facts facts;
	unsigned char *bytes;
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 31);
	for (s.count = 0; s.count < 20; s.count++)
		bundle_scene_launch(&s, &s.launches[s.count]);
	bundle_facts_init(&facts);
	for (size_t i = 0; i < s.count; i++)
		assert_int_equal(bundle_facts_add(&facts, &s.launches[i].facts,
		                                  s.launches[i].is_partial, NULL),
		                 0);
	bytes = calloc(facts.bytes.length + VARINT_BYTES_MAX, 1);
	for (int n = 0; n < 2000; n++) {
		struct bundle_terms terms = { &s.tables[n % BUNDLE_KERNELS], BUNDLE_BUFFERS,
			                      1 + random_below(&s.random, 40) };
		struct recorded_launch *launches = calloc(terms.launches, sizeof(*launches));
		size_t length = 1 + random_below(&s.random, facts.bytes.length);
		struct bundle_shared shared;
		struct err err = { 0 };
		int ret;

		memset(bytes, 0, facts.bytes.length + VARINT_BYTES_MAX);
		memcpy(bytes, facts.bytes.text, length);
		for (uint64_t left = random_below(&s.random, 4); left > 0; left--)
			bytes[random_below(&s.random, length)] =
				(unsigned char)random_next(&s.random);
		ret = bundle_facts_read(launches, &shared, &terms, bytes, length, &err);
		assert_true(ret == 0 || (ret == ERR_FORMAT && err.msg[0]));
		for (size_t i = 0; !ret && i < terms.launches; i++)
			assert_true(launches[i].totals.groups <=
			            launch_shape_group_count(&launches[i].shape));
		bundle_shared_release(&shared);
		free(launches);
	}
	free(bytes);
	bundle_facts_release(&facts);
	bundle_scene_free(&s);
}

/* Whatever the open file says, with checksums that are right: it ends well. */
static void hostile_bundles_are_refused(void **state)
{
	unsigned char *bytes, *copy;
	size_t length;
	struct bundle_scene s;

	(void)state;
	bundle_scene_make(&s, 41);
	bundle_scene_add(&s, 6);
	bundle_scene_flush(&s);
	bytes = bundle_scene_get(&s, BUNDLE_OPEN_FILE, &length);
	copy = malloc(length);
	for (int n = 0; n < 200; n++) {
		struct bundle_head h;
		struct recording *r;
		size_t chunk;

		memcpy(copy, bytes, length);
		for (uint64_t left = random_below(&s.random, 4); left > 0; left--)
			copy[8 + random_below(&s.random, length / 2)] =
				(unsigned char)random_next(&s.random);
		for (size_t at = 0; length - at >= BUNDLE_HEAD_BYTES;) {
			if (bundle_head_get(&h, copy + at, "", at, NULL) ||
			    h.packed_bytes > length - at - BUNDLE_HEAD_BYTES)
				break;
			chunk = at + BUNDLE_HEAD_BYTES + h.packed_bytes;
			if (h.chunk_bytes > length - chunk)
				break;
			if (h.chunk_bytes) {
				sign_chunk(copy + chunk, h.chunk_bytes);
				h.chunk_checksum = launch_chunk_checksum(copy + chunk);
			}
			bundle_head_put(copy + at, &h, copy + at + BUNDLE_HEAD_BYTES);
			at = chunk + h.chunk_bytes;
		}
		bundle_scene_put(&s, BUNDLE_OPEN_FILE, copy, length);
		if (recording_open(&r, s.dir, NULL))
			continue;
		for (size_t i = 0; i < r->launch_count; i++) {
			struct trace_source *source = NULL;
			struct launch_reader *reader = NULL;
			struct group_events g;

			if (r->launches[i].fate != LAUNCH_TRACED)
				continue;
			if (!recording_open_launch(r, i, &source, &reader, NULL))
				for (uint64_t at = launch_reader_next(reader, 0); at != UINT64_MAX;
				     at = launch_reader_next(reader, at + 1))
					if (launch_reader_part(reader, at, 0, &g, NULL))
						break;
			launch_reader_close(reader);
			trace_source_close(source);
		}
		recording_close(r);
	}
	free(copy);
	free(bytes);
	bundle_scene_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_loses_nothing_that_was_flushed),
		cmocka_unit_test(an_open_file_that_is_cut_keeps_what_is_whole),
		cmocka_unit_test(a_kill_while_bundles_are_written_loses_nothing),
		cmocka_unit_test(damage_loses_the_launches_of_its_bundle),
		cmocka_unit_test(facts_that_make_no_sense_are_refused),
		cmocka_unit_test(hostile_bundles_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
