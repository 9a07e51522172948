/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* All keys but sm_count and those of the L1: 15 lines, and 16 with the title. */
#define REST                                                                                       \
	"warp_lanes = 32\nschedulers = 2\nmax_groups = 8\nmax_warps = 48\n"                        \
	"registers = 32k\nregister_unit = 64\nlocal_unit_bytes = 128\nlocal_bytes = 48k\n"         \
	"coalescing = fermi\nl1_line_bytes = 128\nl1_index = fermi\nl1_policy = lru\n"             \
	"l1_write = through_evict\nl1_hit_cycles = 35\nl1_request_cycles = 1\nl2_cycles = 220\n"
#define MOST "title = T\n" REST
#define L1   "l1_sets = 32\nl1_ways = 4\n"
#define ALL  "sm_count = 15\n" MOST L1 /* 20 lines */
#define L2   "l2_slices = 12\nl2_sets = 48\nl2_ways = 8\n"

/* A description, the L1 asked for, and what reading it must say; NULL: it is fine. */
static const struct {
	const char *name, *text, *l1, *message;
} rows[] = {
	{ "all keys", ALL, NULL, NULL },
	{ "no newline at the end", MOST L1 "sm_count = 15", NULL, NULL },
	{ "blanks and comments", "\n # c\n  sm_count\t=15 # x\n" MOST L1, NULL, NULL },
	{ "hexadecimal", "sm_count = 0xf\n" MOST L1, NULL, NULL },
	{ "missing", MOST L1, NULL, "g.conf:19: sm_count is missing" },
	{ "missing title", "sm_count = 1\n" REST L1, NULL, "g.conf:19: title is missing" },
	{ "empty", "", NULL, "g.conf:0: sm_count is missing" },
	{ "unknown", "sm_cout = 2\n" ALL, NULL, "g.conf:1: unknown key 'sm_cout'" },
	{ "twice", ALL "sm_count = 15\n", NULL, "g.conf:21: sm_count is given twice" },
	{ "title twice", ALL "title = U\n", NULL, "g.conf:21: title is given twice" },
	{ "a title that moves the cursor", ALL "[l1 a]\ntitle = A\x1b[2J\n", NULL,
	  "g.conf:22: expected text without control characters" },
	{ "one in UTF-8",
	  ALL "[l1 a]\ntitle = \xc2\x9b"
	      "2J\n",
	  NULL, "g.conf:22: expected text without control characters" },
	{ "tabs are blanks, comments anything", ALL "[l1 a]\n#\x1b\ntitle\t=\n", NULL,
	  "g.conf:23: title: expected 1..95 characters" },
	{ "empty title", ALL "[l1 a]\ntitle =\n", NULL,
	  "g.conf:22: title: expected 1..95 characters" },
	{ "below the range", "sm_count = 0\n" MOST L1, NULL,
	  "g.conf:1: sm_count: 0 is outside 1..1024" },
	{ "above the range", "sm_count = 1m\n" MOST L1, NULL,
	  "g.conf:1: sm_count: 1m is outside 1..1024" },
	{ "no number", "sm_count = two\n" MOST L1, NULL,
	  "g.conf:1: sm_count: 'two' is not a number" },
	{ "no value", "sm_count =\n" MOST L1, NULL, "g.conf:1: sm_count: '' is not a number" },
	{ "no equals", "sm_count 15\n" MOST L1, NULL,
	  "g.conf:1: 'sm_count 15': expected KEY = VALUE" },
	{ "no such word", ALL "[l1 a]\nl1_write = back\n", NULL,
	  "g.conf:22: l1_write: 'back' is not one of "
	  "through_evict|through_update|through_allocate|back_allocate" },
	{ "part of a word", ALL "[l1 a]\nl1_write = through\n", NULL,
	  "g.conf:22: l1_write: 'through' is not one of "
	  "through_evict|through_update|through_allocate|back_allocate" },
	{ "lanes no power of two", ALL "[l1 a]\nwarp_lanes = 48\n", NULL,
	  "g.conf:22: warp_lanes: 48 is not a power of two" },
	{ "line no power of two", ALL "[l1 a]\nl1_line_bytes = 96\n", NULL,
	  "g.conf:22: l1_line_bytes: 96 is not a power of two" },
	{ "line shorter than a sector", ALL "[l1 a]\nl1_line_bytes = 16\ncoalescing = volta\n",
	  NULL, "g.conf:23: l1_line_bytes: 16 holds no sector of 32 bytes" },
	{ "hash and sets", ALL "[l1 a]\nl1_sets = 48\n", NULL,
	  "g.conf:22: l1_sets: l1_index = fermi needs 32 or 64, not 48" },
	{ "hash and line", ALL "[l1 a]\nl1_line_bytes = 64\n", NULL,
	  "g.conf:22: l1_line_bytes: l1_index = fermi needs 128, not 64" },
	{ "xor and sets", ALL "[l1 a]\nl1_sets = 48\nl1_index = xor\n", NULL,
	  "g.conf:23: l1_sets: 48 is not a power of two, as l1_index = xor needs" },
	{ "bits and sets", ALL "[l1 a]\nl1_index = bits:7,8,9,10\n", NULL,
	  "g.conf:22: l1_index: bits has 4 entries, 32 sets need 5" },
	{ "bits and line", ALL "[l1 a]\nl1_index = bits:7,8,9,10,6+11\n", NULL,
	  "g.conf:22: l1_index: bit 6 lies within a line of 128 bytes" },
	{ "bits and any sets", ALL "[l1 a]\nl1_index = bits:7\nl1_sets = 3\n", NULL,
	  "g.conf:23: l1_sets: 3 is not a power of two, as l1_index = bits needs" },
	{ "bits of one set", ALL "[l1 a]\nl1_index = bits:7\nl1_sets = 1\n", NULL,
	  "g.conf:23: l1_index: bits has 1 entries, 1 sets need 0" },
	{ "a bit for each of 32 sets", ALL "[l1 a]\nl1_index = bits:7+13,8,9,10,11+63\n", NULL,
	  NULL },
	{ "weights and ways", ALL "[l1 a]\nl1_policy = ways:1,3,1\n", NULL,
	  "g.conf:22: l1_policy: ways has 3 entries, l1_ways is 4" },
	{ "no weight", ALL "[l1 a]\nl1_policy = ways:0,0,0,0\n", NULL,
	  "g.conf:22: l1_policy: ways replaces none: all entries are 0" },
	{ "sector longer than the line", ALL "[l1 a]\nl1_sector_bytes = 256\n", NULL,
	  "g.conf:22: l1_sector_bytes: 256 does not divide l1_line_bytes = 128" },
	{ "sector no power of two", ALL "[l1 a]\nl1_sector_bytes = 48\n", NULL,
	  "g.conf:22: l1_sector_bytes: 48 is not a power of two" },
	{ "too many sectors", ALL "[l1 a]\nl1_sector_bytes = 2\n", NULL,
	  "g.conf:22: l1_sector_bytes: 2 cuts a line of 128 bytes into more than 32 sectors" },
	{ "size that is not the product", ALL "[l1 a]\nl1_bytes = 32k\n", NULL,
	  "g.conf:22: l1_bytes: 32768 is not what 128 lines of 128 bytes make, 16384" },
	{ "size that is the product", ALL "[l1 a]\nl1_bytes = 16k\n", NULL, NULL },
	{ "L2 in part", ALL "l2_sets = 64\n", NULL,
	  "g.conf:21: l2_slices, l2_sets and l2_ways: all are needed, one is not given" },
	{ "L2 on without geometry", ALL "l2 = on\n", NULL,
	  "g.conf:21: l2: on needs l2_slices, l2_sets and l2_ways, which are not given" },
	{ "L2 on without times", ALL L2 "l2 = on\nl2_hit_cycles = 3\n", NULL,
	  "g.conf:25: l2: on needs l2_hit_cycles and dram_cycles, which are not given" },
	{ "L2 on without time", ALL L2 "l2 = on\nlatency = off\n", NULL, NULL },
	{ "L2 with short lines", ALL L2 "l2 = on\nlatency = off\nl2_line_bytes = 64\n", NULL,
	  "g.conf:26: l2_line_bytes: 64 is less than l1_line_bytes = 128" },
	{ "L2 with a hash and sets", ALL L2 "l2_index = fermi\n", NULL,
	  "g.conf:24: l2_sets: l2_index = fermi needs 32 or 64, not 48" },
	{ "L2 with weights", ALL L2 "l2_policy = ways:1\n", NULL,
	  "g.conf:24: l2_policy: ways has 1 entries, l2_ways is 8" },
	{ "size of L2", ALL L2 "l2_bytes = 1\n", NULL,
	  "g.conf:24: l2_bytes: 1 is not what 4608 lines of 128 bytes make, 589824" },
	{ "L2 beyond all bounds", ALL "l2_slices = 1k\nl2_sets = 64k\nl2_ways = 1k\n", NULL,
	  "g.conf:23: l2_sets: l2 has 68719476736 lines, more than 67108864" },
	{ "lines across channels", ALL L2 "dram_interleave_bytes = 64\n", NULL,
	  "g.conf:24: dram_interleave_bytes: 64 is less than a line of L2, 128 bytes" },
	{ "channels of odd size", ALL "dram_interleave_bytes = 300\n", NULL,
	  "g.conf:21: dram_interleave_bytes: 300 is not a power of two" },
	{ "modulo and any sets", ALL "[l1 a]\nl1_sets = 48\nl1_index = modulo\n", NULL, NULL },
	{ "no section of that name", ALL, "16k", "g.conf:20: no L1 named '16k': there are none " },
	{ "another section", ALL "[l1 a]\n[l1 b]\n", "c",
	  "g.conf:22: no L1 named 'c': there are a b " },
	{ "section twice", ALL "[l1 a]\n[l1 a]\n", NULL, "g.conf:22: [l1 a] is given twice" },
	{ "section of another kind", ALL "[l2 a]\n", NULL,
	  "g.conf:21: '[l2 a]': expected [l1 NAME]" },
	{ "section without name", ALL "[l1  ]\n", NULL,
	  "g.conf:21: '' is not a name for an L1: expected 1..31 characters without blanks" },
	{ "missing in the chosen one",
	  "sm_count = 15\n" MOST "[l1 a]\n" L1 "[l1 b]\nl1_sets = 32\n", "b",
	  "g.conf:23: l1_ways is missing" },
	{ "error in one not chosen", ALL "[l1 a]\n[l1 b]\nl1_sets = 0\n", "a",
	  "g.conf:23: l1_sets: 0 is outside 1..65536" },
	{ "twice in a section", ALL "[l1 a]\n" L1 "l1_ways = 4\n", NULL,
	  "g.conf:24: l1_ways is given twice" },
};

