/* SPDX-License-Identifier: Apache-2.0 */
#include "line_sharing.h"

#include "bits.h"
#include "cmocka_all.h"
#include "gpu.h"
#include "kernel_table.h"
#include "random.h"
#include "request.h"

#include <stdlib.h>
#include <string.h>

/* Accesses of 4 bytes, of 8, and of sizes known only at run time. */
static struct site sites_of_kernel[] = { { .bytes = 4 }, { .bytes = 8 }, { .bytes = 0 } };
static const struct kernel_table table = { .sites = sites_of_kernel, .site_count = 3 };

enum { SMS = 3, GROUPS = 12, LINES = 40, SITES = 3, REQUESTS = 400, ROUNDS = 50, MOST = 256 };

static const struct gpu one_sm = { .sm_count = 1, .l1_line_bytes = 128, .l1_sector_bytes = 32 };

/* What each group read of each line, byte by byte, and by which site first. Group g is on SM
 * g % SMS. */
struct naive {
	bool is_read[LINES][GROUPS];
	bool bytes[LINES][GROUPS][MOST];
	uint32_t line_bytes, sector_bytes; /* sector_bytes: those of the line where it has none */
	uint32_t site[LINES][GROUPS];
	uint64_t requests[LINES][GROUPS], request_bytes[LINES][GROUPS], lane_bytes[LINES][GROUPS];
};

/* Whether the group reads one of these bytes of the line. */
static bool reads_some(const struct naive *n, uint32_t line, uint32_t g, uint32_t from,
                       uint32_t count)
{
	return memchr(&n->bytes[line][g][from], true, count) != NULL;
}

static void count_group(const struct naive *n, uint32_t line, uint32_t g, struct line_share *sites)
{
	uint32_t part = n->line_bytes > 64 ? n->line_bytes / 64 : 1;
	struct line_share *row = &sites[n->site[line][g]];

	row->group_lines++;
	row->requests += n->requests[line][g];
	row->request_bytes += n->request_bytes[line][g];
	row->lane_bytes += n->lane_bytes[line][g];
	for (uint32_t i = 0; i < n->line_bytes; i += part)
		row->group_bytes += reads_some(n, line, g, i, part) ? part : 0;
	for (uint32_t i = 0; i < n->line_bytes; i += n->sector_bytes)
		row->group_sectors += reads_some(n, line, g, i, n->sector_bytes);
}

/* Sectors of a line of which a group of an SM reads a part; sm SMS: of any. */
static uint64_t count_sectors(const struct naive *n, uint32_t line, uint32_t sm)
{
	uint64_t count = 0;

	for (uint32_t from = 0; from < n->line_bytes; from += n->sector_bytes) {
		bool is_read = false;

		for (uint32_t g = 0; g < GROUPS; g++)
			is_read |= (sm == SMS || g % SMS == sm) &&
			           reads_some(n, line, g, from, n->sector_bytes);
		count += is_read;
	}
	return count;
}

static void count_line(const struct naive *n, uint32_t line, struct line_share *sites)
{
	uint32_t groups = 0, lowest = 0, readers[MOST] = { 0 };
	uint32_t part = n->line_bytes > 64 ? n->line_bytes / 64 : 1;
	bool is_shared = false;

	for (uint32_t g = GROUPS; g-- > 0;) {
		if (!n->is_read[line][g])
			continue;
		count_group(n, line, g, sites);
		groups++;
		lowest = g;
		for (uint32_t i = 0; i < n->line_bytes; i += part)
			readers[i] += reads_some(n, line, g, i, part);
	}
	for (uint32_t i = 0; i < MOST; i++)
		is_shared |= readers[i] > 1;
	if (!groups)
		return;
	sites = &sites[n->site[line][lowest]];
	sites->lines++;
	sites->apart += groups > 1 && !is_shared;
	sites->apart_groups += groups > 1 && !is_shared ? groups : 0;
	sites->sectors += count_sectors(n, line, SMS);
	for (uint32_t sm = 0; sm < SMS; sm++)
		sites->sm_sectors += groups == 1 || is_shared ? count_sectors(n, line, sm) : 0;
	sites->sm_sectors += groups > 1 && !is_shared ? count_sectors(n, line, SMS) : 0;
}

