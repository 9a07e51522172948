/* SPDX-License-Identifier: Apache-2.0 */
/* Whole launches: which SM runs which group, that nothing is lost, and what is refused. */
#include "launch_play.h"

#include "address_map.h"
#include "cmocka_all.h"
#include "err.h"
#include "random.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct launch_play play, again;

static uint64_t ten_cycles(const struct logged *r)
{
	return 10;
}

/* --- dispatch -------------------------------------------------------------------------------- */

static const uint32_t reads_of_group[] = { 3, 1, 1, 1, 1, 1, 2, 1, 0, 0, 1 };

static void some_reads(struct launch_play *p, uint64_t group, uint32_t item)
{
	for (uint32_t i = 0; i < reads_of_group[group]; i++)
		launch_play_event(p, 4096, 0, 0);
}

static void a_group_starts_where_a_slot_is_free_first(void **state)
{
	/* Two SMs with a slot each, 10 cycles a read. SM 0 has group 0 until 30; SM 1 has group 1
	 * until 10, 2 until 20, 3 until 30. Both are free at 30: SM 0 takes 4, SM 1 takes 5, until
	 * 40. Then 6 on SM 0 until 60, 7 on SM 1 until 50, where 8 and 9 begin and end; and 10. */
	static const uint32_t sms[] = { 0, 1, 1, 1, 0, 1, 0, 1, 1 };
	static const uint64_t groups[] = { 0, 1, 2, 3, 4, 5, 6, 7, 10 };
	static const uint64_t starts[] = { 0, 0, 10, 20, 30, 30, 40, 40, 50 };

	(void)state;
	launch_play_init(&play, some_reads, ten_cycles);
	play.gpu.sm_count = 2;
	play.gpu.max_groups = 1;
	launch_play_shape(&play, COUNT(reads_of_group), 4);
	assert_int_equal(launch_play(&play, NULL), 0);
	for (size_t i = 0; i < COUNT(groups); i++) {
		uint32_t k = 0;

		while (k < play.log_count && play.log[k].group != groups[i])
			k++;
		assert_true(k < play.log_count);
		assert_int_equal(play.log[k].sm, sms[i]);
		assert_int_equal(play.log[k].cycle, starts[i]);
	}
	assert_int_equal(play.result.cycles, 60);
	assert_int_equal(play.result.sm_groups[0], 3);
	assert_int_equal(play.result.sm_groups[1], 8);
	assert_int_equal(play.result.residency.groups, 1);
	assert_int_equal(play.result.residency.limit, RESIDENCY_MAX_GROUPS);
	schedule_result_release(&play.result);
}

/* Groups of 4 work-items, each of which reads a word of local memory group + 1 times. Warps of 4
 * have no conflicts: a turn each time. */
static void local_reads(struct launch_play *p, uint64_t group, uint32_t item)
{
	if (!local_sample_has(&p->sample, group))
		return;
	for (uint64_t i = 0; i <= group; i++)
		launch_play_event(p, 4 * item, 0, 0);
}

static void more_local_reads(struct launch_play *p, uint64_t group, uint32_t item)
{
	launch_play_event(p, 4 * item, 0, 0);
}

/* Of 5 groups 1 and 4 are in a sample of 2 (test_local_sample.c): 2 and 5 turns, which of all
 * groups are 5 / 2 of that, 17.5, rounded to 18. */
