/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule finds what a kernel was made to show, and nothing where one was made not to; and the
 * numbers of a report are those of replay --stats. */
#include "finding_scenes.h"
#include "report_data.h"
#include "report_play.h"

#include "cmocka_all.h"
#include "err.h"
#include "file.h"
#include "l1_stats.h"
#include "player.h"
#include "recording.h"
#include "replay_choice.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A recording of a scene, and its report. */
struct opened {
	char dir[96];
	struct recording *recording;
	struct replay_setup setup;
	struct report_data data;
};

static void close_scene(struct opened *o)
{
	char command[128];

	report_data_release(&o->data);
	replay_setup_release(&o->setup);
	recording_close(o->recording);
	(void)snprintf(command, sizeof(command), "rm -r %s", o->dir);
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

static uint64_t launches_later; /* that the recording has none of */

static void open_scene(struct opened *o, const struct finding_scene_row *scene)
{
	struct replay_choice choice = { .gpu.gpu = WARPLINE_TEST_GPU,
		                        .gpu.cache.sets = scene->sets,
		                        .gpu.cache.ways = scene->ways,
		                        .jobs = { true, 2 } };
	const struct report_request request = { .has_curves = true, .has_patterns = true };
	struct launch_choice launches;
	struct err err = { 0 };

	*o = (struct opened){ 0 };
	(void)snprintf(o->dir, sizeof(o->dir), "/tmp/warpline-findings-%ld", (long)getpid());
	if (scene->sets)
		choice.gpu.cache.index = "modulo";
	if (finding_scene_make(scene, o->dir, &err) ||
	    recording_open(&o->recording, o->dir, &err) ||
	    replay_choice_setup(&o->setup, &choice, &err) ||
	    replay_choice_recording(&o->setup, &choice, "report", o->recording, &err))
		fail_msg("%s: %s", scene->name, err.msg);
	o->recording->launches_seen += launches_later;
	launches = launch_choice_make(o->recording, NULL);
	if (report_data_make(&o->data, &o->setup, &launches, &request, &err))
		fail_msg("%s: %s", scene->name, err.msg);
}

static const struct finding *find(const struct report_data *d, enum finding_rule rule)
{
	for (size_t i = 0; i < d->findings.count; i++)
		if (d->findings.items[i].rule == rule)
			return &d->findings.items[i];
	return NULL;
}

static void each_rule_finds_what_it_is_for_and_nothing_else(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++) {
		const struct finding_scene_row *scene = &finding_scenes[i];
		const struct finding *f;
		struct opened o;

		open_scene(&o, scene);
		f = find(&o.data, scene->rule);
		if (!f != !scene->shows)
			fail_msg("%s: %s %s: %s", scene->name, finding_name(scene->rule),
			         f ? "was found" : "was not found", f ? f->sentence : "");
		if (f && scene->says && !strstr(f->sentence, scene->says))
			fail_msg("%s: does not say '%s': %s", scene->name, scene->says,
			         f->sentence);
		if (f) {
			assert_true(f->cost_share >= 0.01 && f->cost_share <= 1);
			assert_int_equal(f->line, f->whole == FINDING_OF_SMS ? 0 : 5);
			assert_true(f->evidence_count > 0);
		}
		close_scene(&o);
	}
}

/* Rows of evidence with a threshold are beyond it: else the rule would not have found anything. */
static void evidence_is_beyond_its_thresholds(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++) {
		struct opened o;

		if (!finding_scenes[i].shows)
			continue;
		open_scene(&o, &finding_scenes[i]);
		for (size_t k = 0; k < o.data.findings.count; k++) {
			const struct finding *f = &o.data.findings.items[k];

			for (size_t n = 0; n < f->evidence_count; n++) {
				const struct finding_evidence *e = &f->evidence[n];

				if (e->has_threshold && e->is_below)
					assert_true(e->value <= e->threshold);
				else if (e->has_threshold)
					assert_true(e->value >= e->threshold);
			}
			if (k && f[-1].whole != FINDING_OF_SMS && f->whole != FINDING_OF_SMS)
				assert_true(f[-1].cost_turns >= f->cost_turns);
			if (k && f[-1].whole == FINDING_OF_SMS)
				assert_int_equal(f->whole, FINDING_OF_SMS);
		}
		close_scene(&o);
	}
}

/* Samples are parts of all, and what is distinct is a part of what is asked for. The few lines of a
 * scene are all looked at. */