static void reading_a_description_says_what_is_wrong_and_where(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };
		struct gpu gpu;

		print_message("  %s\n", rows[i].name);
		assert_int_equal(gpu_parse(&gpu, "g.conf", rows[i].text, rows[i].l1, &err),
		                 rows[i].message ? ERR_CONFIG : 0);
		assert_string_equal(err.msg, rows[i].message ? rows[i].message : "");
		if (!rows[i].message)
			assert_int_equal(gpu.sm_count, 15);
	}
}

static void a_section_replaces_what_stands_above(void **state)
{
	static const char text[] = ALL "[l1 a]\nl1_ways = 5\n[l1 b]\nl1_ways = 7\nregisters = 9\n";
	struct gpu gpu;

	(void)state;
	assert_int_equal(gpu_parse(&gpu, "dir/x.conf", text, NULL, NULL), 0);
	assert_string_equal(gpu.name, "x");
	assert_string_equal(gpu.title, "T");
	assert_string_equal(gpu.l1, "a");
	assert_int_equal(gpu.l1_ways, 5);
	assert_int_equal(gpu.registers, 32768);
	assert_int_equal(gpu_parse(&gpu, "x", text, "b", NULL), 0);
	assert_string_equal(gpu.l1, "b");
	assert_int_equal(gpu.l1_ways, 7);
	assert_int_equal(gpu.registers, 9);
}