static void local_memory_of_a_sample_is_counted_in_its_groups(void **state)
{
	static struct site sites[] = {
		{ .kind = SITE_READ, .bytes = 4, .space = SPACE_LOCAL, .loop = -1, .argument = -1 }
	};
	struct err err = { 0 };

	(void)state;
	for (uint32_t jobs = 1; jobs <= 2; jobs++) {
		const struct side_sample *sample = &play.result.side_sample;

		launch_play_init(&play, local_reads, ten_cycles);
		play.table.sites = sites;
		play.table.site_count = 1;
		play.gpu.local_banks = 32;
		play.gpu.local_bank_bytes = 4;
		play.jobs = jobs;
		play.sample = local_sample_of(2, 5, false);
		launch_play_shape(&play, 5, 4);
		assert_int_equal(launch_play(&play, NULL), 0);
		assert_int_equal(sample->groups, 2);
		assert_int_equal(sample->of_groups, 5);
		assert_int_equal(sample->turns, 7);
		assert_int_equal((uint64_t)sample->squares, 4 + 25);
		assert_int_equal(play.result.side.local_instructions, 18);
		schedule_result_release(&play.result);

		play.item = more_local_reads;
		assert_int_equal(launch_play(&play, &err), ERR_FORMAT);
		assert_string_equal(err.msg, "group 0: has accesses to local memory, but is not in "
		                             "the sample of groups in which they are recorded");
		schedule_result_release(&play.result);
	}
}

/* One group each, the lowest first; at random any SM may be the one. */
static void few_groups_reach_the_lowest_sms(void **state)
{
	(void)state;
	for (uint32_t kind = DISPATCH_roundrobin; kind <= DISPATCH_breadth; kind++)
		for (uint32_t groups = 1; groups <= 5; groups++) {
			struct schedule_input input = { .shape = &play.shape,
				                        .dispatch = { .kind = kind, .seed = 7 } };

			launch_play_init(&play, some_reads, ten_cycles);
			play.gpu.sm_count = 4;
			play.dispatch = input.dispatch;
			launch_play_shape(&play, groups, 4);
			assert_int_equal(launch_play(&play, NULL), 0);
			for (uint32_t sm = 0; sm < 4; sm++) {
				bool reaches = schedule_reaches(&play.gpu, &input, sm);

				assert_int_equal(reaches, kind == DISPATCH_random || sm < groups);
				assert_true(reaches || !play.result.sm_groups[sm]);
				if (kind != DISPATCH_random && sm < groups)
					assert_true(play.result.sm_groups[sm] > 0);
			}
			schedule_result_release(&play.result);
		}
}

static void the_first_groups_go_round_robin(void **state)
{
	(void)state;
	launch_play_init(&play, some_reads, ten_cycles);
	play.gpu.sm_count = 4;
	launch_play_shape(&play, 8, 4);
	assert_int_equal(launch_play(&play, NULL), 0);
	for (uint32_t i = 0; i < play.log_count; i++)
		assert_int_equal(play.log[i].sm, play.log[i].group % 4);
	schedule_result_release(&play.result);
}

/* --- transposition --------------------------------------------------------------------------- */

static uint64_t matrix_width;

/* odata[column * height + row] = idata[row * width + column] */
static void transpose(struct launch_play *p, uint64_t group, uint32_t item)
{
	uint64_t id[3];

	launch_shape_global_id(&p->shape, group, item, id);
	launch_play_event(p, 0x10000000 + 4 * (id[1] * matrix_width + id[0]), 0, 0);
	launch_play_event(p, 0x20000000 + 4 * (id[0] * matrix_width + id[1]), 2, 0);
}

static void transposition_has_the_requests_of_table_8_1(void **state)
{
	/* Crawford 2014, Table 8.1: group side x groups in a dimension. A warp of a 16x16 group
	 * has two rows of 16 floats, 64 bytes that lie in one line each: 8 warps x 2 = 16 reads.
	 * A warp of a 32x32 group has one row of a whole line: 32 reads. A warp's 16 columns are
	 * written to 16 lines (two rows lie side by side), 32 columns to 32. */
	static const uint32_t table[][2] = { { 16, 2 }, { 16, 3 },  { 16, 4 }, { 32, 2 },
		                             { 16, 5 }, { 16, 6 },  { 32, 3 }, { 16, 7 },
		                             { 16, 8 }, { 32, 4 },  { 16, 9 }, { 16, 10 },
		                             { 32, 5 }, { 16, 16 }, { 32, 10 } };

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++) {
		uint64_t side = table[i][0], groups = (uint64_t)table[i][1] * table[i][1];
		uint64_t reads = side == 16 ? 16 : 32, writes = side == 16 ? 8 * 16 : 32 * 32;
		uint64_t fullest = 0;

		launch_play_init(&play, transpose, ten_cycles);
		assert_int_equal(gpu_load(&play.gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL),
		                 0);
		matrix_width = side * table[i][1];
		play.shape = (struct launch_shape){
			2, { matrix_width, matrix_width, 1 }, { side, side, 1 }, { 0 }
		};
		assert_int_equal(launch_play(&play, NULL), 0);
		for (uint32_t sm = 0; sm < play.gpu.sm_count; sm++)
			if (play.result.sm_reads[sm] > fullest)
				fullest = play.result.sm_reads[sm];
		print_message("  %ux%u: %u on the fullest SM\n", table[i][0], table[i][1],
		              (unsigned)fullest);
		assert_int_equal(fullest, reads * ((groups + 14) / 15));
		assert_int_equal(play.result.requests, groups * (reads + writes));
		assert_int_equal(play.result.lanes, 2 * matrix_width * matrix_width);
		schedule_result_release(&play.result);
	}
}

