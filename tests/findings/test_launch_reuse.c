/* SPDX-License-Identifier: Apache-2.0 */
/* What launches have of those before: by hand, where each number follows from the definition, and
 * laws over random launches. */
#include "launch_reuse.h"

#include "cmocka_all.h"
#include "kernel_table.h"
#include "l1_stats.h"
#include "launch_shape.h"
#include "line_sharing.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

enum { READ, WRITE, UPDATE, SITES, LINES = 4, GROUPS = 4, MOST = 4096 };

#define WHOLE UINT64_MAX
#define LOW   (UINT64_MAX >> 32)
#define HIGH  (UINT64_MAX << 32)

static struct site kinds[SITES] = { { .kind = SITE_READ },
	                            { .kind = SITE_WRITE },
	                            { .kind = SITE_ATOMIC } };
static const struct kernel_table table = { .sites = kinds, .site_count = SITES };
static const struct launch_shape four_groups = { 1, { 128, 1, 1 }, { 32, 1, 1 }, { 0 } };
static const struct launch_shape two_groups = { 1, { 128, 1, 1 }, { 64, 1, 1 }, { 0 } };
static const struct launch_shape many = { 1, { 3200, 1, 1 }, { 32, 1, 1 }, { 0 } };
static const struct launch_shape plane = { 2, { 64, 2, 1 }, { 32, 1, 1 }, { 0 } };

/* A launch in the making: each place is a request, and a miss of 128 bytes if it reads. */
struct made {
	struct line_place items[MOST];
	struct l1_stats_row rows[SITES];
	struct line_places places;
	struct launch_step step;
};

static struct made launch_now;

static void begin(uint32_t kernel, const struct launch_shape *shape)
{
	launch_now = (struct made){ .places = { launch_now.items, 0, UINT64_MAX },
		                    .step = { .kernel = kernel,
		                              .first_site = SITES * kernel,
		                              .table = &table,
		                              .shape = shape,
		                              .rows = launch_now.rows,
		                              .identity = kernel } };
}

static struct line_place *place(uint64_t line, uint64_t group)
{
	struct line_place *p = &launch_now.items[launch_now.places.count];

	if (launch_now.places.count && p[-1].line == line && p[-1].group == group)
		return p - 1;
	launch_now.places.count++;
	p->line = line;
	p->group = group;
	p->write_site = UPDATE; /* of nothing, until it writes */
	return p;
}

/* In the order of lines, then groups. */
static void reads(uint64_t line, uint64_t group, uint64_t parts)
{
	struct line_place *p = place(line, group);

	p->parts |= parts;
	p->parts_fetched |= parts & ~p->parts_written;
	p->requests++;
	p->site_requests++;
	p->site = READ;
	launch_now.rows[READ].reads++;
	launch_now.rows[READ].bytes_from_l2 += 128;
}

static void writes(uint64_t line, uint64_t group, uint64_t parts)
{
	struct line_place *p = place(line, group);

	p->parts_written |= parts;
	p->write_site = WRITE;
	launch_now.rows[WRITE].writes++;
	launch_now.rows[WRITE].bytes_asked += 2 * (uint64_t)__builtin_popcountll(parts);
}

static void end(struct launch_reuse *r, struct launch_saving *sites)
{
	assert_int_equal(launch_reuse_launch(r, &launch_now.step, &launch_now.places, sites, NULL),
	                 0);
}

/* The same; returns what the reads save. */
static struct launch_saving ended(struct launch_reuse *r)
{
	struct launch_saving sites[SITES] = { 0 };

	end(r, sites);
	return sites[READ];
}

static struct launch_saving writes_saved(const struct launch_reuse *r, uint32_t kernel,
                                         uint32_t site)
{
	struct launch_saving sum = { 0 };
	size_t count;
	const struct launch_link *links = launch_reuse_links(r, kernel, &count);

	for (size_t i = 0; i < count; i++)
		if (links[i].site == site) {
			sum.requests += links[i].writes.requests;
			sum.bytes += links[i].writes.bytes;
		}
	return sum;
}