/* What a group does to its lines, though no other group is looked at beside it. */
static void count_groups(const struct naive *n, struct line_share *sites)
{
	for (uint32_t line = 0; line < LINES; line++)
		for (uint32_t g = 0; g < GROUPS; g++)
			if (n->is_read[line][g])
				count_group(n, line, g, sites);
}

/* A read of a few bytes of a line, or an atomic; a third of the groups have disjoint pieces. */
static void access_some(struct random *r, struct naive *reads, struct naive *atomics,
                        struct line_sharing *s)
{
	static const enum site_kind kinds[] = { SITE_WRITE, SITE_ATOMIC };
	uint32_t draw = random_below(r, 8);
	enum site_kind kind = draw < 2 ? kinds[draw] : SITE_READ;
	struct naive *n = kind == SITE_ATOMIC ? atomics : reads;
	uint32_t line = random_below(r, LINES), group = random_below(r, GROUPS);
	uint32_t site = random_below(r, SITES), own = n->line_bytes / 16;
	uint32_t from = own * group, bytes = own / 2 + random_below(r, own / 2);
	uint64_t used[MOST / 64] = { 0 };
	struct request q = { .line = (uint64_t)n->line_bytes * line,
		             .used = used,
		             .site = site,
		             .kind = kind,
		             .group = group };

	if (line % 3 == 0)
		from = random_below(r, n->line_bytes - own);
	for (uint32_t i = from; i < from + bytes; i++) {
		used[i / 64] |= UINT64_C(1) << i % 64;
		if (q.kind != SITE_WRITE)
			n->bytes[line][group][i] = true;
	}
	q.bytes_used = bytes;
	q.lanes = 1 + random_below(r, 32);
	if (q.kind != SITE_WRITE && !n->is_read[line][group]) {
		n->is_read[line][group] = true;
		n->site[line][group] = site;
	}
	if (q.kind != SITE_WRITE) {
		n->requests[line][group]++;
		n->request_bytes[line][group] += bytes;
		n->lane_bytes[line][group] += site == 2 ? bytes : (site ? 8 : 4) * q.lanes;
	}
	line_sharing_request(s, group % SMS, &q);
}

static void it_counts_what_a_naive_count_does(void **state)
{
	struct random r = { 77 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct line_share sites[SITES] = { 0 }, expected[SITES] = { 0 };
		struct gpu gpu = { .sm_count = SMS };
		struct naive *n = calloc(2, sizeof(*n)); /* of reads, of atomics */
		struct line_sharing *s = NULL;

		assert_non_null(n);
		n->line_bytes = UINT32_C(32) << round % 4;
		n->sector_bytes = round % 3 ? UINT32_C(32) : n->line_bytes;
		n[1].line_bytes = n->line_bytes;
		n[1].sector_bytes = n->sector_bytes;
		gpu.l1_line_bytes = n->line_bytes;
		gpu.l1_sector_bytes = round % 3 ? n->sector_bytes : 0;
		assert_int_equal(line_sharing_create(&s, &gpu, &table, NULL), 0);
		for (int i = 0; i < REQUESTS; i++)
			access_some(&r, n, &n[1], s);
		assert_int_equal(line_sharing_end(s, sites, SITES, NULL), 0);
		for (uint32_t line = 0; line < LINES; line++)
			count_line(n, line, expected);
		count_groups(&n[1], expected);
		assert_memory_equal(sites, expected, sizeof(sites));
		line_sharing_free(s);
		free(n);
	}
}

