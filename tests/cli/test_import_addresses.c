/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of addresses, imported and replayed with latency = off, against a cache written from its
 * definition. The lists are prefixes of those of address_lists.h, on all of which
 * (bench/cache_speed) the counts are those of five other simulators.
 */
#include "cmocka_all.h"

#include "address_lists.h"
#include "err.h"
#include "file.h"
#include "gpu.h"
#include "import.h"
#include "recording.h"
#include "recording_dir.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 2000000, LINE_BYTES = 128, MAX_LINES = 512 };

static char work_dir[] = "/tmp/warpline-test-XXXXXX", file[64], dir[64], old[64];

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(work_dir))
		return -1;
	(void)snprintf(file, sizeof(file), "%s/list", work_dir);
	(void)snprintf(dir, sizeof(dir), "%s/recording", work_dir);
	(void)snprintf(old, sizeof(old), "%s/recording.old", work_dir);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(file);
	return recording_dir_remove(dir, NULL) || recording_dir_remove(old, NULL) ||
	       rmdir(work_dir);
}

/* Ways with the time of their last use: the one not used for longest goes. */
struct naive {
	uint64_t line[MAX_LINES], used[MAX_LINES];
};

static bool naive_read(struct naive *n, uint32_t first, uint32_t ways, uint64_t line, uint64_t now)
{
	uint32_t at = first, oldest = first;

	for (; at < first + ways && !(n->used[at] && n->line[at] == line); at++)
		if (n->used[at] < n->used[oldest])
			oldest = at;
	if (at == first + ways)
		n->line[oldest] = line;
	n->used[at == first + ways ? oldest : at] = now;
	return at < first + ways;
}

/* The definition: bits 7-11 of the address XOR bits 13, 14, 15, 17 and 19; bit 12 is the sixth. */
static uint32_t set_of(uint32_t index, uint32_t sets, uint64_t address)
{
	uint32_t set = 0;
	static const int bits[] = { 13, 14, 15, 17, 19 };

	if (index == GPU_L1_INDEX_MODULO)
		return (uint32_t)(address / LINE_BYTES % sets);
	for (int i = 0; i < 5; i++)
		set |= (uint32_t)((address >> (7 + i) ^ address >> bits[i]) & 1) << i;
	return sets == 64 ? set | (uint32_t)(address >> 12 & 1) << 5 : set;
}

struct row {
	uint32_t sets, ways, index;
};

static struct counters expected(const struct row *row, const uint64_t *list)
{
	static struct naive cache, whole;
	uint8_t *seen = calloc(1, 1u << 29 >> 3);
	struct counters c = { .reads = COUNT, .lanes = COUNT, .bytes_asked = COUNT };

	assert_non_null(seen);
	memset(&cache, 0, sizeof(cache));
	memset(&whole, 0, sizeof(whole));
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t line = list[i] / LINE_BYTES;
		uint32_t set = set_of(row->index, row->sets, list[i]);
		bool is_hit = naive_read(&cache, set * row->ways, row->ways, line, i + 1);
		bool would_hit = naive_read(&whole, 0, row->sets * row->ways, line, i + 1);
		bool is_new = !(seen[line >> 3] >> (line & 7) & 1);

		seen[line >> 3] |= (uint8_t)(1u << (line & 7));
		c.read_hits += is_hit;
		c.read_misses += !is_hit;
		c.cold += !is_hit && is_new;
		c.capacity += !is_hit && !is_new && !would_hit;
		c.conflict += !is_hit && !is_new && would_hit;
	}
	c.sectors_hit = c.read_hits;
	c.sectors_missed = c.read_misses;
	c.bytes_from_l2 = c.read_misses * LINE_BYTES;
	for (uint32_t i = 0; i < row->sets * row->ways; i++)
		c.evictions -= cache.used[i] != 0;
	c.evictions += c.read_misses;
	free(seen);
	return c;
}

static void import_list(const uint64_t *list)
{
	struct err err = { 0 };

	assert_int_equal(file_write(file, list, COUNT * sizeof(*list), NULL),
	                 0); /* little-endian */
	if (import_addresses(file, ADDRESS_U64, UINT64_MAX, dir, &err))
		fail_msg("%s", err.msg);
}

static void replay_row(const struct row *row, struct counters *out)
{
	struct replay_options options = { 0 };
	struct replay_result result;
	struct recording *r = NULL;
	struct err err = { 0 };
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.l1_sets = row->sets;
	gpu.l1_ways = row->ways;
	gpu.l1_index.kind = row->index;
	gpu.latency = GPU_LATENCY_OFF;
	assert_int_equal(recording_open(&r, dir, &err), 0);
	assert_int_equal(r->launch_count, 1);
	if (replay_launch(r, 0, &gpu, &options, &result, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(result.schedule.requests, COUNT);
	assert_int_equal(result.sms[0].reads, COUNT);
	*out = result.total;
	replay_result_release(&result);
	recording_close(r);
}

static void a_list_is_replayed_in_its_order_like_a_cache_by_definition(void **state)
{
	static const struct row rows[] = {
		{ 32, 4, GPU_L1_INDEX_MODULO },  { 32, 4, GPU_L1_INDEX_FERMI },
		{ 64, 6, GPU_L1_INDEX_MODULO },  { 64, 6, GPU_L1_INDEX_FERMI },
		{ 1, 128, GPU_L1_INDEX_MODULO },
	};
	uint64_t *list = malloc(COUNT * sizeof(*list));

	(void)state;
	assert_non_null(list);
	for (int which = 0; which < 2; which++) {
		if (which)
			address_list_matrix(list, COUNT);
		else
			assert_true(address_list_mixed(list, COUNT));
		import_list(list);
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct counters want = expected(&rows[i], list), got;

			replay_row(&rows[i], &got);
			assert_memory_equal(&got, &want, sizeof(got));
		}
	}
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_replayed_in_its_order_like_a_cache_by_definition),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