/* Kernel 0 writes 4 lines, kernel 1 reads them. */
static void write_all(struct launch_reuse *r)
{
	struct launch_saving sites[SITES] = { 0 };

	begin(0, &four_groups);
	for (uint64_t g = 0; g < GROUPS; g++)
		writes(g, g, WHOLE);
	end(r, sites);
	assert_true(sites[WRITE].requests == 0 && sites[READ].requests == 0);
}

/* Group line ^ shift reads line. */
static void reads_all(uint64_t shift)
{
	for (uint64_t line = 0; line < LINES; line++)
		reads(line, line ^ shift, WHOLE);
}

static struct launch_saving read_all(struct launch_reuse *r, uint32_t kernel, uint64_t shift)
{
	begin(kernel, &four_groups);
	reads_all(shift);
	return ended(r);
}

static struct launch_reuse *create(void)
{
	struct launch_reuse *r = NULL;

	assert_int_equal(launch_reuse_create(&r, 4, NULL), 0);
	return r;
}

static void assert_saving(struct launch_saving s, double requests, double bytes)
{
	if (fabs(s.requests - requests) > 1e-6 || fabs(s.bytes - bytes) > 1e-6)
		fail_msg("%g requests and %g bytes, not %g and %g", s.requests, s.bytes, requests,
		         bytes);
}

static void what_the_same_group_wrote_is_read_again_and_need_not_be_written(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	assert_saving(read_all(r, 1, 0), 4, 512);
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	assert_saving(writes_saved(r, 1, WRITE), 4, 512);
	launch_reuse_free(r);
}

static void what_another_group_wrote_needs_two_launches(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	assert_saving(read_all(r, 1, 1), 0, 0);
	assert_saving(read_all(r, 2, 1), 4, 512); /* what the second one had */
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	assert_saving(writes_saved(r, 1, WRITE), 0, 0);
	launch_reuse_free(r);
}

/* A repetition reads beyond the chain what was written. */
static void what_is_read_beyond_the_chain_is_written_all_the_same(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	assert_saving(read_all(r, 1, 0), 4, 512);
	assert_saving(read_all(r, 1, 0), 0, 0);
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	assert_saving(writes_saved(r, 1, WRITE), 0, 0);
	launch_reuse_free(r);
}

static void what_is_written_again_is_not_read_beyond(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	for (int i = 0; i < 3; i++) {
		write_all(r);
		assert_saving(read_all(r, 1, 0), 4, 512);
	}
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	assert_saving(writes_saved(r, 1, WRITE), 12, 3 * 512);
	launch_reuse_free(r);
}

static void who_writes_what_others_read_is_apart(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	assert_saving(read_all(r, 0, 0), 0, 0);
	begin(1, &four_groups);
	for (uint64_t line = 0; line < LINES; line++) {
		reads(line, line, WHOLE);
		writes(line, line ^ 1, WHOLE);
	}
	assert_saving(ended(r), 0, 0);
	launch_reuse_free(r);
}

/* Halves of a line: only the bytes count. Half of what is read was written by the same group. */
static void bytes_count_and_not_lines(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	begin(0, &four_groups);
	writes(0, 0, LOW);
	writes(0, 1, HIGH);
	ended(r);
	begin(1, &four_groups);
	reads(0, 0, LOW);
	reads(0, 1, HIGH);
	reads(1, 1, WHOLE);
	assert_saving(ended(r), 2, 192); /* 64 of 128 parts, of 384 bytes */
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	assert_saving(writes_saved(r, 1, WRITE), 2, 128);
	launch_reuse_free(r);
}

static void groups_of_other_sizes_are_the_same_by_their_work_items(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	begin(1, &two_groups);
	for (uint64_t line = 0; line < LINES; line++)
		reads(line, line / 2, WHOLE);
	assert_saving(ended(r), 4, 512);
	begin(2, &plane); /* nobody knows which groups these are */
	reads_all(0);
	assert_saving(ended(r), 0, 0);
	launch_reuse_free(r);
}

