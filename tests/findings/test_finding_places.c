/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finding names the access that costs most of what it sums, and of the sites that this access
 * became the one that does: by hand where that is not the first, and as a law over random kernels.
 * What a site contributes is told here by the definitions of docs/findings.md.
 */
#include "cmocka_all.h"
#include "err.h"
#include "finding_spot.h"
#include "hot_lines.h"
#include "player.h"
#include "random.h"
#include "recording.h"
#include "recording_script.h"
#include "replay_choice.h"
#include "report_data.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOWHERE UINT64_MAX

enum { SITES = 4, LANES = 32, LINES_MAX = 256, FILL_BYTES = 32 };

/* How a site of a kernel accesses memory, and where in the source it stands. */
struct made_site {
	enum site_kind kind;
	uint32_t line, argument, expression;
	/* The byte of its argument's buffer for a lane of a group in iteration k; NOWHERE: none. */
	uint64_t (*offset)(uint64_t group, uint32_t lane, uint32_t k);
};

struct made_kernel {
	struct made_site sites[SITES];
	uint32_t groups, times;
};

static const struct made_kernel *made;
static uint32_t more_launches; /* of a second kernel with the same sites, and of the first again */

static void fill(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++) {
		s->first[s->items + 1] = s->count;
		for (uint32_t k = 0; k < made->times; k++)
			for (uint32_t i = 0; i < SITES; i++) {
				const struct made_site *m = &made->sites[i];
				uint64_t at = m->offset ? m->offset(group, s->items, k) : NOWHERE;

				if (at != NOWHERE)
					recording_script_add(
						s, EVENT_SITE | i,
						UINT64_C(0x10000000) * (m->argument + 1) + at, k);
			}
	}
}

/* A recording of a made kernel, and its report. */
struct opened {
	char dir[64];
	struct recording *recording;
	struct replay_setup setup;
	struct report_data data;
};

static int make_recording(const char *dir, struct err *err)
{
	char file[] = "sources/program-0000.cl", texts[2][8] = { "a[i]", "a[j]" };
	struct loop loop = { -1, 1, { file, 2, 1 } };
	struct site sites[SITES];
	struct kernel_argument arguments[2] = { { TEXT("A"), TEXT("int*"), SPACE_GLOBAL, true },
		                                { TEXT("B"), TEXT("int*"), SPACE_GLOBAL, true } };
	struct kernel_table table = { .name = TEXT("k"),
		                      .sites = sites,
		                      .site_count = SITES,
		                      .loops = &loop,
		                      .loop_count = 1,
		                      .arguments = arguments,
		                      .argument_count = 2 };
	struct recorded_argument pointers[2] = { { 0, 0, 0x10000000 }, { 1, 1, 0x20000000 } };
	struct recorded_buffer buffer = { .bytes = 1 << 24, .parent = -1 };
	struct recorded_launch launch = { .shape = { 1, { 1, 1, 1 }, { LANES, 1, 1 }, { 0 } },
		                          .arguments = pointers,
		                          .argument_count = 2 };
	struct recording_writer *w = NULL;
	uint32_t id, first, second = 0;
	int ret = recording_script_begin(&w, dir, err);

	launch.shape.global[0] = (uint64_t)LANES * made->groups;
	for (uint32_t i = 0; i < SITES; i++)
		sites[i] = (struct site){ .kind = made->sites[i].kind,
			                  .bytes = 4,
			                  .space = SPACE_GLOBAL,
			                  .argument = (int32_t)made->sites[i].argument,
			                  .place = { file, made->sites[i].line, 1 },
			                  .expression = texts[made->sites[i].expression] };
	for (int i = 0; i < 2 && !ret; i++)
		ret = recording_writer_buffer(w, &buffer, &id, err);
	if (!ret)
		ret = recording_script_program(w, "\n\n\n\n\n\n\n\n", err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &launch.kernel, err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill, err);
	first = launch.kernel;
	table.name = TEXT("after");
	if (!ret && more_launches)
		ret = recording_script_kernel(w, &table, &second, err);
	for (uint32_t i = 0; i < more_launches && !ret; i++) {
		launch.kernel = i % 2 ? first : second;
		ret = recording_script_launch(w, &launch, &table, fill, err);
	}
	return ret ? ret : recording_script_finish(w, err);
}