/* Each line is read by groups 2 l and 2 l + 1, the even ones whole, the odd ones by halves. */
static void a_sample_of_many_lines_has_them_in_proportion(void **state)
{
	const uint64_t halves[2][2] = { { UINT64_MAX, 0 }, { 0, UINT64_MAX } };
	const uint64_t whole[2] = { UINT64_MAX, UINT64_MAX };
	enum { MANY = 50000 };
	struct line_share site = { 0 };
	struct line_sharing *s = NULL;

	(void)state;
	assert_int_equal(line_sharing_create(&s, &one_sm, &table, NULL), 0);
	for (uint64_t line = 0; line < MANY; line++)
		for (uint32_t half = 0; half < 2; half++) {
			const struct request q = { .line = 128 * line,
				                   .used = line % 2 ? halves[half] : whole,
				                   .bytes_used = line % 2 ? 64 : 128,
				                   .kind = SITE_READ,
				                   .group = 2 * line + half };

			line_sharing_request(s, 0, &q);
		}
	assert_int_equal(line_sharing_end(s, &site, 1, NULL), 0);
	assert_in_range(site.lines, LINE_SHARING_PLACES / 8, LINE_SHARING_PLACES);
	assert_int_equal(site.apart_groups, 2 * site.apart);
	assert_in_range(site.apart, site.lines * 4 / 10, site.lines * 6 / 10);
	assert_int_equal(site.sectors, 4 * site.lines);
	assert_int_equal(site.group_lines, 2 * site.lines);
	assert_int_equal(site.requests, 2 * site.lines);
	assert_int_equal(site.group_bytes, 128 * site.apart + 256 * (site.lines - site.apart));
	assert_int_equal(site.request_bytes, site.group_bytes);
	assert_int_equal(site.group_sectors, site.group_bytes / 32);
	line_sharing_free(s);
}

enum { ITEMS = 256, WARP = 32, LINE = 128, PITCH = 1024 };

/* A group of 256 work-items that reads one argument `times` times, in warps of 32 and lines of 128
 * bytes; and what comes of it. */
struct group_case {
	const char *name;
	uint32_t bytes, times;
	uint64_t (*address)(uint32_t item, uint32_t k);
	uint64_t requests, lane_bytes, request_bytes, group_bytes, group_sectors;
};

/* Float (x, y) of rows of PITCH floats. */
static uint64_t float_at(uint32_t x, uint32_t y)
{
	return 4 * ((uint64_t)y * PITCH + x);
}

/* Groups of 16x16: work-item's row of A, and its column of B. */
static uint64_t product_a(uint32_t item, uint32_t k)
{
	return float_at(k, item / 16);
}

static uint64_t product_b(uint32_t item, uint32_t k)
{
	return float_at(item % 16, k);
}

/* 5x5, around (16 + x, 16 + y). */
static uint64_t filter(uint32_t item, uint32_t k)
{
	return float_at(14 + item % 16 + k % 5, 14 + item / 16 + k / 5);
}

/* Groups of 32x8, around (32 + x, 8 + y): itself, above, below, left, right. */
static uint64_t star(uint32_t item, uint32_t k)
{
	static const uint32_t x[] = { 1, 1, 1, 0, 2 }, y[] = { 1, 0, 2, 1, 1 };

	return float_at(31 + item % 32 + x[k], 7 + item / 32 + y[k]);
}

/* All read one body of 16 bytes after the other. */
static uint64_t body(uint32_t item, uint32_t k)
{
	(void)item;
	return 16 * (uint64_t)k;
}

static uint64_t own_word(uint32_t item, uint32_t k)
{
	(void)k;
	return 4 * (uint64_t)item;
}