static void unknown_launches_may_have_read_it(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	assert_saving(read_all(r, 1, 0), 4, 512);
	begin(2, &four_groups);
	launch_now.step.is_after_unknown = true;
	end(r, (struct launch_saving[SITES]){ 0 });
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	assert_saving(writes_saved(r, 1, WRITE), 0, 0);
	launch_reuse_free(r);
}

/* A table that all groups read, and a counter that all update. */
static void a_crowd_reads_nothing_again_and_needs_each_other_if_it_writes(void **state)
{
	struct launch_saving sites[SITES] = { 0 };
	struct launch_reuse *r = create();

	(void)state;
	for (uint32_t kernel = 0; kernel < 3; kernel++) {
		begin(kernel, &many);
		for (uint64_t g = 0; g < 100; g++)
			reads(0, g, WHOLE);
		for (uint64_t g = 0; g < 100 && kernel == 1; g++)
			writes(1, g, LOW);
		reads(2, 0, WHOLE);
		if (kernel == 2)
			reads(3, 0, WHOLE);
		end(r, sites);
	}
	assert_saving(sites[READ], 2, 256); /* line 2, in the second and the third launch */
	begin(3, &many);
	reads(1, 0, LOW);
	reads(2, 0, WHOLE);
	assert_saving(ended(r), 0, 0);
	launch_reuse_free(r);
}

/* Many lines: what a sample shows is what all do, a tenth off at most. */
static void a_sample_stands_for_all(void **state)
{
	enum { LAUNCHES = 100 };
	struct launch_reuse *r = create();
	struct launch_saving all = { 0 }, saved;

	(void)state;
	for (uint64_t i = 0; i < LAUNCHES; i++) {
		struct launch_saving sites[SITES] = { 0 };

		begin(0, &four_groups);
		for (uint64_t line = 0; line < MOST; line++)
			writes(i * MOST + line, line % 4, WHOLE);
		end(r, sites);
		begin(1, &four_groups);
		for (uint64_t line = 0; line < MOST; line++)
			reads(i * MOST + line, line % 4, line % 2 ? LOW : WHOLE);
		end(r, sites);
		all.requests += sites[READ].requests;
		all.bytes += sites[READ].bytes;
	}
	assert_saving(all, LAUNCHES * MOST, 128.0 * LAUNCHES * MOST);
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	saved = writes_saved(r, 1, WRITE);
	assert_true(fabs(saved.requests / (0.75 * LAUNCHES * MOST) - 1) < 0.1);
	assert_true(fabs(saved.bytes / (0.75 * 128.0 * LAUNCHES * MOST) - 1) < 0.1);
	launch_reuse_free(r);
}

/* What a kernel reads again of a site, or has of it at all. */
static double bytes_read_of(const struct launch_reuse *r, uint32_t kernel, uint32_t site)
{
	size_t count;
	const struct launch_link *links = launch_reuse_links(r, kernel, &count);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += links[i].site == site ? links[i].bytes_read : 0;
	return sum;
}

/* The last one that had it: kernel 1 has it from the write, kernel 2 from kernel 1's read. */
static void it_is_had_from_the_last_one(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	assert_saving(read_all(r, 1, 0), 4, 512);
	assert_saving(read_all(r, 2, 0), 4, 512);
	assert_true(fabs(bytes_read_of(r, 1, WRITE) - 512) < 1e-6);
	assert_true(fabs(bytes_read_of(r, 2, SITES + READ) - 512) < 1e-6);
	assert_true(bytes_read_of(r, 2, WRITE) <= 0);
	launch_reuse_free(r);
}

/* Half of the line's bytes: half of its one request, and of its 128 bytes; three requests of
 * another site of the kernel to the place are none of this one's. */
static void requests_are_those_of_the_site_for_the_bytes_it_has(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	begin(0, &four_groups);
	writes(0, 0, LOW);
	(void)ended(r);
	begin(1, &four_groups);
	reads(0, 0, WHOLE);
	launch_now.items[0].requests += 3;
	assert_saving(ended(r), 0.5, 64);
	launch_reuse_free(r);
}