static void a_failed_read_leaves_the_gpu_as_it_was(void **state)
{
	struct gpu gpu = { .sm_count = 77 };

	(void)state;
	assert_int_equal(gpu_parse(&gpu, "x", "sm_count = 1\n", NULL, NULL), ERR_CONFIG);
	assert_int_equal(gpu.sm_count, 77);
}

static void long_lines_and_names_are_refused(void **state)
{
	char text[700], *p = text;
	struct err err = { 0 };
	struct gpu gpu;

	(void)state;
	memset(p, 'x', 600);
	p[600] = '\0';
	assert_int_equal(gpu_parse(&gpu, "f", text, NULL, &err), ERR_CONFIG);
	assert_string_equal(err.msg, "f:1: more than 511 characters in a line");
	err = (struct err){ 0 };
	text[64] = '\0';
	assert_int_equal(gpu_parse(&gpu, text, ALL, NULL, &err), ERR_CONFIG);
	assert_non_null(strstr(err.msg, "a GPU's name has at most 63 characters"));
}

static void what_is_printed_reads_back_as_the_same(void **state)
{
	static const char *const l1s[] = { "16k", "48k" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct gpu gpu = { 0 }, back = { 0 };
		struct str out;

		str_init(&out, 1 << 16);
		assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", l1s[i], NULL), 0);
		assert_int_equal(gpu_print(&gpu, &out, NULL), 0);
		assert_int_equal(gpu_parse(&back, "gtx480.conf", out.text, NULL, NULL), 0);
		assert_memory_equal(&gpu, &back, sizeof(gpu));
		str_release(&out);
	}
}