static const struct group_case group_cases[] = {
	/* A warp has two rows, so two lines and 4 bytes of each: 8 * 512 * 2 requests. 16 lanes ask
	   for each byte at once, and nobody does again. 16 rows of 512 floats. */
	{ "matrix product, A", 4, 512, product_a, 8192, 524288, 32768, 32768, 1024 },
	/* Both rows of a warp, and all 8 warps, want the same 16 floats: 2 lanes a byte, 8 times.
	 */
	{ "matrix product, B", 4, 512, product_b, 4096, 524288, 262144, 32768, 1024 },
	/* Of the 20 columns 14..33 two lie in a second line: rows that begin 1 or 2 to the right
	   have two. 8 warps * 5 * 2 rows * (3 + 2 * 2). 20 rows of 80 bytes, sectors 1..4. */
	{ "filter of 5x5", 4, 25, filter, 560, 25600, 25600, 1600, 80 },
	/* A request for each warp and body; 32 lanes ask for the same 16 bytes, and 8 warps. */
	{ "all pairs of 1024 bodies", 16, 1024, body, 8192, 4194304, 131072, 16384, 512 },
	/* 8 warps with a line for each but left and right, which have two. 10 rows of 32 floats and
	   a float on both sides of 8. */
	{ "stencil of 5 points", 4, 5, star, 56, 5120, 5120, 1344, 56 },
	{ "a word for each", 4, 1, own_word, 8, 1024, 1024, 1024, 32 },
};

/* Lanes 32 w .. 32 w + 31, line by line. */
static void play_warp(const struct group_case *c, uint32_t warp, uint32_t k, struct line_sharing *s)
{
	uint64_t lines[WARP] = { 0 }, used[WARP][LINE / 64] = { { 0 } };
	uint32_t lanes[WARP] = { 0 }, count = 0;

	for (uint32_t lane = 0; lane < WARP; lane++) {
		uint64_t at = c->address(WARP * warp + lane, k);
		uint32_t i = 0;

		while (i < count && lines[i] != at / LINE)
			i++;
		count += i == count;
		lines[i] = at / LINE;
		lanes[i]++;
		for (uint64_t b = at % LINE; b < at % LINE + c->bytes; b++)
			used[i][b / 64] |= UINT64_C(1) << b % 64;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct request q = { .line = LINE * lines[i],
			                   .used = used[i],
			                   .bytes_used =
			                           bits_count(used[i][0]) + bits_count(used[i][1]),
			                   .lanes = lanes[i],
			                   .kind = SITE_READ };

		line_sharing_request(s, 0, &q);
	}
}

static void a_group_reads_its_bytes_so_often(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(group_cases) / sizeof(group_cases[0]); i++) {
		const struct group_case *c = &group_cases[i];
		struct site site = { .kind = SITE_READ, .bytes = c->bytes };
		const struct kernel_table one = { .sites = &site, .site_count = 1 };
		struct line_share sum = { 0 };
		struct line_sharing *s = NULL;

		print_message("%s\n", c->name);
		assert_int_equal(line_sharing_create(&s, &one_sm, &one, NULL), 0);
		for (uint32_t k = 0; k < c->times; k++)
			for (uint32_t warp = 0; warp < ITEMS / WARP; warp++)
				play_warp(c, warp, k, s);
		assert_int_equal(line_sharing_end(s, &sum, 1, NULL), 0);
		assert_int_equal(sum.requests, c->requests);
		assert_int_equal(sum.lane_bytes, c->lane_bytes);
		assert_int_equal(sum.request_bytes, c->request_bytes);
		assert_int_equal(sum.group_bytes, c->group_bytes);
		assert_int_equal(sum.group_sectors, c->group_sectors);
		line_sharing_free(s);
	}
}

/* What a group does with a line of 64 bytes, access after access: a part is a byte. */
struct history {
	struct {
		enum site_kind kind;
		uint32_t site, from, bytes;
	} accesses[REQUESTS];
	uint32_t count;
};

static struct line_place place_of(const struct history *h)
{
	struct line_place p = { 0 };