/* Launch 1 writes over what launch 0 wrote, after kernel 1 has read that: nobody else can read it,
 * whoever reads the line later, or may have. */
static void what_is_overwritten_in_the_chain_is_read_by_nobody_else(void **state)
{
	(void)state;
	for (int unknown = 0; unknown < 2; unknown++) {
		struct launch_reuse *r = create();

		write_all(r);
		assert_saving(read_all(r, 1, 0), 4, 512);
		begin(2, &four_groups);
		for (uint64_t g = 0; g < GROUPS; g++)
			writes(g, g, WHOLE);
		ended(r);
		begin(3, &four_groups);
		if (!unknown)
			reads_all(1);
		launch_now.step.is_after_unknown = unknown;
		assert_saving(ended(r), 0, 0);
		assert_int_equal(launch_reuse_end(r, false, NULL), 0);
		assert_saving(writes_saved(r, 1, WRITE), 4, 512);
		assert_saving(writes_saved(r, 3, 2 * SITES + WRITE), 0, 0);
		launch_reuse_free(r);
	}
}

static void launches_after_the_last_one_may_have_read_it(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	assert_saving(read_all(r, 1, 0), 4, 512);
	assert_int_equal(launch_reuse_end(r, true, NULL), 0);
	assert_saving(writes_saved(r, 1, WRITE), 0, 0);
	launch_reuse_free(r);
}

/* That a later write replaces it does not help: an atomic reads what it updates. */
static void an_atomic_cannot_be_saved(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	begin(0, &four_groups);
	writes(0, 0, WHOLE);
	launch_now.items[0].write_site = UPDATE;
	launch_now.rows[UPDATE].atomics++;
	launch_now.rows[UPDATE].bytes_asked += 128;
	ended(r);
	assert_saving(read_all(r, 1, 0), 1, 128); /* line 0 */
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	assert_saving(writes_saved(r, 1, UPDATE), 0, 0);
	launch_reuse_free(r);
}

/* Lines 0 to 3 are read in order of groups; line 4 is written by group 0, then by group 1. */
static void who_writes_what_others_wrote_is_apart(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	for (uint32_t kernel = 0; kernel < 2; kernel++) {
		begin(kernel, &four_groups);
		reads_all(0);
		writes(LINES, kernel, WHOLE);
		assert_saving(ended(r), 0, 0);
	}
	launch_reuse_free(r);
}

/* On another device. */
static void who_is_apart_has_nothing_of_others(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	write_all(r);
	begin(1, &four_groups);
	reads_all(0);
	launch_now.step.is_apart = true;
	assert_saving(ended(r), 0, 0);
	launch_reuse_free(r);
}

/* The ninth one begins a chain, and so does the seventeenth. */
static void a_chain_has_eight_launches(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	for (uint64_t i = 0; i < 20; i++) {
		begin(0, &four_groups);
		launch_now.step.identity = i;
		reads(0, 0, WHOLE);
		assert_saving(ended(r), i % 8 ? 1 : 0, i % 8 ? 128 : 0);
	}
	launch_reuse_free(r);
}

/* Groups 0 and 1 of 32 work-items are group 0 of 64, groups 2 and 3 are group 1. */
static void groups_of_other_sizes_without_common_work_items_are_others(void **state)
{
	(void)state;
	for (uint64_t line = 0; line < LINES; line++)
		for (uint64_t group = 0; group < 2; group++) {
			struct launch_reuse *r = create();
			double same = line / 2 == group ? 1 : 0;

			write_all(r);
			begin(1, &two_groups);
			reads(line, group, WHOLE);
			assert_saving(ended(r), same, 128 * same);
			launch_reuse_free(r);
		}
}