static void the_choices_are_the_enums(void **state)
{
	struct gpu gpu;

	(void)state;
	assert_int_equal(gpu_parse(&gpu, "x", ALL, NULL, NULL), 0);
	assert_int_equal(gpu.coalescing, GPU_COALESCING_FERMI);
	assert_int_equal(gpu.l1_index.kind, GPU_L1_INDEX_FERMI);
	assert_int_equal(gpu.l1_write, GPU_L1_WRITE_THROUGH_EVICT);
	assert_int_equal(gpu_set(&gpu, "coalescing=volta", NULL), 0);
	assert_int_equal(gpu.coalescing, GPU_COALESCING_VOLTA);
	assert_int_equal(gpu_set(&gpu, "l1_index=modulo", NULL), 0);
	assert_int_equal(gpu.l1_index.kind, GPU_L1_INDEX_MODULO);
	assert_int_equal(gpu_set(&gpu, "l1_index=xor", NULL), 0);
	assert_int_equal(gpu.l1_index.kind, GPU_L1_INDEX_XOR);
	assert_int_equal(gpu.latency, GPU_LATENCY_ON);
	assert_int_equal(gpu_set(&gpu, "latency=off", NULL), 0);
	assert_int_equal(gpu.latency, GPU_LATENCY_OFF);
	assert_int_equal(gpu_set(&gpu, "l1_write=through_update", NULL), 0);
	assert_int_equal(gpu.l1_write, GPU_L1_WRITE_THROUGH_UPDATE);
}

static void the_words_of_the_caches_are_the_enums(void **state)
{
	static const struct {
		const char *set;
		size_t offset;
		uint32_t value;
	} words[] = {
#define WORD(key, text, value) { #key "=" text, offsetof(struct gpu, key), value }
		WORD(l1_index, "bits:7,8,9,10,11", GPU_L1_INDEX_BITS),
		WORD(l1_policy, "lru", GPU_POLICY_LRU),
		WORD(l1_policy, "fifo", GPU_POLICY_FIFO),
		WORD(l1_policy, "plru", GPU_POLICY_PLRU),
		WORD(l1_policy, "random:1", GPU_POLICY_RANDOM),
		WORD(l1_policy, "lfu", GPU_POLICY_LFU),
		WORD(l1_policy, "mru", GPU_POLICY_MRU),
		WORD(l1_policy, "srrip", GPU_POLICY_SRRIP),
		WORD(l1_policy, "ways:1,2,3,4", GPU_POLICY_WAYS),
		WORD(l2_policy, "ways:1,2,3,4,5,6,7,8", GPU_POLICY_WAYS),
		WORD(l1_write, "through_allocate", GPU_L1_WRITE_THROUGH_ALLOCATE),
		WORD(l1_write, "back_allocate", GPU_L1_WRITE_BACK_ALLOCATE),
		WORD(l1_allocation, "at_miss", GPU_L1_ALLOCATION_AT_MISS),
		WORD(l1_allocation, "at_fill", GPU_L1_ALLOCATION_AT_FILL),
		WORD(l2_slice_index, "modulo", GPU_SLICE_INDEX_MODULO),
		WORD(l2_slice_index, "xor", GPU_SLICE_INDEX_XOR),
		WORD(l2_write, "back_allocate", GPU_L2_WRITE_BACK_ALLOCATE),
		WORD(l2_write, "through_update", GPU_L2_WRITE_THROUGH_UPDATE),
		WORD(l2_inclusion, "non_inclusive", GPU_L2_INCLUSION_NON_INCLUSIVE),
		WORD(l2_inclusion, "inclusive", GPU_L2_INCLUSION_INCLUSIVE),
		WORD(l2_inclusion, "exclusive", GPU_L2_INCLUSION_EXCLUSIVE),
		WORD(l2, "off", GPU_L2_OFF),
#undef WORD
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		uint32_t kind;
		struct gpu gpu;

		assert_int_equal(gpu_parse(&gpu, "x", ALL L2, NULL, NULL), 0);
		assert_int_equal(gpu_set(&gpu, words[i].set, NULL), 0);
		memcpy(&kind, (const char *)&gpu + words[i].offset, sizeof(kind));
		assert_int_equal(kind, words[i].value);
	}
}