	for (uint32_t i = 0; i < h->count; i++) {
		enum site_kind kind = h->accesses[i].kind;
		uint32_t site = h->accesses[i].site, bytes = h->accesses[i].bytes;
		uint64_t parts = (bytes == 64 ? UINT64_MAX : (UINT64_C(1) << bytes) - 1)
		                 << h->accesses[i].from;

		if (kind == SITE_READ) {
			p.site = p.requests ? p.site : site;
			p.requests++;
			p.site_requests += site == p.site;
			p.parts |= parts;
		}
		if (kind != SITE_WRITE) /* an atomic reads, then writes */
			p.parts_fetched |= parts & ~p.parts_written;
		if (kind != SITE_READ) {
			p.write_site = p.parts_written ? p.write_site : site;
			p.parts_written |= parts;
		}
	}
	return p;
}

static void assert_place(const struct line_place *is, const struct line_place *want)
{
	assert_int_equal(is->requests, want->requests);
	assert_int_equal(is->site_requests, want->site_requests);
	assert_int_equal(is->parts, want->parts);
	assert_int_equal(is->parts_fetched, want->parts_fetched);
	assert_int_equal(is->parts_written, want->parts_written);
	if (want->requests)
		assert_int_equal(is->site, want->site);
	if (want->parts_written)
		assert_int_equal(is->write_site, want->write_site);
}

static void access_at_random(struct random *r, struct history all[LINES][GROUPS],
                             struct line_sharing *s)
{
	static const enum site_kind kinds[] = { SITE_READ, SITE_READ, SITE_WRITE, SITE_ATOMIC };
	uint32_t line = random_below(r, LINES), group = random_below(r, GROUPS);
	struct history *h = &all[line][group];
	uint32_t from = random_below(r, 64), bytes = 1 + random_below(r, 64 - from);
	uint64_t used = (bytes == 64 ? UINT64_MAX : (UINT64_C(1) << bytes) - 1) << from;
	struct request q = { .line = UINT64_C(64) * line,
		             .used = &used,
		             .bytes_used = bytes,
		             .lanes = 1,
		             .site = random_below(r, SITES),
		             .kind = kinds[random_below(r, 4)],
		             .group = group };

	h->accesses[h->count].kind = q.kind;
	h->accesses[h->count].site = q.site;
	h->accesses[h->count].from = from;
	h->accesses[h->count++].bytes = bytes;
	line_sharing_request(s, group % SMS, &q);
}

/* By line, then group. */
static void places_are_those_of_the_definition(void **state)
{
	const struct gpu gpu = { .sm_count = SMS, .l1_line_bytes = 64 };
	struct random r = { 17 };

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct history(*all)[GROUPS] = calloc(LINES, sizeof(*all));
		struct line_sharing *s = NULL;
		struct line_places places;
		size_t seen = 0;

		assert_non_null(all);
		assert_int_equal(line_sharing_create(&s, &gpu, &table, NULL), 0);
		line_sharing_watch_writes(s);
		for (int i = 0; i < 4 * REQUESTS; i++)
			access_at_random(&r, all, s);
		assert_int_equal(line_sharing_places(s, &places, NULL), 0);
		assert_int_equal(places.threshold, UINT64_MAX);
		for (uint32_t line = 0; line < LINES; line++)
			for (uint32_t g = 0; g < GROUPS; g++) {
				struct line_place want = place_of(&all[line][g]);

				if (!all[line][g].count)
					continue;
				assert_true(seen < places.count);
				assert_int_equal(places.items[seen].line, 64 * line);
				assert_int_equal(places.items[seen].group, g);
				assert_place(&places.items[seen++], &want);
			}
		assert_int_equal(seen, places.count);
		free(places.items);
		line_sharing_free(s);
		free(all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_counts_what_a_naive_count_does),
		cmocka_unit_test(places_are_those_of_the_definition),
		cmocka_unit_test(a_group_reads_its_bytes_so_often),
		cmocka_unit_test(a_sample_of_many_lines_has_them_in_proportion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