/* --- nothing is lost ------------------------------------------------------------------------- */

static void random_item(struct launch_play *p, uint64_t group, uint32_t item)
{
	struct random r = { group * 1000 + item };
	uint32_t count = random_below(&r, 6);

	for (uint32_t i = 0; i < count; i++) {
		launch_play_event(p, 4096 + random_below(&r, 5000), i % 2 ? 2 : 0, 0);
		if (random_below(&r, 3) == 0)
			launch_play_event(p, 0, 5, 0);
	}
	launch_play_event(p, 0, 4, 0);
	launch_play_event(p, 4096 + item, 3, 0);
}

static uint64_t uneven(const struct logged *r)
{
	return 1 + r->line / 128 % 7 * 11 + r->warp % 3;
}

static void set_up_random(struct launch_play *p, uint32_t schedulers)
{
	launch_play_init(p, random_item, uneven);
	/* the last groups of both dimensions are smaller: 7 x 5, 2 x 5, 7 x 2, 2 x 2 work-items */
	p->shape = (struct launch_shape){ 2, { 30, 22, 1 }, { 7, 5, 1 }, { 0 } };
	p->gpu.sm_count = 3;
	p->gpu.max_groups = 2;
	p->gpu.schedulers = schedulers;
}

static void check_log(const struct launch_play *p)
{
	static uint64_t group_sm[64], last_cycle[3], requests[3];
	uint64_t seen = 0, reads = 0;

	memset(last_cycle, 0, sizeof(last_cycle));
	memset(requests, 0, sizeof(requests));
	for (uint32_t i = 0; i < p->log_count; i++) {
		const struct logged *r = &p->log[i];

		assert_true(r->cycle >= last_cycle[r->sm]); /* in the order of the SM's time */
		last_cycle[r->sm] = r->cycle;
		requests[r->sm]++;
		reads += r->kind == SITE_READ;
		assert_true(r->group < 25);
		if (!(seen >> r->group & 1))
			group_sm[r->group] = r->sm;
		assert_int_equal(group_sm[r->group], r->sm); /* a group stays on its SM */
		seen |= UINT64_C(1) << r->group;
	}
	assert_int_equal(seen, (1 << 25) - 1);
	for (uint32_t sm = 0; sm < 3; sm++) {
		assert_int_equal(requests[sm], p->result.sm_requests[sm]);
		reads -= p->result.sm_reads[sm];
	}
	assert_int_equal(reads, 0);
}

static void every_group_runs_once_and_no_access_is_lost(void **state)
{
	(void)state;
	for (uint32_t schedulers = 1; schedulers <= 3; schedulers++) {
		struct err err = { 0 };
		uint64_t groups = 0;

		set_up_random(&play, schedulers);
		assert_int_equal(launch_play(&play, &err), 0);
		assert_int_equal(play.groups_read, 25);
		assert_int_equal(play.result.lanes, play.accesses);
		assert_int_equal(play.result.requests, play.log_count);
		check_log(&play);
		for (uint32_t sm = 0; sm < 3; sm++)
			groups += play.result.sm_groups[sm];
		assert_int_equal(groups, 25);
		schedule_result_release(&play.result);
	}
}

