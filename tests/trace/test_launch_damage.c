/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "launch_reader.h"
#include "trace_damage.h"
#include "trace_launch.h"
#include "trace_source.h"
#include "whole_group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void every_flipped_bit_is_noticed_or_harmless(void **state)
{
	struct fixture f;
	size_t harmless = 0;

	(void)state;
	make_fixture(&f, 5);
	assert_int_equal(test_launch_read(&f.launch, f.file, f.length, NULL), 0);
	for (size_t at = 0; at < f.length; at++) {
		for (int bit = 0; bit < 8; bit++) {
			struct err err = { 0 };
			int ret;

			f.file[at] ^= (unsigned char)(1 << bit);
			ret = test_launch_read(&f.launch, f.file, f.length, &err);
			if (ret && !is_damage(ret))
				fail_msg("bit %d of byte %zu: %s", bit, at, err.msg);
			if (ret && !strstr(err.msg, "memory: "))
				fail_msg("bit %d of byte %zu: no file in '%s'", bit, at, err.msg);
			harmless += ret == 0;
			f.file[at] ^= (unsigned char)(1 << bit);
		}
	}
	/* Only the trailer's magic is not under a checksum: without it the chunks are scanned. */
	assert_int_equal(harmless, 8 * 8);
	free_fixture(&f);
}

static void every_truncated_file_is_a_prefix_or_refused(void **state)
{
	struct fixture f;

	(void)state;
	make_fixture(&f, 6);
	for (size_t length = 0; length < f.length; length++) {
		/* Its own memory, so that a read past the end is seen. */
		unsigned char *copy = malloc(length + 1);
		struct err err = { 0 };
		int ret;

		memcpy(copy, f.file, length);
		copy = realloc(copy, length ? length : 1);
		ret = test_launch_read(&f.launch, copy, length, &err);
		assert_int_equal(ret, length < HEADER ? ERR_FORMAT : 0);
		if (ret)
			assert_non_null(strstr(err.msg, "memory: offset 0: truncated: expected"));
		free(copy);
	}
	free_fixture(&f);
}

static void random_damage_is_noticed(void **state)
{
	struct fixture f;
	unsigned char *copy;

	(void)state;
	make_fixture(&f, 8);
	copy = malloc(f.length);
	for (int round = 0; round < 20000; round++) {
		uint64_t seed = f.random.state, count = 1 + random_below(&f.random, 8);
		struct err err = { 0 };
		int ret;

		memcpy(copy, f.file, f.length);
		for (uint64_t i = 0; i < count; i++)
			copy[random_below(&f.random, f.length)] =
				(unsigned char)random_next(&f.random);
		ret = test_launch_read(&f.launch, copy, f.length, &err);
		if (ret && !is_damage(ret))
			fail_msg("seed %" PRIu64 ": %s", seed, err.msg);
	}
	free(copy);
	free_fixture(&f);
}

/* 5000 groups make two chunks, of 4096 and 904. */
static void one_group_is_read_without_the_other_chunks(void **state)
{
	static struct site site = { .kind = SITE_READ, .loop = -1, .argument = -1 };
	static char k[] = "k";
	struct random r = { 13 };
	struct test_launch l = { .table = { .name = k, .sites = &site, .site_count = 1 },
		                 .shape = { 1, { 5000, 1, 1 }, { 1, 1, 1 }, { 0 } },
		                 .group_count = 5000,
		                 .written = 5000 };
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct group_events got;
	struct err err = { 0 };
	unsigned char *file;
	size_t length;

	(void)state;
	l.groups = calloc(l.group_count, sizeof(*l.groups));
	l.order = calloc(l.group_count, sizeof(*l.order));
	for (uint64_t g = 0; g < l.group_count; g++) {
		random_group(&r, &l.table, 1, &l.groups[g]);
		l.order[g] = g;
	}
	file = test_launch_bytes(&l, &length);
	memset(file + HEADER, 0x55, 300); /* the first chunk's header and more */
	assert_int_equal(trace_source_memory(&source, "memory", file, length, &err), 0);
	assert_int_equal(launch_reader_open(&reader, source, &l.table, &err), 0);
	assert_int_equal(whole_group_plain(reader, &l.table, 0, &got, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "memory: offset 120: expected a chunk"));
	for (uint64_t g = 4096; g < 5000; g++)
		test_launch_check_group(&l, reader, g);
	err.code = 0;
	assert_int_equal(whole_group_plain(reader, &l.table, 4095, &got, &err), ERR_FORMAT);
	test_launch_check_group(&l, reader, 4096);
	err.code = 0;
	assert_int_equal(whole_group_plain(reader, &l.table, 5000, &got, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "group 5000 is outside the launch's 5000 groups"));
	launch_reader_close(reader);
	trace_source_close(source);
	free(file);
	for (uint64_t g = 0; g < l.group_count; g++)
		owned_group_free(&l.groups[g]);
	free(l.groups);
	free(l.order);
}

static void a_file_of_another_kernel_is_refused(void **state)
{
	struct fixture f;
	struct err err = { 0 };

	(void)state;
	make_fixture(&f, 14);
	f.launch.table.sites[0].kind =
		f.launch.table.sites[0].kind == SITE_READ ? SITE_WRITE : SITE_READ;
	f.launch.table.sites[0].bytes = 4;
	assert_int_equal(test_launch_read(&f.launch, f.file, f.length, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "expected a launch of kernel kernel"));
	free_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_flipped_bit_is_noticed_or_harmless),
		cmocka_unit_test(every_truncated_file_is_a_prefix_or_refused),
		cmocka_unit_test(random_damage_is_noticed),
		cmocka_unit_test(one_group_is_read_without_the_other_chunks),
		cmocka_unit_test(a_file_of_another_kernel_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