static void what_is_looked_at_is_part_of_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++) {
		struct line_share lines = { 0 };
		uint64_t reads = 0, asked = 0;
		struct opened o;

		open_scene(&o, &finding_scenes[i]);
		for (size_t k = 0; k < o.data.site_count; k++) {
			const struct report_site *s = &o.data.sites[k];
			const struct item_reuse *items = &s->sums.pattern.items;

			line_share_add(&lines, &s->sums.sharing);
			reads += s->sums.l1.reads + s->sums.l1.atomics;
			asked += s->facts->kind != SITE_WRITE ? s->sums.l1.bytes_asked : 0;
			assert_true(items->accesses <= s->sums.pattern.lanes);
			assert_true(items->rereads + items->overwritten <= items->accesses);
			assert_true(!items->rereads || s->facts->kind == SITE_READ);
			assert_true(!items->overwritten || s->facts->kind == SITE_WRITE);
		}
		assert_int_equal(lines.requests, reads);
		assert_int_equal(lines.request_bytes, asked);
		assert_true(lines.group_bytes <= lines.request_bytes);
		assert_true(lines.request_bytes <= lines.lane_bytes);
		assert_true(lines.group_sectors <= lines.requests);
		assert_true(lines.group_lines >= lines.lines);
		close_scene(&o);
	}
}

/* What replay --stats adds up, by an observer of its own. */
static struct l1_stats *play_again(const struct opened *o)
{
	const struct recording *r = o->recording;
	const struct gpu *gpu = &o->setup.gpu;
	const struct l1_stats_setup setup = { .is_wanted = { [L1_STATS_SITES] = true,
		                                             [L1_STATS_BUFFERS] = true,
		                                             [L1_STATS_SETS] = true },
		                              .sm_count = gpu->sm_count,
		                              .site_count = 3,
		                              .buffer_count = r->buffer_count,
		                              .set_count = gpu->l1_sets,
		                              .group_count = 1 };
	struct replay_options options = o->setup.options;
	struct replay_result result;
	struct l1_stats *stats = NULL;

	assert_int_equal(l1_stats_create(&stats, &setup, NULL), 0);
	options.observer = l1_stats_observer;
	options.observer_context = stats;
	assert_int_equal(replay_launch(r, 0, gpu, &options, &result, NULL), 0);
	assert_int_equal(l1_stats_end(stats, NULL), 0);
	assert_int_equal(result.total.read_misses, o->data.total.l1.read_misses);
	assert_int_equal(result.schedule.cycles, o->data.total.cycles);
	assert_int_equal(result.schedule.requests, o->data.total.l1.reads +
	                                                   o->data.total.l1.writes +
	                                                   o->data.total.l1.atomics);
	replay_result_release(&result);
	return stats;
}

static void numbers_are_those_of_replay_stats(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++) {
		const struct l1_stats_list *list;
		struct l1_stats_row sum = { 0 };
		struct l1_stats *stats;
		struct opened o;

		if (finding_scenes[i].is_followed || finding_scenes[i].is_repeated)
			continue; /* the replay is of a single launch */
		open_scene(&o, &finding_scenes[i]);
		stats = play_again(&o);
		assert_memory_equal(&o.data.total.l1, l1_stats_total(stats), sizeof(sum));
		assert_memory_equal(&o.data.kernels[0].counts.l1, l1_stats_total(stats),
		                    sizeof(sum));
		list = l1_stats_list(stats, L1_STATS_SITES);
		for (size_t s = 0; s < list->count; s++)
			assert_memory_equal(&o.data.sites[s].sums.l1, &list->rows[s], sizeof(sum));
		list = l1_stats_list(stats, L1_STATS_SETS);
		assert_memory_equal(o.data.kernels[0].sets, list->rows, list->count * sizeof(sum));
		list = l1_stats_list(stats, L1_STATS_BUFFERS);
		for (size_t b = 0; b < o.data.buffer_count; b++)
			assert_memory_equal(&o.data.buffers[b].l1,
			                    &list->rows[o.data.buffers[b].buffer + 1], sizeof(sum));
		for (size_t l = 0; l < o.data.line_count; l++)
			l1_stats_add(&sum, &o.data.lines[l].l1);
		assert_memory_equal(&sum, &o.data.total.l1, sizeof(sum));
		l1_stats_free(stats);
		close_scene(&o);
	}
}

/* The pattern of a site counts the requests that L1 is asked, and no fewer than the least. */
static void patterns_count_the_requests_of_l1(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++) {
		struct opened o;

		open_scene(&o, &finding_scenes[i]);
		for (size_t s = 0; s < o.data.site_count; s++) {
			const struct report_site *site = &o.data.sites[s];
			const struct access_pattern *a = &site->sums.pattern;

			assert_int_equal(a->requests, site->sums.l1.reads + site->sums.l1.writes +
			                                      site->sums.l1.atomics);
			assert_true(a->requests_least <= a->requests);
			assert_true(a->misaligned_requests <= a->requests - a->requests_least);
			assert_true(a->lanes <= a->lanes_possible);
		}
		close_scene(&o);
	}
}