static void the_same_input_gives_the_same_requests(void **state)
{
	(void)state;
	set_up_random(&play, 2);
	set_up_random(&again, 2);
	assert_int_equal(launch_play(&play, NULL), 0);
	assert_int_equal(launch_play(&again, NULL), 0);
	assert_int_equal(play.log_count, again.log_count);
	for (uint32_t i = 0; i < play.log_count; i++) {
		assert_int_equal(play.log[i].cycle, again.log[i].cycle);
		assert_int_equal(play.log[i].line, again.log[i].line);
		assert_int_equal(play.log[i].group, again.log[i].group);
		assert_int_equal(play.log[i].warp, again.log[i].warp);
	}
	schedule_result_release(&play.result);
	schedule_result_release(&again.result);
}

/* --- requests -------------------------------------------------------------------------------- */

static void one_of_each(struct launch_play *p, uint64_t group, uint32_t item)
{
	launch_play_event(p, 0x7000 + 4 * item, 0, 0); /* in buffer 0 */
	launch_play_event(p, 0x9000 + 4 * item, 2, 0); /* in none */
	launch_play_event(p, 0x7000, 1, 0);            /* the same bytes, of 4 lanes and of 3 */
	if (item == 5)
		launch_play_event(p, 0x7080, 3, 0);
}

static const struct logged expected[] = {
	{ .line = 0x10000000,
	  .warp = 0,
	  .site = 0,
	  .lanes = 4,
	  .bytes_used = 16,
	  .buffer = 0,
	  .kind = SITE_READ },
	{ .line = 0x10000000,
	  .warp = 1,
	  .site = 0,
	  .lanes = 3,
	  .bytes_used = 12,
	  .buffer = 0,
	  .kind = SITE_READ },
	{ .line = 0x9000,
	  .warp = 0,
	  .site = 2,
	  .lanes = 4,
	  .bytes_used = 16,
	  .buffer = -1,
	  .kind = SITE_WRITE },
	{ .line = 0x9000,
	  .warp = 1,
	  .site = 2,
	  .lanes = 3,
	  .bytes_used = 12,
	  .buffer = -1,
	  .kind = SITE_WRITE },
	{ .line = 0x10000000,
	  .warp = 0,
	  .site = 1,
	  .lanes = 4,
	  .bytes_used = 4,
	  .buffer = 0,
	  .kind = SITE_READ },
	{ .line = 0x10000000,
	  .warp = 1,
	  .site = 1,
	  .lanes = 3,
	  .bytes_used = 4,
	  .buffer = 0,
	  .kind = SITE_READ },
	{ .line = 0x10000080,
	  .warp = 1,
	  .site = 3,
	  .lanes = 1,
	  .bytes_used = 4,
	  .buffer = 0,
	  .kind = SITE_ATOMIC },
};

static void a_request_says_what_it_is(void **state)
{
	struct recorded_buffer buffer = { .bytes = 4096, .parent = -1 };
	struct recorded_argument argument = { 0, 0, 0x7000 };
	struct recorded_launch launch = { .arguments = &argument, .argument_count = 1 };
	struct recording recording = {
		.buffers = &buffer, .buffer_count = 1, .launches = &launch, .launch_count = 1
	};
	struct address_map *map;

	(void)state;
	assert_int_equal(address_map_create(&map, &recording, 0, NULL), 0);
	launch_play_init(&play, one_of_each, ten_cycles);
	play.map = map;
	launch_play_shape(&play, 1, 7);
	assert_int_equal(launch_play(&play, NULL), 0);
	assert_int_equal(play.log_count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		const struct logged *r = &play.log[i], *e = &expected[i];

		assert_int_equal(r->line, e->line);
		assert_int_equal(r->warp, e->warp);
		assert_int_equal(r->site, e->site);
		assert_int_equal(r->lanes, e->lanes);
		assert_int_equal(r->bytes_used, e->bytes_used);
		assert_int_equal(r->buffer, e->buffer);
		assert_int_equal(r->kind, e->kind);
	}
	assert_int_equal(play.result.unmapped_lanes, 7);
	assert_int_equal(play.result.lanes, 22);
	assert_int_equal(play.result.instructions, 7);
	schedule_result_release(&play.result);
	address_map_free(map);
}