static void what_stands_behind_a_colon_is_kept_and_printed(void **state)
{
	static const char *const values[] = { "l1_index          = bits:7+13,8,9,10,11+63\n",
		                              "l1_policy         = ways:1,4294967295,0,12\n",
		                              "l2_policy         = random:18446744073709551615\n" };
	struct gpu gpu, back;
	struct str out;

	(void)state;
	str_init(&out, 1 << 16);
	assert_int_equal(gpu_parse(&gpu, "x", ALL L2, NULL, NULL), 0);
	assert_int_equal(gpu_set(&gpu, "l1_index = bits:13+7,8,9,10,0x3f+11", NULL), 0);
	assert_int_equal(gpu.l1_index.count, 5);
	assert_true(gpu.l1_index.list[0] == (1 << 7 | 1 << 13));
	assert_true(gpu.l1_index.list[4] == (1 << 11 | UINT64_C(1) << 63));
	assert_int_equal(gpu_set(&gpu, "l1_policy = ways:1,4294967295,0,12", NULL), 0);
	assert_int_equal(gpu_set(&gpu, "l2_policy = random:0xffffffffffffffff", NULL), 0);
	assert_true(gpu.l2_policy.number == UINT64_MAX);
	assert_int_equal(gpu_print(&gpu, &out, NULL), 0);
	for (size_t i = 0; i < 3; i++)
		assert_non_null(strstr(out.text, values[i]));
	assert_int_equal(gpu_parse(&back, "x", out.text, NULL, NULL), 0);
	assert_memory_equal(&gpu, &back, sizeof(gpu));
	str_release(&out);
}

static void keys_that_are_not_given_are_the_simplest_cache(void **state)
{
	struct gpu gpu;

	(void)state;
	assert_int_equal(gpu_parse(&gpu, "x", ALL, NULL, NULL), 0);
	assert_int_equal(gpu.l1_sector_bytes, 0);
	assert_int_equal(gpu.l1_allocation, GPU_L1_ALLOCATION_AT_MISS);
	assert_int_equal(gpu.l1_mshr_entries, 0);
	assert_int_equal(gpu.l1_mshr_merge, 0);
	assert_int_equal(gpu.l2, GPU_L2_OFF);
	assert_int_equal(gpu.l2_policy.kind, GPU_POLICY_LRU);
	assert_int_equal(gpu.dram_channels, 1);
}