static void open_kernel(struct opened *o, const struct made_kernel *kernel, const char *gpu)
{
	char path[256];
	struct replay_choice choice = { .gpu.gpu = path, .jobs = { true, 1 } };
	const struct report_request request = { .has_curves = true, .has_patterns = true };
	struct launch_choice launches;
	struct err err = { 0 };

	made = kernel;
	*o = (struct opened){ 0 };
	snprintf(path, sizeof(path), SOURCE_DIR "/gpus/%s.conf", gpu);
	snprintf(o->dir, sizeof(o->dir), "/tmp/warpline-places-%ld", (long)getpid());
	if (make_recording(o->dir, &err) || recording_open(&o->recording, o->dir, &err) ||
	    replay_choice_setup(&o->setup, &choice, &err) ||
	    replay_choice_recording(&o->setup, &choice, "report", o->recording, &err))
		fail_msg("%s", err.msg);
	launches = launch_choice_make(o->recording, NULL);
	if (report_data_make(&o->data, &o->setup, &launches, &request, &err))
		fail_msg("%s", err.msg);
}

static void close_kernel(struct opened *o)
{
	char command[128];

	report_data_release(&o->data);
	replay_setup_release(&o->setup);
	recording_close(o->recording);
	snprintf(command, sizeof(command), "rm -r %s", o->dir);
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

static const struct finding *find(const struct report_data *d, enum finding_rule rule)
{
	for (size_t i = 0; i < d->findings.count; i++)
		if (d->findings.items[i].rule == rule)
			return &d->findings.items[i];
	return NULL;
}

/* By hand. */

static uint64_t once_one_line(uint64_t group, uint32_t lane, uint32_t k)
{
	return group || k ? NOWHERE : 4 * lane;
}

static uint64_t one_line(uint64_t group, uint32_t lane, uint32_t k)
{
	(void)group;
	(void)k;
	return 4 * lane;
}

static uint64_t one_word_by_two(uint64_t group, uint32_t lane, uint32_t k)
{
	(void)group;
	(void)k;
	return lane < 2 ? 0 : NOWHERE;
}

static uint64_t rows(uint64_t group, uint32_t lane, uint32_t k)
{
	return 2048 * (UINT64_C(32) * group + lane) + UINT64_C(4) * k;
}

static uint64_t rows_at_first(uint64_t group, uint32_t lane, uint32_t k)
{
	return k ? NOWHERE : rows(group, lane, k);
}

static uint64_t few_at_first(uint64_t group, uint32_t lane, uint32_t k)
{
	return lane % 8 == 7 && !k ? 128 * group + 4 * lane : NOWHERE;
}

static uint64_t few(uint64_t group, uint32_t lane, uint32_t k)
{
	return lane % 8 == 7 ? 128 * (16 * group + k) + 4 * lane : NOWHERE;
}

/*
 * A histogram as Parboil's tpacf has it: a first loop clears the bins, and atomics fill them. Line
 * 3 makes 1 request to the only line, of 1 + 16 * 16 = 257; line 6 makes the others, of 32 lanes
 * each, which do not wait for one another on words of their own: 256 of 257 turns.
 */
static void a_hot_line_is_where_its_requests_come_from(void **state)
{
	static const struct made_kernel kernel = { { { SITE_WRITE, 3, 0, 0, once_one_line },
		                                     { SITE_ATOMIC, 6, 0, 0, one_line } },
		                                   16,
		                                   16 };
	const struct finding *f;
	struct opened o;

	(void)state;
	open_kernel(&o, &kernel, "gtx480");
	f = find(&o.data, FINDING_HOT_LINE);
	assert_non_null(f);
	assert_int_equal(f->line, 6);
	assert_int_equal(o.data.sites[f->site].site, 1);
	assert_non_null(strstr(f->sentence, "program-0000.cl:6 updates A again and again: 257 "
	                                    "requests with 8,192 atomics, 100%"));
	assert_int_equal(f->cost_turns, 257);
	close_kernel(&o);
}

/* 64 requests of atomics of two lanes are 128 turns, and two writes have 64 turns each: the
 * atomics, with a third of the requests, have most. */
static void a_turn_counts_not_a_kind(void **state)
{
	static const struct made_kernel kernel = { { { SITE_ATOMIC, 3, 0, 0, one_word_by_two },
		                                     { SITE_WRITE, 6, 0, 0, one_line },
		                                     { SITE_WRITE, 7, 0, 0, one_line } },
		                                   16,
		                                   4 };
	const struct finding *f;
	struct opened o;

	(void)state;
	open_kernel(&o, &kernel, "gtx480");
	f = find(&o.data, FINDING_HOT_LINE);
	assert_non_null(f);
	assert_int_equal(f->line, 3);
	/* of 256, what is left when the writes are kept in a register */
	assert_in_range(f->cost_turns, 128, 256);
	close_kernel(&o);
}

/* One access of the source became two sites, of which the first runs once and the second always. */
static void of_the_sites_of_an_access_the_heaviest_is_named(void **state)
{
	static const struct made_kernel kernel = {
		{ { SITE_READ, 3, 0, 0, rows_at_first }, { SITE_READ, 3, 0, 0, rows } }, 4, 16
	};
	const struct finding *f;
	struct opened o;

	(void)state;
	open_kernel(&o, &kernel, "gtx480");
	f = find(&o.data, FINDING_UNCOALESCED);
	assert_non_null(f);
	assert_int_equal(o.data.sites[f->site].site, 1);
	close_kernel(&o);
}

/* Two accesses of one line: 4 instructions and 64, with 4 of 32 lanes: 68 * 28 / 32 = 59.5 too
 * many, and 112 of the 128 bytes of 68 lines for nothing: 304.6 turns. */
static void of_divergent_accesses_of_a_line_the_heaviest_is_named(void **state)
{
	static const struct made_kernel kernel = {
		{ { SITE_READ, 3, 0, 0, few_at_first }, { SITE_READ, 3, 1, 0, few } }, 4, 16
	};
	const struct finding *f;
	struct opened o;

	(void)state;
	open_kernel(&o, &kernel, "gtx480");
	f = find(&o.data, FINDING_DIVERGENT);
	assert_non_null(f);
	assert_int_equal(o.data.sites[f->site].site, 1);
	assert_int_equal(f->argument, 1);
	assert_int_equal(f->cost_turns, 364);
	close_kernel(&o);
}

/* The law. */

static struct random random_state;
static uint64_t pattern_of_round;

static uint64_t scattered(uint64_t group, uint32_t lane, uint32_t k)
{
	uint64_t x = (group * 1009 + lane * 31 + k * 7919 + pattern_of_round) * 2654435761u;

	return 4 * (x >> 7 & 0x3fff);
}

static uint64_t half_active(uint64_t group, uint32_t lane, uint32_t k)
{
	return lane % 3 || (group + k) % 3 ? NOWHERE : 128 * (k % 5) + 4 * lane;
}

static uint64_t again(uint64_t group, uint32_t lane, uint32_t k)
{
	return 128 * ((group + k) % 300) + 4 * lane;
}

static uint64_t shifted(uint64_t group, uint32_t lane, uint32_t k)
{
	return 8192 * group + 256 * k + 4 * lane + 20;
}

/* The first ones access few lines. */
static uint64_t (*const patterns[])(uint64_t, uint32_t, uint32_t) = {
	once_one_line, one_line, one_word_by_two, half_active, NULL,    rows, rows_at_first,
	few_at_first,  few,      scattered,       again,       shifted,
};

enum { PATTERNS_FEW = 5, PATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

static void draw_kernel(struct made_kernel *kernel)
{
	static const enum site_kind kinds[] = { SITE_READ, SITE_READ, SITE_WRITE, SITE_ATOMIC };

	uint32_t count = random_below(&random_state, 2) ? PATTERNS : PATTERNS_FEW;

	*kernel = (struct made_kernel){ .groups = 1 + random_below(&random_state, 24),
		                        .times = 1 + random_below(&random_state, 16) };
	pattern_of_round = random_below(&random_state, 1000);
	for (size_t i = 0; i < SITES; i++)
		kernel->sites[i] = (struct made_site){
			.kind = kinds[random_below(&random_state, 4)],
			.line = 3 + random_below(&random_state, 2),
			.argument = random_below(&random_state, 2),
			.expression = random_below(&random_state, 2),
			.offset = patterns[random_below(&random_state, count)],
		};
}

/* Requests of a line by site, in turns, of all SMs: counted by this test. */
struct tally {
	struct {
		uint64_t line, requests, turns[SITES];
	} lines[LINES_MAX];
	size_t count;
	uint64_t total;
	bool is_full;
};

static void tally_served(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct tally *t = context;
	size_t i = 0;

	if (o->event != L1_COHERENCE && o->event != L1_WRITE && o->event != L1_WRITE_HIT &&
	    o->event != L1_ATOMIC)
		return;
	t->total++;
	while (i < t->count && t->lines[i].line != r->line)
		i++;
	if (i == LINES_MAX) {
		t->is_full = true;
		return;
	}
	t->count += i == t->count;
	t->lines[i].line = r->line;
	t->lines[i].requests++;
	/* atomics of 4 bytes wait for those on their word */
	t->lines[i].turns[r->site] +=
		o->event == L1_ATOMIC ? (4 * r->lanes + r->bytes_used - 1) / r->bytes_used : 1;
}

static void tally_left(void *context, const struct l1_residency *x)
{
	(void)context;
	(void)x;
}

static struct l1_observer tally_observer = { NULL, tally_served, tally_left };

static const struct l1_observer *observe(void *context, uint32_t sm)
{
	(void)sm;
	tally_observer.context = context;
	return &tally_observer;
}

static int by_requests(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b; /* line, requests, ... */

	if (x[1] != y[1])
		return x[1] > y[1] ? -1 : 1;
	return x[0] < y[0] ? -1 : 1;
}

/* What each site does to as many of the hottest lines as the finding says, in turns. */
static bool tally_hot_lines(const struct opened *o, const struct finding *f, double turns[SITES])
{
	struct replay_options options = o->setup.options;
	struct replay_result result;
	struct tally t = { .count = 0 };
	size_t lines = 0;

	options.observer = observe;
	options.observer_context = &t;
	assert_int_equal(replay_launch(o->recording, 0, &o->setup.gpu, &options, &result, NULL), 0);
	replay_result_release(&result);
	for (size_t i = 0; i < f->evidence_count; i++)
		if (!strcmp(f->evidence[i].name, "lines"))
			lines = (size_t)f->evidence[i].value;
	qsort(t.lines, t.count, sizeof(t.lines[0]), by_requests);
	for (size_t i = 0; i < lines; i++)
		for (size_t s = 0; s < SITES; s++)
			turns[s] += (double)t.lines[i].turns[s];
	return !t.is_full && t.count <= HOT_LINES; /* else the sketch is one */
}

/* What a site has of that which a finding of the rule sums (docs/findings.md). */
static double evidence_of(enum finding_rule rule, const struct report_site *s)
{
	const struct access_pattern *a = &s->sums.pattern;

	switch ((int)rule) {
	case FINDING_UNCOALESCED:
		return (double)(a->requests - a->misaligned_requests - a->requests_least) +
		       (double)(s->sums.l1.bytes_moved - s->sums.l1.bytes_used) / FILL_BYTES;
	case FINDING_MISALIGNED:
		return (double)a->misaligned_requests;
	case FINDING_THRASHING:
		return (double)s->sums.l1.capacity;
	case FINDING_STREAMING:
		return (double)s->sums.l1.lines;
	case FINDING_SET_CONFLICT:
		return (double)s->sums.l1.conflict;
	case FINDING_FALSE_REUSE:
		return (double)(s->sums.l1.bytes_moved - s->sums.l1.bytes_used);
	case FINDING_REFETCHED:
		return (double)s->sums.l1.cold;
	case FINDING_REWRITTEN:
		return (double)s->sums.l1.coherence;
	case FINDING_DIVERGENT: /* instructions that full warps would not need, whole ones */
		return a->lanes_possible ? (double)(uint64_t)((double)a->instructions *
		                                              (double)a->idle_lanes /
		                                              (double)a->lanes_possible)
		                         : 0;
	default:
		return 0;
	}
}

/* Whether two sites are one access of the source. */
static bool is_one_access(const struct site *a, const struct site *b)
{
	return a->kind == b->kind && a->argument == b->argument && a->place.line == b->place.line &&
	       !strcmp(a->expression, b->expression);
}

/* Whether a finding that names `a` sums `b` as well. */
static bool is_summed(enum finding_rule rule, const struct site *a, const struct site *b)
{
	switch ((int)rule) {
	case FINDING_SET_CONFLICT:
	case FINDING_HOT_LINE:
		return true;
	case FINDING_REFETCHED:
		return b->kind == SITE_READ && a->argument == b->argument;
	case FINDING_MISALIGNED:
		return a->kind == b->kind && a->argument == b->argument;
	default:
		return is_one_access(a, b);
	}
}

/* By site, or by access: all sites that are one count for each of them. */
static double sum_of(const struct report_data *d, const double *evidence, size_t site)
{
	double sum = 0;

	for (size_t i = 0; i < SITES; i++)
		if (is_one_access(d->sites[site].facts, d->sites[i].facts))
			sum += evidence[i];
	return sum;
}

static bool check_finding(const struct opened *o, const struct finding *f)
{
	const struct report_data *d = &o->data;
	double evidence[SITES] = { 0 };

	for (size_t i = 0; i < SITES; i++)
		evidence[i] = evidence_of(f->rule, &d->sites[i]);
	if (f->rule == FINDING_HOT_LINE && !tally_hot_lines(o, f, evidence))
		return false;
	for (size_t i = 0; i < SITES; i++) {
		const struct site *a = d->sites[f->site].facts, *b = d->sites[i].facts;

		if (is_one_access(a, b) && evidence[i] > evidence[f->site])
			fail_msg("%s: site %zu has %g, site %zu %g", f->sentence, f->site,
			         evidence[f->site], i, evidence[i]);
		if (is_summed(f->rule, a, b) &&
		    sum_of(d, evidence, i) > sum_of(d, evidence, f->site))
			fail_msg("%s: site %zu has %g, site %zu %g", f->sentence, f->site,
			         sum_of(d, evidence, f->site), i, sum_of(d, evidence, i));
	}
	return true;
}

static void no_other_site_has_more_of_what_a_finding_sums(void **state)
{
	static const char *const gpus[] = { "gtx480", "a100", "mi210" };
	size_t seen[FINDING_RULES] = { 0 };

	(void)state;
	random_state = (struct random){ 17 };
	for (size_t round = 0; round < 120; round++) {
		struct made_kernel kernel;
		struct opened o;

		draw_kernel(&kernel);
		open_kernel(&o, &kernel, gpus[round % 3]);
		for (size_t i = 0; i < o.data.findings.count; i++)
			seen[o.data.findings.items[i].rule] +=
				check_finding(&o, &o.data.findings.items[i]);
		close_kernel(&o);
	}
	/* What random kernels do not show, or hardly, is shown by the scenes. */
	assert_true(seen[FINDING_UNCOALESCED] > 20 && seen[FINDING_HOT_LINE] > 20 &&
	            seen[FINDING_DIVERGENT] > 10 && seen[FINDING_MISALIGNED] > 5 &&
	            seen[FINDING_REWRITTEN] > 5 && seen[FINDING_REFETCHED] > 5);
}

/* Of each whole, findings are no more than all of it, and each is a part of it. */
static void costs_are_parts_of_their_wholes(void **state)
{
	static const char *const gpus[] = { "gtx480", "v100", "h100", "mi210" };
	size_t seen = 0, relaunched = 0;

	(void)state;
	random_state = (struct random){ 23 };
	for (size_t round = 0; round < 160; round++) {
		double shares[FINDING_WHOLES] = { 0 };
		struct made_kernel kernel;
		uint64_t turns[FINDING_WHOLES] = { 0 };
		struct opened o;

		draw_kernel(&kernel);
		more_launches = random_below(&random_state, 4);
		open_kernel(&o, &kernel, gpus[round % 4]);
		for (size_t i = 0; i < o.data.findings.count; i++) {
			const struct finding *f = &o.data.findings.items[i];

			assert_true(f->cost_share >= 0.01 && f->cost_share <= 1);
			shares[f->whole] += f->cost_share;
			turns[f->whole] += f->cost_turns;
			seen += i > 0;
			relaunched += f->rule == FINDING_RELAUNCHED;
		}
		for (size_t i = 0; i < FINDING_WHOLES; i++)
			assert_true(shares[i] <= 1 + 1e-9);
		assert_true(turns[FINDING_OF_GLOBAL] <= o.data.findings.turns);
		close_kernel(&o);
	}
	more_launches = 0;
	assert_true(seen > 50 && relaunched > 5);
}

/* Counts of more sites than a line keeps are reduced and rounded: atomics of a site may then have
 * fewer turns than requests, which is no waiting, and not very much of it. */
static void atomics_of_very_many_sites_wait_no_more_than_there_is(void **state)
{
	enum { MANY = 3 * HOT_SITES };
	uint64_t used[2] = { 0xf, 0 };
	struct hot_lines h = { 0 };
	double waits = 0;

	(void)state;
	assert_true(finding_hot_waits(
			    &(struct finding_spot){ .hot_requests = 5, .hot_turns = 3 }) <= 0);
	assert_true(finding_hot_waits(
			    &(struct finding_spot){ .hot_requests = 3, .hot_turns = 5 }) >= 2);
	for (uint32_t i = 0; i < 16 * MANY; i++) {
		const struct request r = { .used = used,
			                   .bytes_used = 4,
			                   .lanes = 1 + i % 5,
			                   .site = i * 7 % MANY,
			                   .kind = SITE_ATOMIC };

		hot_lines_served(&h, &r, &(struct l1_outcome){ .event = L1_ATOMIC }, 4);
	}
	assert_true(h.lines[0].site_count <= HOT_SITES);
	for (uint32_t i = 0; i < h.lines[0].site_count; i++) {
		const struct hot_site *site = &h.lines[0].sites[i];

		waits += finding_hot_waits(&(struct finding_spot){ .hot_requests = site->requests,
		                                                   .hot_turns = site->turns });
	}
	assert_true(waits >= 0 && waits <= (double)h.lines[0].turns);
	hot_lines_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hot_line_is_where_its_requests_come_from),
		cmocka_unit_test(a_turn_counts_not_a_kind),
		cmocka_unit_test(of_the_sites_of_an_access_the_heaviest_is_named),
		cmocka_unit_test(of_divergent_accesses_of_a_line_the_heaviest_is_named),
		cmocka_unit_test(no_other_site_has_more_of_what_a_finding_sums),
		cmocka_unit_test(costs_are_parts_of_their_wholes),
		cmocka_unit_test(atomics_of_very_many_sites_wait_no_more_than_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
