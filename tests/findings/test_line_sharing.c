/* SPDX-License-Identifier: Apache-2.0 */
#include "line_sharing.h"

#include "cmocka_all.h"
#include "kernel_table.h"
#include "random.h"
#include "request.h"

#include <stdlib.h>
#include <string.h>

/* Accesses of 4 bytes, of 8, and of sizes known only at run time. */
static struct site sites_of_kernel[] = { { .bytes = 4 }, { .bytes = 8 }, { .bytes = 0 } };
static const struct kernel_table table = { .sites = sites_of_kernel, .site_count = 3 };

enum { SMS = 3, GROUPS = 12, LINES = 40, SITES = 3, REQUESTS = 400, ROUNDS = 50, MOST = 256 };

/* What each group read of each line, byte by byte, and by which site first. Group g is on SM
 * g % SMS. */
struct naive {
	bool is_read[LINES][GROUPS];
	bool bytes[LINES][GROUPS][MOST];
	uint32_t line_bytes;
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
	for (uint32_t i = 0; i < n->line_bytes; i += 32)
		row->group_sectors += reads_some(n, line, g, i, 32);
}

static void count_line(const struct naive *n, uint32_t line, struct line_share *sites)
{
	uint32_t groups = 0, sms = 0, lowest = 0, readers[MOST] = { 0 };
	uint32_t part = n->line_bytes > 64 ? n->line_bytes / 64 : 1;
	bool has_sm[SMS] = { false }, is_shared = false;

	for (uint32_t g = GROUPS; g-- > 0;) {
		if (!n->is_read[line][g])
			continue;
		count_group(n, line, g, sites);
		groups++;
		lowest = g;
		sms += !has_sm[g % SMS];
		has_sm[g % SMS] = true;
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
	sites->shared += is_shared;
	sites->shared_sms += is_shared ? sms : 0;
}

/* A read of a few bytes of a line; a third of the groups read disjoint pieces. */
static void read_some(struct random *r, struct naive *n, struct line_sharing *s)
{
	uint32_t line = random_below(r, LINES), group = random_below(r, GROUPS);
	uint32_t site = random_below(r, SITES), own = n->line_bytes / 16;
	uint32_t from = own * group, bytes = own / 2 + random_below(r, own / 2);
	uint64_t used[MOST / 64] = { 0 };
	struct request q = { .line = (uint64_t)n->line_bytes * line,
		             .used = used,
		             .site = site,
		             .kind = random_below(r, 8) ? SITE_READ : SITE_WRITE,
		             .group = group };

	if (line % 3 == 0)
		from = random_below(r, n->line_bytes - own);
	for (uint32_t i = from; i < from + bytes; i++) {
		used[i / 64] |= UINT64_C(1) << i % 64;
		if (q.kind == SITE_READ)
			n->bytes[line][group][i] = true;
	}
	q.bytes_used = bytes;
	q.lanes = 1 + random_below(r, 32);
	if (q.kind == SITE_READ && !n->is_read[line][group]) {
		n->is_read[line][group] = true;
		n->site[line][group] = site;
	}
	if (q.kind == SITE_READ) {
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
		struct naive *n = calloc(1, sizeof(*n));
		struct line_sharing *s = NULL;

		assert_non_null(n);
		n->line_bytes = UINT32_C(32) << round % 4;
		assert_int_equal(line_sharing_create(&s, SMS, n->line_bytes, &table, NULL), 0);
		for (int i = 0; i < REQUESTS; i++)
			read_some(&r, n, s);
		assert_int_equal(line_sharing_end(s, sites, SITES, NULL), 0);
		for (uint32_t line = 0; line < LINES; line++)
			count_line(n, line, expected);
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
	assert_int_equal(line_sharing_create(&s, 1, 128, &table, NULL), 0);
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
	assert_int_equal(site.apart + site.shared, site.lines);
	assert_int_equal(site.apart_groups, 2 * site.apart);
	assert_in_range(site.apart, site.lines * 4 / 10, site.lines * 6 / 10);
	assert_int_equal(site.group_lines, 2 * site.lines);
	assert_int_equal(site.requests, 2 * site.lines);
	assert_int_equal(site.group_bytes, 128 * site.apart + 256 * site.shared);
	assert_int_equal(site.request_bytes, site.group_bytes);
	assert_int_equal(site.group_sectors, site.group_bytes / 32);
	line_sharing_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_counts_what_a_naive_count_does),
		cmocka_unit_test(a_sample_of_many_lines_has_them_in_proportion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