static void setting_a_key_checks_it(void **state)
{
	static const struct {
		const char *set, *message;
	} sets[] = {
		{ "sm_count=16", "" },
		{ " sm_count = 16 ", "" },
		{ "sm_count", "'sm_count': expected KEY = VALUE" },
		{ "sms=16", "unknown key 'sms'" },
		{ "sm_count=0", "sm_count: 0 is outside 1..1024" },
		{ "warp_lanes=5", "warp_lanes: 5 is not a power of two" },
		{ "l1_policy=random", "l1_policy: expected random:SEED, not 'random' alone" },
		{ "l1_policy=random:", "l1_policy: '' is not a number" },
		{ "l1_policy=random:-1", "l1_policy: '-1' is not a number" },
		{ "l1_policy=lru:1", "l1_policy: lru takes nothing after it, not ':1'" },
		{ "l1_policy=rando:1", "l1_policy: 'rando:1' is not one of "
		                       "lru|fifo|plru|random:SEED|lfu|mru|srrip|ways:P1,P2,..." },
		{ "l1_policy=ways:1,2,,4", "l1_policy: '' is not a number" },
		{ "l1_policy=ways:1,2,3,4,", "l1_policy: '' is not a number" },
		{ "l1_policy=ways:1,2,3,4g", "l1_policy: 4g is outside 0..4294967295" },
		{ "l1_policy=ways:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
		  "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
		  "l1_policy: more than 64 entries" },
		{ "l1_index=bits:7,8,9,10,64", "l1_index: 64 is outside 0..63" },
		{ "l1_index=bits:7,8,9,10,11+", "l1_index: '' is not a number" },
		{ "l1_index=bits:7,8,9,10,11+11", "l1_index: bit 11 is twice in one entry" },
		{ "l1_sets=33", "l1_sets: l1_index = fermi needs 32 or 64, not 33" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		struct err err = { 0 };
		struct gpu gpu, before;

		assert_int_equal(gpu_parse(&gpu, "x", ALL, NULL, NULL), 0);
		before = gpu;
		assert_int_equal(gpu_set(&gpu, sets[i].set, &err),
		                 *sets[i].message ? ERR_USAGE : 0);
		assert_string_equal(err.msg, sets[i].message);
		if (*sets[i].message)
			assert_memory_equal(&gpu, &before, sizeof(gpu));
		else
			assert_int_equal(gpu.sm_count, 16);
	}
}

static void keys_put_together_need_not_agree_one_by_one(void **state)
{
	struct err err = { 0 };
	struct gpu gpu;

	(void)state;
	assert_int_equal(gpu_parse(&gpu, "x", ALL, NULL, NULL), 0);
	assert_int_equal(gpu_put(&gpu, "l1_sets=33", &err), 0);
	assert_int_equal(gpu_check(&gpu, NULL), ERR_CONFIG);
	assert_int_equal(gpu_put(&gpu, "l1_index=modulo", &err), 0);
	assert_int_equal(gpu_check(&gpu, &err), 0);
	assert_int_equal(gpu_put(&gpu, "l1_sets=0", &err), ERR_USAGE);
	assert_int_equal(gpu.l1_sets, 33);
}

static void a_gpu_is_read_from_its_file(void **state)
{
	struct err err = { 0 };
	struct gpu gpu;

	(void)state;
	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, &err), 0);
	assert_string_equal(gpu.name, "gtx480");
	assert_string_equal(gpu.l1, "16k");
	assert_int_equal(gpu.l1_sets * gpu.l1_ways * gpu.l1_line_bytes, 16 << 10);
	assert_int_equal(gpu.local_bytes, 48 << 10);
	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", "48k", &err), 0);
	assert_int_equal(gpu.l1_sets * gpu.l1_ways * gpu.l1_line_bytes, 48 << 10);
	assert_int_equal(gpu.local_bytes, 16 << 10);
	assert_int_equal(gpu_load(&gpu, "./no-such.conf", NULL, NULL), ERR_IO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_a_description_says_what_is_wrong_and_where),
		cmocka_unit_test(a_section_replaces_what_stands_above),
		cmocka_unit_test(a_failed_read_leaves_the_gpu_as_it_was),
		cmocka_unit_test(long_lines_and_names_are_refused),
		cmocka_unit_test(what_is_printed_reads_back_as_the_same),
		cmocka_unit_test(the_choices_are_the_enums),
		cmocka_unit_test(the_words_of_the_caches_are_the_enums),
		cmocka_unit_test(what_stands_behind_a_colon_is_kept_and_printed),
		cmocka_unit_test(keys_that_are_not_given_are_the_simplest_cache),
		cmocka_unit_test(setting_a_key_checks_it),
		cmocka_unit_test(keys_put_together_need_not_agree_one_by_one),
		cmocka_unit_test(a_gpu_is_read_from_its_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