/* A curve's point at the size of L1 has the misses of a replay without time. */
static void a_curve_falls_to_cold_misses(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++) {
		struct opened o;

		open_scene(&o, &finding_scenes[i]);
		for (size_t k = 1; k < o.data.curve.count; k++) {
			assert_true(o.data.curve.points[k - 1].lines <
			            o.data.curve.points[k].lines);
			assert_true(o.data.curve.points[k - 1].misses >=
			            o.data.curve.points[k].misses);
		}
		assert_int_equal(o.data.curve.reads, o.data.total.l1.reads);
		close_scene(&o);
	}
}

static void each_rule_has_its_section_in_the_docs(void **state)
{
	struct str text;

	(void)state;
	str_init(&text, 1 << 20);
	assert_int_equal(file_read(SOURCE_DIR "/docs/findings.md", &text, NULL), 0);
	assert_non_null(strstr(text.text, "`few-in-flight`"));
	assert_non_null(strstr(text.text, "`camping`"));
	for (int rule = 0; rule < FINDING_RULES; rule++) {
		char *head = str_format(NULL, "\n## %s\n", finding_name((enum finding_rule)rule));

		if (!strstr(text.text, head))
			fail_msg("docs/findings.md has no section%s", head);
		free(head);
	}
	str_release(&text);
}

static double evidence_of(const struct report_data *d, enum finding_rule rule, const char *name)
{
	const struct finding *f = find(d, rule);

	assert_non_null(f);
	for (size_t i = 0; i < f->evidence_count; i++)
		if (!strcmp(f->evidence[i].name, name))
			return f->evidence[i].value;
	fail_msg("no %s", name);
	return 0;
}

/* 4 groups of 32 lanes pass on 16 words each, 8,192 bytes. A launch after these two, which was not
 * recorded, may have read what was written, but not what was read again. */
static void what_later_launches_may_read_has_to_be_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++)
		for (launches_later = 0; launches_later < 2; launches_later++) {
			struct opened o;

			if (strcmp(finding_scenes[i].name, "passed_on") != 0)
				continue;
			open_scene(&o, &finding_scenes[i]);
			assert_true(evidence_of(&o.data, FINDING_RELAUNCHED, "bytes_again") ==
			            8192);
			assert_true(
				evidence_of(&o.data, FINDING_RELAUNCHED, "bytes_written_for_it") ==
				(launches_later ? 0 : 8192));
			close_scene(&o);
		}
	launches_later = 0;
}

/* Launches of one shape have the same sample: errors of 3 and 4 turns are one of 7, not of 5. */
static void errors_of_launches_add_up(void **state)
{
	struct report_numbers sum = { .local_error_turns = 3 };
	const struct report_numbers more = { .local_error_turns = 4 };

	(void)state;
	report_numbers_add(&sum, &more);
	assert_true(sum.local_error_turns == 7);
}

/* No report acquits a kernel of what no rule looks for, and that alone leaves the verdict. */
static void what_no_rule_looks_for_is_never_acquitted(void **state)
{
	(void)state;
	for (size_t i = 0; i < finding_scene_count; i++) {
		struct opened o;

		open_scene(&o, &finding_scenes[i]);
		assert_non_null(o.data.findings.not_looked[FINDING_FEW_IN_FLIGHT]);
		assert_non_null(o.data.findings.not_looked[FINDING_CAMPING]);
		assert_true(finding_list_is_whole(&o.data.findings));
		assert_int_equal(finding_find("camping", 7), FINDING_CAMPING);
		close_scene(&o);
	}
}

static void each_rule_has_a_scene_that_shows_it_and_one_that_does_not(void **state)
{
	(void)state;
	for (int rule = 0; rule < FINDING_RULES; rule++) {
		bool is_there[2] = { false, false };

		for (size_t i = 0; i < finding_scene_count; i++)
			if ((int)finding_scenes[i].rule == rule)
				is_there[finding_scenes[i].shows] = true;
		if (!is_there[0] || !is_there[1])
			fail_msg("%s", finding_name((enum finding_rule)rule));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_finds_what_it_is_for_and_nothing_else),
		cmocka_unit_test(evidence_is_beyond_its_thresholds),
		cmocka_unit_test(what_is_looked_at_is_part_of_all),
		cmocka_unit_test(numbers_are_those_of_replay_stats),
		cmocka_unit_test(patterns_count_the_requests_of_l1),
		cmocka_unit_test(a_curve_falls_to_cold_misses),
		cmocka_unit_test(each_rule_has_its_section_in_the_docs),
		cmocka_unit_test(what_later_launches_may_read_has_to_be_written),
		cmocka_unit_test(errors_of_launches_add_up),
		cmocka_unit_test(what_no_rule_looks_for_is_never_acquitted),
		cmocka_unit_test(each_rule_has_a_scene_that_shows_it_and_one_that_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