/* --- refusals -------------------------------------------------------------------------------- */

static int broken_source(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	static const struct event none[1];
	static const uint64_t first[] = { 0, 0, 0, 0, 0 }, backwards[] = { 0, 1, 0, 0, 0 };
	int kind = *(int *)context;

	if (kind == 0)
		return err_set(err, ERR_IO, "the disk is gone");
	*out = (struct group_items){ .events = { kind == 1 ? 3 : 4, kind == 2 ? backwards : first,
		                                 none } };
	return 0;
}

static void what_cannot_be_played_is_refused(void **state)
{
	static const struct {
		int code;
		const char *message;
	} rows[] = {
		{ ERR_IO, "the disk is gone" },
		{ ERR_FORMAT, "group 0: has events of 3 work-items: expected 4" },
		{ ERR_FORMAT, "group 0: the events of work-item 1 end before they begin" },
	};
	struct err err = { 0 };

	(void)state;
	launch_play_init(&play, some_reads, ten_cycles);
	launch_play_shape(&play, 5, 4);
	for (int kind = 0; kind < 3; kind++) {
		struct schedule_input input = { .shape = &play.shape,
			                        .table = &play.table,
			                        .groups = { .context = &kind,
			                                    .read = broken_source } };
		struct memory_port port = { 0 };

		err = (struct err){ 0 };
		assert_int_equal(schedule_launch(&play.gpu, &input, &port, &play.result, &err),
		                 rows[kind].code);
		assert_string_equal(err.msg, rows[kind].message);
		schedule_result_release(&play.result);
	}
	err = (struct err){ 0 };
	play.local_bytes = 2 << 20;
	assert_int_equal(launch_play(&play, &err), ERR_CONFIG);
	assert_string_equal(err.msg, "a work-group needs 2097152 bytes of local memory, an SM of "
	                             "test has 1048576");
	schedule_result_release(&play.result);
	schedule_result_release(&(struct schedule_result){ 0 });
}

static int hostile_source(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	static const struct event events[] = { { 0, 0, 0 }, { 0, 99, 0 } };
	static const uint64_t first[] = { 0, 1, 1, 2, 2 }, good[] = { 0, 1, 1, 1, 1 };

	*out = (struct group_items){ .events = { 4, group == 3 ? first : good, events } };
	return 0;
}

static uint64_t quiet_port(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	return now;
}

static void the_message_says_which_group_and_work_item(void **state)
{
	struct schedule_input input = { .shape = &play.shape,
		                        .table = &play.table,
		                        .groups = { .read = hostile_source } };
	struct memory_port port = { .request = quiet_port };
	struct err err = { 0 };

	(void)state;
	launch_play_init(&play, NULL, NULL);
	launch_play_shape(&play, 5, 4);
	assert_int_equal(schedule_launch(&play.gpu, &input, &port, &play.result, &err), ERR_FORMAT);
	assert_string_equal(err.msg,
	                    "group 3: work-item 2, event 0: there is no site 99: the kernel "
	                    "has 6");
	schedule_result_release(&play.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_starts_where_a_slot_is_free_first),
		cmocka_unit_test(local_memory_of_a_sample_is_counted_in_its_groups),
		cmocka_unit_test(few_groups_reach_the_lowest_sms),
		cmocka_unit_test(the_first_groups_go_round_robin),
		cmocka_unit_test(transposition_has_the_requests_of_table_8_1),
		cmocka_unit_test(every_group_runs_once_and_no_access_is_lost),
		cmocka_unit_test(the_same_input_gives_the_same_requests),
		cmocka_unit_test(a_request_says_what_it_is),
		cmocka_unit_test(what_cannot_be_played_is_refused),
		cmocka_unit_test(the_message_says_which_group_and_work_item),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