static void groups_of_a_plane_are_the_same_by_their_numbers(void **state)
{
	struct launch_saving sites[SITES] = { 0 };
	struct launch_reuse *r = create();

	(void)state;
	for (uint32_t kernel = 0; kernel < 2; kernel++) {
		begin(kernel, &plane);
		for (uint64_t g = 0; g < GROUPS; g++)
			reads(g, g, WHOLE);
		end(r, sites);
	}
	assert_saving(sites[READ], 4, 512);
	launch_reuse_free(r);
}

/* A line of 32 groups is read again by each, one of 33 by none, though a launch before or after has
 * it in a single group; nor may one of these write what such a crowd has read. */
static void more_than_32_groups_are_a_crowd(void **state)
{

	(void)state;
	for (uint64_t groups = 32; groups <= 33; groups++) {
		struct launch_reuse *r = create();
		double again = groups == 32 ? 1 : 0;

		begin(0, &many);
		reads(0, 0, WHOLE);
		ended(r);
		begin(1, &many);
		for (uint64_t g = 0; g < groups; g++)
			reads(0, g, WHOLE);
		assert_saving(ended(r), again, 128 * again);
		begin(2, &many);
		reads(0, 0, WHOLE);
		assert_saving(ended(r), 1, 128);
		launch_reuse_free(r);
	}
}

static void who_writes_what_a_crowd_read_is_apart(void **state)
{
	struct launch_reuse *r = create();

	(void)state;
	begin(0, &many);
	for (uint64_t g = 0; g < 100; g++)
		reads(0, g, WHOLE);
	reads(1, 0, WHOLE);
	ended(r);
	begin(1, &many);
	writes(0, 5, LOW);
	reads(1, 0, WHOLE);
	assert_saving(ended(r), 0, 0);
	launch_reuse_free(r);
}

/* Of the launch that reads only the lower half of all hashes were looked at: what it shows of that
 * half is what all lines do. */
static void a_smaller_sample_stands_for_all(void **state)
{
	struct launch_saving saved;
	struct launch_reuse *r = create();

	(void)state;
	begin(0, &four_groups);
	for (uint64_t line = 0; line < MOST; line++)
		writes(line, 0, WHOLE);
	ended(r);
	begin(1, &four_groups);
	launch_now.places.threshold = UINT64_MAX / 2;
	for (uint64_t line = 0; line < MOST; line++)
		if (line_sharing_hash(line) <= UINT64_MAX / 2)
			reads(line, 0, WHOLE);
	ended(r);
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	saved = writes_saved(r, 1, WRITE);
	assert_true(fabs(saved.requests / MOST - 1) < 0.1);
	assert_true(fabs(saved.bytes / (128.0 * MOST) - 1) < 0.1);
	launch_reuse_free(r);
}

/* A launch of more lines than are kept: those that come when it is full stand for more, too. */
static void a_launch_that_does_not_fit_stands_for_all(void **state)
{
	enum { MANY = 190000 };
	struct line_place *items = calloc(MANY, sizeof(*items));
	struct launch_saving sites[SITES] = { 0 }, saved;
	struct launch_reuse *r = create();

	(void)state;
	assert_non_null(items);
	for (uint32_t kernel = 0; kernel < 2; kernel++) {
		begin(kernel, &four_groups);
		for (uint64_t line = 0; line < MANY; line++)
			items[line] = (struct line_place){ .line = line,
				                           .parts = kernel ? WHOLE : 0,
				                           .parts_fetched = kernel ? WHOLE : 0,
				                           .parts_written = kernel ? 0 : WHOLE,
				                           .requests = kernel,
				                           .site_requests = kernel,
				                           .write_site = WRITE };
		launch_now.rows[kernel ? READ : WRITE] = (struct l1_stats_row){
			.reads = kernel ? MANY : 0,
			.writes = kernel ? 0 : MANY,
			.bytes_from_l2 = kernel ? 128 * MANY : 0,
			.bytes_asked = 128 * MANY,
		};
		launch_now.places.items = items;
		launch_now.places.count = MANY;
		end(r, sites);
	}
	assert_int_equal(launch_reuse_end(r, false, NULL), 0);
	saved = writes_saved(r, 1, WRITE);
	assert_true(fabs(saved.requests / MANY - 1) < 0.02);
	assert_true(fabs(saved.bytes / (128.0 * MANY) - 1) < 0.02);
	assert_saving(sites[READ], MANY, 128.0 * MANY);
	free(items);
	launch_reuse_free(r);
}

/* Nothing is saved that is not there. */
static void savings_are_parts_of_all(void **state)
{
	static const uint64_t parts[] = { WHOLE, LOW, HIGH, 1, 3 };
	struct random random = { 5 };
	double seen = 0, kept = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct launch_reuse *r = create();
		double written = 0;

		for (int launch = 0; launch < 12; launch++) {
			struct launch_saving sites[SITES] = { 0 };
			uint64_t shift = random_below(&random, 8) ? 0 : 1;

			begin(random_below(&random, 4), &four_groups);
			launch_now.step.identity = random_below(&random, 8);
			launch_now.step.is_after_unknown = !random_below(&random, 16);
			for (uint64_t line = 0; line < LINES; line++) {
				uint64_t p = parts[random_below(&random, 5)];

				if (random_below(&random, 2))
					reads(line, line ^ shift, p);
				if (random_below(&random, 2))
					writes(line, line ^ shift, parts[random_below(&random, 5)]);
			}
			end(r, sites);
			assert_true(sites[READ].requests <=
			            (double)launch_now.rows[READ].reads + 1e-9);
			assert_true(sites[READ].bytes <=
			            (double)launch_now.rows[READ].bytes_from_l2 + 1e-9);
			seen += sites[READ].bytes;
			written += (double)launch_now.rows[WRITE].bytes_asked;
		}
		assert_int_equal(launch_reuse_end(r, false, NULL), 0);
		for (uint32_t kernel = 0; kernel < 4; kernel++)
			for (uint32_t site = 0; site < 4; site++) {
				double bytes = writes_saved(r, kernel, SITES * site + WRITE).bytes;

				kept += bytes;
				written -= bytes;
			}
		assert_true(written >= -1e-6);
		launch_reuse_free(r);
	}
	assert_true(seen > 1000 && kept > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_same_group_wrote_is_read_again_and_need_not_be_written),
		cmocka_unit_test(what_another_group_wrote_needs_two_launches),
		cmocka_unit_test(what_is_read_beyond_the_chain_is_written_all_the_same),
		cmocka_unit_test(what_is_written_again_is_not_read_beyond),
		cmocka_unit_test(who_writes_what_others_read_is_apart),
		cmocka_unit_test(bytes_count_and_not_lines),
		cmocka_unit_test(groups_of_other_sizes_are_the_same_by_their_work_items),
		cmocka_unit_test(unknown_launches_may_have_read_it),
		cmocka_unit_test(a_crowd_reads_nothing_again_and_needs_each_other_if_it_writes),
		cmocka_unit_test(it_is_had_from_the_last_one),
		cmocka_unit_test(requests_are_those_of_the_site_for_the_bytes_it_has),
		cmocka_unit_test(what_is_overwritten_in_the_chain_is_read_by_nobody_else),
		cmocka_unit_test(launches_after_the_last_one_may_have_read_it),
		cmocka_unit_test(an_atomic_cannot_be_saved),
		cmocka_unit_test(who_writes_what_others_wrote_is_apart),
		cmocka_unit_test(who_is_apart_has_nothing_of_others),
		cmocka_unit_test(a_chain_has_eight_launches),
		cmocka_unit_test(groups_of_other_sizes_without_common_work_items_are_others),
		cmocka_unit_test(groups_of_a_plane_are_the_same_by_their_numbers),
		cmocka_unit_test(more_than_32_groups_are_a_crowd),
		cmocka_unit_test(who_writes_what_a_crowd_read_is_apart),
		cmocka_unit_test(a_smaller_sample_stands_for_all),
		cmocka_unit_test(a_launch_that_does_not_fit_stands_for_all),
		cmocka_unit_test(a_sample_stands_for_all),
		cmocka_unit_test(savings_are_parts_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
